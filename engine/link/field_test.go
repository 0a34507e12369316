//go:build unix

package link

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/promptc/promptc/engine"
	"github.com/promptc/promptc/engine/diag"
)

// only is the one result of a report.
func only(t *testing.T, r *Report) Result {
	t.Helper()
	if len(r.Results) != 1 {
		t.Fatalf("got %+v, want one result", r.Results)
	}
	return r.Results[0]
}

func wantCause(t *testing.T, x Result, o Outcome, c Cause) {
	t.Helper()
	if x.Outcome != o || x.Cause != c || x.Reason == "" {
		t.Fatalf("got %s because of %q (%s), want %s because of %q", x.Outcome, x.Cause, x.Reason, o, c)
	}
}

// TestB01NoPrivilege: a symbolic link, then a junction, then a copy, and the
// manifest says which it was.
func TestB01NoPrivilege(t *testing.T) {
	refused := func(_, path string) error {
		return &os.LinkError{Op: "symlink", New: path, Err: syscall.EPERM}
	}
	for _, c := range []struct {
		name     string
		junction func(target, path string) error
		outcome  string
		kind     Kind
	}{
		{"junction", os.Symlink, "pptx=linked", Junction}, // what a junction is to those who look at it
		{"copy", refused, "pptx=copied", Copy},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := newWorld(t)
			w.skill("pptx")
			before := snapshot(t, w.place)
			sys := system{symlink: refused, junction: c.junction}
			r, err := apply(t.Context(), w.set("pptx"), sys)
			if err != nil {
				t.Fatal(err)
			}
			wantOutcomes(t, r, c.outcome)
			if r.Results[0].Reason == "" {
				t.Error("it is not said why it is no link")
			}
			list, err := Manifests(w.state)
			if err != nil || len(list) != 1 {
				t.Fatalf("got %v, %v", list, err)
			}
			if e := list[0].at(skillsDir + "/pptx"); e == nil || e.Kind != c.kind {
				t.Fatalf("got %+v, want the kind %s", e, c.kind)
			}
			made := snapshot(t, w.place)
			if r, err = apply(t.Context(), w.set("pptx"), sys); err != nil {
				t.Fatal(err)
			}
			wantOutcomes(t, r, "pptx=kept")
			same(t, "the workspace", made, snapshot(t, w.place))
			w.write("hub/pptx/SKILL.md", "---\nname: pptx\ndescription: New.\n---\nNew.\n")
			if r, err = apply(t.Context(), w.set("pptx"), sys); err != nil {
				t.Fatal(err)
			}
			data, err := os.ReadFile(w.path("ws/" + skillsDir + "/pptx/SKILL.md"))
			if err != nil || !strings.Contains(string(data), "New.") {
				t.Fatalf("the agent reads %q, %v after %s", data, err, outcomes(r))
			}
			w.removeAll()
			same(t, "the workspace", before, snapshot(t, w.place))
		})
	}
}

// TestB07UsersLinkOfTheSameName stays, and both sources are named.
func TestB07UsersLinkOfTheSameName(t *testing.T) {
	w := newWorld(t)
	w.skill("theme")
	own := w.mkdir("own/theme")
	w.write("own/theme/SKILL.md", "mine")
	w.link(own, "ws/"+skillsDir+"/theme")
	before := snapshot(t, w.dir)
	for _, set := range []Set{w.set("theme"), w.set("theme").copies()} {
		r := w.apply(set)
		x := only(t, r)
		wantCause(t, x, Conflict, Exists)
		if !strings.Contains(x.Reason, own) || x.Target != w.path("hub/theme") {
			t.Errorf("both sources are to be named: %+v", x)
		}
		if len(r.Diagnostics) != 1 || r.Diagnostics[0].Code != diag.LinkConflict || r.Diagnostics.Err() == nil {
			t.Errorf("got %v", r.Diagnostics)
		}
	}
	w.removeAll()
	os.RemoveAll(w.state)
	same(t, "everything", before, snapshot(t, w.dir))
}

// TestB08UsersDirectoryOfTheSameName keeps its notes.
func TestB08UsersDirectoryOfTheSameName(t *testing.T) {
	for _, mode := range []string{"link", "copy"} {
		w := newWorld(t)
		w.skill("tdd")
		w.write("ws/"+skillsDir+"/tdd/notes.md", "unsaved")
		before := snapshot(t, w.place)
		set := w.set("tdd")
		if mode == "copy" {
			set = set.copies()
		}
		wantCause(t, only(t, w.apply(set)), Conflict, Exists)
		w.removeAll()
		same(t, "the workspace", before, snapshot(t, w.place))
	}
}

