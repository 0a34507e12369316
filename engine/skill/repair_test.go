package skill

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/promptc/promptc/engine/diag"
)

func TestJ11Repairs(t *testing.T) {
	for name, c := range map[string]struct {
		raw, name, desc string
		line, col       int
		quotes, shows   string
		colon           bool
	}{
		"colon": {"---\nname: tide-table\ndescription: Look up tides: high and low water for a harbour\n---\nBody.", "tide-table", "Look up tides: high and low water for a harbour", 3, 14,
			"description: Look up tides: high", `description: "Look up tides: high and low water for a harbour"`, true},
		"at":              {"---\nname: a\ndescription: @file reads\n---\n", "a", "@file reads", 3, 14, "description: @file reads", `description: "@file reads"`, false},
		"backtick":        {"---\nname: a\ndescription: `x` runs\n---\n", "a", "`x` runs", 3, 14, "description: `x` runs", "description: \"`x` runs\"", false},
		"percent":         {"---\nname: a\ndescription: %TEMP% is read\n---\n", "a", "%TEMP% is read", 3, 14, "%TEMP%", `"%TEMP% is read"`, false},
		"bracket":         {"---\nname: a\ndescription: [core] v3 finds projects\n---\n", "a", "[core] v3 finds projects", 3, 14, "[core]", `"[core] v3 finds projects"`, false},
		"brace":           {"---\nname: a\ndescription: {x} and more\n---\n", "a", "{x} and more", 3, 14, "{x}", `"{x} and more"`, false},
		"star":            {"---\nname: a\ndescription: *.ts files\n---\n", "a", "*.ts files", 3, 14, "*.ts", `"*.ts files"`, false},
		"ampersand":       {"---\nname: a\ndescription: & more\n---\n", "a", "& more", 3, 14, "& more", `"& more"`, false},
		"quotes inside":   {"---\nname: a\ndescription: Say \"x\": it's y\n---\n", "a", "Say \"x\": it's y", 3, 14, "Say", `'Say "x": it''s y'`, true},
		"backslash":       {"---\nname: a\ndescription: In C:\\x: all\n---\n", "a", "In C:\\x: all", 3, 14, "C:", `'In C:\x: all'`, true},
		"quote at start":  {"---\nname: a\ndescription: \"Fast\" reader: of all\n---\n", "a", "\"Fast\" reader: of all", 3, 14, "Fast", `'"Fast" reader: of all'`, false},
		"unclosed quote":  {"---\nname: \"alpha'\ndescription: \"Alpha\n---\n", "\"alpha'", "\"Alpha", 2, 7, `name: "alpha'`, `name: '"alpha'''`, false},
		"several lines":   {"---\nname: a\ndescription: Use when: x\n  and y\n---\n", "a", "Use when: x and y", 3, 14, "Use when: x", `"Use when: x and y"`, true},
		"on the next":     {"---\nname: a\ndescription:\n  First line.\n  Use when: x\n---\n", "a", "First line. Use when: x", 4, 3, "First line.", `"First line. Use when: x"`, true},
		"in a list":       {"---\nname: a\ndescription: D\ntags:\n  - a: b: c\n  - @x\n---\n", "a", "D", 5, 8, "b: c", `"b: c"`, false},
		"behind a header": {"\n---\nname: a\ndescription: a: b\n---\n", "a", "a: b", 4, 14, "description: a: b", `description: "a: b"`, true},
		"indented":        {" ---\n name: a\n description: a: b\n ---\n", "a", "a: b", 3, 15, "description: a: b", `description: "a: b"`, true},
		"CJK":             {"---\nname: a\ndescription: 触发条件: 预算 token\n---\n", "a", "触发条件: 预算 token", 3, 14, "触发条件", `"触发条件: 预算 token"`, true},
	} {
		t.Run(name, func(t *testing.T) {
			p := parsed(c.raw)
			if p.Name != c.name || p.Description != c.desc || p.Broken != "" || p.Form.YAML != RepairedYAML {
				t.Fatalf("%q, %q, broken %q, read as %s (%s)", p.Name, p.Description, p.Broken, p.Form.YAML, p.Form.YAMLError)
			}
			d := having(t, p.Problems, diag.YAMLRepaired)
			if d.Line != c.line || d.Column != c.col || !strings.Contains(d.Message, c.quotes) || !strings.Contains(d.Message, c.shows) {
				t.Errorf("%d:%d: %s", d.Line, d.Column, d.Message)
			}
			if p.Form.Colon != c.colon || p.Form.YAMLError == "" || p.Form.YAMLLine != c.line {
				t.Errorf("form %+v", p.Form)
			}
		})
	}
}

