package link

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// Plan says what Apply would do, with the same outcomes and reasons, and changes
// nothing. What only shows when it is tried (no privilege, a full disk) it cannot
// know.
func Plan(ctx context.Context, set Set) (*Report, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	r, err := newRun(set, system{})
	if err != nil {
		return nil, err
	}
	defer r.close()
	if err := r.read(); err != nil {
		return nil, err
	}
	for _, s := range r.steps() {
		r.report.add(s.Result)
	}
	if set.Into && len(set.Wants) > 0 {
		if _, warning := findGit(r.real); warning != "" {
			r.warnGit(warning)
		}
	}
	return &r.report, nil
}

// Apply makes the place hold exactly the set: it makes what is missing, repairs
// what is ours and wrong, and removes what is ours and no longer wanted. What it
// did not make it leaves alone. Doing it twice changes nothing the second time.
// Two processes at one place wait for each other; ctx ends the wait.
//
// An error means that the work could not be done or stopped in the middle; the
// Report, if there is one, then holds what was done. What went wrong with a single
// link is a Result, and spoils none of the others.
func Apply(ctx context.Context, set Set) (*Report, error) { return apply(ctx, set, system{}) }

func apply(ctx context.Context, set Set, sys system) (*Report, error) {
	r, err := newRun(set, sys)
	if err != nil {
		return nil, err
	}
	return r.locked(ctx)
}

// Remove undoes what a manifest lists, as far as it still is as it was made;
// whatever is not is left, with the reason. Directories made on the way go once
// they are empty. Doing it twice is fine: the second time there is nothing left.
func Remove(ctx context.Context, state string, m *Manifest) (*Report, error) {
	return remove(ctx, state, m, system{})
}

func remove(ctx context.Context, state string, m *Manifest, sys system) (*Report, error) {
	set := Set{State: state, Agent: m.Agent, Session: m.Session, Place: m.Place}
	if err := set.check(); err != nil {
		return nil, err
	}
	r := &run{comparison: comparison{set: set, real: m.Real}, store: storeOf(sys, state, m.Real), ending: true}
	return r.locked(ctx)
}

// run is one Plan, Apply or Remove.
type run struct {
	comparison
	store  store
	saved  *Manifest // what the state directory holds; nil: nothing
	ending bool      // the session's place is given up
	report Report
	used   int             // names used in the scratch directory
	lost   map[string]bool // copies that somebody has changed: no longer promptc's to hide from git
}

func (s *Set) check() error {
	if !filepath.IsAbs(s.State) {
		return fmt.Errorf("the state directory %q is not an absolute path", s.State)
	}
	return checkSession(s.Session)
}

func newRun(set Set, sys system) (*run, error) {
	if err := set.check(); err != nil {
		return nil, err
	}
	real, err := realPlace(set.Place.Dir, set.Home)
	if err != nil {
		return nil, err
	}
	return &run{comparison: comparison{set: set, real: real}, store: storeOf(sys, set.State, real)}, nil
}

func (r *run) close() {
	if r.disk != nil {
		r.disk.root.Close()
		r.disk = nil
	}
}

// read loads what the state directory says of the place, and opens the place.
func (r *run) read() error {
	r.report.Place = r.set.Place
	list, err := r.store.load()
	if err != nil {
		return err
	}
	for _, m := range list {
		switch {
		case m.Session == r.set.Session:
			r.saved = m
		case r.set.Place.View && !r.ending:
			return refusePlace(r.set.Place.Dir, fmt.Sprintf("is the view of the session %q", m.Session))
		default:
			r.others = append(r.others, m)
		}
	}
	r.own = &Manifest{Version: manifestVersion, Agent: r.set.Agent, Session: r.set.Session, Place: r.set.Place, Real: r.real}
	if r.saved != nil {
		r.own.Made, r.own.Scratch, r.own.Git = r.saved.Made, r.saved.Scratch, r.saved.Git
		r.own.Entries = slices.Clone(r.saved.Entries)
	}
	r.disk, err = openDisk(r.store.system, r.real)
	switch {
	case err == nil:
	case !errors.Is(err, fs.ErrNotExist):
		_, reason := reasonOf(err)
		return refusePlace(r.set.Place.Dir, "cannot be used: "+reason)
	case !r.set.Place.View && !r.ending:
		return noPlace(r.set.Place.Dir)
	}
	return nil
}

func (r *run) locked(ctx context.Context) (*Report, error) {
	unlock, err := r.store.lock(ctx)
	if err != nil {
		return nil, err
	}
	defer unlock()
	defer r.close()
	if err := r.read(); err != nil {
		return nil, err
	}
	if r.saved == nil && r.ending {
		return &r.report, nil
	}
	if err := r.settle(); err != nil {
		return nil, fmt.Errorf("what an interrupted run left in %s: %w", r.set.Place.Dir, err)
	}
	steps := r.steps()
	if err := r.announce(steps); err != nil {
		return nil, err
	}
	err = r.carryOut(ctx, steps)
	return &r.report, errors.Join(err, r.finish(ctx))
}

