package engine

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

func scanWhole(text string) []string {
	return newMarkerScanner(strings.ToLower).Feed(text, true)
}

func TestA15Markers(t *testing.T) {
	for _, c := range []struct {
		name, text string
		want       []string
	}{
		{"one", "Let me see. [LOAD_SKILL: tide-table]", []string{"tide-table"}},
		{"case", "[load_skill: tide] [Load_Skill:rope] [ LOAD_SKILL : 潮汐 ]", []string{"tide", "rope", "潮汐"}},
		{"several, once each", "[LOAD_SKILL: b][LOAD_SKILL: a]\n[LOAD_SKILL: B]", []string{"b", "a"}},
		{"as written", "[LOAD_SKILL:  Tide Table ]", []string{"Tide Table"}},
		{"no name", "[LOAD_SKILL: ] [LOAD_SKILL:] [LOAD_SKILL] [LOAD_SKILLS: x] [LOAD SKILL: x]", nil},
		{"over two lines", "[LOAD_SKILL:\ntide]", nil},
		{"a bracket before it", "[see [LOAD_SKILL: tide]]", []string{"tide"}},
		{"begun twice", "[LOAD_SKILL: [LOAD_SKILL: tide]", []string{"tide"}},
		{"in lists and quotations", "- [LOAD_SKILL: a]\n  1. [LOAD_SKILL: b]\n\n> [LOAD_SKILL: c]\n# [LOAD_SKILL: d]\n| [LOAD_SKILL: e] |", []string{"a", "b", "c", "d", "e"}},
		{"too long", "[LOAD_SKILL: " + strings.Repeat("x", maxMarker) + "] [LOAD_SKILL: a]", []string{"a"}},
		{"after a very long line", strings.Repeat("x", 9000) + "[LOAD_SKILL: a]", []string{"a"}},
		{"after very many blanks", strings.Repeat(" ", 9000) + "[LOAD_SKILL: a]", []string{"a"}},
	} {
		if got := scanWhole(c.text); !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

func TestA15MarkersInCodeAreExamples(t *testing.T) {
	const x = "[LOAD_SKILL: x]"
	for name, text := range map[string]string{
		"span":                      "write `" + x + "` to load",
		"span of two":               "write ``a ` " + x + "`` to load",
		"span over lines":           "write `a\n" + x + "\nb` to load",
		"escaped end of a span":     "`a\\` " + x[:1] + "` " + x[1:],
		"backslash in a span":       "`" + x + "\\`",
		"fence":                     "```\n" + x + "\n```",
		"fence of tildes":           "~~~ text\n```\n" + x + "\n~~~",
		"longer fence":              "````\n```\n" + x + "\n```\n````",
		"open fence":                "```md\n" + x,
		"a word after the fence":    "```\n``` no\n" + x + "\n```",
		"fence in a list":           "1. do\n   ```\n   " + x + "\n   ```",
		"fence in a quotation":      "> ~~~\n> " + x + "\n> ~~~",
		"fence after a bullet":      "- ```\n  " + x + "\n  ```",
		"info of a fence":           "~~~ " + x + "\ntext\n~~~",
		"long line in a fence":      "```\n" + strings.Repeat("y", 9000) + x + "\n```",
		"opened by an unpaired run": "``` `` " + x + " ``",
	} {
		if got := scanWhole(text); got != nil {
			t.Errorf("%s: %q", name, got)
		}
	}
	for name, text := range map[string]string{
		"a backtick without partner":     "a ` b " + x,
		"partner in the next paragraph":  "a ` b\n\n" + x + " `",
		"partner in the next item":       "- a ` b\n- " + x + " `",
		"runs of other lengths":          "a ` b " + x + " `` c",
		"after a span":                   "`a` " + x,
		"after a span, one more":         "`a` ` " + x,
		"escaped start of a span":        "\\`" + x + "`",
		"escaped start of a span of two": "\\``" + x + "``",
		"after a fence":                  "```\na\n```\n" + x,
		"after a list ended a fence":     "- ```\n  a\n" + x,
		"backticks in the info":          "``` a`b\n" + x,
		"four blanks":                    "a\n\n    ```\n\n" + x,
	} {
		if got := scanWhole(text); !slices.Equal(got, []string{"x"}) {
			t.Errorf("%s: %q", name, got)
		}
	}
}

// A host that streams wants to load a skill before the answer has ended.
func TestA15MarkerIsGivenAtItsClosingBracket(t *testing.T) {
	m := newMarkerScanner(strings.ToLower)
	for _, c := range []struct {
		chunk string
		want  []string
	}{
		{"Use `rope` and [LOAD", nil}, {"_SKILL: ti", nil}, {"de", nil}, {"]", []string{"tide"}},
		{" then ` [LOAD_SKILL: rope]", nil}, {"\n", nil}, {"\n", []string{"rope"}},
		{"`", nil}, {"``\n[LOAD_SKILL: sail]\n", nil}, {"```\n[LOAD_SKILL: mast]", []string{"mast"}},
	} {
		if got := m.Feed(c.chunk, false); !slices.Equal(got, c.want) {
			t.Errorf("%q: %q, want %q", c.chunk, got, c.want)
		}
	}
	if got := m.Feed("", true); got != nil {
		t.Errorf("at the end: %q", got)
	}
	if got := m.Feed("[LOAD_SKILL: TIDE] [LOAD_SKILL: new]", true); !slices.Equal(got, []string{"new"}) {
		t.Errorf("the next text: %q", got)
	}
}

var markerPieces = []string{
	"[LOAD_SKILL: a]", "[load_skill: b ]", "[LOAD_SKILL:", " c", "]", "[", "`", "``", "```", "~~~", "\n", "\n\n", " ", "    ", "> ", "- ", "1. ",
	"text", "\\", "#", "|", "|---|\n", "---\n", "===\n", "\t", "`[LOAD_SKILL: d]`", "潮汐", "\r\n", "<!--", ":", "2) ", "a | b\n",
}

func TestA17AnySplitGivesTheSameNames(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 9))
	found := 0
	for range 3000 {
		var text string
		for range 1 + r.IntN(24) {
			text += markerPieces[r.IntN(len(markerPieces))]
		}
		want := scanWhole(text)
		found += len(want)
		checkSplits(t, text, want, r)
	}
	if found < 1000 {
		t.Errorf("only %d names: the test shows little", found)
	}
}

