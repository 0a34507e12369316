package lint

import (
	"context"
	"encoding/json"
	"strings"

	"github.com/promptc/promptc/engine/diag"
	"github.com/promptc/promptc/engine/skill"
)

// allowedTools: one text, separated by blanks.
func allowedTools(_ context.Context, p *page) {
	f, ok := p.field("allowed-tools")
	if !ok {
		return
	}
	say := func(format string, args ...any) { p.say(diag.AllowedToolsForm, f.Value, format, args...) }
	if f.Style == skill.Other {
		var extra map[string]json.RawMessage
		var list []string
		if json.Unmarshal(p.found.Extra, &extra) != nil || json.Unmarshal(extra[f.Key], &list) != nil {
			say("allowed-tools is neither a text nor a list of texts")
			return
		}
		say("allowed-tools is a list; the standard has one text, separated by blanks")
		p.toolNames(list, say)
		return
	}
	if strings.TrimSpace(f.Text) == "" || f.Style == skill.Plain && (f.Text == "~" || strings.EqualFold(f.Text, "null")) {
		say("allowed-tools is empty: for some agents that is no tool, for others every one")
		return
	}
	names, commas, open := splitTools(f.Text)
	if open {
		say("allowed-tools has a bracket that is not closed, or closed twice: %s", shown(f.Text, 80))
		return
	}
	if commas {
		say("allowed-tools is separated by commas; the standard has blanks")
	}
	p.toolNames(names, say)
}

// toolNames looks at each tool by itself.
func (p *page) toolNames(names []string, say func(string, ...any)) {
	for _, name := range names {
		if name = strings.TrimSpace(name); name == "*" {
			say("allowed-tools holds *, which allows every tool")
		} else if name == "" {
			say("allowed-tools holds an empty entry")
		}
	}
}

// splitTools cuts at blanks and commas outside of round brackets, within which a
// tool is narrowed: Bash(git add:*). Open says that they do not match.
func splitTools(text string) (names []string, commas, open bool) {
	depth, from := 0, 0
	cut := func(to int) {
		if from < to {
			names = append(names, text[from:to])
		}
		from = to + 1
	}
	for i := range len(text) {
		switch c := text[i]; {
		case c == '(':
			depth++
		case c == ')':
			if depth--; depth < 0 {
				return nil, false, true
			}
		case depth == 0 && (c == ' ' || c == '\t' || c == '\n' || c == ','):
			commas = commas || c == ','
			cut(i)
		}
	}
	cut(len(text))
	return names, commas, depth != 0
}
