package skill

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestB06ALinkToTheRootDragsNothingIn: a link from a root to the root of the disk,
// or to a directory that holds the root, is refused and named; what lies beside it
// is found.
func TestB06ALinkToTheRootDragsNothingIn(t *testing.T) {
	dir := tree(t, map[string]string{"hub/ok/SKILL.md": say("ok"), "r/a/b/.keep": "", "aside/SKILL.md": say("aside")})
	for name, target := range map[string]string{"trap": "/", "above": dir, "ok": filepath.Join(dir, "hub", "ok")} {
		if err := os.Symlink(target, filepath.Join(dir, "r", name)); err != nil {
			t.Skip("no links here")
		}
	}
	for depth := 1; depth <= 6; depth++ {
		root := trusted(dir + "/r")
		root.Depth = depth
		c := look(t, root)
		equal(t, found(c), []string{"ok loaded"})
		missed, problems := c.Search(t.Context())
		all := append(c.Diagnostics, problems...)
		for _, m := range missed {
			if !strings.HasPrefix(m.Path, dir) {
				t.Fatalf("depth %d: the search went to %s", depth, m.Path)
			}
		}
		for _, name := range []string{"trap", "above"} {
			said := false
			for _, d := range all {
				said = said || strings.Contains(d.File, filepath.Join("r", name))
			}
			if !said {
				t.Errorf("depth %d: nothing is said about the link %s: %v", depth, name, all)
			}
		}
	}
}
