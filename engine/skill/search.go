package skill

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/promptc/promptc/engine/diag"
)

// What Search looks at below one root.
const (
	searchLevels = 16
	searchDirs   = 50_000
)

// Search looks for skill files that Discover does not load for where they lie or
// how they are named (P1): inside of another skill, too deep, under another
// spelling. They have the status Missed and a reason. Directories that are not
// entered are named, so that with Found every skill file below the roots is
// accounted for. It is for listing and explaining, never for rendering.
func (c *Catalog) Search(ctx context.Context) ([]*Found, diag.List) {
	s := search{catalog: c, known: map[string]bool{}}
	for _, f := range c.Found {
		s.known[f.Path] = true
		s.known[filepath.Join(f.realDir(), f.Form.FileName)] = true
	}
	for i := range c.Roots {
		r := &c.Roots[i]
		if r.State != RootOK && r.State != RootEmpty {
			continue
		}
		w := worker{scan: &scan{ctx: ctx, root: r, index: i, shared: c.shared, ground: disk{dir: r.Dir, realDir: r.Real}}, buf: make([]byte, headBytes)}
		if c.memory != nil {
			w.ground = memory{c.memory}
		}
		s.root(&w)
		if ctx.Err() != nil {
			break
		}
	}
	return s.found, s.problems
}

type search struct {
	catalog  *Catalog
	known    map[string]bool // paths of skill files that are accounted for
	found    []*Found
	problems diag.List
}

// searchDir is a directory on the way down.
type searchDir struct {
	dir   string
	level int
	skill string // the skill that it lies in, or ""
}

func (s *search) root(w *worker) {
	s.linkFiles(w)
	queue := []searchDir{{dir: "."}}
	for n := 0; len(queue) > 0 && w.ctx.Err() == nil; n++ {
		d := queue[0]
		queue = queue[1:]
		if n >= searchDirs {
			s.problems.Add(diag.New(diag.ScanBound, diag.At(w.path(d.dir)), "the search below %s was ended at %s, after %d directories", w.root.Dir, w.path(d.dir), searchDirs))
			return
		}
		queue = append(queue, s.dir(w, d)...)
	}
}

// dir looks at one directory and returns those below that are to be looked at.
func (s *search) dir(w *worker, d searchDir) (below []searchDir) {
	list, err := w.ground.list(d.dir)
	if err != nil {
		return nil // reported by Discover where it matters
	}
	inside := d.skill
	for _, e := range list {
		if strings.EqualFold(e.name, skillFile) && !e.mode.IsDir() {
			s.file(w, d, e)
			if inside == "" && (e.name == skillFile || e.name == lowerFile) {
				inside = d.dir
			}
		} else if nearMiss(e) && !hasSkillFile(list) && d.level <= w.depth() && d.skill == "" {
			at := filepath.Join(w.path(d.dir), e.name)
			s.problems.Add(diag.New(diag.WrongFileName, diag.At(at), "found %s, expected %s: it is not loaded", e.name, skillFile).As(diag.Info))
		}
	}
	for _, e := range list {
		name := join(d.dir, e.name)
		next := searchDir{name, d.level + 1, inside}
		switch {
		case isLink(e.mode):
			s.link(w, next, inside != "")
		case !e.mode.IsDir():
		case e.name == "node_modules", e.name[0] == '.' && !(d.level == 0 && w.root.Hidden):
			s.skipped(w, name, "hidden directories and node_modules are not looked into")
		case inside == "" && isHidden(d.dir):
			s.skipped(w, name, "what lies below a hidden directory is not looked at")
		case next.level > searchLevels:
			s.skipped(w, name, fmt.Sprintf("it lies more than %d levels below the root", searchLevels))
		default:
			below = append(below, next)
		}
	}
	return below
}

func (s *search) skipped(w *worker, name, why string) {
	at := w.path(name)
	s.problems.Add(diag.New(diag.SkippedDirectory, diag.At(at), "%s was not looked into: %s", at, why))
}

