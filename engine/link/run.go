package link

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
)

// compared fills the report with what would become of each link.
func (r *run) compared() error {
	if err := r.read(); err != nil {
		return err
	}
	for _, s := range r.steps() {
		r.report.add(s.Result)
	}
	return nil
}

// endOf is the run that gives up the place of a manifest.
func endOf(state string, m *Manifest, sys system) (*run, error) {
	set := Set{State: state, Agent: m.Agent, Session: m.Session, Place: m.Place}
	if err := set.check(); err != nil {
		return nil, err
	}
	return &run{comparison: comparison{set: set, real: m.Real}, store: storeOf(sys, state, m.Real), ending: true}, nil
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
