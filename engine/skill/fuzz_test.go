package skill

import (
	"bytes"
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"
)

// FuzzPlainIsYAML: what the fast reading takes, it reads as YAML does.
func FuzzPlainIsYAML(f *testing.F) {
	for _, s := range []string{
		"name: a\ndescription: b c\n",
		"name: \"a\"\ndescription: 'b: c # d'\n",
		"name: a\nempty:\nlicense: MIT\n",
		"description: |\n  one\n  two\nname: x\n",
		"description: >-\n    one\n    two\n",
		"metadata:\n  author: me\n  version: \"1.0\"\n  none:\nname: x\n",
		"tools:\n- Read\n- 'Grep x'\nmore:\n  - a\n  - 1\n",
		"n: 1.10\nd: 2024-01-01\nb: true\nz: ~\n",
		"name: 北京 a#b c:d\n",
		"a: x\n  b: c\n",
		"a: b\x85c\n",
		"a:\n  b:\n    c: d\n",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, block string) {
		plain, ok := plainEntries([]byte(block), nil)
		if !ok {
			return
		}
		want, err := yamlEntries(block)
		if err != nil {
			t.Fatalf("%q is plain, but YAML says: %v", block, err)
		}
		if len(plain) != len(want) {
			t.Fatalf("%q: %d entries, YAML has %d", block, len(plain), len(want))
		}
		for i := range plain {
			a, b := plain[i], want[i]
			one, errOne := extraJSON([]entry{a})
			two, errTwo := extraJSON([]entry{b})
			if !bytes.Equal(one, two) || (errOne == nil) != (errTwo == nil) {
				t.Fatalf("%q: extra %s, YAML %s", block, one, two)
			}
			if a.null() != b.null() {
				t.Fatalf("%q: null %v, YAML %v", block, a.null(), b.null())
			}
			a.extra, b.extra = extra{}, extra{}
			if !reflect.DeepEqual(a, b) {
				t.Fatalf("%q:\n%+v, YAML\n%+v", block, a, b)
			}
		}
	})
}

// FuzzFix: what is fixed is valid YAML, changes nothing when it is fixed again,
// and loads as the file did before; every other byte stays.
func FuzzFix(f *testing.F) {
	for _, s := range []string{
		"---\nname: tide-table\ndescription: Look up tides: high and low water\n---\nBody.\n",
		"---\r\nname: a\r\ndescription: @x it's\r\nargument-hint: [a] [b]\r\n---\r\nBody.\r\n",
		"\xEF\xBB\xBF---\nname: \"a\nother: [x\nmetadata:\n  k: v: w\n---\nBody",
		"  ---\n  name: a: b\n  description: Use \\ when: \"x\"\n    and: more\n  ---\n",
		"---\nname: x\ndescription:\n  Use when: a\n  b: c\ndisable-model-invocation: true\n---\n",
		"---\nname: x: y\n  allowed-tools: Read\n---\n",
		"---\na: b: c\n- d\n---\n",
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		fixed, repairs := Fix(raw)
		if len(repairs) == 0 {
			if !bytes.Equal(fixed, raw) {
				t.Fatal("no repair, but other bytes")
			}
			return
		}
		if again, more := Fix(fixed); len(more) > 0 || !bytes.Equal(again, fixed) {
			t.Fatalf("fixing twice changes more: %q then %q", fixed, again)
		}
		c := cutText(decode(fixed).text)
		var node yaml.Node
		if err := yaml.Unmarshal([]byte(c.block), &node); err != nil {
			t.Fatalf("%q: still no YAML: %v", fixed, err)
		}
		before, after := Parse("/d", "/d/SKILL.md", raw), Parse("/d", "/d/SKILL.md", fixed)
		if before.Broken == "" && (before.Body != after.Body || before.Name != after.Name || before.Description != after.Description || before.Form.Unmodelled != after.Form.Unmodelled) {
			t.Fatalf("loads otherwise:\n%+v\n%+v", before.Skill, after.Skill)
		}
		if stripQuotes(fixed) != stripQuotes(raw) {
			t.Fatalf("other bytes changed:\n%q\n%q", raw, fixed)
		}
	})
}

// stripQuotes leaves out the two signs that a repair may add.
func stripQuotes(raw []byte) string {
	return strings.NewReplacer(`"`, "", `'`, "").Replace(string(raw))
}

