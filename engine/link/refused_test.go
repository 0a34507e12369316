//go:build unix

package link

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/promptc/promptc/engine/diag"
)

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
