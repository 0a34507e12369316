package lint

import (
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"github.com/promptc/promptc/engine/diag"
	"github.com/promptc/promptc/engine/skill"
)

// corpora are directories of repositories with skills: a small one that is always
// there, and the large one where it is.
func corpora(t *testing.T) map[string]bool {
	t.Helper()
	out := map[string]bool{filepath.Join("..", "skill", "testdata", "corpus"): false}
	if large := filepath.Join("..", "..", "..", "shared", "corpus"); !testing.Short() && isDir(large) {
		out[large] = true
	}
	return out
}

func isDir(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// TestFixOverTheCorpus: after it an ordinary YAML reader accepts every frontmatter,
// and only what had to be quoted is another.
func TestFixOverTheCorpus(t *testing.T) {
	for dir, large := range corpora(t) {
		to := t.TempDir()
		before := map[string]string{}
		must(t, filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || d.Name() != "SKILL.md" {
				return err
			}
			rel, err := filepath.Rel(dir, path)
			must(t, err)
			copied := filepath.Join(to, rel)
			before[copied] = content(t, path)
			must(t, os.MkdirAll(filepath.Dir(copied), 0o777))
			return os.WriteFile(copied, []byte(before[copied]), 0o644)
		}))
		var roots []string
		for _, path := range slices.Sorted(maps.Keys(before)) { // each is named itself: some lie in hidden directories
			roots = append(roots, filepath.Dir(path))
		}
		fixed := 0
		for _, p := range patchesIn(t, roots...) {
			must(t, p.Write())
			fixed++
		}
		if large && fixed != 23 || fixed == 0 {
			t.Errorf("%s: %d files were fixed", dir, fixed)
		}
		changed := 0
		for path, old := range before {
			now := content(t, path)
			block, ok := frontmatterOf(now)
			if ok {
				var into map[string]any
				if err := yaml.Unmarshal([]byte(block), &into); err != nil {
					t.Errorf("%s: %v", path, err)
				}
			}
			if now == old {
				continue
			}
			changed++
			was, is := strings.SplitAfter(old, "\n"), strings.SplitAfter(now, "\n")
			for i := range was {
				if was[i] != is[i] && strings.NewReplacer(`"`, "", "'", "").Replace(is[i]) != strings.NewReplacer(`"`, "", "'", "").Replace(was[i]) {
					t.Errorf("%s:%d: %q became %q", path, i+1, was[i], is[i])
				}
			}
			if len(was) != len(is) {
				t.Errorf("%s has %d lines, had %d", path, len(is), len(was))
			}
		}
		if changed != fixed {
			t.Errorf("%d files changed, %d were fixed", changed, fixed)
		}
	}
}

// frontmatterOf is what stands between the fences, as a plain reader cuts it.
func frontmatterOf(text string) (block string, ok bool) {
	text = strings.ReplaceAll(strings.TrimPrefix(text, "\ufeff"), "\r\n", "\n")
	rest, ok := strings.CutPrefix(text, "---\n")
	if !ok {
		return "", false
	}
	block, _, ok = strings.Cut(rest, "\n---")
	return block, ok
}

// TestCheckOverTheCorpus: real skills of strangers bring no error about, for none
// of them is broken and none holds a key.
func TestCheckOverTheCorpus(t *testing.T) {
	for dir, large := range corpora(t) {
		list, err := filepath.Glob(filepath.Join(dir, "*", ""))
		must(t, err)
		var roots []skill.Root
		for _, d := range list {
			if isDir(d) {
				roots = append(roots, skill.Root{Dir: d, Depth: 6, Trusted: true})
			}
		}
		c, err := skill.Discover(t.Context(), roots)
		must(t, err)
		r, err := Check(t.Context(), c, Options{})
		must(t, err)
		codes := map[diag.Code]int{}
		for _, d := range r.Diagnostics {
			codes[d.Code]++
			if d.Severity == diag.Error {
				t.Errorf("%v", d)
			}
		}
		if !large {
			continue
		}
		// As they were counted when the corpus was made.
		if codes[diag.DescriptionLong] != 3 || codes[diag.CommandMarker] != 3 || codes[diag.Secret] != 0 || codes[diag.BOM] != 14 {
			t.Errorf("%v", codes)
		}
	}
}
