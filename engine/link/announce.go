package link

import (
	"fmt"
	"os"
	"path"
	"slices"
	"time"
)

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
	if r.set.Into && r.own.Git == "" && len(r.own.Links()) > 0 {
		git, warning := findGit(r.real)
		if git != nil {
			r.own.Git, changes = git.dir, true
		} else if warning != "" {
			r.warnGit(warning)
		}
	}
	if !changes && (!r.set.Fresh || r.saved != nil && r.saved.at(".") != nil) {
		return nil
	}
	if err := r.save(); err != nil {
		return err
	}
	for _, s := range steps {
		if err := r.share(&s); err != nil {
			return err
		}
	}
	if r.disk != nil || !making {
		return nil
	}
	return r.makePlace()
}

// share lets the other sessions that have a copy know what it becomes, so that
// it stays theirs.
func (r *run) share(s *step) error {
	if s.do != replace || s.tree == nil {
		return nil
	}
	for _, m := range r.others {
		e := m.at(s.rel)
		if e == nil || len(e.Hashes) == 0 || e.Target != s.Target {
			continue
		}
		e.Hashes = union(s.entry.Hashes, e.Hashes)
		m.put(*e)
		if err := r.store.save(m); err != nil {
			return err
		}
	}
	return nil
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
		if !r.shared(dir) && r.disk != nil {
			if k, _, err := r.disk.look(dir); err != nil || k != absent {
				continue
			}
		}
		r.own.put(Entry{Path: dir, Kind: Dir})
	}
}

// shared says whether another session has noted a directory as promptc's.
func (r *run) shared(dir string) bool {
	return slices.ContainsFunc(r.others, func(m *Manifest) bool {
		e := m.at(dir)
		return e != nil && e.Kind == Dir
	})
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
