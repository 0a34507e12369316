package skill

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/promptc/promptc/engine/diag"
)

// parsed reads raw as the skill file of the directory /r/folder.
func parsed(raw string) Parsed {
	return Parse("/r/folder", "/r/folder/SKILL.md", []byte(raw))
}

func TestJ8J9NamesAndDescriptions(t *testing.T) {
	for name, c := range map[string]struct {
		raw, name, desc    string
		nameFrom, descFrom Origin
	}{
		"frontmatter":         {"---\nname: alpha\ndescription: Alpha desc.\n---\n\n# Title\n\nBody.\n", "alpha", "Alpha desc.", FromFrontmatter, FromFrontmatter},
		"heading, paragraph":  {"# Alpha *Skill*\n\nFirst `line`\nsecond line.\n\nMore.\n", "Alpha Skill", "First `line` second line.", FromHeading, FromParagraph},
		"nothing":             {"", "folder", noDescription, FromDirectory, FromDefault},
		"blanks":              {" \n\t\n", "folder", noDescription, FromDirectory, FromDefault},
		"plain text":          {"just text", "folder", "just text", FromDirectory, FromParagraph},
		"setext":              {"Tide\n====\n\nTable.\n", "Tide", "Table.", FromHeading, FromParagraph},
		"code is no heading":  {"```sh\n# no\n```\n\nIntro.\n\n## Real ##\n", "Real", "Intro.", FromHeading, FromParagraph},
		"comment is no text":  {"<!-- licence\n\n# no\n-->\n\n# A\n\nP.\n", "A", "P.", FromHeading, FromParagraph},
		"definition":          {"[a]: http://x\n\nReal text.\n", "folder", "Real text.", FromDirectory, FromParagraph},
		"list":                {"- one\n- two\n", "folder", "one", FromDirectory, FromParagraph},
		"quoted heading last": {"> # Quoted\n\n# Own\n", "Own", noDescription, FromHeading, FromDefault},
		"empty heading":       {"#\n\n## Second\n", "Second", noDescription, FromHeading, FromDefault},
		"numbered heading":    {"# 1. Set `up`\n\nP.\n", "1. Set up", "P.", FromHeading, FromParagraph},
		"empty values":        {"---\nname: \"\"\ndescription: ''\n---\n# Head\n\nPara.\n", "Head", "Para.", FromHeading, FromParagraph},
		"only a description":  {"---\ndescription: D.\n---\n\n# Real\n", "Real", "D.", FromHeading, FromFrontmatter},
	} {
		t.Run(name, func(t *testing.T) {
			p := parsed(c.raw)
			if p.Name != c.name || p.Description != c.desc || p.Form.NameFrom != c.nameFrom || p.Form.DescFrom != c.descFrom || p.Broken != "" {
				t.Fatalf("got %q (%s), %q (%s), broken %q", p.Name, p.Form.NameFrom, p.Description, p.Form.DescFrom, p.Broken)
			}
			if has := strings.Contains(codes(p.Problems), "name-fallback"); has != (c.nameFrom != FromFrontmatter) {
				t.Errorf("problems %v", p.Problems)
			}
			if has := strings.Contains(codes(p.Problems), "description-fallback"); has != (c.descFrom != FromFrontmatter) {
				t.Errorf("problems %v", p.Problems)
			}
		})
	}
}

func TestJ9AFallbackIsBoundedAtWords(t *testing.T) {
	p := parsed("# N\n\n" + strings.Repeat("seven words of text in a row ", 400) + "\n")
	if n := len([]rune(p.Description)); n > fallbackRunes || n < fallbackRunes-20 || !strings.HasSuffix(p.Description, "…") {
		t.Fatalf("%d runes: …%q", n, p.Description[len(p.Description)-20:])
	}
	if d := having(t, p.Problems, diag.DescriptionFallback); !strings.Contains(d.Message, "cut") {
		t.Fatal(d)
	}
}

func TestJ8TheLineOfAFallbackIsTheFiles(t *testing.T) {
	p := parsed("---\nlicense: MIT\n---\n\n\n# Head\n\ntext\n")
	if d := having(t, p.Problems, diag.NameFallback); d.Line != 6 {
		t.Error(d)
	}
	if d := having(t, p.Problems, diag.DescriptionFallback); d.Line != 8 {
		t.Error(d)
	}
}

