package lint

import (
	"context"
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/promptc/promptc/engine/diag"
	"github.com/promptc/promptc/engine/skill"
)

// standardKeys are those of the open standard, vendorKeys what agents add: the
// frontmatter of Claude Code, and what Qwen Code, Cursor and Copilot CLI have beside
// it.
var (
	standardKeys = []string{"name", "description", "license", "compatibility", "metadata", "allowed-tools"}
	vendorKeys   = []string{
		"when_to_use", "argument-hint", "arguments", "disable-model-invocation", "user-invocable", "disallowed-tools",
		"model", "effort", "context", "agent", "background", "hooks", "paths", "shell", "priority",
	}
)

// unknownKeys: neither the standard nor an agent has the key. One that is near to
// a known key is most likely a slip, which switches that key off.
func unknownKeys(_ context.Context, p *page) {
	known := append(slices.Clone(standardKeys), vendorKeys...)
	for _, f := range p.content.Fields {
		if f.Again || slices.Contains(known, f.Key) {
			continue
		}
		at := diag.Pos{File: p.found.Path, Line: f.Line, Column: keyColumn(p, f)}
		d := diag.New(diag.FrontmatterUnknownKey, at, "the key %q belongs neither to the standard nor to a known agent", f.Key)
		lower := strings.ToLower(f.Key)
		near := diag.Nearest(strings.ReplaceAll(lower, "_", "-"), known)
		switch {
		case slices.Contains(known, lower):
			d.Message = "the key \"" + f.Key + "\" is written with capitals: most agents look for exactly \"" + lower + "\""
			d = d.As(diag.Warning).WithHint("write %s", lower)
		case near != "" && !common(lower):
			d = d.As(diag.Warning).WithHint("did you mean %q?", near)
		}
		p.report(d)
	}
}

// common reports whether a key is one that authors write on purpose, so that it is
// no slip for a key that looks like it.
func common(key string) bool {
	return slices.Contains([]string{"agents", "models", "names", "path", "tools", "hook", "contexts"}, key)
}

// keyColumn is where the key stands in its line.
func keyColumn(p *page, f skill.Field) int {
	line := lineOf(p.text, f.Line)
	if i := strings.Index(line, f.Key); i >= 0 {
		return utf8.RuneCountInString(line[:i]) + 1
	}
	return 1
}

// lineOf is a line of text, from 1; "" where there is none.
func lineOf(text string, n int) string {
	for l := range strings.SplitSeq(text, "\n") {
		if n--; n == 0 {
			return l
		}
	}
	return ""
}

// maxCompatibility is how long the open standard lets that text be.
const maxCompatibility = 500

func compatibility(_ context.Context, p *page) {
	if f, ok := p.field("compatibility"); ok && utf8.RuneCountInString(f.Text) > maxCompatibility {
		p.say(diag.CompatibilityLong, f.Value, "the compatibility text has %d characters, more than %d", utf8.RuneCountInString(f.Text), maxCompatibility)
	}
}

// metadataTypes: the standard has metadata as a map of text to text, the license
// and the compatibility as text.
func metadataTypes(_ context.Context, p *page) {
	for _, key := range []string{"license", "compatibility"} {
		if f, ok := p.field(key); ok && f.Style == skill.Other {
			p.say(diag.KeyType, f.Value, "%s is a list or a map, not text", f.Key)
		}
	}
	f, ok := p.field("metadata")
	if !ok {
		return
	}
	var extra map[string]json.RawMessage
	if json.Unmarshal(p.found.Extra, &extra) != nil {
		return
	}
	var values map[string]json.RawMessage
	if err := json.Unmarshal(extra[f.Key], &values); err != nil {
		p.report(diag.New(diag.KeyType, f.Value, "metadata is not a map of keys to texts").WithHint("write each as `  key: \"text\"` below metadata"))
		return
	}
	for _, key := range slices.Sorted(maps.Keys(values)) {
		if v := values[key]; len(v) > 0 && v[0] != '"' {
			p.report(diag.New(diag.KeyType, f.Value, "metadata.%s is %s, not text", key, kindOf(v)).As(diag.Info).WithHint("write it in quotes"))
		}
	}
}

func kindOf(v json.RawMessage) string {
	switch v[0] {
	case '{':
		return "a map"
	case '[':
		return "a list"
	case 't', 'f':
		return "true or false"
	case 'n':
		return "empty"
	}
	return "a number"
}
