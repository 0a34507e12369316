package lint

import (
	"strings"
	"testing"
)

// TestHostileFilesEnd: one line of these, repeated, once made a reader take time by
// the square of its length. The largest file that is read is done in seconds.
func TestHostileFilesEnd(t *testing.T) {
	if testing.Short() {
		t.Skip("large files")
	}
	for _, unit := range []string{
		"[a](", "- [a](\n", "<a\n", "/home/k/", "C:\\", "~/.a/skills/gull/x ", "$1 ", "\u200b", "</skill>", "eyJ-", "://a:b", "-----BEGIN ", "scripts/x.sh ", "`a`",
	} {
		text := skillWith("argument-hint: x\n", strings.Repeat(unit, (512<<10)/len(unit)))
		for _, d := range looked(t, text, "scripts/x.sh", "#!/bin/sh\n") {
			if len(d.Message) > 2000 {
				t.Errorf("%.20q: a message of %d bytes", unit, len(d.Message))
			}
		}
	}
}

// TestLongParagraphsAreReadInPart: what is left out of Markdown is a line in so
// many, and the places of the rest stay.
func TestLongParagraphsAreReadInPart(t *testing.T) {
	line := "See [a](references/gone.md) " + strings.Repeat("x", 50) + "\n"
	n := maxParagraph/len(line) + 5
	text := strings.Repeat(strings.Replace(line, "gone", "here", 1), n) + strings.Repeat("y", maxLine+10) + "\n\n[b](references/gone.md)\n"
	list := looked(t, skillWith("", text), "references/here.md", "x")
	if len(list) != 1 || list[0].Line != 4+n+3 || list[0].Column != 5 {
		t.Errorf("%v", list)
	}
	if got := bounded([]byte("a\n\nb\n")); string(got) != "a\n\nb\n" {
		t.Errorf("%q", got)
	}
}