// TestB09SourceAndPlaceAreOne: nothing is done, and that is said.
func TestB09SourceAndPlaceAreOne(t *testing.T) {
	t.Run("the skills directory is a link to the source root", func(t *testing.T) {
		w := newWorld(t)
		w.skill("tdd")
		w.link(w.hub, "ws/"+skillsDir)
		before := snapshot(t, w.dir)
		x := only(t, w.apply(w.set("tdd")))
		wantCause(t, x, Kept, NoCause)
		w.removeAll()
		os.RemoveAll(w.state)
		same(t, "everything", before, snapshot(t, w.dir))
	})
	t.Run("the skill already lies there", func(t *testing.T) {
		w := newWorld(t)
		w.write("ws/"+skillsDir+"/tdd/SKILL.md", "x")
		before := snapshot(t, w.place)
		set := w.set("tdd")
		set.Wants[0].Target = w.path("ws/" + skillsDir + "/tdd")
		for _, s := range []Set{set, set.copies()} {
			wantCause(t, only(t, w.apply(s)), Kept, NoCause)
		}
		w.removeAll()
		same(t, "the workspace", before, snapshot(t, w.place))
	})
	t.Run("the skill holds the place", func(t *testing.T) {
		w := newWorld(t)
		w.write("ws/SKILL.md", "x")
		before := snapshot(t, w.place)
		for _, target := range []string{"ws", "ws/../ws", "alias"} {
			if target == "alias" {
				w.link(w.place, "alias")
			}
			set := w.set("tdd")
			set.Wants[0].Target = w.dir + "/" + target
			for _, s := range []Set{set, set.copies()} {
				wantCause(t, only(t, w.apply(s)), Conflict, Ancestor)
			}
		}
		same(t, "the workspace", before, snapshot(t, w.place))
	})
}

// TestB11TwiceMakesNothingInTheTarget: the link itself is looked at, not what it
// leads to.
func TestB11TwiceMakesNothingInTheTarget(t *testing.T) {
	w := newWorld(t)
	w.skill("tdd")
	hub := snapshot(t, w.hub)
	for range 3 {
		w.apply(w.set("tdd"))
	}
	same(t, "the hub", hub, snapshot(t, w.hub))
}

// TestB13DeadLinks: ours is replaced when the target has moved, a stranger's is
// reported.
func TestB13DeadLinks(t *testing.T) {
	w := newWorld(t)
	w.skill("f")
	w.skill("g")
	w.apply(w.set("f"))
	if err := os.Rename(w.path("hub/f"), w.path("hub/f-2")); err != nil {
		t.Fatal(err)
	}
	w.link("/old/version/g", "ws/"+skillsDir+"/g")
	set := w.set("f", "g")
	set.Wants[0].Target = w.path("hub/f-2")
	r := w.apply(set)
	wantOutcomes(t, r, "f=repaired g=conflict")
	if !strings.Contains(r.Results[1].Reason, "/old/version/g") {
		t.Errorf("the dead link's target is not named: %s", r.Results[1].Reason)
	}
	if _, err := os.ReadFile(w.path("ws/" + skillsDir + "/f/SKILL.md")); err != nil {
		t.Error(err)
	}
}

// TestB14OneConflictSpoilsNoOther.
func TestB14OneConflictSpoilsNoOther(t *testing.T) {
	w := newWorld(t)
	for _, n := range []string{"a", "b", "c"} {
		w.skill(n)
	}
	w.link("/gone", "ws/"+skillsDir+"/b")
	r := w.apply(w.set("a", "b", "c"))
	wantOutcomes(t, r, "a=linked b=conflict c=linked")
	if r.Diagnostics.Err() == nil {
		t.Error("a partial failure is no error")
	}
}

// TestB15DeadLinkIsRemoved without being followed.
func TestB15DeadLinkIsRemoved(t *testing.T) {
	w := newWorld(t)
	w.skill("l")
	before := snapshot(t, w.place)
	w.apply(w.set("l"))
	if err := os.RemoveAll(w.path("hub/l")); err != nil {
		t.Fatal(err)
	}
	wantCause(t, only(t, w.apply(w.set("l"))), Failed, SourceMissing)
	wantOutcomes(t, w.removeAll(), "l=removed")
	same(t, "the workspace", before, snapshot(t, w.place))
}