// FuzzParse: no bytes make the reader fail, and what must not be empty is not.
// Reading only the beginning gives what reading the whole gives.
func FuzzParse(f *testing.F) {
	for _, s := range []string{
		"", "# Only\n\na heading\n", "---\nname: a\n", "---\n\n# A\n\nP.\n", "\xFF\xFE-\x00-\x00-\x00\n\x00",
		"---\nmetadata: " + strings.Repeat("[", 300) + strings.Repeat("]", 300) + "\n---\n",
		"---\na: &a [x,x]\nb: &b [*a,*a]\nc: &c [*b,*b]\n---\n", "---\na: &a [*a]\n---\n",
		"<!-- x -->\n\n---\nname: oyster\ndescription: d\n---\nBody.",
		"---\nname: x\ndescription: a\nb without colon\n\tallowed-tools: Read\n---\n", "../../SKILL.md",
		"Setext\n===\n\n> quoted\n\n- item\n", "---\r\nname: k\r\n---\r\n\r\n# K\r\n",
	} {
		f.Add([]byte(s), 10)
	}
	f.Fuzz(func(t *testing.T, raw []byte, at int) {
		p := Parse("/r/dir", "/r/dir/SKILL.md", raw)
		if strings.TrimSpace(p.Name) == "" || strings.TrimSpace(p.Description) == "" || strings.Contains(p.Name, "\n") || strings.Contains(p.Description, "\n") {
			t.Fatalf("name %q, description %q", p.Name, p.Description)
		}
		if p.Form.Unmodelled && p.Form.YAML == NoYAML || p.Form.NameFrom == "" || p.Form.DescFrom == "" {
			t.Fatalf("%+v", p.Form)
		}
		p.Body, p.Fields = "", nil
		if quick, ok := quickHead("/r/dir", "/r/dir/SKILL.md", raw, true); ok {
			quick.BodyLine = p.BodyLine
			if !reflect.DeepEqual(quick, p) {
				t.Fatalf("read quickly:\n%+v\n%+v", quick, p)
			}
		}
		if at <= 0 || at >= len(raw) {
			return
		}
		head, enough := parseHead("/r/dir", "/r/dir/SKILL.md", raw[:at], false)
		if !enough {
			return
		}
		if head.Name != p.Name || head.Description != p.Description || head.ArgumentHint != p.ArgumentHint || !bytes.Equal(head.Extra, p.Extra) || head.Broken != p.Broken {
			t.Fatalf("the beginning gives other fields: %+v\nthe whole: %+v", head, p)
		}
		head.Form.Newline, p.Form.Newline = "", ""
		head.Form.Encoding, p.Form.Encoding = "", ""
		if head.Form != p.Form {
			t.Fatalf("the beginning gives another form:\n%+v\n%+v", head.Form, p.Form)
		}
	})
}

// FuzzLines: whatever a block holds, reading it by lines neither fails nor points
// beside it, and a restriction is read or missed, never passed over.
func FuzzLines(f *testing.F) {
	for _, s := range []string{
		"name: a\n\tdescription: b\n", "name: a\nallowed-tools: [x,\n  y\nmore\n", "a: b\nlost\n\nlost again\n- x\n",
		"description: |\n  x\n y\nname: \"q\n", "\"quoted\": x\n'name': y\n", "name:x\nlicense:MIT\n...\n# c\n",
		"- disable-model-invocation: true\n", "x: &a {b: *a}\ny: : z\n",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, block string) {
		if len(block) > maxBlock || strings.ContainsAny(block, "\r\x00") || !utf8.ValidString(block) {
			return
		}
		entries, gone := lineEntries(block)
		lines := strings.Count(block, "\n") + 1
		for _, e := range entries {
			if e.line < 1 || e.at < e.line || e.at > lines || e.key == "" {
				t.Fatalf("%q: %+v of %d lines", block, e, lines)
			}
		}
		for _, l := range gone {
			if l.line < 1 || l.line > lines || l.what == "" {
				t.Fatalf("%q: lost %+v of %d lines", block, l, lines)
			}
		}
		if line := unreadRestriction(block, entries); line > lines {
			t.Fatalf("%q: line %d of %d", block, line, lines)
		}
	})
}

// FuzzFirstBlocks: a heading or paragraph that is sure stays when more text comes.
func FuzzFirstBlocks(f *testing.F) {
	for _, s := range []string{
		"# A\n\nP\n\nQ\n", "a\n===\n\ntext\n", "```\n# no\n", "- x\n\n  # in\n\nP\n", "> q\n# h\n", "<!-- c\n-->\nP\n", "[a]: b\nP\n# x\n", "\tcode\n\nP\n", "#\n##  b `c` ##\n",
	} {
		f.Add(s, 4)
	}
	f.Fuzz(func(t *testing.T, body string, at int) {
		if len(body) > fallbackBytes || at <= 0 || at >= len(body) || !utf8.ValidString(body) || strings.ContainsAny(body, "\r\x00") {
			return
		}
		at = strings.LastIndexByte(body[:at], '\n') + 1
		part, whole := firstBlocks(body[:at]), firstBlocks(body)
		if part.nameSure && (part.name != whole.name || part.nameLine != whole.nameLine) {
			t.Fatalf("%q up to %d: heading %q, then %q", body, at, part.name, whole.name)
		}
		if part.textSure && (part.text != whole.text || part.textLine != whole.textLine) {
			t.Fatalf("%q up to %d: paragraph %q, then %q", body, at, part.text, whole.text)
		}
	})
}
