//go:build unix

package link

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/promptc/promptc/engine"
)

var errKilled = errors.New("killed")

// killAt refuses the n-th change and every one after it, as if the process had
// ended there. Reached says whether it came to that.
type killAt struct {
	n, seen int
}

func (k *killAt) before(string, string) error {
	k.seen++
	if k.seen > k.n {
		return errKilled
	}
	return nil
}

func (k *killAt) reached() bool { return k.seen > k.n }

// scenario is a place with links and copies of an older set, a workspace in a
// repository, foreign files, and a newer set that needs every kind of change.
func scenario(t *testing.T) (w *world, before string, older, newer Set) {
	w = newWorld(t)
	for _, n := range []string{"gone", "gone-copy", "kept", "kept-copy", "moved", "refreshed", "to-copy", "to-link", "new", "new-copy"} {
		w.skill(n)
	}
	w.skill("moved-2")
	w.write("ws/.git/HEAD", "ref: refs/heads/main\n")
	w.write("ws/.git/info/exclude", "*.log")
	w.write("ws/.agents/notes.md", "mine")
	w.write("ws/src/main.go", "package main\n")
	before = snapshot(t, w.place)
	copied := func(s Set, names ...string) Set {
		for i := range s.Wants {
			for _, n := range names {
				s.Wants[i].Copy = s.Wants[i].Copy || s.Wants[i].Skill == n
			}
		}
		s.Into = true
		return s
	}
	older = copied(w.set("gone", "gone-copy", "kept", "kept-copy", "moved", "refreshed", "to-copy", "to-link"), "gone-copy", "kept-copy", "refreshed", "to-link")
	newer = copied(w.set("kept", "kept-copy", "moved", "refreshed", "to-copy", "to-link", "new", "new-copy"), "kept-copy", "refreshed", "to-copy", "new-copy")
	newer.Wants[2].Target = w.path("hub/moved-2")
	return w, before, older, newer
}

// linked is the workspace without what differs from one test directory to another.
func (w *world) linked() string {
	w.t.Helper()
	key := hash12(w.place)
	text, err := os.ReadFile(w.path("ws/.git/info/exclude"))
	if err != nil {
		w.t.Fatal(err)
	}
	tree := strings.Split(strings.ReplaceAll(snapshot(w.t, w.place), w.dir, ""), "\n")
	tree = slices.DeleteFunc(tree, func(line string) bool { return strings.HasPrefix(line, ".git/info/exclude ") })
	return strings.Join(tree, "\n") + "\n" + strings.ReplaceAll(string(text), key, "KEY")
}

func (w *world) refresh() {
	w.write("hub/refreshed/SKILL.md", "---\nname: refreshed\ndescription: New.\n---\nNew.\n")
}

// refreshed is the text that refresh replaces.
func (w *world) refreshed() string {
	w.t.Helper()
	data, err := os.ReadFile(w.path("hub/refreshed/SKILL.md"))
	if err != nil {
		w.t.Fatal(err)
	}
	return string(data)
}

// TestA8Crash ends a run at every single change, and then finishes it by Apply,
// by Remove, and by one after the other.
func TestA8Crash(t *testing.T) {
	t.Parallel()
	want := func() string {
		w, _, older, newer := scenario(t)
		w.apply(older)
		w.refresh()
		r := w.apply(newer)
		wantOutcomes(t, r, "kept=kept kept-copy=kept moved=repaired refreshed=copied to-copy=copied to-link=repaired new=linked new-copy=copied gone=removed gone-copy=removed")
		return w.linked()
	}()
	w, before, older, newer := scenario(t)
	original := w.refreshed()
	for n := 0; ; n++ {
		k := &killAt{n: n}
		for i, then := range []string{"apply", "remove", "older set"} {
			if i == 2 && n%8 != 0 {
				continue
			}
			w.write("hub/refreshed/SKILL.md", original)
			w.apply(older)
			w.refresh()
			hub := snapshot(t, w.hub)
			*k = killAt{n: n}
			_, err := apply(t.Context(), newer, system{before: k.before})
			if k.reached() && err == nil && !lateKill(k) {
				t.Fatalf("ended at change %d, and nobody was told", n)
			}
			switch then {
			case "apply":
				w.apply(newer)
				same(t, fmt.Sprintf("the workspace, ended at change %d and applied", n), want, w.linked())
			case "older set":
				w.apply(older)
			}
			w.removeAll()
			same(t, fmt.Sprintf("the workspace, ended at change %d, then %s and remove", n, then), before, snapshot(t, w.place))
			same(t, "the hub", hub, snapshot(t, w.hub))
			w.noState()
			if t.Failed() {
				t.FailNow()
			}
		}
		if k.reached() {
			continue
		}
		if n < 60 {
			t.Errorf("only %d changes were counted", n)
		}
		return
	}
}

