package link

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/promptc/promptc/engine"
)

// world is a directory with everything that a run may see.
type world struct {
	t                      *testing.T
	dir, state, hub, place string
}

func newWorld(t *testing.T) *world {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	w := &world{t, dir, filepath.Join(dir, "state"), filepath.Join(dir, "hub"), filepath.Join(dir, "ws")}
	w.mkdir("hub")
	w.mkdir("ws")
	return w
}

func (w *world) path(name string) string { return filepath.Join(w.dir, filepath.FromSlash(name)) }

func (w *world) mkdir(name string) string {
	w.t.Helper()
	if err := os.MkdirAll(w.path(name), 0o755); err != nil {
		w.t.Fatal(err)
	}
	return w.path(name)
}

func (w *world) write(name, text string) string {
	w.t.Helper()
	w.mkdir(filepath.ToSlash(filepath.Dir(filepath.FromSlash(name))))
	if err := os.WriteFile(w.path(name), []byte(text), 0o644); err != nil {
		w.t.Fatal(err)
	}
	return w.path(name)
}

func (w *world) link(target, name string) {
	w.t.Helper()
	w.mkdir(filepath.ToSlash(filepath.Dir(filepath.FromSlash(name))))
	if err := os.Symlink(target, w.path(name)); err != nil {
		w.t.Fatal(err)
	}
}

// skill makes a skill in the hub and returns its directory.
func (w *world) skill(name string) string {
	w.t.Helper()
	w.write("hub/"+name+"/SKILL.md", "---\nname: "+name+"\ndescription: What "+name+" is for.\n---\nDo it.\n")
	w.write("hub/"+name+"/scripts/run.sh", "echo "+name+"\n")
	if err := os.Chmod(w.path("hub/"+name+"/scripts/run.sh"), 0o755); err != nil {
		w.t.Fatal(err)
	}
	return w.path("hub/" + name)
}

const skillsDir = ".agents/skills"

// set wants the named skills of the hub in the workspace.
func (w *world) set(names ...string) Set {
	s := Set{State: w.state, Home: w.path("home"), Agent: "generic", Session: "demo", Place: engine.Place{Dir: w.place}}
	for _, n := range names {
		s.Wants = append(s.Wants, Want{Skill: n, Link: engine.Link{Path: skillsDir + "/" + n, Target: w.path("hub/" + n)}})
	}
	return s
}

func (s Set) copies() Set {
	s.Wants = slices.Clone(s.Wants)
	for i := range s.Wants {
		s.Wants[i].Copy = true
	}
	return s
}

func (w *world) apply(s Set) *Report {
	w.t.Helper()
	r, err := Apply(w.t.Context(), s)
	if err != nil {
		w.t.Fatal(err)
	}
	return r
}

func (w *world) removeAll() *Report {
	w.t.Helper()
	list, err := Manifests(w.state)
	if err != nil {
		w.t.Fatal(err)
	}
	all := &Report{}
	for _, m := range list {
		plan, err := PlanRemove(w.t.Context(), w.state, m)
		if err != nil {
			w.t.Fatal(err)
		}
		r, err := Remove(w.t.Context(), w.state, m)
		if err != nil {
			w.t.Fatal(err)
		}
		if !slices.Equal(plan.Results, r.Results) {
			w.t.Errorf("the plan of the removal was %+v, it became %+v", plan.Results, r.Results)
		}
		all.Results = append(all.Results, r.Results...)
		all.Diagnostics.Add(r.Diagnostics...)
	}
	return all
}

// snapshot lists everything below a directory: names, kinds, permissions,
// targets of links, content.
func snapshot(t *testing.T, dir string) string {
	t.Helper()
	var out []string
	err := filepath.WalkDir(dir, func(p string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, _ := filepath.Rel(dir, p)
		info, err := d.Info()
		if err != nil {
			return err
		}
		line := filepath.ToSlash(rel) + " " + info.Mode().String()
		switch {
		case info.Mode()&fs.ModeSymlink != 0:
			target, err := os.Readlink(p)
			if err != nil {
				return err
			}
			line += " -> " + target
		case info.Mode().IsRegular():
			data, err := os.ReadFile(p)
			if err != nil {
				return err
			}
			sum := sha256.Sum256(data)
			line += " " + hex.EncodeToString(sum[:6])
		}
		out = append(out, line)
		return nil
	})
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	return strings.Join(out, "\n")
}

func same(t *testing.T, what, before, after string) {
	t.Helper()
	if before != after {
		t.Errorf("%s is not as it was\n--- before\n%s\n--- after\n%s", what, before, after)
	}
}

// outcomes is the report in short: name=outcome.
func outcomes(r *Report) string {
	var out []string
	for _, x := range r.Results {
		out = append(out, fmt.Sprintf("%s=%s", x.Name, x.Outcome))
	}
	return strings.Join(out, " ")
}

func wantOutcomes(t *testing.T, r *Report, want string) {
	t.Helper()
	if got := outcomes(r); got != want {
		t.Fatalf("got %s, want %s\n%+v", got, want, r.Results)
	}
}

func TestA6ApplyTwiceThenRemove(t *testing.T) {
	for _, mode := range []string{"link", "copy"} {
		t.Run(mode, func(t *testing.T) {
			w := newWorld(t)
			w.skill("pptx")
			w.skill("pdf")
			w.write("ws/main.go", "package main\n")
			place, hub := snapshot(t, w.place), snapshot(t, w.hub)
			set, first := w.set("pptx", "pdf"), "pptx=linked pdf=linked"
			if mode == "copy" {
				set, first = set.copies(), "pptx=copied pdf=copied"
			}
			plan, err := Plan(t.Context(), set)
			if err != nil {
				t.Fatal(err)
			}
			wantOutcomes(t, plan, first)
			same(t, "the workspace after a plan", place, snapshot(t, w.place))
			if snapshot(t, w.state) != "" {
				t.Error("a plan writes into the state directory")
			}
			wantOutcomes(t, w.apply(set), first)
			for _, n := range []string{"pptx", "pdf"} {
				if _, err := os.ReadFile(w.path("ws/" + skillsDir + "/" + n + "/SKILL.md")); err != nil {
					t.Error(err)
				}
			}
			made := snapshot(t, w.place)
			wantOutcomes(t, w.apply(set), "pptx=kept pdf=kept")
			same(t, "the workspace after the second time", made, snapshot(t, w.place))
			all := snapshot(t, w.dir)
			list, err := Manifests(w.state)
			if err != nil || len(list) != 1 {
				t.Fatal(list, err)
			}
			if plan, err = PlanRemove(t.Context(), w.state, list[0]); err != nil {
				t.Fatal(err)
			}
			wantOutcomes(t, plan, "pdf=removed pptx=removed")
			same(t, "everything after a plan", all, snapshot(t, w.dir))
			wantOutcomes(t, w.removeAll(), "pdf=removed pptx=removed")
			same(t, "the workspace", place, snapshot(t, w.place))
			same(t, "the hub", hub, snapshot(t, w.hub))
			wantOutcomes(t, w.removeAll(), "")
		})
	}
}
