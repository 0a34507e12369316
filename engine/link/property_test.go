//go:build unix

package link

import (
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/promptc/promptc/engine"
)

// TestA25NothingForeignIsTouched lets Apply, Remove, interruptions, changes of
// the skills and strangers' hands follow each other at random. At every moment
// what promptc did not make is as it was left, and at the end it is all there is.
func TestA25NothingForeignIsTouched(t *testing.T) {
	t.Parallel()
	seeds := 30
	if testing.Short() {
		seeds = 10
	}
	for seed := range seeds {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			p := newPlayground(t, uint64(seed))
			for range 25 {
				p.step()
				if t.Failed() {
					t.Fatalf("what was done:\n%s", strings.Join(p.log, "\n"))
				}
			}
			p.end()
			if t.Failed() {
				t.Fatalf("what was done:\n%s", strings.Join(p.log, "\n"))
			}
		})
	}
}

type playground struct {
	*world
	rand    *rand.Rand
	log     []string
	foreign map[string]string // path in the workspace -> what it is; of strangers, not of promptc
	changed map[string]bool   // copies of promptc's in which a stranger wrote: they stay
	outside string
	in      bool // the workspace is in a repository
}

var (
	playDirs  = []string{".agents/skills", ".claude/skills", "skills"}
	playNames = []string{"a", "B", "ü", "with space", "d-e"}
)

func newPlayground(t *testing.T, seed uint64) *playground {
	p := &playground{world: newWorld(t), rand: rand.New(rand.NewPCG(seed, 8)), foreign: map[string]string{}, changed: map[string]bool{}}
	for _, n := range playNames {
		p.skill("1/" + n)
		p.skill("2/" + n)
	}
	p.write("outside/"+playNames[0]+"/SKILL.md", "a stranger's")
	p.mkdir("home")
	if p.in = p.rand.IntN(2) == 0; p.in {
		p.write("ws/.git/HEAD", "ref: refs/heads/main\n")
		switch p.rand.IntN(3) {
		case 0:
			p.write("ws/.git/info/exclude", "*.log")
		case 1:
			p.write("ws/.git/info/exclude", "# nothing\n")
		}
	}
	for range p.rand.IntN(6) {
		p.stranger()
	}
	p.see()
	p.outside = p.around()
	return p
}

// around is everything that is neither the workspace nor the state directory.
func (p *playground) around() string {
	return snapshot(p.t, p.path("hub")) + snapshot(p.t, p.path("outside")) + snapshot(p.t, p.path("home"))
}

func (p *playground) note(format string, args ...any) {
	p.log = append(p.log, fmt.Sprintf(format, args...))
}

func (p *playground) pick(list []string) string { return list[p.rand.IntN(len(list))] }

// step is one thing that happens.
func (p *playground) step() {
	switch n := p.rand.IntN(10); {
	case n < 5:
		p.apply()
	case n < 6:
		p.removeOne()
	case n < 7:
		p.editSkill()
	default:
		p.stranger()
		p.see()
	}
	p.check()
}

// system is the real one, or one that ends at a random change, or one without links.
func (p *playground) system() system {
	var sys system
	if p.rand.IntN(4) == 0 {
		sys.symlink = func(_, path string) error { return &os.LinkError{Op: "symlink", New: path, Err: syscall.EPERM} }
		p.note("  without links")
	}
	switch p.rand.IntN(4) {
	case 0:
		k := &killAt{n: p.rand.IntN(60)}
		p.note("  ended at change %d", k.n)
		sys.before = k.before
	case 1:
		n, refusal := p.rand.IntN(60), []error{syscall.ENOSPC, syscall.EACCES, syscall.EROFS, syscall.EIO}[p.rand.IntN(4)]
		p.note("  change %d refused: %v", n, refusal)
		sys.before = func(op, path string) error {
			if n--; n == -1 {
				return &fs.PathError{Op: op, Path: path, Err: refusal}
			}
			return nil
		}
	}
	return sys
}

