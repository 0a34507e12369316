package link

import (
	"context"
	"errors"
	"io/fs"
	"slices"
	"strings"
)

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
	there, err := r.look(s.rel)
	if err != nil {
		return err
	}
	if !there.is(s.old) {
		return errNotOurs
	}
	if there.kind != aDir {
		return r.disk.removeLink(s.rel, s.old.Links)
	}
	aside, err := r.scratch()
	if err != nil {
		return err
	}
	return r.disk.rename(s.rel, aside)
}