func TestJ10Fences(t *testing.T) {
	for name, c := range map[string]struct {
		raw, name, desc, body string
		bodyLine              int
		codes                 string
	}{
		"LF":                    {"---\nname: kelp\ndescription: D\n---\n\n# Kelp\n", "kelp", "D", "# Kelp", 6, ""},
		"CRLF":                  {"---\r\nname: kelp\r\ndescription: D\r\n---\r\n\r\n# Kelp\r\nx\r\n", "kelp", "D", "# Kelp\nx", 6, ""},
		"CR":                    {"---\rname: kelp\rdescription: D\r---\r\r# Kelp\r", "kelp", "D", "# Kelp", 6, ""},
		"BOM":                   {"\xEF\xBB\xBF---\nname: kelp\ndescription: D\n---\nB\n", "kelp", "D", "B", 5, "bom"},
		"only one BOM":          {"\xEF\xBB\xBF\xEF\xBB\xBFB\n", "folder", "\uFEFFB", "\uFEFFB", 1, "bom no-frontmatter name-fallback description-fallback"},
		"trailing blanks":       {"---  \nname: kelp\ndescription: D\n---\t\nB", "kelp", "D", "B", 5, ""},
		"blank lines before":    {"\n \n---\nname: kelp\ndescription: D\n---\nB", "kelp", "D", "B", 7, "frontmatter-late"},
		"indented as a whole":   {"  ---\n  name: kelp\n\n  description: D\n  ---\nB", "kelp", "D", "B", 6, ""},
		"indented fence only":   {" ---\nname: kelp\n ---\n\ntext\n", "name: kelp", "text", " ---\nname: kelp\n ---\n\ntext", 1, "no-frontmatter name-fallback description-fallback"},
		"four dashes":           {"----\nname: kelp\n----\n\nB", "name: kelp", "B", "----\nname: kelp\n----\n\nB", 1, "no-frontmatter name-fallback description-fallback"},
		"dashes in a value":     {"---\ndescription: Split parts with --- marks\nname: splitter\n---\nB", "splitter", "Split parts with --- marks", "B", 5, ""},
		"dashes in a scalar":    {"---\ndescription: |\n  first\n  ---\n  last\nname: triage\n---\nB", "triage", "first --- last", "B", 8, ""},
		"rules in the body":     {"---\nname: a\ndescription: D\n---\nx\n\n---\n\ny\n---\n", "a", "D", "x\n\n---\n\ny\n---", 5, ""},
		"underlines in a body":  {"---\nname: quay\ndescription: Quay list\n---\n\nTitle two\n---------\n\ntext\n---\nmore", "quay", "Quay list", "Title two\n---------\n\ntext\n---\nmore", 6, ""},
		"nothing between":       {"---\n---\n# H\n\nP\n", "H", "P", "# H\n\nP", 3, "name-fallback description-fallback"},
		"no body":               {"---\nname: a\ndescription: D\n---", "a", "D", "", 5, ""},
		"blank lines at an end": {"---\nname: a\ndescription: D\n---\n\n\n  x \n \n\t\n", "a", "D", "  x ", 7, ""},
		"unclosed":              {"---\nname: reef\ndescription: Maps reefs\n# Steps\nnote: do it", "Steps", "name: reef description: Maps reefs", "---\nname: reef\ndescription: Maps reefs\n# Steps\nnote: do it", 1, "frontmatter-unclosed name-fallback description-fallback"},
	} {
		t.Run(name, func(t *testing.T) {
			p := parsed(c.raw)
			if p.Name != c.name || p.Description != c.desc {
				t.Errorf("name %q, description %q", p.Name, p.Description)
			}
			if p.Body != c.body || p.BodyLine != c.bodyLine {
				t.Errorf("body %q from line %d", p.Body, p.BodyLine)
			}
			if got := codes(p.Problems); got != c.codes {
				t.Errorf("problems %v", p.Problems)
			}
		})
	}
}