// TestB16RemovalEmptiesNoTarget, also where promptc takes the whole place away.
func TestB16RemovalEmptiesNoTarget(t *testing.T) {
	w := newWorld(t)
	w.skill("a")
	hub := snapshot(t, w.hub)
	set := w.set("a")
	set.Fresh = true
	w.apply(set)
	w.removeAll()
	same(t, "the hub", hub, snapshot(t, w.hub))
	if _, err := os.Lstat(w.place); !os.IsNotExist(err) {
		t.Errorf("the place that was made for the session is still there: %v", err)
	}
}

// TestB18RefusedPlaces: whatever the place is called, it is never the root, the
// home, or nothing.
func TestB18RefusedPlaces(t *testing.T) {
	w := newWorld(t)
	w.skill("a")
	home := w.mkdir("home")
	w.link(home, "home-link")
	w.link("/", "root-link")
	w.write("file", "x")
	w.link("/nowhere/at/all", "dead")
	before := snapshot(t, w.dir)
	for _, c := range []struct {
		dir  string
		code diag.Code
	}{
		{"", diag.PlaceMissing}, {"ws", diag.PlaceRefused}, {"/", diag.PlaceRefused}, {home, diag.PlaceRefused}, {home + "/../home/.", diag.PlaceRefused},
		{w.path("home-link"), diag.PlaceRefused}, {w.path("root-link"), diag.PlaceRefused}, {w.path("file"), diag.PlaceRefused}, {w.path("missing"), diag.PlaceMissing}, {w.path("dead"), diag.PlaceMissing},
	} {
		set := w.set("a")
		set.Place.Dir = c.dir
		for name, f := range map[string]func(context.Context, Set) (*Report, error){"Plan": Plan, "Apply": Apply} {
			_, err := f(t.Context(), set)
			if d := diag.Of(err); len(d) != 1 || d[0].Code != c.code {
				t.Errorf("%s in %q: got %v, want %s", name, c.dir, err, c.code)
			}
		}
	}
	os.RemoveAll(w.state)
	same(t, "everything", before, snapshot(t, w.dir))
}

// TestB19OtherToolsLinksStay.
func TestB19OtherToolsLinksStay(t *testing.T) {
	w := newWorld(t)
	w.skill("own")
	w.skill("tdd")
	w.link(w.path("hub/tdd"), "ws/"+skillsDir+"/tdd")
	before := snapshot(t, w.place)
	wantOutcomes(t, w.apply(w.set("own", "tdd")), "own=linked tdd=kept")
	wantOutcomes(t, w.apply(w.set()), "own=removed")
	same(t, "the workspace", before, snapshot(t, w.place))
	w.apply(w.set("own"))
	// The user points our link elsewhere: from then on it is the user's.
	if err := os.Remove(w.path("ws/" + skillsDir + "/own")); err != nil {
		t.Fatal(err)
	}
	w.link("/elsewhere/own", "ws/"+skillsDir+"/own")
	x := only(t, w.removeAll())
	wantCause(t, x, Kept, Exists)
	if target, _ := os.Readlink(w.path("ws/" + skillsDir + "/own")); target != "/elsewhere/own" {
		t.Errorf("the user's link leads to %q", target)
	}
}

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

// TestB21LinkedSkillsDirectory: nothing is written through it into another tree.
func TestB21LinkedSkillsDirectory(t *testing.T) {
	for _, where := range []string{"main/skills", "ws/other"} {
		w := newWorld(t)
		w.skill("a")
		w.mkdir(where)
		w.mkdir("ws/.agents")
		w.link(w.path(where), "ws/"+skillsDir)
		before := snapshot(t, w.dir)
		for _, set := range []Set{w.set("a"), w.set("a").copies()} {
			x := only(t, w.apply(set))
			wantCause(t, x, Conflict, LinkedParent)
			if !strings.Contains(x.Reason, w.path(where)) {
				t.Errorf("it is not said where it leads: %s", x.Reason)
			}
		}
		os.RemoveAll(w.state)
		same(t, "everything", before, snapshot(t, w.dir))
	}
}

// TestB21SkillsDirectoryTurnsIntoALink between Apply and Remove: what is behind
// it is left, even where it looks like ours.
func TestB21SkillsDirectoryTurnsIntoALink(t *testing.T) {
	w := newWorld(t)
	w.skill("a")
	w.apply(w.set("a"))
	if err := os.Rename(w.path("ws/"+skillsDir), w.path("moved")); err != nil {
		t.Fatal(err)
	}
	w.link(w.path("moved"), "ws/"+skillsDir)
	before := snapshot(t, w.path("moved"))
	wantCause(t, only(t, w.removeAll()), Kept, LinkedParent)
	same(t, "what the link leads to", before, snapshot(t, w.path("moved")))
	if target, _ := os.Readlink(w.path("ws/" + skillsDir)); target != w.path("moved") {
		t.Error("the user's link is gone")
	}
}

