//go:build unix

package link

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/promptc/promptc/engine"
	"github.com/promptc/promptc/engine/diag"
)

// TestB20DirectoriesOnTheWay are in the manifest and go again, empty ones of the
// user's stay.
func TestB20DirectoriesOnTheWay(t *testing.T) {
	w := newWorld(t)
	w.skill("p")
	w.mkdir("ws/.agents")
	before := snapshot(t, w.place)
	w.apply(w.set("p"))
	list, err := Manifests(w.state)
	if err != nil || len(list) != 1 {
		t.Fatal(list, err)
	}
	var paths []string
	for _, e := range list[0].Entries {
		paths = append(paths, e.Path)
	}
	if want := []string{".agents/skills", ".agents/skills/p"}; !slices.Equal(paths, want) {
		t.Errorf("the manifest lists %q, want %q", paths, want)
	}
	w.removeAll()
	same(t, "the workspace", before, snapshot(t, w.place))
}

// TestB20LastSessionLeaving: of two sessions in one workspace the last to leave
// removes what the first has made on the way.
func TestB20LastSessionLeaving(t *testing.T) {
	w := newWorld(t)
	w.skill("a")
	w.skill("b")
	before := snapshot(t, w.place)
	one, two := w.set("a", "b"), w.set("b")
	two.Session = "other"
	wantOutcomes(t, w.apply(one), "a=linked b=linked")
	wantOutcomes(t, w.apply(two), "b=kept")
	list, _ := Manifests(w.state)
	if len(list) != 2 || list[0].Session != "demo" {
		t.Fatalf("got %d manifests", len(list))
	}
	r, err := Remove(t.Context(), w.state, list[0])
	if err != nil {
		t.Fatal(err)
	}
	wantOutcomes(t, r, "a=removed b=kept")
	if r, err = Remove(t.Context(), w.state, list[1]); err != nil {
		t.Fatal(err)
	}
	wantOutcomes(t, r, "b=removed")
	same(t, "the workspace", before, snapshot(t, w.place))
}

// TestA10SharedLinks: a session does not point a link that another one uses
// elsewhere, and a copy that it refreshes stays the other's as well.
func TestA10SharedLinks(t *testing.T) {
	w := newWorld(t)
	w.skill("a")
	w.skill("a2")
	w.skill("c")
	before := snapshot(t, w.place)
	one := w.set("a", "c")
	one.Wants[1].Copy = true
	two := one
	two.Session = "other"
	w.apply(one)
	wantOutcomes(t, w.apply(two), "a=kept c=kept")
	moved := w.set("a", "c")
	moved.Wants[0].Target, moved.Wants[1].Copy = w.path("hub/a2"), true
	w.write("hub/c/SKILL.md", "new")
	r := w.apply(moved)
	wantOutcomes(t, r, "a=conflict c=copied")
	wantCause(t, r.Results[0], Conflict, OtherSession)
	wantOutcomes(t, w.removeAll(), "a=kept c=kept a=removed c=removed")
	same(t, "the workspace", before, snapshot(t, w.place))
	w.noState()
}

// TestA10OtherSession: another session's link to another skill is a conflict that
// names the session.
func TestA10OtherSession(t *testing.T) {
	w := newWorld(t)
	w.skill("a")
	w.skill("a2")
	w.apply(w.set("a"))
	set := w.set("a")
	set.Session, set.Wants[0].Target = "other", w.path("hub/a2")
	x := only(t, w.apply(set))
	wantCause(t, x, Conflict, OtherSession)
	if !strings.Contains(x.Reason, `"demo"`) {
		t.Errorf("the session is not named: %s", x.Reason)
	}
	view := w.set("a")
	view.Place = engine.Place{Dir: w.path("state/views/demo"), View: true}
	w.apply(view)
	view.Session = "Demo"
	if _, err := Apply(t.Context(), view); len(diag.Of(err)) != 1 {
		t.Errorf("another session's view was taken: %v", err)
	}
}

// TestA8PlaceThatIsALink is the directory that it leads to, by one manifest.
func TestA8PlaceThatIsALink(t *testing.T) {
	w := newWorld(t)
	w.skill("a")
	w.link(w.place, "alias")
	before := snapshot(t, w.place)
	set := w.set("a")
	set.Place.Dir = w.path("alias")
	x := only(t, w.apply(set))
	if x.Path != filepath.Join(w.path("alias"), ".agents", "skills", "a") {
		t.Errorf("the path is not as it was named: %s", x.Path)
	}
	wantOutcomes(t, w.apply(w.set("a")), "a=kept")
	list, err := Manifests(w.state)
	if err != nil || len(list) != 1 || !list[0].In(w.place) || !list[0].In(w.path("alias")) || list[0].In(w.hub) {
		t.Fatalf("got %+v, %v", list, err)
	}
	// The alias leads elsewhere by now: what was made is removed where it was made.
	os.Remove(w.path("alias"))
	w.link(w.hub, "alias")
	w.removeAll()
	same(t, "the workspace", before, snapshot(t, w.place))
}

// TestA3NothingInTheSet makes nothing.
func TestA3NothingInTheSet(t *testing.T) {
	w := newWorld(t)
	before := snapshot(t, w.place)
	wantOutcomes(t, w.apply(w.set()), "")
	same(t, "the workspace", before, snapshot(t, w.place))
	view := w.set()
	view.Place = engine.Place{Dir: w.path("state/views/demo"), View: true}
	wantOutcomes(t, w.apply(view), "")
	if _, err := os.Lstat(view.Place.Dir); !os.IsNotExist(err) {
		t.Errorf("an empty view was made: %v", err)
	}
}

// TestA10ViewMatchesTheSet, and goes with its last link.
func TestA10ViewMatchesTheSet(t *testing.T) {
	w := newWorld(t)
	for _, n := range []string{"a", "b", "c"} {
		w.skill(n)
	}
	dir, err := ViewDir(w.state, "demo")
	if err != nil {
		t.Fatal(err)
	}
	set := func(names ...string) Set {
		s := w.set(names...)
		s.Place = engine.Place{Dir: dir, View: true}
		return s
	}
	wantOutcomes(t, w.apply(set("a", "b")), "a=linked b=linked")
	wantOutcomes(t, w.apply(set("c", "b")), "c=linked b=kept a=removed")
	list, _ := os.ReadDir(filepath.Join(dir, ".agents", "skills"))
	if len(list) != 2 || list[0].Name() != "b" || list[1].Name() != "c" {
		t.Errorf("the view holds %v", list)
	}
	wantOutcomes(t, w.apply(set()), "b=removed c=removed")
	if _, err := os.Lstat(dir); !os.IsNotExist(err) {
		t.Errorf("the view is still there: %v", err)
	}
	left, _ := filepath.Glob(filepath.Join(w.state, placesDir, "*"))
	if len(left) > 0 {
		t.Errorf("the state directory still holds %q", left)
	}
}