// lateKill: the manifest was saved, only the note of its use or the lock file's
// removal were not done.
func lateKill(k *killAt) bool { return k.seen-k.n <= 1 }

// noState: no manifest is left. A lock file may be, of a run that was ended.
func (w *world) noState() {
	w.t.Helper()
	left, err := filepath.Glob(filepath.Join(w.state, placesDir, "*", "*.json"))
	if err != nil || len(left) > 0 {
		w.t.Errorf("the state directory still holds %q (%v)", left, err)
	}
}

// TestA25CrashInRemove ends a removal at every change, once more during the next
// one, and then lets it finish.
func TestA25CrashInRemove(t *testing.T) {
	t.Parallel()
	w, before, older, _ := scenario(t)
	hub := snapshot(t, w.hub)
	for n := 0; ; n++ {
		w.apply(older)
		k, whole := &killAt{n: n}, false
		for i := range 2 {
			list, err := Manifests(w.state)
			if err != nil {
				t.Fatal(err)
			}
			for _, m := range list {
				remove(t.Context(), w.state, m, system{before: k.before})
			}
			whole = whole || i == 0 && !k.reached()
			*k = killAt{n: n / 2}
		}
		w.removeAll()
		same(t, fmt.Sprintf("the workspace, ended at change %d", n), before, snapshot(t, w.place))
		same(t, "the hub", hub, snapshot(t, w.hub))
		w.noState()
		if t.Failed() {
			t.FailNow()
		}
		if !whole {
			continue
		}
		if n < 30 {
			t.Errorf("only %d changes were counted", n)
		}
		return
	}
}

// TestA8CrashInView, whose own directory is made as well.
func TestA8CrashInView(t *testing.T) {
	for n := 0; ; n++ {
		w := newWorld(t)
		w.skill("a")
		w.skill("b")
		dir, err := ViewDir(w.state, "demo")
		if err != nil {
			t.Fatal(err)
		}
		set := w.set("a", "b")
		set.Wants[1].Copy = true
		set.Place = engine.Place{Dir: dir, View: true}
		k := &killAt{n: n}
		apply(t.Context(), set, system{before: k.before})
		if n%2 == 0 {
			w.apply(set)
			if _, err := os.ReadFile(filepath.Join(dir, ".agents", "skills", "b", "SKILL.md")); err != nil {
				t.Fatal(err)
			}
		}
		w.removeAll()
		if _, err := os.Lstat(dir); !os.IsNotExist(err) {
			t.Fatalf("ended at change %d: the view is still there: %v", n, err)
		}
		w.noState()
		if !k.reached() {
			return
		}
	}
}

// TestMain lets the test binary be another process that works on the same place.
func TestMain(m *testing.M) {
	if dir := os.Getenv("LINK_TEST_DIR"); dir != "" {
		child(dir)
		return
	}
	os.Exit(m.Run())
}

// child applies and removes as told on stdin, one command a line, and answers
// each with a line.
func child(dir string) {
	w := &world{dir: dir, state: filepath.Join(dir, "state"), hub: filepath.Join(dir, "hub"), place: filepath.Join(dir, "ws")}
	kill, _ := strconv.Atoi(os.Getenv("LINK_TEST_KILL"))
	seen := 0
	sys := system{before: func(string, string) error {
		if seen++; seen == kill {
			syscall.Kill(os.Getpid(), syscall.SIGKILL)
			select {}
		}
		return nil
	}}
	in := bufio.NewScanner(os.Stdin)
	for in.Scan() {
		set := w.set(strings.Fields(in.Text())...)
		for i := range set.Wants {
			set.Wants[i].Copy = strings.HasSuffix(set.Wants[i].Skill, "-copy")
		}
		r, err := apply(context.Background(), set, sys)
		if err != nil {
			fmt.Println("error:", err)
			continue
		}
		fmt.Println(outcomes(r))
	}
}