// settle clears what an interrupted run was putting together or taking apart.
func (r *run) settle() error {
	if r.own.Scratch != "" && r.disk != nil {
		if err := r.disk.removeScratch(r.own.Scratch, r.own.Scratch); err != nil {
			return err
		}
	}
	r.own.Scratch = ""
	return nil
}

// announce writes down everything that is about to be made, beside what is there
// already, and makes the place itself. Nothing is changed before.
func (r *run) announce(steps []step) error {
	changes := false
	r.lost = map[string]bool{}
	for _, s := range steps {
		r.lost[s.rel] = s.Cause == Changed
		if s.do == note {
			r.claim(s.entry, nil)
		}
		if s.do != create && s.do != replace && s.do != takeAway {
			continue
		}
		changes = true
		if s.do != takeAway {
			r.claim(s.entry, s.old)
		}
		if s.tree != nil || s.old != nil && len(s.old.Hashes) > 0 {
			r.needScratch()
		}
	}
	making := changes && !r.ending && len(r.set.Wants) > 0
	if r.set.Fresh || making && r.set.Place.View {
		r.own.put(Entry{Path: ".", Kind: Dir})
	}
	if git, _ := findGit(r.real); git != nil && r.set.Into && r.own.Git == "" && len(r.own.Links()) > 0 {
		r.own.Git, changes = git.dir, true
	}
	if !changes && (!r.set.Fresh || r.saved != nil && r.saved.at(".") != nil) {
		return nil
	}
	if err := r.save(); err != nil {
		return err
	}
	if r.disk != nil || !making {
		return nil
	}
	return r.makePlace()
}

// claim adds e and the directories on the way to it that are missing, or that
// other sessions have made: whoever is the last to leave removes those.
func (r *run) claim(e Entry, old *Entry) {
	if old != nil {
		e.Links = union(e.Links, old.Links)
		e.Hashes = union(e.Hashes, old.Hashes)
	}
	r.own.put(e)
	for _, dir := range parents(e.Path) {
		if r.own.at(dir) != nil {
			continue
		}
		shared := slices.ContainsFunc(r.others, func(m *Manifest) bool { x := m.at(dir); return x != nil && x.Kind == Dir })
		if !shared && r.disk != nil {
			if k, _, err := r.disk.look(dir); err != nil || k != absent {
				continue
			}
		}
		r.own.put(Entry{Path: dir, Kind: Dir})
	}
}

func union(a, b []string) []string {
	out := slices.Clone(a)
	for _, x := range b {
		if !slices.Contains(out, x) {
			out = append(out, x)
		}
	}
	return out
}

// scratchPrefix begins the name of every scratch directory; no link may lie in one.
const scratchPrefix = ".promptc-"

func (r *run) needScratch() {
	if r.own.Scratch != "" {
		return
	}
	name := scratchPrefix + hash12(r.set.Session)
	for i := 0; ; i++ {
		r.own.Scratch = name
		if r.disk == nil {
			return
		}
		if k, _, err := r.disk.look(name); err == nil && k == absent {
			return
		}
		name = fmt.Sprintf("%s%s-%d", scratchPrefix, hash12(r.set.Session), i)
	}
}

// scratch returns a new name in the scratch directory, which is made if need be.
func (r *run) scratch() (string, error) {
	if r.own.Scratch == "" {
		r.needScratch()
		if err := r.save(); err != nil {
			return "", err
		}
	}
	if r.used == 0 {
		if err := r.disk.makeDir(r.own.Scratch); err != nil {
			return "", err
		}
	}
	r.used++
	return path.Join(r.own.Scratch, fmt.Sprint(r.used)), nil
}

func (r *run) save() error {
	if r.own.Made.IsZero() {
		r.own.Made = time.Now().UTC().Truncate(time.Second)
	}
	if err := r.store.save(r.own); err != nil {
		return err
	}
	saved := *r.own
	saved.Entries = slices.Clone(r.own.Entries)
	r.saved = &saved
	return nil
}

func (r *run) makePlace() error {
	if err := r.store.ask("mkdir", r.real); err != nil {
		return err
	}
	if err := os.MkdirAll(r.real, 0o700); err != nil {
		return err
	}
	var err error
	r.disk, err = openDisk(r.store.system, r.real)
	return err
}

// carryOut takes away first, so that a name which only changed its spelling is
// free, and then makes. Results keep the order of the steps.
func (r *run) carryOut(ctx context.Context, steps []step) error {
	if r.own.Git != "" {
		r.exclude(ctx)
	}
	for _, away := range []bool{true, false} {
		for i := range steps {
			s := &steps[i]
			if (s.do == takeAway || s.do == forget) != away {
				continue
			}
			if err := ctx.Err(); err != nil {
				r.undone(s, err)
				continue
			}
			r.do(s)
		}
	}
	for _, s := range steps {
		r.report.add(s.Result)
	}
	return ctx.Err()
}

