package lint

import (
	"fmt"
	"strings"
	"testing"

	"github.com/promptc/promptc/engine/diag"
)

// TestHiddenCharacters: what nobody sees is reported, and what writing needs is not.
func TestHiddenCharacters(t *testing.T) {
	for text, want := range map[string]string{
		"plain\ttext":              "",
		"zero\u200bwidth":          "5:5 warning",
		"two\u200b\u200b":          "5:4 warning",
		"mark\ufeff":               "5:5 warning",
		"soft\u00adhyphen":         "5:5 warning",
		"word\u2060joiner":         "5:5 warning",
		"filler\u3164":             "5:7 warning",
		"escape\x1b[31m":           "5:7 warning",
		"back\bspace":              "5:5 warning",
		"override\u202e":           "5:9 error",
		"isolate\u2066x\u2069":     "5:8 error, 5:10 error",
		"tags\U000E0041\U000E0042": "5:5 error",
		"x\U000E0101":              "5:2 warning",
		"left\u200emark":           "5:5 warning",
		"a\u200db":                 "5:2 warning",
		"\nsecond line\u200b":      "6:12 warning",
		"一\u200b二":                 "5:2 warning",
		"❤\ufe0f 1\ufe0f\u20e3 👍🏽": "",
		"👨\u200d👩\u200d👧 🏳\ufe0f\u200d🌈":                                "",
		"🏴\U000E0067\U000E0062\U000E0065\U000E006E\U000E0067\U000E007F": "",
		"می\u200cخواهم":            "",
		"क\u094d\u200dष":           "",
		"עברית\u200f!":             "",
		"葛\U000E0100":              "",
		"ภาษา\u200bไทย":            "",
		"🏴" + tagged("obey") + "x": "5:2 error",
	} {
		body := text
		if strings.HasPrefix(text, "\n") {
			body = "first" + text
		}
		var got []string
		for _, d := range of(looked(t, skillWith("", body+"\n")), diag.HiddenCharacter) {
			got = append(got, fmt.Sprintf("%d:%d %s", d.Line, d.Column, d.Severity))
		}
		if s := strings.Join(got, ", "); s != want {
			t.Errorf("%q: got %q, want %q", text, s, want)
		}
	}
	d := one(t, looked(t, skillWith("", "x"+tagged("send keys")+"\n")), diag.HiddenCharacter)
	if !strings.Contains(d.Message, `"send keys"`) {
		t.Error(d.Message)
	}
	for _, more := range []string{"license: M\u200bIT\n", "x\u200by: z\n"} {
		if d := one(t, looked(t, skillWith(more, "Body.\n")), diag.HiddenCharacter); d.Line != 4 {
			t.Error(d)
		}
	}
}

// tagged hides ASCII in tag characters.
func tagged(s string) string {
	return strings.Map(func(r rune) rune { return r + 0xE0000 }, s)
}

// made is a random-looking text of n characters of an alphabet, so that no key
// stands in this file.
func made(alphabet string, n int) string {
	var b strings.Builder
	state := uint32(n)*2654435761 + 12345
	for range n {
		state = state*1664525 + 1013904223
		b.WriteByte(alphabet[int(state>>16)%len(alphabet)])
	}
	return b.String()
}

const (
	hex   = "0123456789abcdef"
	upper = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"
	lower = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
	alnum = lower + "0123456789"
)

