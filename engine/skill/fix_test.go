package skill

import (
	"testing"

	"go.yaml.in/yaml/v3"
)

func TestFixQuotesExactlyWhatMustBe(t *testing.T) {
	for name, c := range map[string]struct{ raw, want string }{
		"colon":         {"---\nname: a  \ndescription: Use when: x  \n# keep: this: comment\n---\n\n\nBody: a: b\n", "---\nname: a  \ndescription: \"Use when: x\"  \n# keep: this: comment\n---\n\n\nBody: a: b\n"},
		"CRLF and BOM":  {"\xEF\xBB\xBF---\r\nname: a\r\ndescription: Use when: x\r\n---\r\nB\r\n", "\xEF\xBB\xBF---\r\nname: a\r\ndescription: \"Use when: x\"\r\n---\r\nB\r\n"},
		"CR":            {"---\rname: a\rdescription: @x\r---\rB", "---\rname: a\rdescription: \"@x\"\r---\rB"},
		"quotes":        {"---\nname: it's: a \"b\"\n---\n", "---\nname: 'it''s: a \"b\"'\n---\n"},
		"indented":      {"\n  ---\n  name: a: b\n  ---\nB", "\n  ---\n  name: \"a: b\"\n  ---\nB"},
		"several lines": {"---\r\nname: a\r\ndescription: Use when: x\r\n  and: y\r\nlicense: MIT\r\n---\r\n", "---\r\nname: a\r\ndescription: \"Use when: x\r\n  and: y\"\r\nlicense: MIT\r\n---\r\n"},
		"hint":          {"---\nname: a\nargument-hint: [file] [format]\n---\n", "---\nname: a\nargument-hint: \"[file] [format]\"\n---\n"},
		"two":           {"---\nname: a: b\ndescription: c: d\n---\n", "---\nname: \"a: b\"\ndescription: \"c: d\"\n---\n"},
		"valid":         {"---\nname: a\ndescription: \"b\"\n---\nx: y: z\n", ""},
		"no frontmatter": {
			"name: a: b\n", ""},
		"not by quoting": {"---\nname: a: b\nlost line\n---\n", ""},
		"bad bytes":      {"---\nname: a: \xFF\n---\n", ""},
	} {
		t.Run(name, func(t *testing.T) {
			want := c.want
			if want == "" {
				want = c.raw
			}
			fixed, repairs := Fix([]byte(c.raw))
			if string(fixed) != want {
				t.Fatalf("got  %q\nwant %q", fixed, want)
			}
			if (len(repairs) > 0) != (c.want != "") {
				t.Fatalf("%d repairs", len(repairs))
			}
			for _, r := range repairs {
				if c.raw[r.From:r.To] != r.Old {
					t.Errorf("the range of %+v holds %q", r, c.raw[r.From:r.To])
				}
			}
			if again, more := Fix(fixed); string(again) != string(fixed) || len(more) > 0 {
				t.Errorf("fixing twice: %q", again)
			}
			if c.want != "" {
				var into map[string]any
				if err := yaml.Unmarshal([]byte(cutText(decode(fixed).text).block), &into); err != nil {
					t.Error(err)
				}
			}
		})
	}
	r := Repairs([]byte("\xEF\xBB\xBF---\nname: a\ndescription: é: x\n---\n"))
	if len(r) != 1 || r[0] != (Repair{Line: 3, Column: 14, From: 28, To: 33, Old: "é: x", New: `"é: x"`}) {
		t.Errorf("%+v", r)
	}
}
