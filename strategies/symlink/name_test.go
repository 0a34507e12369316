package symlink

import (
	"path/filepath"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/promptc/promptc/engine/skill"
)

func TestA24TheLinkIsNamedAfterTheSkill(t *testing.T) {
	for _, name := range []string{
		"a", "tide-table", "k8s-1", "数据分析", "überblick", "日本語", strings.Repeat("a", 64), "PDF_v1.2", "ΑΒΓ",
	} {
		if got := directory(name); got != name {
			t.Errorf("%q became %q", name, got)
		}
	}
}

func TestA10NoNameIsAPathOrHidden(t *testing.T) {
	for _, name := range []string{
		"..", ".", "/", "a/b", `a\b`, "../../x", ".git", "-rf", "a:b", "C:", "con", "NUL.txt", "com1", "Lpt9.md", "a.", "a ", "node_modules",
		"a\x00b", "a\nb", "\u202ea", strings.Repeat("a", 65), strings.Repeat("漢", 64) + "x", strings.Repeat("漢", 90), "💥", "",
	} {
		safe(t, name)
		if got := directory(name); got == name {
			t.Errorf("%q stays as it is", name)
		}
	}
}

// safe fails unless name becomes one element of a path that every system takes.
func safe(t *testing.T, name string) {
	t.Helper()
	got := directory(name)
	switch {
	case got == "" || !filepath.IsLocal(got) || strings.ContainsAny(got, `/\:*?"<>|`):
		t.Errorf("%q became %q, which is no element of a path", name, got)
	case strings.HasPrefix(got, ".") || strings.HasPrefix(got, "-") || strings.HasSuffix(got, "."):
		t.Errorf("%q became %q, which begins or ends badly", name, got)
	case !utf8.ValidString(got) || len(got) > 255 || utf8.RuneCountInString(got) > 64 || reserved(got):
		t.Errorf("%q became %q, which some systems refuse", name, got)
	case strings.ContainsFunc(got, func(r rune) bool { return !unicode.IsGraphic(r) || unicode.IsSpace(r) }):
		t.Errorf("%q became %q, which cannot be seen whole", name, got)
	}
}

func TestA24ClashesAreKeptApart(t *testing.T) {
	n := newNamer()
	seen := map[string]bool{}
	for i, name := range []string{"reef", "Reef", "REEF", "reef", "caf\u00e9", "cafe\u0301", "straße", "STRASSE"} {
		dir, clash := n.name(skill.Skill{Name: name, Dir: "/s"})
		if seen[n.folded(dir)] {
			t.Errorf("%q is given twice", dir)
		}
		seen[n.folded(dir)] = true
		if first := i == 0 || i == 4 || i == 6; first != (clash == "") {
			t.Errorf("%q: clash with %q", name, clash)
		}
	}
}

func FuzzDirectory(f *testing.F) {
	for _, s := range []string{"tide-table", "../x", "a b", "a-b", "con", "caf\u00e9", "漢字", "\xff", "-", strings.Repeat("x", 100), "a.b.", "{dir}"} {
		f.Add(s, s+" ")
	}
	f.Fuzz(func(t *testing.T, a, b string) {
		safe(t, a)
		n := newNamer()
		x, _ := n.name(skill.Skill{Name: a, Dir: "/a"})
		y, _ := n.name(skill.Skill{Name: b, Dir: "/b"})
		if n.folded(x) == n.folded(y) {
			t.Errorf("%q and %q are both linked as %q", a, b, x)
		}
	})
}