func TestJ10SomethingBeforeTheFence(t *testing.T) {
	p := parsed("<!-- generated -->\n\n---\nname: oyster\ndescription: Grades oysters\n---\nBody.")
	if d := having(t, p.Problems, diag.FrontmatterLate); d.Line != 3 || !strings.Contains(d.Message, "line 3") {
		t.Error(d)
	}
	if p.Form.Fence || p.Name != "folder" || p.Description != "Body." {
		t.Errorf("%q, %q: its lines are neither keys nor text", p.Name, p.Description)
	}
	p = parsed("# Skills\n\n```md\n---\nname: example\n---\n```\n\nText.\n")
	if strings.Contains(codes(p.Problems), "frontmatter-late") || p.Name != "Skills" || p.Description != "Text." {
		t.Errorf("an example in code: %q, %q, %v", p.Name, p.Description, p.Problems)
	}
}

func TestJ10KeysIgnoreCaseAndTheFirstWins(t *testing.T) {
	p := parsed("---\nName: x\nDESCRIPTION: one\ndescription: two\nname: y\n---\n")
	if p.Name != "x" || p.Description != "one" {
		t.Fatalf("%q, %q", p.Name, p.Description)
	}
	d := having(t, p.Problems, diag.KeyDuplicate)
	if d.Line != 4 || !strings.Contains(d.Message, "line 3") {
		t.Fatal(d)
	}
	if p.Extra != nil {
		t.Fatalf("extra %s", p.Extra)
	}
}

func TestJ11ScalarsAreTextAsWritten(t *testing.T) {
	for value, want := range map[string]string{
		"404": "404", "2024-01-01": "2024-01-01", "true": "true", "1.10": "1.10", "0x1F": "0x1F", "1e3": "1e3", "Yes": "Yes", "!!str 12": "12",
	} {
		if p := parsed("---\nname: " + value + "\ndescription: d\n---\n"); p.Name != want {
			t.Errorf("%s is %q", value, p.Name)
		}
	}
}

func TestJ11Descriptions(t *testing.T) {
	for raw, want := range map[string]struct {
		text  string
		style Style
		lines int
	}{
		"plain":                               {"plain", Plain, 1},
		"plain\n  over two":                   {"plain over two", Plain, 2},
		"\n  on the next":                     {"on the next", Plain, 1},
		"\"quoted: x\"":                       {"quoted: x", Quoted, 1},
		"'it''s'":                             {"it's", Quoted, 1},
		">-\n  Measures dunes\n  after.":      {"Measures dunes after.", Folded, 2},
		">\n  one\n\n  two":                   {"one two", Folded, 3},
		"|\n  one\n  two\n  three":            {"one two three", Literal, 3},
		"|2-\n   one":                         {"one", Literal, 1},
		"|+\n  one\n":                         {"one", Literal, 1},
		"C # is a comment":                    {"C", Plain, 1},
		"\"a\\tb \\u00e9\"":                   {"a\tb é", Quoted, 1},
		"|\n  [core] all: of this\n  - holds": {"[core] all: of this - holds", Literal, 2},
	} {
		for _, after := range []string{"", "name: x\n"} {
			p := parsed("---\ndescription: " + raw + "\n" + after + "---\n")
			if p.Description != want.text || p.Form.DescStyle != want.style || p.Form.DescLines != want.lines || p.Form.YAML != ValidYAML {
				t.Errorf("%q: %q, %s over %d lines, %s", raw, p.Description, p.Form.DescStyle, p.Form.DescLines, p.Form.YAML)
			}
		}
	}
}

func TestJ11WrongTypes(t *testing.T) {
	p := parsed("---\nname: [a, b]\ndescription:\n  - x\nargument-hint: [file]\n---\n# H\n\nP\n")
	if p.Name != "H" || p.Description != "P" || p.ArgumentHint != "[file]" || p.Form.DescStyle != Other || p.Form.DescEmpty {
		t.Fatalf("%+v", p)
	}
	if got := codes(p.Problems); got != "key-type key-type name-fallback description-fallback" {
		t.Fatal(got)
	}
	p = parsed("---\nname: a\ndescription: d\ndisable-model-invocation: perhaps\nuser-invocable: [x]\n---\n")
	if !p.Form.Unmodelled || !p.Form.NotForUsers || codes(p.Problems) != "key-type key-type" {
		t.Fatalf("what is unclear is closed: %+v", p.Form)
	}
	p = parsed("---\njust text\n---\n# H\n")
	if p.Form.YAML != LinesYAML || p.Name != "H" || !strings.Contains(codes(p.Problems), "yaml-lost") {
		t.Fatalf("%+v", p)
	}
}

