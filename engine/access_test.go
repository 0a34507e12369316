package engine

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// accessTree is a disk with a workspace, skills, a home and things that nobody may see.
//
//	home/secret  home/skills/tide/{SKILL.md,data/table}
//	ws/notes/a   ws/.claude/skills/rope/SKILL.md
//	ws/in -> notes   ws/out -> home   ws/dead -> home/new   ws/loop -> loop   ws/abs -> (absolute) ws/notes
//	ws/rope -> .claude/skills/rope    home/skills/tide/leak -> ../../secret
func accessTree(t *testing.T) (top string, a Access) {
	t.Helper()
	top, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for path, text := range map[string]string{
		"home/secret": "secret", "home/skills/tide/SKILL.md": "tide", "home/skills/tide/data/table": "noon",
		"ws/notes/a": "a", "ws/.claude/skills/rope/SKILL.md": "rope",
	} {
		p := filepath.Join(top, path)
		if err := os.MkdirAll(filepath.Dir(p), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(p, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for link, target := range map[string]string{
		"ws/in": "notes", "ws/out": "../home", "ws/dead": "../home/new", "ws/loop": "loop", "ws/abs": filepath.Join(top, "ws/notes"),
		"ws/rope": ".claude/skills/rope", "home/skills/tide/leak": "../../secret",
	} {
		if err := os.Symlink(filepath.FromSlash(target), filepath.Join(top, link)); err != nil {
			t.Skipf("no links here: %v", err)
		}
	}
	return top, Access{
		Workspace: filepath.Join(top, "ws"), Home: filepath.Join(top, "home"),
		ReadRoots: []string{filepath.Join(top, "home/skills/tide"), filepath.Join(top, "ws/.claude/skills/rope")},
		Protected: []string{filepath.Join(top, "ws/.claude/skills/rope")},
	}
}

func TestJ28WorkspaceReadableWritable(t *testing.T) {
	top, a := accessTree(t)
	for _, c := range []struct {
		path, real                    string // real: below top, the same for each; top/ begins an absolute path
		workspace, readable, writable error
	}{
		{"notes/a", "ws/notes/a", nil, nil, nil},
		{".", "ws", nil, nil, ErrProtected}, // who moves it moves the skill in it
		{"top/ws/notes/a", "ws/notes/a", nil, nil, nil},
		{"in/a", "ws/notes/a", nil, nil, nil},
		{"abs/a", "ws/notes/a", nil, nil, nil},
		{"notes/../in/./a", "ws/notes/a", nil, nil, nil},
		{"notes/new", "ws/notes/new", nil, nil, nil},
		{"in/new/deeper", "ws/notes/new/deeper", nil, nil, nil},
		{"..", "", ErrOutside, ErrOutside, ErrProtected},
		{"../home/secret", "", ErrOutside, ErrOutside, ErrOutside},
		{"notes/../../home/secret", "", ErrOutside, ErrOutside, ErrOutside},
		{"new/../../home/secret", "", ErrOutside, ErrOutside, ErrOutside},
		{"top/home/secret", "", ErrOutside, ErrOutside, ErrOutside},
		{"top/ws-other/x", "", ErrOutside, ErrOutside, ErrOutside},
		{"out/secret", "", ErrOutside, ErrOutside, ErrOutside},
		{"out", "", ErrOutside, ErrOutside, ErrOutside},
		{"dead", "", ErrOutside, ErrOutside, ErrOutside},                       // writing to it would make home/new
		{"out/../home/skills/tide/x", "", ErrOutside, nil, ErrProtected},       // .. behind a link is the link's own
		{"top/home/skills/tide/data/table", "", ErrOutside, nil, ErrProtected}, // readable is not writable
		{"out/skills/tide/SKILL.md", "", ErrOutside, nil, ErrProtected},
		{"top/home/skills/tide/leak", "", ErrOutside, ErrOutside, ErrProtected},
		{"top/home/skills/other", "", ErrOutside, ErrOutside, ErrOutside}, // not the root's parent (J4)
		{".claude/skills/rope/SKILL.md", "ws/.claude/skills/rope/SKILL.md", nil, nil, ErrProtected},
		{".claude/skills/rope/new", "ws/.claude/skills/rope/new", nil, nil, ErrProtected},
		{"rope/new", "ws/.claude/skills/rope/new", nil, nil, ErrProtected},
		{".claude/skills/rope", "ws/.claude/skills/rope", nil, nil, ErrProtected},
		{".claude/skills", "ws/.claude/skills", nil, nil, ErrProtected},
		{".claude/skills/other/SKILL.md", "ws/.claude/skills/other/SKILL.md", nil, nil, nil},
		{".claude/skills/rope-2/x", "ws/.claude/skills/rope-2/x", nil, nil, nil},
	} {
		path := filepath.FromSlash(c.path)
		if rest, ok := strings.CutPrefix(c.path, "top/"); ok {
			path = filepath.Join(top, rest)
		}
		for _, op := range []struct {
			name string
			run  func(string) (string, error)
			want error
		}{{"ResolveWorkspace", a.ResolveWorkspace, c.workspace}, {"ResolveReadable", a.ResolveReadable, c.readable}, {"Writable", a.Writable, c.writable}} {
			got, err := op.run(path)
			if !errors.Is(err, op.want) || err != nil && got != "" {
				t.Errorf("%s(%s): %q, %v; want %v", op.name, c.path, got, err, op.want)
			}
			if err == nil && c.real != "" && got != filepath.Join(top, c.real) {
				t.Errorf("%s(%s) is %s", op.name, c.path, got)
			}
			if err != nil && c.path != "top/home/secret" && strings.Contains(err.Error(), "secret") && !strings.Contains(c.path, "secret") {
				t.Errorf("%s(%s) tells where a link leads: %v", op.name, c.path, err)
			}
		}
	}
}

func TestJ28PathsThatCannotBeResolved(t *testing.T) {
	_, a := accessTree(t)
	for _, path := range []string{"", "loop", "loop/x", "in/a/below-a-file", "a\x00b"} {
		for name, run := range map[string]func(string) (string, error){"workspace": a.ResolveWorkspace, "readable": a.ResolveReadable, "writable": a.Writable} {
			if got, err := run(path); err == nil || got != "" {
				t.Errorf("%s(%q): %q, %v", name, path, got, err)
			}
		}
	}
	a.Workspace = ""
	if _, err := a.ResolveReadable("x"); err == nil {
		t.Error("a relative path was resolved without a workspace")
	}
	if _, err := a.ResolveReadable(a.ReadRoots[0]); err != nil {
		t.Errorf("a read root without a workspace: %v", err)
	}
}

// A link that stands in a protected directory is a part of the skill, wherever it leads.
func TestJ32LinkInsideOfASkillIsProtected(t *testing.T) {
	top, a := accessTree(t)
	if err := os.Symlink(filepath.Join("..", "..", "..", "notes"), filepath.Join(top, "ws/.claude/skills/rope/out")); err != nil {
		t.Fatal(err)
	}
	if _, err := a.Writable(".claude/skills/rope/out"); !errors.Is(err, ErrProtected) {
		t.Errorf("the link itself: %v", err)
	}
	if got, err := a.Writable(".claude/skills/rope/out/b"); err != nil || got != filepath.Join(top, "ws/notes/b") {
		t.Errorf("what it leads to is no part of the skill: %q, %v", got, err)
	}
}

func TestJ31AllowOutsideIsTheHosts(t *testing.T) {
	top, a := accessTree(t)
	a.AllowOutside = true
	for _, run := range []func(string) (string, error){a.ResolveWorkspace, a.ResolveReadable, a.Writable} {
		if got, err := run("out/secret"); err != nil || got != filepath.Join(top, "home/secret") {
			t.Errorf("%q, %v", got, err)
		}
	}
	for _, path := range []string{"rope/SKILL.md", "out/skills/tide/SKILL.md"} {
		if _, err := a.Writable(path); !errors.Is(err, ErrProtected) {
			t.Errorf("%s: %v", path, err)
		}
	}
}

func TestJ32ProtectionIsTheSpecs(t *testing.T) {
	_, a := accessTree(t)
	a.Protected = nil
	if _, err := a.Writable("rope/SKILL.md"); err != nil {
		t.Errorf("a skill in the workspace that is not protected: %v", err)
	}
	if _, err := a.Writable("out/skills/tide/SKILL.md"); !errors.Is(err, ErrProtected) {
		t.Errorf("one outside of it: %v", err)
	}
	a.Protected = []string{filepath.Join(a.Workspace, "loop")}
	if _, err := a.Writable("notes/a"); !errors.Is(err, ErrProtected) {
		t.Errorf("what cannot be told is refused: %v", err)
	}
}

func TestJ38BroadRootsOpenNothing(t *testing.T) {
	top, a := accessTree(t)
	home := filepath.Join(top, "home")
	if err := os.Symlink(home, filepath.Join(top, "me")); err != nil {
		t.Fatal(err)
	}
	for _, dir := range []string{string(filepath.Separator), home, filepath.Join(top, "me"), top, filepath.Join(top, "ws/loop"), "relative", ""} {
		if !BroadRoot(dir, home) {
			t.Errorf("%q is a read root", dir)
		}
		a.ReadRoots = []string{dir}
		if got, err := a.ResolveReadable(filepath.Join(home, "secret")); !errors.Is(err, ErrOutside) {
			t.Errorf("with %q: %q, %v", dir, got, err)
		}
	}
	if BroadRoot(filepath.Join(home, "skills", "tide"), home) {
		t.Error("a skill's directory is refused")
	}
	t.Setenv("HOME", home)
	t.Setenv("USERPROFILE", home)
	if !BroadRoot(home, "") || BroadRoot(filepath.Join(home, "skills"), "") {
		t.Error("the system's own home is not asked for")
	}
}

func TestJ30OpenReadsWhatIsReadable(t *testing.T) {
	top, a := accessTree(t)
	for path, want := range map[string]string{"in/a": "a", "out/skills/tide/data/table": "noon", filepath.Join(top, "ws/rope/SKILL.md"): "rope"} {
		f, err := a.Open(path)
		if err != nil {
			t.Errorf("%s: %v", path, err)
			continue
		}
		if got, _ := io.ReadAll(f); string(got) != want {
			t.Errorf("%s: %q", path, got)
		}
		f.Close()
	}
	for _, path := range []string{"out/secret", "out/skills/tide/leak"} {
		if _, err := a.Open(path); !errors.Is(err, ErrOutside) {
			t.Errorf("%s: %v", path, err)
		}
	}
	if _, err := a.Open("notes/none"); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a file that is not there: %v", err)
	}
	a.AllowOutside = true
	f, err := a.Open("out/secret")
	if err != nil {
		t.Fatal(err)
	}
	f.Close()
}