// undone is a step that was not reached.
func (r *run) undone(s *step, err error) {
	if s.do == create || s.do == replace || s.do == takeAway {
		s.Result = s.because(Failed, System, "not done: %v", err)
	}
	if s.do == create {
		r.own.delete(s.rel)
	}
}

func (r *run) do(s *step) {
	switch s.do {
	case forget:
		r.own.delete(s.rel)
	case takeAway:
		if err := r.clear(s); err != nil {
			r.failed(s, err)
			return
		}
		r.own.delete(s.rel)
	case create, replace:
		err := r.makeParents(s.rel)
		if err == nil {
			if s.tree != nil {
				err = r.makeCopy(s)
			} else {
				err = r.makeLink(s)
			}
		}
		if err != nil {
			r.failed(s, err)
			return
		}
		r.own.put(s.entry)
	}
}

// failed notes what went wrong, and keeps the claim as long as something of ours
// may be there.
func (r *run) failed(s *step, err error) {
	cause, reason := reasonOf(err)
	outcome := Failed
	switch {
	case errors.Is(err, errNotOurs), cause == Exists:
		outcome, cause = Conflict, Exists
	case errors.Is(err, errDead):
		cause = Dead
	}
	s.Result = s.because(outcome, cause, "%s", reason)
	if there, err := r.look(s.rel); err == nil {
		if e := r.own.at(s.rel); e != nil && !there.is(e) {
			r.own.delete(s.rel)
		}
	}
}

func (r *run) makeParents(name string) error {
	for _, dir := range parents(name) {
		k, _, err := r.disk.look(dir)
		if err != nil {
			return err
		}
		if k == absent {
			if err := r.disk.makeDir(dir); err != nil {
				return err
			}
		}
	}
	return nil
}

var errDead = errors.New("no skill file could be opened through it, so it was taken away again")

// makeLink tries a symbolic link, then a junction, then a copy, and looks through
// what it made (b27).
func (r *run) makeLink(s *step) error {
	if s.do == replace {
		if err := r.clear(s); err != nil {
			return err
		}
	}
	err := r.disk.makeLink(s.Target, s.rel)
	if err == nil {
		return r.verify(s)
	}
	cause, reason := reasonOf(err)
	if cause != NoPrivilege && cause != NoLinks {
		return err
	}
	// A junction is made in two steps: for a moment it is an empty directory.
	s.entry.Hashes = []string{emptySum()}
	r.own.put(s.entry)
	if err := r.save(); err != nil {
		return err
	}
	if err := r.disk.makeJunction(s.Target, s.rel); err == nil {
		s.entry.Kind, s.entry.Hashes = Junction, nil
		s.Reason = reason + "; a junction was made"
		return r.verify(s)
	}
	t, err := r.source(s.Target)
	if err != nil {
		return err
	}
	s.tree = t
	s.entry = Entry{Path: s.rel, Kind: Copy, Skill: s.Name, Target: s.Target, Hashes: []string{t.sum}, Instead: true}
	r.own.put(s.entry)
	r.needScratch()
	if err := r.save(); err != nil {
		return err
	}
	s.do = create // what was there has been taken away
	if err := r.makeCopy(s); err != nil {
		return err
	}
	s.Outcome = Copied
	s.Reason = strings.TrimSuffix(reason+", so it was copied; "+t.leftOut(), "; ")
	return nil
}

// verify opens the skill through the new link.
func (r *run) verify(s *step) error {
	if openSkillFile(r.full(s.rel)) == nil {
		return nil
	}
	return errors.Join(errDead, r.disk.removeLink(s.rel, s.entry.Links))
}

// makeCopy puts the copy together aside and moves it into place in one step.
func (r *run) makeCopy(s *step) error {
	aside, err := r.scratch()
	if err != nil {
		return err
	}
	if err := r.disk.writeCopy(s.Target, s.tree, aside); err != nil {
		return err
	}
	if openSkillFile(r.full(aside)) != nil {
		return errDead
	}
	sum, err := r.disk.copySum(aside)
	if err != nil {
		return err
	}
	if !slices.Contains(s.entry.Hashes, sum) { // the skill has changed meanwhile
		s.entry.Hashes = []string{sum}
		r.claim(s.entry, r.own.at(s.rel))
		if err := r.save(); err != nil {
			return err
		}
	}
	if s.do == replace {
		if err := r.clear(s); err != nil {
			return err
		}
	}
	if k, _, err := r.disk.look(s.rel); err != nil || k != absent {
		return errors.Join(err, fs.ErrExist)
	}
	return r.disk.rename(aside, s.rel)
}

// clear takes away what is ours at a name: a link at once, a copy by moving it
// aside, so that no half of one is ever left under its name.
func (r *run) clear(s *step) error {
	k, _, err := r.disk.look(s.rel)
	if err != nil {
		return err
	}
	if k != aDir {
		return r.disk.removeLink(s.rel, s.old.Links)
	}
	aside, err := r.scratch()
	if err != nil {
		return err
	}
	return r.disk.rename(s.rel, aside)
}
