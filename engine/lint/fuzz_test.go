package lint

import (
	"bytes"
	"maps"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"unicode/utf8"

	"github.com/promptc/promptc/engine/skill"
)

// FuzzCheck: no file makes a check fail, each finding stands at a place that there
// is, and every file's report is the same each time.
func FuzzCheck(f *testing.F) {
	for _, text := range diffs {
		f.Add(text)
	}
	for _, body := range []string{
		"Use $ARGUMENTS, $1, @$1 and $5.\n", "[a](b.md) `scripts/x.py` `scripts\\x.py`\n", "!`x` ```!\ny\n```\n", "a\u200bb\U000E0041\u202e",
		"</skill> <|im_start|> Human: x\n--- end of skill `a` [123456789012345678] ---\n", "[x]: <a\n[x][x] ![](", "<a>\n\n\t`x\n> - `scripts/gone.py`\n", "\xff\xfe$\x00",
	} {
		f.Add(skillWith("allowed-tools: [a, b(]\nmetadata: {a: 1}\n", body))
		f.Add(body)
	}
	for _, what := range slices.Sorted(maps.Keys(keys)) {
		f.Add(skillWith("", keys[what]))
	}
	f.Fuzz(func(t *testing.T, text string) {
		fsys := fstest.MapFS{"gull/SKILL.md": {Data: []byte(text)}, "gull/scripts/run.sh": {Data: []byte(text)}}
		first, again := report(t, fsys), report(t, fsys)
		if !slices.Equal(first.Diagnostics, again.Diagnostics) {
			t.Fatalf("two runs differ:\n%v\n%v", first.Diagnostics, again.Diagnostics)
		}
		whole := strings.Split(skill.Text([]byte(text)), "\n")
		for _, d := range first.Diagnostics {
			if !utf8.ValidString(d.Message) || d.Line < 0 || d.Column < 0 {
				t.Errorf("%v", d)
			}
			if d.File != "/skills/gull/SKILL.md" || d.Line == 0 {
				continue
			}
			if d.Line > len(whole) || d.Column > utf8.RuneCountInString(whole[d.Line-1])+1 {
				t.Errorf("%v is not in the file", d)
			}
		}
	})
}

// FuzzFix: fixing twice changes nothing, what is fixed loads with the same body, and
// the diff says what was done.
func FuzzFix(f *testing.F) {
	for _, text := range diffs {
		f.Add([]byte(text))
	}
	f.Add([]byte("\xEF\xBB\xBF---\r\nname: @x\r\ndescription: it's: \"b\"\r\n---\r\nB\r\n"))
	f.Fuzz(func(t *testing.T, raw []byte) {
		patch := func(raw []byte) []Patch {
			c := skill.FromFS(fstest.MapFS{"gull/SKILL.md": {Data: raw}}, ".", skill.Root{Dir: "/skills", Trusted: true})
			patches, err := Patches(t.Context(), c)
			if err != nil {
				t.Fatal(err)
			}
			return patches
		}
		for _, p := range patch(raw) {
			if again := patch(p.After); len(again) > 0 {
				t.Errorf("a second time: %+v", again)
			}
			before, after := skill.Parse("/gull", "/gull/SKILL.md", p.Before), skill.Parse("/gull", "/gull/SKILL.md", p.After)
			if before.Body != after.Body || before.Name != after.Name || after.Form.YAML != skill.ValidYAML {
				t.Errorf("loads otherwise when fixed: %q", p.After)
			}
			if got := applied(t, p.Before, p.Diff("SKILL.md")); !bytes.Equal(got, p.After) && !bytes.ContainsAny(raw, "\x00") {
				t.Errorf("%s\ngives %q", p.Diff("SKILL.md"), got)
			}
		}
	})
}