// TestB23NamesThatLeadOut and TestB25, for whole paths.
func TestB23NamesThatLeadOut(t *testing.T) {
	w := newWorld(t)
	w.skill("a")
	before := snapshot(t, w.dir)
	for _, p := range []string{"../../outside", "..", ".", "", "/tmp/x", ".agents/../../x", ".agents//x", ".agents/x/", `.agents\x`, ".git/hooks", ".GIT/x", "a\x00b", "a\nb", ".promptc-x/y"} {
		set := w.set("a")
		set.Wants[0].Path = p
		wantCause(t, only(t, w.apply(set)), Failed, NotLocal)
	}
	os.RemoveAll(w.state)
	same(t, "everything", before, snapshot(t, w.dir))
}

// TestB25SourcesThatAreNone.
func TestB25SourcesThatAreNone(t *testing.T) {
	w := newWorld(t)
	w.skill("ok")
	w.mkdir("hub/empty")
	w.write("hub/file", "x")
	w.mkdir("hub/dir/SKILL.md")
	w.link("SKILL.md", "hub/loop/SKILL.md")
	if err := syscall.Mkfifo(w.mkdir("hub/fifo")+"/SKILL.md", 0o644); err != nil {
		t.Fatal(err)
	}
	r := w.apply(w.set("empty", "file", "dir", "loop", "fifo", "missing", "ok"))
	wantOutcomes(t, r, "empty=failed file=failed dir=failed loop=failed fifo=failed missing=failed ok=linked")
	for _, x := range r.Results[:6] {
		wantCause(t, x, Failed, SourceMissing)
	}
	if got := len(r.Diagnostics.Errors()); got != 6 || r.Diagnostics[0].Code != diag.LinkFailed {
		t.Errorf("got %d errors: %v", got, r.Diagnostics)
	}
}

// TestB27DeadAtBirth: a link through which the skill cannot be opened is an
// error, and is not left behind.
func TestB27DeadAtBirth(t *testing.T) {
	w := newWorld(t)
	w.skill("r")
	before := snapshot(t, w.place)
	sys := system{symlink: func(target, path string) error { return os.Symlink(target, path) }}
	sys.before = func(op, path string) error {
		if op == "symlink" { // the target goes away just before
			return os.Rename(w.path("hub/r"), w.path("hub/r-moved"))
		}
		return nil
	}
	r, err := apply(t.Context(), w.set("r"), sys)
	if err != nil {
		t.Fatal(err)
	}
	wantCause(t, only(t, r), Failed, Dead)
	same(t, "the workspace", before, snapshot(t, w.place))
}

// TestB28NamesThatAreOneOnSomeDisks are found before anything is written, on
// every system.
func TestB28NamesThatAreOneOnSomeDisks(t *testing.T) {
	for _, pair := range [][2]string{
		{"Reef", "reef"}, {"caf\u00e9", "cafe\u0301"}, {"STRASSE", "straße"}, {"Å", "\u212b"}, {"x", "x"},
	} {
		w := newWorld(t)
		w.skill("one")
		w.skill("two")
		set := w.set("one", "two")
		set.Wants[0].Path, set.Wants[1].Path = skillsDir+"/"+pair[0], skillsDir+"/"+pair[1]
		r := w.apply(set)
		wantOutcomes(t, r, "one=linked two=conflict")
		wantCause(t, r.Results[1], Conflict, NameClash)
		if !strings.Contains(r.Results[1].Reason, `"one"`) {
			t.Errorf("the other skill is not named: %s", r.Results[1].Reason)
		}
	}
	w := newWorld(t)
	w.skill("one")
	w.skill("two")
	for _, pair := range [][2]string{{"s/X", "S/x/y"}, {"s/x/y", "s/X"}} {
		set := w.set("one", "two")
		set.Wants[0].Path, set.Wants[1].Path = pair[0], pair[1]
		plan, err := Plan(t.Context(), set)
		if err != nil {
			t.Fatal(err)
		}
		wantOutcomes(t, plan, "one=linked two=conflict")
	}
}