func checkSplits(t *testing.T, text string, want []string, r *rand.Rand) {
	t.Helper()
	for _, most := range []int{1, 3, 20} {
		m := newMarkerScanner(strings.ToLower)
		var got []string
		for rest := text; rest != ""; {
			n := min(1+r.IntN(most), len(rest))
			got = append(got, m.Feed(rest[:n], false)...)
			rest = rest[n:]
		}
		if got = append(got, m.Feed("", true)...); !slices.Equal(got, want) {
			t.Fatalf("%q in pieces of %d: %q, as a whole %q", text, most, got, want)
		}
	}
}

func TestA15MemoryIsBounded(t *testing.T) {
	for name, chunk := range map[string]string{
		"backticks": strings.Repeat("`", 1000), "runs": "` `` ``` [LOAD_SKILL: a]", "blanks": strings.Repeat(" ", 500),
		"open bracket": "[LOAD_SKILL: x", "brackets": "[[[[", "quotations": ">", "names": "[LOAD_SKILL: ",
	} {
		m := newMarkerScanner(strings.ToLower)
		for i := range 5000 {
			if name == "names" {
				chunk = "[LOAD_SKILL: " + strings.Repeat("n", i%300) + string(rune('a'+i%26)) + strings.Repeat("m", i/300) + "]"
			}
			m.Feed(chunk, false)
			if len(m.line) > maxLineStart || len(m.spans) > maxSpanParts || len(m.seen) > maxNames || len(m.blocks.open) > maxContainers {
				t.Fatalf("%s: after %d chunks a line of %d, %d parts, %d names, %d containers", name, i, len(m.line), len(m.spans), len(m.seen), len(m.blocks.open))
			}
		}
	}
}

func FuzzMarkerScanner(f *testing.F) {
	f.Add("[LOAD_SKILL: a] `[LOAD_SKILL: b]`\n```\n[LOAD_SKILL: c]", uint64(1))
	f.Add("- ``` a`b [LOAD_SKILL: a]\n>~~~\n>[load_skill:b]", uint64(2))
	f.Add("a | b\n|:-|-|\n` [LOAD_SKILL: c] `", uint64(3))
	f.Add("\\`[LOAD_SKILL: \\`]", uint64(4))
	f.Fuzz(func(t *testing.T, text string, seed uint64) {
		checkSplits(t, text, scanWhole(text), rand.New(rand.NewPCG(seed, 0)))
	})
}
