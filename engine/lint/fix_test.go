package lint

import (
	"bytes"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/promptc/promptc/engine/diag"
	"github.com/promptc/promptc/engine/skill"
)

const colon = "---\nname: gull\ndescription: Gulls: large birds\n---\nBody: as: is.\n"

// onDisk writes files below a new directory and gives the patches for the root in it.
func onDisk(t *testing.T, root string, files map[string]string) (dir string, patches []Patch) {
	t.Helper()
	dir = t.TempDir()
	for name, content := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		must(t, os.MkdirAll(filepath.Dir(path), 0o777))
		must(t, os.WriteFile(path, []byte(content), 0o644))
	}
	return dir, patchesIn(t, filepath.Join(dir, root))
}

func patchesIn(t *testing.T, roots ...string) []Patch {
	t.Helper()
	var list []skill.Root
	for _, r := range roots {
		list = append(list, skill.Root{Dir: r, Trusted: true})
	}
	c, err := skill.Discover(t.Context(), list)
	must(t, err)
	patches, err := Patches(t.Context(), c)
	must(t, err)
	return patches
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func content(t *testing.T, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	must(t, err)
	return string(data)
}

// TestWriteReplacesTheWholeFile: with the file's own mode, and nothing else is left.
func TestWriteReplacesTheWholeFile(t *testing.T) {
	dir, patches := onDisk(t, "", map[string]string{"gull/SKILL.md": colon, "gull/.SKILL.md.promptc-0": "mine", "tern/SKILL.md": "---\nname: tern\n---\nB\n"})
	path := filepath.Join(dir, "gull", "SKILL.md")
	must(t, os.Chmod(path, 0o604))
	if len(patches) != 1 || patches[0].Path != path || len(patches[0].Changes) != 1 {
		t.Fatalf("%+v", patches)
	}
	if content(t, path) != colon {
		t.Fatal("making patches wrote something")
	}
	must(t, patches[0].Write())
	want := strings.Replace(colon, "Gulls: large birds", `"Gulls: large birds"`, 1)
	if got := content(t, path); got != want {
		t.Errorf("%q", got)
	}
	info, err := os.Stat(path)
	must(t, err)
	if runtime.GOOS != "windows" && info.Mode().Perm() != 0o604 {
		t.Errorf("the mode is %v", info.Mode())
	}
	list, err := os.ReadDir(filepath.Dir(path))
	must(t, err)
	if len(list) != 2 || content(t, filepath.Join(dir, "gull", ".SKILL.md.promptc-0")) != "mine" {
		t.Errorf("%v", list)
	}
	if again := patchesIn(t, dir); len(again) != 0 {
		t.Errorf("a second time: %+v", again)
	}
	must(t, patches[0].Write()) // it is as the patch makes it
}

// TestWriteRefuses: each refusal leaves the file as it is and no other behind.
func TestWriteRefuses(t *testing.T) {
	for name, c := range map[string]struct {
		before func(t *testing.T, path string)
		says   string
	}{
		"changed meanwhile": {func(t *testing.T, path string) { must(t, os.WriteFile(path, []byte(colon+"more"), 0o644)) }, "changed meanwhile"},
		"gone":              {func(t *testing.T, path string) { must(t, os.Remove(path)) }, "no such file"},
		"not writable": {func(t *testing.T, path string) {
			if os.Getuid() == 0 || runtime.GOOS == "windows" {
				t.Skip("for root every file is writable")
			}
			must(t, os.Chmod(path, 0o444))
		}, "denied"},
		"now a link to elsewhere": {func(t *testing.T, path string) {
			far := filepath.Join(t.TempDir(), "far.md")
			must(t, os.WriteFile(far, []byte(colon), 0o644))
			must(t, os.Remove(path))
			if err := os.Symlink(far, path); err != nil {
				t.Skip(err)
			}
		}, "outside of"},
		"now a directory": {func(t *testing.T, path string) { must(t, os.Remove(path)); must(t, os.Mkdir(path, 0o777)) }, "directory"},
	} {
		t.Run(name, func(t *testing.T) {
			dir, patches := onDisk(t, "", map[string]string{"gull/SKILL.md": colon})
			c.before(t, filepath.Join(dir, "gull", "SKILL.md"))
			before := snapshot(t, dir)
			err := patches[0].Write()
			list := diag.Of(err)
			if len(list) != 1 || list[0].Code != diag.FixRefused || !strings.Contains(list[0].Message, c.says) {
				t.Errorf("%v", err)
			}
			if after := snapshot(t, dir); after != before {
				t.Errorf("before %s after %s", before, after)
			}
		})
	}
}

func snapshot(t *testing.T, dir string) string {
	t.Helper()
	var b strings.Builder
	must(t, filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		b.WriteString(path + " " + d.Type().String() + "\n")
		if data, err := os.ReadFile(path); err == nil {
			b.Write(data)
		}
		return nil
	}))
	return b.String()
}

