//go:build unix

package link

import (
	"os"
	"strings"
	"testing"

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
