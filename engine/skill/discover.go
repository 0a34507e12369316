package skill

import (
	"context"
	"errors"
	"hash/maphash"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/promptc/promptc/engine/diag"
)

// discover looks through roots; in memory where mem is given. What lies as it was
// in old is taken from there.
func discover(ctx context.Context, roots []Root, mem fs.FS, old *Catalog) (*Catalog, error) {
	c := &Catalog{roots: roots, memory: mem, shared: &shared{started: time.Now()}}
	if old != nil {
		c.shared.seed = old.shared.seed
	} else {
		c.shared.seed = maphash.MakeSeed()
	}
	for _, r := range roots {
		c.Roots = append(c.Roots, RootReport{Root: r})
	}
	if mem == nil {
		c.openRoots()
	} else {
		c.Roots[0].State = RootOK
	}
	for i := range c.Roots {
		if c.Roots[i].State != RootOK {
			continue
		}
		s := scan{ctx: ctx, root: &c.Roots[i], index: i, shared: c.shared}
		s.ground = disk{dir: s.root.Dir, realDir: s.root.Real}
		if mem != nil {
			s.ground = memory{mem}
		}
		if old != nil {
			s.old = old.byPath(i)
		}
		if err := s.run(); err != nil {
			return nil, err
		}
		c.Found = append(c.Found, s.found...)
		c.Diagnostics.Add(s.problems...)
		if s.root.Skills = len(s.found); s.root.Skills == 0 {
			s.root.State = RootEmpty
		}
	}
	c.contest(ctx)
	return c, ctx.Err()
}

// openRoots finds out what each root is, before any is scanned: where links may
// lead depends on all of them.
func (c *Catalog) openRoots() {
	type place struct {
		info fs.FileInfo
		at   int
	}
	var places []place
	home := homeDir()
	for i := range c.Roots {
		r := &c.Roots[i]
		info, d := r.open(home)
		if info == nil {
			c.Diagnostics.Add(d)
			continue
		}
		same := slices.IndexFunc(places, func(p place) bool { return os.SameFile(p.info, info) })
		if same < 0 {
			places = append(places, place{info, i})
			continue
		}
		first := &c.Roots[places[same].at]
		r.State = RootSame
		first.Trusted = first.Trusted || r.Trusted
		first.Native = first.Native || r.Native
		c.Diagnostics.Add(diag.New(diag.RootDuplicate, diag.At(r.Dir), "%s is the same directory as the root %s, and counts once", r.Dir, first.Dir))
	}
	for _, r := range c.Roots {
		if r.State == RootOK {
			c.shared.reach = append(c.shared.reach, r.Real)
		}
		for _, t := range r.Targets {
			if real, err := filepath.EvalSymlinks(t); err == nil && !slices.Contains(c.shared.reach, real) {
				c.shared.reach = append(c.shared.reach, real)
			}
		}
	}
}

// open fills State and Real. Info is nil where the root is not to be scanned; then
// d says why.
func (r *RootReport) open(home fs.FileInfo) (info fs.FileInfo, d diag.Diagnostic) {
	at := diag.At(r.Dir)
	if strings.TrimSpace(r.Dir) == "" {
		r.State = RootMissing
		return nil, diag.New(diag.RootBlank, at, "a root has no path")
	}
	if abs, err := filepath.Abs(r.Dir); err == nil {
		r.Dir = abs
	}
	info, err := os.Stat(r.Dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		r.State = RootMissing
		d = diag.New(diag.RootMissing, at, "the root %s does not exist", r.Dir)
		if _, err := os.Lstat(r.Dir); err == nil {
			d.Message = "the root " + r.Dir + " is a link to a directory that does not exist"
		}
		if r.Source == "default" {
			d = d.As(diag.Info)
		}
		return nil, d
	case err != nil:
		r.State = RootUnreadable
		return nil, diag.New(diag.RootUnreadable, at, "the root %s cannot be read: %v", r.Dir, cause(err))
	case !info.IsDir():
		r.State = RootNotDir
		d = diag.New(diag.RootUnreadable, at, "the root %s is not a directory", r.Dir)
		if name := filepath.Base(r.Dir); strings.EqualFold(name, skillFile) {
			d = d.WithHint("name the directory that holds it: %s", filepath.Dir(r.Dir))
		}
		return nil, d
	}
	real, err := filepath.EvalSymlinks(r.Dir)
	if err != nil {
		r.State = RootUnreadable
		return nil, diag.New(diag.RootUnreadable, at, "the root %s cannot be resolved: %v", r.Dir, cause(err))
	}
	if filepath.Dir(real) == real || home != nil && os.SameFile(home, info) {
		r.State = RootRefused
		return nil, diag.New(diag.RootRefused, at, "the root %s is the %s: it is not looked through", r.Dir, whichRefused(real))
	}
	r.State, r.Real = RootOK, real
	return info, diag.Diagnostic{}
}

func whichRefused(real string) string {
	if filepath.Dir(real) == real {
		return "file system's root"
	}
	return "home directory"
}

// homeDir is the user's home directory, or nil.
func homeDir() fs.FileInfo {
	dir, err := os.UserHomeDir()
	if err != nil {
		return nil
	}
	info, err := os.Stat(dir)
	if err != nil {
		return nil
	}
	return info
}

// cause is what the system said, without the path that the message has already.
func cause(err error) error {
	if p, ok := errors.AsType[*fs.PathError](err); ok {
		return p.Err
	}
	return err
}

// under reports whether path is dir or lies below it; both are real.
func under(path, dir string) bool {
	rest, ok := strings.CutPrefix(path, dir)
	return ok && (rest == "" || rest[0] == filepath.Separator || strings.HasSuffix(dir, string(filepath.Separator)))
}

func (s *shared) reaches(real string) bool {
	return slices.ContainsFunc(s.reach, func(dir string) bool { return under(real, dir) })
}

func (c *Catalog) byPath(root int) map[string]*Found {
	out := make(map[string]*Found, c.Roots[root].Skills)
	for _, f := range c.Found {
		if f.Root == root {
			out[f.Path] = f
		}
	}
	return out
}
