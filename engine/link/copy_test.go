//go:build unix

package link

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// TestA7Copy holds real files only: what links inside lead to, where that is
// inside, and neither FIFOs nor what leads outside, which is said.
func TestA7Copy(t *testing.T) {
	w := newWorld(t)
	dir := w.skill("a")
	w.write("hub/a/docs/one.md", "one")
	w.write("secret", "secret")
	w.link("one.md", "hub/a/docs/two.md")
	w.link("docs", "hub/a/more")
	w.link("..", "hub/a/docs/up")
	w.link(w.path("secret"), "hub/a/stolen")
	w.link("../../secret", "hub/a/stolen-2")
	w.link("nowhere", "hub/a/dead")
	w.mkdir("hub/a/empty")
	w.write("hub/a/.git/config", "x")
	if err := syscall.Mkfifo(dir+"/pipe", 0o644); err != nil {
		t.Fatal(err)
	}
	r := w.apply(w.set("a").copies())
	wantOutcomes(t, r, "a=copied")
	for _, part := range []string{".git (", "dead (", "and 4 more"} {
		if !strings.Contains(r.Results[0].Reason, part) {
			t.Errorf("the reason %q does not name %q", r.Results[0].Reason, part)
		}
	}
	var got []string
	err := filepath.WalkDir(r.Results[0].Path, func(p string, d os.DirEntry, err error) error {
		if err == nil && !d.IsDir() && !d.Type().IsRegular() {
			t.Errorf("%s is no real file", p)
		}
		rel, _ := filepath.Rel(r.Results[0].Path, p)
		got = append(got, rel)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	want := ". SKILL.md docs docs/one.md docs/two.md empty more more/one.md more/two.md scripts scripts/run.sh"
	if strings.Join(got, " ") != want {
		t.Errorf("the copy holds\n%s, want\n%s", strings.Join(got, " "), want)
	}
	if info, err := os.Stat(filepath.Join(r.Results[0].Path, "scripts/run.sh")); err != nil || info.Mode()&0o111 == 0 {
		t.Errorf("the script is not executable: %v", err)
	}
	if data, err := os.ReadFile(filepath.Join(r.Results[0].Path, "more/two.md")); err != nil || string(data) != "one" {
		t.Errorf("got %q, %v", data, err)
	}
	list, _ := Manifests(w.state)
	if e := list[0].at(skillsDir + "/a"); e == nil || e.Kind != Copy {
		t.Errorf("the manifest holds %+v", e)
	}
	wantOutcomes(t, w.apply(w.set("a").copies()), "a=kept")
}

// TestA7CopyIsRefreshed by content: a new byte, name or executable bit.
func TestA7CopyIsRefreshed(t *testing.T) {
	w := newWorld(t)
	dir := w.skill("a")
	set := w.set("a").copies()
	w.apply(set)
	for i, change := range []func() error{
		func() error { return os.WriteFile(dir+"/SKILL.md", []byte("new"), 0o644) },
		func() error { return os.Rename(dir+"/scripts/run.sh", dir+"/scripts/go.sh") },
		func() error { return os.Chmod(dir+"/scripts/go.sh", 0o644) },
		func() error { return os.Mkdir(dir+"/empty", 0o755) },
		func() error { return os.RemoveAll(dir + "/scripts") },
	} {
		if err := change(); err != nil {
			t.Fatal(err)
		}
		r := w.apply(set)
		wantOutcomes(t, r, "a=copied")
		if !strings.Contains(r.Results[0].Reason, "refreshed") {
			t.Errorf("change %d: it is not said why: %q", i, r.Results[0].Reason)
		}
		same(t, "the copy", snapshot(t, dir), snapshot(t, r.Results[0].Path))
		wantOutcomes(t, w.apply(set), "a=kept")
	}
}

// TestA25ChangedCopyStays until its change is undone.
func TestA25ChangedCopyStays(t *testing.T) {
	w := newWorld(t)
	w.skill("a")
	w.skill("b")
	before := snapshot(t, w.place)
	set := w.set("a", "b").copies()
	w.apply(set)
	w.write("ws/"+skillsDir+"/a/mine.md", "mine")
	changed := snapshot(t, w.path("ws/"+skillsDir+"/a"))
	w.write("hub/a/SKILL.md", "new")
	r := w.apply(set)
	wantOutcomes(t, r, "a=conflict b=kept")
	wantCause(t, r.Results[0], Conflict, Changed)
	wantOutcomes(t, w.apply(w.set("b")), "b=repaired a=conflict")
	wantOutcomes(t, w.removeAll(), "a=conflict b=removed")
	wantOutcomes(t, w.removeAll(), "a=conflict")
	same(t, "the copy", changed, snapshot(t, w.path("ws/"+skillsDir+"/a")))
	if err := os.Remove(w.path("ws/" + skillsDir + "/a/mine.md")); err != nil {
		t.Fatal(err)
	}
	wantOutcomes(t, w.removeAll(), "a=removed")
	same(t, "the workspace", before, snapshot(t, w.place))
}

// TestA7CopyIsBounded: too much is not copied, and nothing of it is left.
func TestA7CopyIsBounded(t *testing.T) {
	w := newWorld(t)
	dir := w.skill("a")
	before := snapshot(t, w.place)
	f, err := os.Create(dir + "/large")
	if err != nil {
		t.Fatal(err)
	}
	if err := f.Truncate(maxCopyBytes + 1); err != nil {
		t.Fatal(err)
	}
	f.Close()
	r := w.apply(w.set("a").copies())
	wantCause(t, only(t, r), Failed, TooLarge)
	same(t, "the workspace", before, snapshot(t, w.place))
}

// TestA22CopyWithoutSkillFile: where SKILL.md leads outside, a copy would hold none.
func TestA22CopyWithoutSkillFile(t *testing.T) {
	w := newWorld(t)
	w.skill("a")
	w.mkdir("hub/b")
	w.link(w.path("hub/a/SKILL.md"), "hub/b/SKILL.md")
	wantCause(t, only(t, w.apply(w.set("b").copies())), Failed, SourceMissing)
	wantOutcomes(t, w.apply(w.set("b")), "b=linked")
}

// TestA7CopyFails half way: nothing is left of it, and an older copy still is
// there.
func TestA7CopyFails(t *testing.T) {
	w := newWorld(t)
	w.skill("a")
	w.skill("b")
	set := w.set("a", "b").copies()
	w.apply(set)
	before := snapshot(t, w.place)
	w.write("hub/a/SKILL.md", "new")
	r, err := apply(t.Context(), set, system{before: func(op, path string) error {
		if op == "write" && strings.HasSuffix(path, "run.sh") {
			return &os.PathError{Op: op, Path: path, Err: syscall.ENOSPC}
		}
		return nil
	}})
	if err != nil {
		t.Fatal(err)
	}
	wantOutcomes(t, r, "a=failed b=kept")
	wantCause(t, r.Results[0], Failed, DiskFull)
	same(t, "the workspace", before, snapshot(t, w.place))
	wantOutcomes(t, w.apply(set), "a=copied b=kept")
}

// TestA7SwitchesBetweenLinkAndCopy.
func TestA7SwitchesBetweenLinkAndCopy(t *testing.T) {
	w := newWorld(t)
	w.skill("a")
	before := snapshot(t, w.place)
	for _, c := range []struct {
		set  Set
		want string
	}{{w.set("a"), "a=linked"}, {w.set("a").copies(), "a=copied"}, {w.set("a"), "a=repaired"}} {
		wantOutcomes(t, w.apply(c.set), c.want)
	}
	w.removeAll()
	same(t, "the workspace", before, snapshot(t, w.place))
}