func TestJ27Booleans(t *testing.T) {
	for value, want := range map[string]bool{
		"true": true, "True": true, "\"TRUE\"": true, "yes": true, "on": true, "1": true, "y": true,
		"false": false, "no": false, "off": false, "0": false, "": false, "~": false,
	} {
		p := parsed("---\nname: a\ndescription: d\ndisable-model-invocation: " + value + "\n---\n")
		if p.Form.Unmodelled != want || len(p.Problems) > 0 {
			t.Errorf("disable-model-invocation: %s is %v, %v", value, p.Form.Unmodelled, p.Problems)
		}
		p = parsed("---\nname: a\ndescription: d\nuser-invocable: " + value + "\n---\n")
		if empty := value == "" || value == "~"; p.Form.NotForUsers != (!want && !empty) || len(p.Problems) > 0 {
			t.Errorf("user-invocable: %s is %v, %v", value, !p.Form.NotForUsers, p.Problems)
		}
	}
}

func TestJ11Encodings(t *testing.T) {
	text := "---\nname: wide\ndescription: Größe 大\n---\nBody\n"
	for name, raw := range map[string][]byte{
		"utf-16le":        utf16Bytes("\uFEFF"+text, false),
		"utf-16be":        utf16Bytes("\uFEFF"+text, true),
		"utf-16le no BOM": utf16Bytes(text, false),
		"utf-16be no BOM": utf16Bytes(text, true),
	} {
		p := Parse("/d", "/d/SKILL.md", raw)
		if p.Name != "wide" || p.Description != "Größe 大" || p.Body != "Body" || p.Form.Encoding != name[:8] || codes(p.Problems) != "encoding" {
			t.Errorf("%s: %+v", name, p)
		}
	}
	p := Parse("/d", "/d/SKILL.md", []byte("---\nname: a\ndescription: caf\xe9\n---\nb\xff\x00"))
	if p.Description != "caf\uFFFD" || p.Body != "b\uFFFD\uFFFD" || p.Form.Encoding != "invalid" {
		t.Fatalf("%+v", p)
	}
	if d := having(t, p.Problems, diag.Encoding); d.Line != 3 || d.Column != 17 || !strings.Contains(d.Message, "3 bytes") {
		t.Fatal(d)
	}
	p = parsed("---\r\nname: a\ndescription: b\r---\r\n")
	if p.Form.Newline != "mixed" || p.Name != "a" {
		t.Fatalf("%+v", p.Form)
	}
}

func utf16Bytes(text string, big bool) []byte {
	var out []byte
	for _, r := range text {
		a, b := byte(r), byte(r>>8)
		if big {
			a, b = b, a
		}
		out = append(out, a, b)
	}
	return out
}

func TestJ11Bounds(t *testing.T) {
	bomb := "a: &a [x,x,x,x,x,x,x,x,x]\n"
	for _, c := range "bcdefghij" {
		bomb += string(c) + ": &" + string(c) + " [" + strings.Repeat("*"+string(c-1)+",", 9) + "]\n"
	}
	for name, c := range map[string]struct{ raw, broken string }{
		"alias bomb":   {"---\nname: x\ndescription: d\n" + bomb + "---\n", "alias"},
		"endless":      {"---\nname: x\na: &a [*a]\n---\n", "nested too deeply"},
		"nesting":      {"---\nname: x\nmetadata: " + strings.Repeat("[", 5000) + strings.Repeat("]", 5000) + "\n---\n", "nested too deeply"},
		"dashes":       {"---\nname: x\nm:\n  " + strings.Repeat("- ", 5000) + "x\n---\n", "nested too deeply"},
		"huge scalar":  {"---\nname: x\ndescription: " + strings.Repeat("x", 100_000) + "\n---\n", "larger than 32 KiB"},
		"huge file":    {"---\nname: big\ndescription: d\n---\n" + strings.Repeat("x\n", 600_000), "larger than 1024 KiB"},
		"git link":     {"../../SKILL.md", "link that git did not make"},
		"git link, LF": {"docs/x/SKILL.md\n", "link that git did not make"},
	} {
		t.Run(name, func(t *testing.T) {
			start := time.Now()
			p := parsed(c.raw)
			if !strings.Contains(p.Broken, c.broken) || p.Name == "" || p.Description == "" {
				t.Fatalf("broken %q, name %q", p.Broken, p.Name)
			}
			if d := time.Since(start); d > 5*time.Second {
				t.Errorf("took %v", d)
			}
		})
	}
	if p := parsed("---\nname: x\ndescription: d\n---\n" + strings.Repeat("x\n", 600_000)); p.Body != "" || p.Name != "x" {
		t.Errorf("a file that is too large keeps its name and has no body: %q", p.Name)
	}
	if p := parsed("---\nbase: &b d\nname: x\ndescription: *b\n<<: {license: MIT}\n---\n"); p.Description != "d" || string(p.Extra) != `{"base":"d","license":"MIT"}` {
		t.Errorf("an alias that is none of a bomb: %q %s", p.Description, p.Extra)
	}
}

