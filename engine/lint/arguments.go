package lint

import (
	"context"
	"encoding/json"
	"regexp"
	"strings"

	"github.com/promptc/promptc/engine/diag"
	"github.com/promptc/promptc/engine/skill"
)

var (
	allArguments = regexp.MustCompile(`\$ARGUMENTS(?:\[\d+\])?(?:[^A-Za-z0-9_]|$)`)
	atArgument   = regexp.MustCompile(`@\$[1-9]`)
	dollarDigit  = regexp.MustCompile(`\$\d+`)
	price        = regexp.MustCompile(`^\$\d[\d,]*(?:\.\d+)?(?:[.,]\d|[–-]\$?\d|\+|%|[KkMmBb]\b|bn\b| ?(?:million|billion|thousand|trillion|per |a |an |each|USD|dollars?|/|off\b|tier|pouch))`)
)

// arguments compares what the frontmatter announces with what the body uses.
func arguments(_ context.Context, p *page) {
	body := string(p.body)
	var used []int
	for _, form := range []*regexp.Regexp{allArguments, atArgument} {
		if m := form.FindStringIndex(body); m != nil {
			used = append(used, m[0])
		}
	}
	hint, hinted := p.field("argument-hint")
	names, declared := p.argumentNames()
	switch {
	case len(used) > 0 && p.found.ArgumentHint == "" && !declared:
		p.say(diag.ArgumentUndeclared, p.at(min(used[0], used[len(used)-1])), "the body uses arguments, and the frontmatter has no argument-hint")
	case len(used) == 0 && hinted && p.found.ArgumentHint != "" && !positional(p) && !p.usesAny(names):
		p.say(diag.ArgumentUnused, hint.Value, "argument-hint announces %s, and the body has no place for it", shown(p.found.ArgumentHint, 60))
	}
	f, _ := p.field("arguments")
	for _, name := range names {
		if len(used) == 0 && !p.usesAny([]string{name}) && !positional(p) {
			p.say(diag.ArgumentUnused, f.Value, "the argument %q is declared, and the body does not hold $%s", name, name)
		}
	}
}

// argumentNames are those that the key arguments declares, as a list or as words.
func (p *page) argumentNames() (names []string, ok bool) {
	f, ok := p.field("arguments")
	if !ok {
		return nil, false
	}
	const most = 50 // nobody types more
	if f.Style != skill.Other {
		names = strings.Fields(f.Text)
		return names[:min(len(names), most)], true
	}
	var extra map[string]json.RawMessage
	if json.Unmarshal(p.found.Extra, &extra) != nil || json.Unmarshal(extra[f.Key], &names) != nil {
		return nil, true
	}
	return names[:min(len(names), most)], true
}

func (p *page) usesAny(names []string) bool {
	for _, name := range names {
		for _, form := range []string{"$" + name, "${" + name + "}"} {
			for rest := string(p.body); ; {
				_, after, ok := strings.Cut(rest, form)
				if !ok {
					break
				}
				if form[1] == '{' || after == "" || !isWordStart(after[0]) {
					return true
				}
				rest = after
			}
		}
	}
	return false
}

// positional reports whether a $1 of the body may be meant as an argument: it
// stands in prose and is no price.
func positional(p *page) bool {
	body := string(p.body)
	for _, m := range dollarDigit.FindAllStringIndex(body, -1) {
		if c, in := p.inCode(m[0]); (!in || c.inline && c.from == m[0] && c.to == m[1]) && !price.MatchString(body[m[0]:]) {
			return true
		}
	}
	return false
}

// collisions lists each dollar sign with a digit: some agents put a word of the
// user's there (d01). In a skill that takes arguments it is a warning.
func collisions(_ context.Context, p *page) {
	body := string(p.body)
	_, declared := p.argumentNames()
	takes := declared || p.found.ArgumentHint != "" || allArguments.MatchString(body)
	for _, m := range dollarDigit.FindAllStringIndex(body, -1) {
		if m[0] > 0 && strings.ContainsRune(`@\$`, rune(body[m[0]-1])) || p.enough(diag.ArgumentCollision) {
			continue
		}
		what, word := "looks like an argument", body[m[0]:m[1]]
		if c, in := p.inCode(m[0]); price.MatchString(body[m[0]:]) {
			what = "is a price"
		} else if in && !(c.inline && c.from == m[0] && c.to == m[1]) {
			what = "belongs to the code"
		}
		d := diag.New(diag.ArgumentCollision, p.at(m[0]), "%s %s: promptc leaves it, some agents put a word of the user's there", word, what)
		if takes {
			d = d.As(diag.Warning)
		}
		p.report(d)
	}
}
