package skill

import (
	"context"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/promptc/promptc/engine/diag"
)

// What is looked at to list the files of one skill.
const (
	maxEntries   = 20_000
	maxFileDepth = 12
)

// Files lists the skill's other files, sorted by path: at most limit of them (0:
// all), and how many more there are. Hidden files and directories and node_modules
// are left out. A link counts where it stays inside of the skill or leads under a
// root or an allowed target. A skill with more than 20,000 entries is not looked
// through to its end.
func (f *Found) Files(ctx context.Context, limit int) (files []File, more int, err error) {
	w := fileWalk{ctx: ctx, skill: f, skip: f.Form.FileName}
	if err := w.dir(f.FS, ".", "", 0); err != nil {
		return nil, 0, fmt.Errorf("list the files of %s: %w", f.Dir, err)
	}
	slices.SortFunc(w.files, func(a, b File) int { return strings.Compare(a.Path, b.Path) })
	if limit > 0 && len(w.files) > limit {
		return slices.Clip(w.files[:limit]), len(w.files) - limit, nil
	}
	return w.files, 0, nil
}

// Links reports every link inside of the skill that leads out of it: whether it is
// followed or not (J21). For lint and explain.
func (f *Found) Links(ctx context.Context) (diag.List, error) {
	w := fileWalk{ctx: ctx, skill: f, skip: f.Form.FileName, tell: true}
	if err := w.dir(f.FS, ".", "", 0); err != nil {
		return nil, fmt.Errorf("list the files of %s: %w", f.Dir, err)
	}
	return w.problems, nil
}

type fileWalk struct {
	ctx      context.Context
	skill    *Found
	skip     string // the skill file itself
	tell     bool
	entries  int
	files    []File
	followed []string // real directories behind links
	problems diag.List
}

// dir lists dir of fsys; its files are named below prefix.
func (w *fileWalk) dir(fsys fs.FS, dir, prefix string, depth int) error {
	if err := w.ctx.Err(); err != nil {
		return err
	}
	list, err := fs.ReadDir(fsys, dir)
	if err != nil && depth > 0 {
		return nil // a directory that may not be read costs its own files only
	}
	if err != nil {
		return err
	}
	for _, e := range list {
		if w.entries++; w.entries > maxEntries {
			return nil
		}
		name := e.Name()
		if name[0] == '.' || name == "node_modules" || prefix == "" && name == w.skip {
			continue
		}
		at, shown := join(dir, name), path.Join(prefix, name)
		switch {
		case isLink(e.Type()):
			if err := w.link(fsys, at, shown, depth); err != nil {
				return err
			}
		case e.IsDir():
			if depth < maxFileDepth {
				if err := w.dir(fsys, at, shown, depth+1); err != nil {
					return err
				}
			}
		case e.Type().IsRegular():
			if info, err := e.Info(); err == nil {
				w.files = append(w.files, File{shown, info.Size()})
			}
		}
	}
	return nil
}

// link takes what a link leads to. A directory inside of the skill has its own
// place already; one outside is entered once.
func (w *fileWalk) link(fsys fs.FS, at, shown string, depth int) error {
	info, err := fs.Stat(fsys, at)
	if err == nil {
		if info.Mode().IsRegular() {
			w.files = append(w.files, File{shown, info.Size()})
		}
		return nil
	}
	dir, ok := fsys.(dirFS)
	if !ok {
		return nil
	}
	whole := filepath.Join(string(dir), filepath.FromSlash(at))
	real, err := filepath.EvalSymlinks(whole)
	if err != nil {
		w.say(diag.New(diag.LinkDangling, diag.At(whole), "%s is a link whose target does not exist", whole))
		return nil
	}
	if w.skill.shared == nil || !w.skill.shared.reaches(real) {
		w.say(diag.New(diag.LinkOutside, diag.At(whole), "%s is a link to %s, outside of the skill and of all roots and allowed targets: it is not followed", whole, real))
		return nil
	}
	w.say(diag.New(diag.LinkOutside, diag.At(whole), "%s is a link to %s, which lies under a root or an allowed target: it is followed", whole, real).As(diag.Info))
	base := dirFS(filepath.Dir(real))
	info, err = fs.Stat(base, filepath.Base(real))
	switch {
	case err != nil:
	case info.Mode().IsRegular():
		w.files = append(w.files, File{shown, info.Size()})
	case info.IsDir() && depth < maxFileDepth && !slices.Contains(w.followed, real) && !under(w.skill.realDir(), real):
		w.followed = append(w.followed, real)
		return w.dir(dirFS(real), ".", shown, depth+1)
	}
	return nil
}

func (w *fileWalk) say(d diag.Diagnostic) {
	if w.tell {
		w.problems.Add(d)
	}
}