func (p *playground) apply() {
	dir, session := p.pick(playDirs), p.pick([]string{"one", "two"})
	set := Set{State: p.state, Home: p.path("home"), Session: session, Place: engine.Place{Dir: p.place}, Into: p.in && p.rand.IntN(3) > 0}
	for _, n := range playNames {
		if p.rand.IntN(2) == 0 {
			set.Wants = append(set.Wants, Want{Skill: n, Link: engine.Link{
				Path: dir + "/" + n, Target: p.path("hub/" + p.pick([]string{"1", "2"}) + "/" + n), Copy: p.rand.IntN(3) == 0,
			}})
		}
	}
	p.note("apply %s %+v", session, set.Wants)
	sys := p.system()
	r, err := apply(p.t.Context(), set, sys)
	if err != nil && sys.before == nil {
		p.t.Errorf("apply: %v", err)
	}
	if r == nil {
		return
	}
	p.note("  %s, %v", outcomes(r), err)
	if sys.before != nil {
		return
	}
	for _, x := range r.Results {
		switch x.Outcome {
		case Linked, Copied, Repaired:
			want, _ := os.ReadFile(filepath.Join(x.Target, "SKILL.md"))
			if got, err := os.ReadFile(filepath.Join(x.Path, "SKILL.md")); err != nil || string(got) != string(want) {
				p.t.Errorf("%s is %s, and holds %q, %v", x.Path, x.Outcome, got, err)
			}
		case Removed:
			if _, err := os.Lstat(x.Path); err == nil {
				p.t.Errorf("%s is removed, and is there", x.Path)
			}
		case Failed:
			p.t.Errorf("%s failed: %s", x.Path, x.Reason)
		}
	}
	made := snapshot(p.t, p.place)
	if r, err = apply(p.t.Context(), set, system{symlink: sys.symlink}); err != nil || r.Changed() {
		p.t.Errorf("the second time: %s, %v", outcomes(r), err)
	}
	same(p.t, "the workspace after the second time", made, snapshot(p.t, p.place))
}

func (p *playground) removeOne() {
	list, err := Manifests(p.state)
	if err != nil {
		p.t.Error(err)
	}
	if len(list) == 0 {
		return
	}
	m := list[p.rand.IntN(len(list))]
	p.note("remove %s", m.Session)
	sys := p.system()
	r, err := remove(p.t.Context(), p.state, m, sys)
	if err != nil && sys.before == nil {
		p.t.Errorf("remove: %v", err)
	}
	if r != nil {
		p.note("  %s, %v", outcomes(r), err)
	}
}

func (p *playground) editSkill() {
	name := "hub/" + p.pick([]string{"1", "2"}) + "/" + p.pick(playNames) + "/SKILL.md"
	p.note("edit %s", name)
	p.write(name, fmt.Sprint("edited ", p.rand.Uint64()))
	p.outside = p.around()
}

// stranger does something that is not promptc's doing.
func (p *playground) stranger() {
	at := p.pick(playDirs)
	if p.rand.IntN(4) > 0 {
		at += "/" + p.pick(append(playNames, "mine"))
	}
	at = "ws/" + at
	full := p.path(at)
	for _, dir := range parents(at) {
		if info, err := os.Lstat(p.path(dir)); err == nil && !info.IsDir() {
			return // something else is on the way
		}
	}
	info, err := os.Lstat(full)
	rel := strings.TrimPrefix(at, "ws/")
	switch {
	case err == nil && info.IsDir() && path.Dir(rel) != "." && strings.Count(rel, "/") >= strings.Count(playDirs[2], "/")+1 && p.rand.IntN(2) == 0:
		p.note("a stranger writes in %s", rel)
		if _, err := os.Lstat(filepath.Join(full, "SKILL.md")); err == nil && p.foreign[rel] == "" {
			p.changed[rel] = true
		}
		p.write(at+"/mine.txt", fmt.Sprint("mine ", p.rand.Uint64()))
		return
	case err == nil && p.rand.IntN(3) > 0:
		return
	case err == nil:
		p.note("a stranger removes %s", rel)
		if err := os.RemoveAll(full); err != nil {
			p.t.Fatal(err)
		}
		for c := range p.changed {
			if c == rel || strings.HasPrefix(c, rel+"/") {
				delete(p.changed, c)
			}
		}
		if p.rand.IntN(2) == 0 {
			return
		}
	}
	p.mkdir(path.Dir(at))
	kind := p.rand.IntN(5)
	p.note("a stranger makes %s (%d)", rel, kind)
	switch kind {
	case 0:
		p.write(at, "a stranger's file")
	case 1:
		p.write(at+"/SKILL.md", fmt.Sprint("a stranger's ", p.rand.Uint64()))
	case 2:
		err = os.Symlink(p.path("outside/"+playNames[0]), full)
	case 3:
		err = os.Symlink("nowhere", full)
	case 4:
		err = syscall.Mkfifo(full, 0o600)
	}
	if kind > 1 && err != nil {
		p.t.Fatal(err)
	}
}

