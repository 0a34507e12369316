package lint

import (
	"context"
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/promptc/promptc/engine/diag"
)

// shape is how a kind of key is written: one of marks, which tells nobody anything
// and may be shown, and a rest, which may not.
type shape struct {
	what  string
	marks []string
	rest  *regexp.Regexp // anchored at its beginning
}

func keyed(what, rest string, marks ...string) shape {
	return shape{what, marks, regexp.MustCompile("^" + rest)}
}

// shapes are keys that say by their form what they are. Each rest has a length that
// no word reaches by chance.
var shapes = []shape{
	keyed("a private key", `(?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----\s+(?:[A-Za-z-]+: [^\n]*\n\s*)*[A-Za-z0-9+/=]{40,}`, "-----BEGIN "),
	keyed("an AWS access key", `[A-Z2-7]{16}\b`, "AKIA", "ASIA"),
	keyed("a GitHub token", `[A-Za-z0-9]{36,255}\b`, "ghp_", "gho_", "ghu_", "ghs_", "ghr_"),
	keyed("a GitHub token", `[A-Za-z0-9]{22}_[A-Za-z0-9]{59}\b`, "github_pat_"),
	keyed("a GitLab token", `[A-Za-z0-9_-]{20,}`, "glpat-", "gldt-", "glrt-", "glptt-", "glcbt-", "glft-", "glsoat-"),
	keyed("a Slack token", `[A-Za-z0-9-]{20,}`, "xoxa-", "xoxb-", "xoxe-", "xoxo-", "xoxp-", "xoxr-", "xoxs-"),
	keyed("a Slack webhook", `T[A-Z0-9]{7,}/B[A-Z0-9]{7,}/[A-Za-z0-9]{20,}`, "https://hooks.slack.com/services/"),
	keyed("an Anthropic key", `(?:[a-z0-9]+-)?[A-Za-z0-9_-]{32,}`, "sk-ant-"),
	keyed("an OpenAI key", `[A-Za-z0-9_-]{40,}`, "sk-proj-", "sk-svcacct-", "sk-admin-"),
	keyed("an API key", `[A-Za-z0-9]{48,64}\b`, "sk-or-v1-", "sk-"),
	keyed("a Google key", `[A-Za-z0-9_-]{35}`, "AIza"),
	keyed("a Google OAuth secret", `[A-Za-z0-9_-]{28}`, "GOCSPX-"),
	keyed("a Stripe key", `[A-Za-z0-9]{20,}`, "sk_live_", "rk_live_"),
	keyed("an npm token", `[A-Za-z0-9]{36}\b`, "npm_"),
	keyed("a PyPI token", `[A-Za-z0-9_-]{50,}`, "pypi-AgE"),
	keyed("a Hugging Face token", `[A-Za-z]{34}\b`, "hf_"),
	keyed("a SendGrid key", `[A-Za-z0-9_-]{22}\.[A-Za-z0-9_-]{43}`, "SG."),
	keyed("a DigitalOcean token", `[a-f0-9]{64}\b`, "dop_v1_", "doo_v1_", "dor_v1_"),
	keyed("a Databricks token", `[a-f0-9]{32}\b`, "dapi"),
	keyed("a Twilio key", `[a-f0-9]{32}\b`, "SK"),
	keyed("a Telegram bot token", `[A-Za-z0-9_-]{33}\b`, ":AA"),
	keyed("a JSON web token", `[A-Za-z0-9_-]{17,}\.eyJ[A-Za-z0-9_-]{17,}\.[A-Za-z0-9_-]{20,}`, "eyJ"),
	keyed("a password in a URL", `[A-Za-z0-9._-]+:[A-Za-z0-9._~!$&*+=-]{8,}@[A-Za-z0-9][A-Za-z0-9.-]*\.[A-Za-z]{2,}`, "://"),
}

// secrets looks through the whole skill file.
func secrets(_ context.Context, p *page) { p.secretsIn(p.found.Path, p.text) }

// What is looked at behind one mark, in bytes, and how many marks of one kind in one
// file.
const (
	maxSecret = 2048
	maxMarks  = 5000
)

// secretsIn reports what in the text of a file has the form of a key. No more of it
// is shown than its mark, which says what it is.
func (p *page) secretsIn(file, text string) {
	taken := map[int]bool{} // where a key ends that was reported
	for _, s := range shapes {
		for _, mark := range s.marks {
			n := 0
			for at := 0; ; at += len(mark) {
				i := strings.Index(text[at:], mark)
				if i < 0 {
					break
				}
				at += i
				if isWordStart(mark[0]) && at > 0 && isWordStart(text[at-1]) {
					continue
				}
				if n++; n > maxMarks {
					p.report(diag.New(diag.ScanBound, placeIn(file, text, at), "%s stands here for the %dth time: it was not looked at any further", mark, n))
					break
				}
				rest := s.rest.FindString(text[at+len(mark) : min(len(text), at+maxSecret)])
				end := at + len(mark) + len(rest)
				if rest == "" || taken[end] || dummy(rest) {
					continue
				}
				taken[end] = true
				if p.enough(diag.Secret) {
					continue
				}
				p.say(diag.Secret, placeIn(file, text, at), "this looks like %s: %s… (%d characters)", s.what, mark, utf8.RuneCountInString(mark+rest))
			}
		}
	}
}

func isWordStart(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

var placeholderWords = regexp.MustCompile(`(?i)example|placeholder|your|dummy|fake|sample|redacted|changeme|password|secret|token|xxxx|\.\.\.|abcdefgh|12345678|testtest|deadbeef`)

// dummy reports whether a key is one that somebody made up for a text: it says so,
// or it has hardly any different characters.
func dummy(secret string) bool {
	if placeholderWords.MatchString(secret) {
		return true
	}
	different := map[rune]bool{}
	for _, r := range secret {
		different[r] = true
	}
	return len(different) < min(8, len(secret)/2)
}

// placeIn is the place of a byte offset in the text of a file.
func placeIn(file, text string, offset int) diag.Pos {
	start := strings.LastIndexByte(text[:offset], '\n') + 1
	return diag.Pos{File: file, Line: strings.Count(text[:offset], "\n") + 1, Column: utf8.RuneCountInString(text[start:offset]) + 1}
}
