//go:build unix

package link

import (
	"os"
	"strings"
	"testing"
)

// meanwhile does something once, right before the first change of a kind at a
// path that ends so.
func meanwhile(op, suffix string, do func() error) system {
	done := false
	return system{before: func(o, path string) error {
		if done || o != op || !strings.HasSuffix(path, suffix) {
			return nil
		}
		done = true
		return do()
	}}
}

// TestA8SomethingAppears while a link or copy is being made: it is left.
func TestA8SomethingAppears(t *testing.T) {
	at := func(w *world) string { return w.path("ws/" + skillsDir + "/a") }
	for name, appears := range map[string]func(path string) error{
		"empty directory": func(p string) error { return os.Mkdir(p, 0o700) },
		"file":            func(p string) error { return os.WriteFile(p, []byte("x"), 0o600) },
		"link":            func(p string) error { return os.Symlink("/elsewhere", p) },
	} {
		for _, mode := range []string{"link", "copy"} {
			t.Run(name+" "+mode, func(t *testing.T) {
				w := newWorld(t)
				w.skill("a")
				w.mkdir("ws/" + skillsDir)
				set, sys := w.set("a"), meanwhile("symlink", "/a", func() error { return appears(at(w)) })
				if mode == "copy" {
					set, sys = set.copies(), meanwhile("write", "/run.sh", func() error { return appears(at(w)) })
				}
				r, err := apply(t.Context(), set, sys)
				if err != nil {
					t.Fatal(err)
				}
				wantCause(t, only(t, r), Conflict, Exists)
				other := newWorld(t)
				other.mkdir("ws/" + skillsDir)
				if err := appears(at(other)); err != nil {
					t.Fatal(err)
				}
				w.removeAll()
				same(t, "the workspace", snapshot(t, other.place), snapshot(t, w.place))
			})
		}
	}
}

// TestA22ParentTurnsIntoALink while a link or copy is being made: nothing is
// written behind it.
func TestA22ParentTurnsIntoALink(t *testing.T) {
	for _, mode := range []string{"link", "copy"} {
		w := newWorld(t)
		w.skill("a")
		w.mkdir("outside/skills")
		w.mkdir("ws/" + skillsDir)
		before := snapshot(t, w.path("outside"))
		swap := func() error {
			if err := os.RemoveAll(w.path("ws/.agents")); err != nil {
				return err
			}
			return os.Symlink(w.path("outside"), w.path("ws/.agents"))
		}
		set, sys := w.set("a"), meanwhile("symlink", "/a", swap)
		if mode == "copy" {
			set, sys = set.copies(), meanwhile("rename", skillsDir+"/a", swap)
		}
		r, err := apply(t.Context(), set, sys)
		if err != nil {
			t.Fatal(err)
		}
		if x := only(t, r); x.Outcome != Failed {
			t.Errorf("%s: got %+v", mode, x)
		}
		w.removeAll()
		same(t, "what the link leads to", before, snapshot(t, w.path("outside")))
		if target, _ := os.Readlink(w.path("ws/.agents")); target != w.path("outside") {
			t.Error("the stranger's link is gone")
		}
	}
}

// TestA25ChangesWhileRemoving: a copy in which somebody writes just before it is
// taken away stays, and so does a link that is pointed elsewhere.
func TestA25ChangesWhileRemoving(t *testing.T) {
	w := newWorld(t)
	w.skill("a")
	w.skill("b")
	w.skill("c")
	set := w.set("a", "b", "c")
	set.Wants[0].Copy, set.Wants[1].Copy = true, true
	w.apply(set)
	list, err := Manifests(w.state)
	if err != nil || len(list) != 1 {
		t.Fatal(list, err)
	}
	sys := meanwhile("rename", ".promptc-"+hash12("demo")+"/1", func() error { // a is being moved aside
		w.write("ws/"+skillsDir+"/b/mine.md", "mine")
		c := w.path("ws/" + skillsDir + "/c")
		if err := os.Remove(c); err != nil {
			return err
		}
		return os.Symlink("/elsewhere", c)
	})
	r, err := remove(t.Context(), w.state, list[0], sys)
	if err != nil {
		t.Fatal(err)
	}
	wantOutcomes(t, r, "a=removed b=conflict c=conflict")
	if data, err := os.ReadFile(w.path("ws/" + skillsDir + "/b/mine.md")); err != nil || string(data) != "mine" {
		t.Errorf("got %q, %v", data, err)
	}
	if target, _ := os.Readlink(w.path("ws/" + skillsDir + "/c")); target != "/elsewhere" {
		t.Errorf("the link leads to %q", target)
	}
}