// link reports a link to a directory that was not entered because it is no skill
// itself, and one that leads back.
func (s *search) link(w *worker, d searchDir, inSkill bool) {
	at := w.path(d.dir)
	info, err := os.Stat(at)
	if s.catalog.memory != nil || err != nil || !info.IsDir() {
		return
	}
	t := scan{ctx: w.ctx, root: w.root, ground: w.ground}
	real, ok := t.follow(d.dir)
	if !ok {
		if inSkill || d.level > w.depth() { // else Discover has said it
			s.problems.Add(t.problems...)
		}
		return
	}
	if s.known[filepath.Join(at, skillFile)] || s.known[filepath.Join(at, lowerFile)] || inSkill {
		return
	}
	s.problems.Add(diag.New(diag.SkippedDirectory, diag.At(at), "%s was not looked into: it is a link to %s, which is not a skill itself", at, real).
		WithHint("name %s as a root", real))
}

// file accounts for one skill file.
func (s *search) file(w *worker, d searchDir, e dirent) {
	dir := w.path(d.dir)
	path := filepath.Join(dir, e.name)
	if s.known[path] || s.known[filepath.Join(w.ground.real(d.dir), e.name)] {
		return
	}
	s.known[path] = true
	exact := e.name == skillFile || e.name == lowerFile
	var code diag.Code
	var why string
	switch {
	case exact && s.known[filepath.Join(dir, skillFile)] && e.name == lowerFile:
		code, why = diag.WrongFileName, "SKILL.md lies beside it and is the one that is read"
	case d.skill != "":
		code, why = diag.Nested, "it lies inside of the skill "+w.path(d.skill)
	case d.level > w.depth():
		code, why = diag.TooDeep, fmt.Sprintf("it lies at depth %d below the root %s, the limit is %d", d.level, w.root.Dir, w.depth())
	case !exact:
		code, why = diag.WrongFileName, "it is named "+e.name+", not "+skillFile
	default:
		code, why = diag.ScanBound, "the scan of the root ended before"
	}
	f := s.missed(w, d, e, why)
	s.found = append(s.found, f)
	if code == diag.WrongFileName && d.level <= w.depth() && !exact {
		return // Discover has said it
	}
	s.problems.Add(diag.New(code, diag.At(path), "%q is not loaded: %s", f.Name, why))
}

func (s *search) missed(w *worker, d searchDir, e dirent, why string) *Found {
	t := task{dir: d.dir}
	name := join(d.dir, e.name)
	var f *Found
	n, stamp, err := w.ground.head(name, w.buf)
	if err != nil && isLink(e.mode) && s.catalog.memory == nil {
		f, _ = w.linkedFile(t, d.level, name)
	}
	if f == nil {
		f = w.broken(t, d.level, name, stamp, "it cannot be read")
		if n > 0 {
			f = w.load(t, d.level, name, n, stamp)
		}
	}
	f.Status, f.Reason = Missed, why
	f.Form.InSkill = d.skill != ""
	return f
}

// nearMiss reports whether a file was perhaps meant as a skill file.
func nearMiss(e dirent) bool {
	if e.mode.IsDir() {
		return false
	}
	return slices.Contains([]string{"skill", "skills.md", "skill.markdown", "skill.mdx", "skill.txt", "skill.md.txt"}, strings.ToLower(e.name))
}

func hasSkillFile(list []dirent) bool {
	return slices.ContainsFunc(list, func(e dirent) bool { return strings.EqualFold(e.name, skillFile) })
}

// linkFiles reports small files in a root that hold nothing but a relative path:
// links to skills that git did not make.
func (s *search) linkFiles(w *worker) {
	list, err := w.ground.list(".")
	if err != nil {
		return
	}
	for _, e := range list {
		if !e.mode.IsRegular() || filepath.Ext(e.name) != "" || e.name[0] == '.' {
			continue
		}
		n, stamp, err := w.ground.head(e.name, w.buf[:512])
		if stamp.Size > 256 || n == 0 || err != nil && n == 0 {
			continue
		}
		if target, ok := gitLink(string(w.buf[:n])); ok {
			at := w.path(e.name)
			s.problems.Add(diag.New(diag.NotALink, diag.At(at), "%s holds nothing but the path %s: it is a link that git did not make", at, target).As(diag.Warning))
		}
	}
}