// see notes what is in the workspace and not promptc's: that is all there is,
// without what a manifest lists and what still is as listed.
func (p *playground) see() {
	list, err := Manifests(p.state)
	if err != nil {
		p.t.Fatal(err)
	}
	var copies []string // of ours, as they were made, or as a stranger has changed them
	for c := range p.changed {
		copies = append(copies, c)
	}
	p.foreign = p.look(func(rel string, there found) bool {
		for _, m := range list {
			if m.Scratch == rel {
				copies = append(copies, rel)
			}
			if e := m.at(rel); e != nil && e.Kind != Dir && there.is(e) {
				copies = append(copies, rel)
			} else if e != nil && e.Kind == Dir && there.kind == aDir {
				return false
			}
		}
		return !p.plumbing(rel) && !slices.ContainsFunc(copies, func(c string) bool { return rel == c || strings.HasPrefix(rel, c+"/") })
	})
}

// plumbing is what promptc writes besides entries, and takes back at the end.
func (p *playground) plumbing(rel string) bool { return rel == "." || strings.HasPrefix(rel, ".git") }

// look describes what is in the workspace.
func (p *playground) look(keep func(rel string, there found) bool) map[string]string {
	out := map[string]string{}
	d, err := openDisk(system{}, p.place)
	if err != nil {
		p.t.Fatal(err)
	}
	defer d.root.Close()
	for line := range strings.SplitSeq(snapshot(p.t, p.place), "\n") {
		rel := p.name(line)
		k, target, err := d.look(rel)
		if err != nil {
			p.t.Fatal(err)
		}
		there := found{kind: k, target: target}
		if k == aDir {
			if there.sum, err = d.copySum(rel); err != nil {
				p.t.Fatal(err)
			}
		}
		if keep(rel, there) {
			out[rel] = line
		}
	}
	return out
}

// name is the path in a line of a snapshot.
func (p *playground) name(line string) string {
	for i := strings.LastIndex(line, " -> "); i >= 0; {
		line = line[:i]
		break
	}
	fields := strings.Split(line, " ")
	for n := len(fields); n > 0; n-- {
		name := strings.Join(fields[:n], " ")
		if _, err := os.Lstat(filepath.Join(p.place, filepath.FromSlash(name))); err == nil {
			return name
		}
	}
	p.t.Fatalf("no path in %q", line)
	return ""
}

func (p *playground) check() {
	same(p.t, "what is around the workspace", p.outside, p.around())
	now := p.look(func(string, found) bool { return true })
	for rel, was := range p.foreign {
		if now[rel] != was {
			p.t.Errorf("%q, a stranger's, is %q now", was, now[rel])
		}
	}
	for rel := range p.changed {
		if _, ok := now[rel]; !ok {
			p.t.Errorf("%s, a copy in which a stranger wrote, is gone", rel)
		}
	}
}

// end removes everything; then only strangers' things are there, what stands
// above them, and copies in which a stranger wrote.
func (p *playground) end() {
	git := snapshot(p.t, p.path("ws/.git"))
	for range 2 {
		list, err := Manifests(p.state)
		if err != nil {
			p.t.Fatal(err)
		}
		for _, m := range list {
			r, err := Remove(p.t.Context(), p.state, m)
			if err != nil {
				p.t.Error(err)
			}
			p.note("at the end, remove %s: %s", m.Session, outcomes(r))
		}
	}
	p.check()
	for rel, is := range p.look(func(rel string, _ found) bool { return !p.plumbing(rel) }) {
		needed := p.foreign[rel] != ""
		for f := range p.foreign {
			needed = needed || strings.HasPrefix(f, rel+"/")
		}
		for c := range p.changed {
			needed = needed || rel == c || strings.HasPrefix(rel, c+"/") || strings.HasPrefix(c, rel+"/")
		}
		if !needed {
			p.t.Errorf("%q is left", is)
		}
	}
	if text, err := os.ReadFile(p.path("ws/.git/info/exclude")); err == nil && len(p.changed) == 0 && strings.Contains(string(text), "promptc") {
		p.t.Errorf("info/exclude holds %q; before the end .git was\n%s", text, git)
	} else if err != nil && !errors.Is(err, fs.ErrNotExist) {
		p.t.Error(err)
	}
	if len(p.changed) == 0 && !slices.ContainsFunc(p.log, func(l string) bool { return strings.Contains(l, "stranger") }) {
		p.noState()
	}
}