func TestJ11ValidListsAndMapsStay(t *testing.T) {
	p := parsed("---\nname: a\ndescription: x: y\ntags: [a, b]\nmore: {k: v}\nname2: *.md\n---\n")
	if p.Form.YAML != RepairedYAML || string(p.Extra) != `{"tags":["a","b"],"more":{"k":"v"},"name2":"*.md"}` {
		t.Fatalf("%s: %s", p.Form.YAML, p.Extra)
	}
}

func TestJ11TheLineReader(t *testing.T) {
	p := parsed("---\nname: a\n\tdescription: b\nargument-hint: [x] [y]\nlicense:MIT\nweird\ntags:\n  - a\n---\n# B\n\nP\n")
	if p.Form.YAML != LinesYAML || p.ArgumentHint != "[x] [y]" || p.Broken != "" {
		t.Fatalf("%+v", p)
	}
	p = parsed("---\nname: gulls\ndescription: first line\nsecond line without indent\nlicense: MIT\n---\n")
	if p.Name != "gulls" || p.Description != "first line second line without indent" || string(p.Extra) != `{"license":"MIT"}` {
		t.Fatalf("%q %s %v", p.Description, p.Extra, p.Problems)
	}
	p = parsed("---\nname: gulls\n\nlost words here\ndescription: d\n---\n")
	if d := having(t, p.Problems, diag.YAMLLost); d.Line != 4 || !strings.Contains(d.Message, "lost words here") {
		t.Fatal(d)
	}
	if p.Name != "gulls" || p.Description != "d" {
		t.Fatalf("%q %q", p.Name, p.Description)
	}
}

func TestJ11ALostRestrictionFailsClosed(t *testing.T) {
	for name, raw := range map[string]string{
		"no colon":             "---\nname: a\ndescription: d\n\ndisable-model-invocation true\n---\n",
		"swallowed":            "---\nname: x: y\n  allowed-tools: Read\ndescription: d\n---\n",
		"indented by a tab":    "---\nname: a\ndescription: d\n\tdisable-model-invocation: true\nx: @\n\ty: z\n---\n",
		"unclosed frontmatter": "---\nname: a\ndisable-model-invocation: true\n\n# Body\n",
		"late frontmatter":     "<!-- x -->\n---\nname: a\nallowed-tools: Read\n---\n",
		"a broken list":        "---\nname: a\ndescription: d\nallowed-tools: [Read,\n  - Grep\nmore\n---\n",
		"neither yes nor no":   "---\nname: a\n\t- b\ndisable-model-invocation: true: maybe: [\n\tx\n---\n",
	} {
		t.Run(name, func(t *testing.T) {
			p := parsed(raw)
			if p.Broken == "" {
				t.Fatalf("loads: %+v", p)
			}
			if !strings.Contains(codes(p.Problems), "yaml-lost") {
				t.Errorf("problems %v", p.Problems)
			}
		})
	}
	for name, raw := range map[string]string{
		"text of a scalar": "---\nname: a: b\ndescription: |\n  one\n  allowed-tools: is a key\n---\n",
		"read":             "---\nname: a: b\ndescription: d\nallowed-tools: Read\ndisable-model-invocation: true\n---\n",
		"prose":            "---\nname: a\ndescription: d\nallowed-tools are read from it\n\tx\n---\n",
	} {
		if p := parsed(raw); p.Broken != "" {
			t.Errorf("%s: broken: %s", name, p.Broken)
		}
	}
}

func TestJ11RecoversNearEverything(t *testing.T) {
	p := parsed("---\nname: all\ndescription: Use when: x\ndisable-model-invocation: yes\nuser-invocable: \"no\"\nallowed-tools: Read, Bash(git:*)\nwhen_to_use: at: night\nversion: 1.10\nmetadata:\n  author: me\n---\nB\n")
	f := p.Form
	if !f.Unmodelled || !f.NotForUsers || !f.AllowedKey || f.WhenToUse != "at: night" {
		t.Fatalf("%+v", f)
	}
	want := `{"disable-model-invocation":"yes","user-invocable":"no","allowed-tools":"Read, Bash(git:*)","when_to_use":"at: night","version":1.10,"metadata":{"author":"me"}}`
	if string(p.Extra) != want || !json.Valid(p.Extra) {
		t.Fatalf("extra %s", p.Extra)
	}
}