// keys are texts of the form of each kind of key, by what is reported.
var keys = map[string]string{
	"a private key":           "-----BEGIN RSA PRIVATE KEY-----\n" + made(alnum, 64),
	"an AWS access key":       "AKIA" + made(upper, 16),
	"a GitHub token":          "ghp_" + made(alnum, 36),
	"a GitLab token":          "glpat-" + made(alnum, 20),
	"a Slack token":           "xoxb-" + made("0123456789", 12) + "-" + made(alnum, 24),
	"a Slack webhook":         "https://hooks.slack.com/services/T" + made(upper, 9) + "/B" + made(upper, 9) + "/" + made(alnum, 24),
	"an Anthropic key":        "sk-ant-api03-" + made(alnum, 60),
	"an OpenAI key":           "sk-proj-" + made(alnum, 64),
	"an API key":              "sk-" + made(alnum, 48),
	"a Google key":            "AIza" + made(alnum, 35),
	"a Google OAuth secret":   "GOCSPX-" + made(alnum, 28),
	"a Stripe key":            "sk_live_" + made(alnum, 24),
	"an npm token":            "npm_" + made(alnum, 36),
	"a PyPI token":            "pypi-AgE" + made(alnum, 60),
	"a Hugging Face token":    "hf_" + made(lower, 34),
	"a SendGrid key":          "SG." + made(alnum, 22) + "." + made(alnum, 43),
	"a DigitalOcean token":    "dop_v1_" + made(hex, 64),
	"a Databricks token":      "dapi" + made(hex, 32),
	"a Twilio key":            "SK" + made(hex, 32),
	"a Telegram bot token":    "123456789:AA" + made(alnum, 33),
	"a JSON web token":        "eyJ" + made(alnum, 20) + ".eyJ" + made(alnum, 40) + "." + made(alnum, 43),
	"a password in a URL":     "postgres://admin:" + made(alnum, 12) + "@db.internal.org/x",
	"a GitHub token (fine)":   "github_pat_" + made(alnum, 22) + "_" + made(alnum, 59),
	"a GitLab token (runner)": "glrt-" + made(alnum, 20),
}

// TestSecrets: every kind is found, in the skill file and in the others, and never
// more than eight characters of what is secret are shown.
func TestSecrets(t *testing.T) {
	kinds := map[string]bool{}
	for what, key := range keys {
		what, _, _ = strings.Cut(what, " (")
		kinds[what] = true
		for _, list := range [][]diag.Diagnostic{
			looked(t, skillWith("", "Use "+key+" once.\n")),
			looked(t, skillWith("", "Body.\n"), "scripts/call.py", "x = '"+key+"'\n"),
		} {
			d := one(t, list, diag.Secret)
			if d.Severity != diag.Error || !strings.Contains(d.Message, what+":") || d.Line == 0 {
				t.Errorf("%s: %v", what, d)
			}
			secret := key[strings.LastIndexAny(key[:len(key)-12], "-_.:/\n")+1:]
			for i := 0; i+9 <= len(secret); i++ {
				if strings.Contains(fmt.Sprint(d), secret[i:i+9]) && !strings.Contains("PRIVATE KEY", secret[i:i+9]) {
					t.Errorf("%s is shown: %s", what, d.Message)
					break
				}
			}
		}
	}
	for _, s := range shapes {
		if !kinds[s.what] {
			t.Errorf("no test for %s", s.what)
		}
	}
}

// TestPlaceholdersAreNoSecrets: what somebody made up for a text is none.
func TestPlaceholdersAreNoSecrets(t *testing.T) {
	for _, text := range []string{
		"AKIAIOSFODNN7EXAMPLE", "ghp_" + strings.Repeat("x", 36), "sk-ant-your-key-goes-here-and-nowhere-else-at-all", "sk-proj-" + strings.Repeat("ab", 30),
		"postgres://user:password@localhost/x", "https://user:hunter@example.org", "-----BEGIN PRIVATE KEY-----\n...\n", "desk-" + made(alnum, 48),
		"a digest " + made(hex, 64), "risk-" + made(alnum, 60), "postgres://admin:$PASSWORD@db.internal.org",
	} {
		if list := of(looked(t, skillWith("", text+"\n")), diag.Secret); len(list) > 0 {
			t.Errorf("%s: %v", text, list)
		}
	}
}

// TestA29BytesThatCannotBeReadAreAFinding: and do not hide what stands beside them.
func TestA29BytesThatCannotBeReadAreAFinding(t *testing.T) {
	list := looked(t, skillWith("", "Body.\n"), "scripts/setup.py", "# caf\xe9\nkey = '"+keys["an AWS access key"]+"'\n")
	if d := one(t, list, diag.Encoding); d.Line != 1 || d.Column != 6 || !strings.HasSuffix(d.File, "setup.py") {
		t.Error(d)
	}
	if d := one(t, list, diag.Secret); d.Line != 2 {
		t.Error(d)
	}
	if list := looked(t, skillWith("", "Body.\n"), "assets/a.png", "\x89PNG\x00"+keys["an AWS access key"]); len(list) > 0 {
		t.Error(list)
	}
}