// TestB28SpellingChanges: the link by the old spelling goes, the one by the new
// is there.
func TestB28SpellingChanges(t *testing.T) {
	w := newWorld(t)
	w.skill("one")
	before := snapshot(t, w.place)
	set := w.set("one")
	set.Wants[0].Path = skillsDir + "/Reef"
	w.apply(set)
	set.Wants[0].Path = skillsDir + "/reef"
	wantOutcomes(t, w.apply(set), "one=linked one=removed")
	list, err := os.ReadDir(w.path("ws/" + skillsDir))
	if err != nil || len(list) != 1 || list[0].Name() != "reef" {
		t.Fatalf("got %v, %v", list, err)
	}
	w.removeAll()
	same(t, "the workspace", before, snapshot(t, w.place))
}

// TestA8ThingsInTheWay: whatever it is, it is named and left.
func TestA8ThingsInTheWay(t *testing.T) {
	for _, c := range []struct {
		name string
		make func(path string) error
		at   string
		said string
	}{
		{"file", func(p string) error { return os.WriteFile(p, []byte("x"), 0o600) }, skillsDir + "/a", "a file"},
		{"fifo", func(p string) error { return syscall.Mkfifo(p, 0o600) }, skillsDir + "/a", "a FIFO"},
		{"empty directory", func(p string) error { return os.Mkdir(p, 0o700) }, skillsDir + "/a", "a directory"},
		{"file on the way", func(p string) error { return os.WriteFile(p, []byte("x"), 0o600) }, skillsDir, "a file"},
		{"fifo on the way", func(p string) error { return syscall.Mkfifo(p, 0o600) }, ".agents", "a FIFO"},
		{"link to itself", func(p string) error { return os.Symlink(filepath.Base(p), p) }, skillsDir + "/a", "a link"},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := newWorld(t)
			w.skill("a")
			w.mkdir(filepath.ToSlash(filepath.Dir("ws/" + c.at)))
			if err := c.make(w.path("ws/" + c.at)); err != nil {
				t.Fatal(err)
			}
			before := snapshot(t, w.place)
			for _, set := range []Set{w.set("a"), w.set("a").copies()} {
				x := only(t, w.apply(set))
				wantCause(t, x, Conflict, Exists)
				if !strings.Contains(x.Reason, c.said) {
					t.Errorf("got %q, want it to say %q", x.Reason, c.said)
				}
			}
			w.removeAll()
			same(t, "the workspace", before, snapshot(t, w.place))
		})
	}
}

// TestA8SystemRefuses: each refusal has its own reason, and the others go on.
func TestA8SystemRefuses(t *testing.T) {
	for errno, want := range map[syscall.Errno]Cause{
		syscall.EACCES: NoPermission, syscall.EROFS: ReadOnly, syscall.ENOSPC: DiskFull, syscall.EDQUOT: DiskFull, syscall.EIO: System, syscall.EEXIST: Exists,
	} {
		t.Run(string(want)+" "+errno.Error(), func(t *testing.T) {
			w := newWorld(t)
			w.skill("a")
			w.skill("b")
			before := snapshot(t, w.place)
			sys := system{before: func(op, path string) error {
				if op == "symlink" && strings.HasSuffix(path, "/a") {
					return &os.LinkError{Op: op, New: path, Err: errno}
				}
				return nil
			}}
			r, err := apply(t.Context(), w.set("a", "b"), sys)
			if err != nil {
				t.Fatal(err)
			}
			outcome := Failed
			if want == Exists {
				outcome = Conflict
			}
			wantCause(t, r.Results[0], outcome, want)
			if r.Results[1].Outcome != Linked {
				t.Errorf("the other one is %s", r.Results[1].Outcome)
			}
			wantOutcomes(t, w.removeAll(), "b=removed")
			same(t, "the workspace", before, snapshot(t, w.place))
		})
	}
}

// TestA8ReadOnlyState: where the manifest cannot be written nothing is made.
func TestA8ReadOnlyState(t *testing.T) {
	w := newWorld(t)
	w.skill("a")
	before := snapshot(t, w.place)
	for _, op := range []string{"create", "write", "rename"} {
		sys := system{before: func(o, path string) error {
			if o == op && strings.HasPrefix(path, w.state) {
				return &os.PathError{Op: op, Path: path, Err: syscall.ENOSPC}
			}
			return nil
		}}
		if _, err := apply(t.Context(), w.set("a"), sys); causeOf(err) != DiskFull {
			t.Fatalf("got %v", err)
		}
		same(t, "the workspace", before, snapshot(t, w.place))
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