func TestB26OnlyAPathIsALinkThatGitDidNotMake(t *testing.T) {
	for text, want := range map[string]bool{
		"../../SKILL.md": true, "./x": true, "a/b.md\n": true, "shared/SKILL.MD": true, "../other": true,
		"text": false, "yes/no": false, "See ../x.md": false, "../x\nmore": false, "": false, "# a/b.md": false, "http://x/y.md": false,
	} {
		if _, ok := gitLink(text); ok != want {
			t.Errorf("%q: %v", text, ok)
		}
	}
	if d := having(t, parsed("../../SKILL.md").Problems, diag.NotALink); d.Severity != diag.Warning {
		t.Error("one bad skill must not fail the whole", d)
	}
}

func TestA37ASecondDocumentIsNoHeader(t *testing.T) {
	p := parsed("---\nname: a\n...\nname: b\ndescription: d\n---\n")
	if p.Form.YAML != LinesYAML || p.Name != "a" || !strings.Contains(p.Form.YAMLError, "second YAML document") {
		t.Fatalf("%+v", p)
	}
}

func TestFormIsTruthful(t *testing.T) {
	p := parsed("\xEF\xBB\xBF\r\n---\r\nname: \r\ndescription: \"\"\r\n---\r\n\r\n## The First ##\r\n")
	want := Form{FileName: "SKILL.md", BOM: true, Encoding: "utf-8", Newline: "crlf", Fence: true, FenceLine: 2, Closed: true, YAML: ValidYAML,
		NameKey: true, DescKey: true, DescEmpty: true, DescStyle: Quoted, DescLines: 1, NameFrom: FromHeading, DescFrom: FromDefault, FirstLine: "The First"}
	if p.Form != want {
		t.Fatalf("got  %+v\nwant %+v", p.Form, want)
	}
}

func TestReportsAreBounded(t *testing.T) {
	p := parsed("---\nname: a\n" + strings.Repeat("x: 1\n", 500) + "---\n")
	n := 0
	for _, d := range p.Problems {
		if d.Code == diag.KeyDuplicate {
			n++
		}
	}
	if n != maxReports+1 || !slices.ContainsFunc(p.Problems, func(d diag.Diagnostic) bool { return strings.Contains(d.Message, "479 more") }) {
		t.Fatalf("%d findings: %v", n, p.Problems[len(p.Problems)-1])
	}
}

func TestJ18Key(t *testing.T) {
	for in, want := range map[string]string{
		"sql-review": "sql-review", "SQL-Review": "sql-review", " sql  review\t": "sql review", "cafe\u0301": "café",
		"Straße": "straße", "STRASSE": "strasse", "ａｌｐｈａ": "ａｌｐｈａ", "ÄÖ": "äö", "\u3000x\u00A0": "x", "": "",
	} {
		if got := Key(in); got != want {
			t.Errorf("Key(%q) = %q, want %q", in, got, want)
		}
		if got := Key(Key(in)); got != Key(in) {
			t.Errorf("Key(Key(%q)) = %q", in, got)
		}
	}
}
