package link

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"slices"
	"strings"

	"github.com/promptc/promptc/engine/diag"
)

// finish clears up and writes down what is there now.
func (r *run) finish(ctx context.Context) error {
	var errs []error
	if r.disk != nil {
		if r.own.Scratch != "" {
			err := r.disk.removeScratch(r.own.Scratch, r.own.Scratch)
			if err == nil {
				r.own.Scratch = ""
			}
			errs = append(errs, err)
		}
		errs = append(errs, r.prune())
	} else {
		r.own.Entries, r.own.Scratch = nil, "" // with the place all that was in it is gone
	}
	if r.own.Git != "" {
		r.exclude(context.WithoutCancel(ctx))
	}
	return errors.Join(append(errs, r.settleManifest())...)
}

// settleManifest makes the state directory say what is there.
func (r *run) settleManifest() error {
	switch {
	case len(r.own.Entries) == 0 && r.own.Scratch == "" && r.own.Git == "":
		if r.saved == nil {
			return nil
		}
		return r.store.drop(r.own)
	case r.saved == nil || !r.own.equal(r.saved):
		return r.save()
	}
	return r.store.touch(r.own)
}

// prune removes directories of ours that hold nothing any more, the deepest
// first. One that still holds something stays ours, or another session's:
// whoever empties it later and runs Remove again gets it removed.
func (r *run) prune() error {
	var errs []error
	for _, e := range slices.Backward(slices.Clone(r.own.Entries)) {
		if e.Kind != Dir || e.Path == "." || r.needed(e.Path) {
			continue
		}
		k, _, err := r.disk.look(e.Path)
		if err == nil && k == aDir {
			var list []string
			if list, err = r.disk.list(e.Path); err == nil && len(list) > 0 {
				if r.shared(e.Path) {
					r.own.delete(e.Path) // the other session will see to it
				}
				continue
			}
			if err == nil {
				err = r.disk.removeDir(e.Path)
			}
		}
		if err != nil {
			errs = append(errs, err)
			continue
		}
		r.own.delete(e.Path)
	}
	if e := r.own.at("."); e != nil && len(r.own.Entries) == 1 && (r.ending || r.set.Place.View) {
		errs = append(errs, r.removePlace())
	}
	return errors.Join(errs...)
}

func (r *run) needed(dir string) bool {
	return slices.ContainsFunc(r.own.Entries, func(e Entry) bool { return e.Kind != Dir && strings.HasPrefix(e.Path, dir+"/") })
}

// removePlace removes the directory that was made for the session, if it is empty.
func (r *run) removePlace() error {
	list, err := r.disk.list(".")
	if err != nil || len(list) > 0 {
		return err
	}
	if err := r.store.ask("remove", r.real); err != nil {
		return err
	}
	r.close()
	if err := os.Remove(r.real); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	r.own.delete(".")
	return nil
}

// exclude makes the git directory's info/exclude name what is linked now. What
// stands in the way is a warning: the links themselves are right.
func (r *run) exclude(ctx context.Context) {
	git, warning := findGit(r.real)
	if git == nil || git.dir != r.own.Git {
		git = &gitDir{dir: r.own.Git} // the repository was moved or removed: only take away
	}
	var lines []string
	if git.top != "" {
		for _, e := range r.own.Links() {
			if !r.lost[e.Path] {
				lines = append(lines, git.pattern(r.full(e.Path)))
			}
		}
	}
	err := r.store.writeExclude(ctx, r.set.State, git, r.set.Session+" "+hash12(r.real), lines)
	switch {
	case err != nil:
		_, reason := reasonOf(err)
		warning = "the links are not kept out of commits: " + reason
	case len(lines) == 0:
		r.own.Git = ""
		return
	}
	if warning != "" {
		r.warnGit(warning)
	}
}

func (r *run) warnGit(message string) {
	d := diag.New(diag.GitExclude, diag.At(r.set.Place.Dir), "%s", message)
	if !slices.Contains(r.report.Diagnostics, d) {
		r.report.Diagnostics.Add(d)
	}
}