// TestLinkedFilesAreRewrittenOnlyInside: the target is written, the link stays.
func TestLinkedFilesAreRewrittenOnlyInside(t *testing.T) {
	dir, _ := onDisk(t, "", map[string]string{"skills/shared/gull.md": colon, "far/auk/SKILL.md": strings.ReplaceAll(colon, "gull", "auk")})
	must(t, os.Mkdir(filepath.Join(dir, "skills", "gull"), 0o777))
	for link, target := range map[string]string{"skills/gull/SKILL.md": "../shared/gull.md", "skills/auk": "../far/auk"} {
		if err := os.Symlink(target, filepath.Join(dir, link)); err != nil {
			t.Skip(err)
		}
	}
	patches := patchesIn(t, filepath.Join(dir, "skills"))
	if len(patches) != 2 {
		t.Fatalf("%+v", patches)
	}
	if err := patches[0].Write(); len(diag.Of(err)) != 1 || strings.Contains(content(t, filepath.Join(dir, "far", "auk", "SKILL.md")), `"`) {
		t.Errorf("the skill elsewhere was written: %v", err)
	}
	must(t, patches[1].Write())
	info, err := os.Lstat(filepath.Join(dir, "skills", "gull", "SKILL.md"))
	must(t, err)
	if info.Mode()&fs.ModeSymlink == 0 || !strings.Contains(content(t, filepath.Join(dir, "skills", "shared", "gull.md")), `"Gulls: large birds"`) {
		t.Error("the link or its target is not as it should be")
	}
	for _, p := range patchesIn(t, filepath.Join(dir, "skills", "auk")) { // the path itself leads there
		must(t, p.Write())
	}
	if !strings.Contains(content(t, filepath.Join(dir, "far", "auk", "SKILL.md")), `"Gulls: large birds"`) {
		t.Error("the named path was not fixed")
	}
}

// diffs are files whose diff has something particular.
var diffs = map[string]string{
	"plain":            colon,
	"CRLF":             strings.ReplaceAll(colon, "\n", "\r\n"),
	"no line end":      "---\nname: gull\ndescription: a: b\n---",
	"two far apart":    "---\nname: a: b\nc: 1\nd: 2\ne: 3\nf: 4\ng: 5\nh: 6\ni: 7\nj: 8\ndescription: c: d\n---\n",
	"two near":         "---\nname: a: b\nc: 1\nd: 2\ndescription: c: d\n---\n",
	"side by side":     "---\nname: a: b\ndescription: c: d\n---\nx\n",
	"over three lines": "---\nname: gull\ndescription: a: b\n  c: d\n  e: f\n---\nx\n",
}

// TestDiffApplies: what Diff prints is what makes After of Before, by promptc's own
// reading and by git's.
func TestDiffApplies(t *testing.T) {
	git, err := exec.LookPath("git")
	for name, raw := range diffs {
		t.Run(name, func(t *testing.T) {
			dir, patches := onDisk(t, "", map[string]string{"gull/SKILL.md": raw})
			if len(patches) != 1 {
				t.Fatalf("%d patches", len(patches))
			}
			diff := patches[0].Diff("gull/SKILL.md")
			if got := applied(t, patches[0].Before, diff); !bytes.Equal(got, patches[0].After) {
				t.Errorf("%s\ngives %q", diff, got)
			}
			if err != nil {
				t.Skip("no git")
			}
			cmd := exec.CommandContext(t.Context(), git, "apply", "--whitespace=nowarn", "-")
			cmd.Dir, cmd.Stdin = dir, strings.NewReader(diff)
			cmd.Env = append(os.Environ(), "GIT_CEILING_DIRECTORIES="+filepath.Dir(dir), "GIT_CONFIG_GLOBAL="+os.DevNull)
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Fatalf("%v: %s\n%s", err, out, diff)
			}
			if got := content(t, filepath.Join(dir, "gull", "SKILL.md")); got != string(patches[0].After) {
				t.Errorf("git makes %q of it", got)
			}
		})
	}
}

// applied applies a unified diff without looking for where its hunks fit.
func applied(t *testing.T, before []byte, diff string) []byte {
	t.Helper()
	var out []byte
	old := lines(before)
	at := 0
	diff = strings.ReplaceAll(diff, "\n\\ No newline at end of file\n", "\x00")
	for diff != "" {
		i := strings.IndexAny(diff, "\n\x00")
		line, end := diff[:i], diff[i:i+1]
		diff = diff[i+1:]
		if end == "\x00" {
			end = ""
		}
		switch {
		case strings.HasPrefix(line, "--- "), strings.HasPrefix(line, "+++ "):
		case strings.HasPrefix(line, "@@ -"):
			from := 0
			for _, c := range line[len("@@ -"):] {
				if c < '0' || c > '9' {
					break
				}
				from = from*10 + int(c-'0')
			}
			for ; at < from-1; at++ {
				out = append(out, old[at]...)
			}
		case line[0] == '+':
			out = append(out, line[1:]+end...)
		default:
			if string(old[at]) != line[1:]+end {
				t.Fatalf("line %d is %q, the diff has %q", at+1, old[at], line)
			}
			if line[0] == ' ' {
				out = append(out, old[at]...)
			}
			at++
		}
	}
	for ; at < len(old); at++ {
		out = append(out, old[at]...)
	}
	return out
}
