package skill

import (
	"cmp"
	"context"
	"crypto/sha256"
	"slices"
	"strings"
	"time"
)

// racy is how long before a scan a file may have been written for its stamp not to
// tell whether it was written again: clocks of file systems are coarse.
const racy = 50 * time.Millisecond

// Refresh looks again and returns a new catalogue, together with what changed in
// the order of the paths. A skill file whose size, time and inode are as they were
// is not read again; its Found is shared with c unless its status changed. A file
// that was only touched is no change as far as that can be told from its beginning
// or from what Read saw.
func (c *Catalog) Refresh(ctx context.Context) (*Catalog, []Change, error) {
	next, err := discover(ctx, c.roots, c.memory, c)
	if err != nil {
		return nil, nil, err
	}
	return next, changes(c, next, ctx), nil
}

func changes(before, now *Catalog, ctx context.Context) []Change {
	was := make(map[string]*Found, len(before.Found))
	for _, f := range before.Found {
		was[f.Path] = f
	}
	var out []Change
	for _, f := range now.Found {
		old, ok := was[f.Path]
		delete(was, f.Path)
		switch {
		case !ok:
			out = append(out, Change{Added, f.Name, f.Path})
		case f.differs(ctx, old):
			out = append(out, Change{Edited, f.Name, f.Path})
		}
	}
	for _, f := range was {
		out = append(out, Change{Removed, f.Name, f.Path})
	}
	slices.SortFunc(out, func(a, b Change) int {
		return cmp.Or(strings.Compare(a.Path, b.Path), strings.Compare(string(a.Kind), string(b.Kind)))
	})
	return out
}

// differs reports whether the file has other bytes than old had. Where that cannot
// be told it does.
func (f *Found) differs(ctx context.Context, old *Found) bool {
	if f == old || f.Stamp.equal(old.Stamp) && f.head == old.head {
		return false
	}
	if f.Stamp.Size != old.Stamp.Size || f.head != old.head {
		return true
	}
	if f.Stamp.Size <= headBytes {
		return false
	}
	if h, ok := old.shared.hash(old.Path); ok {
		if raw, err := f.bytes(ctx); err == nil {
			return sum(sha256.Sum256(raw)) != h
		}
	}
	return true
}

// unchanged is what the last scan found in a file that is still the same, or nil.
func (w *worker) unchanged(name, link string) *Found {
	if w.old == nil {
		return nil
	}
	f := w.old[w.path(name)]
	if f == nil || !slices.Equal(f.shared.reach, w.shared.reach) || f.Form.LinkedFile || f.Form.Target != link || f.Status == Broken || f.shared.started.Sub(f.Stamp.Time) < racy {
		return nil
	}
	stamp, mode, err := w.ground.stat(name)
	if err != nil || !mode.IsRegular() || !stamp.equal(f.Stamp) {
		return nil
	}
	return f
}

func (s Stamp) equal(o Stamp) bool {
	return s.Size == o.Size && s.Inode == o.Inode && s.Time.Equal(o.Time) && !s.isZero()
}
