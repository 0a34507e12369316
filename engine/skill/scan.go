package skill

import (
	"context"
	"errors"
	"io/fs"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/promptc/promptc/engine/diag"
)

const (
	skillFile = "SKILL.md"
	lowerFile = "skill.md"

	maxLevels  = 6     // of Root.Depth
	maxVisited = 2_000 // directories below the first level of a root
	headBytes  = 4 << 10
	moreBytes  = 64 << 10
)

// scan looks through one root.
type scan struct {
	ctx    context.Context
	root   *RootReport
	index  int
	ground ground
	shared *shared
	old    map[string]*Found // what the last scan found, by path

	found    []*Found
	problems diag.List
}

// visited is what a directory holds: a skill, or else a list of entries.
type visited struct {
	found    *Found
	list     []dirent
	problems diag.List
}

// task is a directory to visit.
type task struct {
	dir  string // relative to the root
	link string // the real directory where dir is a link
	file string // the real file where its skill file is a link
}

// run visits the root, and level by level what lies below, until a level has no
// directory without a skill file or the depth is reached.
func (s *scan) run() error {
	w := worker{scan: s, buf: make([]byte, headBytes)}
	top := w.visit(task{dir: "."}, 0)
	s.problems.Add(top.problems...)
	if top.found != nil {
		s.found = append(s.found, top.found)
		return s.ctx.Err()
	}
	tasks := s.tasks(".", top.list, 1)
	budget := maxVisited
	for level := 1; len(tasks) > 0; level++ {
		if level > 1 && len(tasks) > budget {
			s.problems.Add(diag.New(diag.ScanBound, diag.At(s.path(tasks[budget].dir)), "%s was not looked at, nor %s: the root %s has more than %d directories below its first level",
				s.path(tasks[budget].dir), counted(len(tasks)-budget-1, "more directory", "more directories"), s.root.Dir, maxVisited))
			tasks = tasks[:budget]
		}
		if level > 1 {
			budget -= len(tasks)
		}
		results, err := s.visitAll(tasks, level)
		if err != nil {
			return err
		}
		var next []task
		for i, v := range results {
			s.problems.Add(v.problems...)
			switch {
			case v.found != nil:
				s.found = append(s.found, v.found)
			case level < s.depth() && tasks[i].link == "" && !isHidden(tasks[i].dir):
				next = append(next, s.tasks(tasks[i].dir, v.list, level+1)...)
			}
		}
		tasks = next
	}
	slices.SortFunc(s.found, func(a, b *Found) int { return strings.Compare(a.Path, b.Path) })
	return nil
}

func (s *scan) depth() int { return min(max(1, s.root.Depth), maxLevels) }

func (s *scan) path(dir string) string { return below(s.root.Dir, dir) }

func isHidden(dir string) bool {
	base := dir[strings.LastIndexByte(dir, '/')+1:]
	return base != "." && strings.HasPrefix(base, ".")
}

// tasks lists the directories in dir that are to be visited, which lies one level
// above level.
func (s *scan) tasks(dir string, list []dirent, level int) []task {
	var tasks []task
	for _, e := range list {
		if e.name == "node_modules" || e.name[0] == '.' && (level > 1 || !s.root.Hidden) {
			continue // named by Search
		}
		name := join(dir, e.name)
		switch {
		case e.mode.IsDir():
			tasks = append(tasks, task{dir: name})
		case isLink(e.mode):
			if real, ok := s.follow(name); ok {
				tasks = append(tasks, task{dir: name, link: real})
			}
		}
	}
	return tasks
}

// visitAll visits tasks with a few goroutines; the results are in their order.
func (s *scan) visitAll(tasks []task, level int) ([]visited, error) {
	results := make([]visited, len(tasks))
	var next atomic.Int64
	var wg sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), 8, len(tasks)/32+1) {
		wg.Go(func() {
			w := worker{scan: s, buf: make([]byte, headBytes)}
			for s.ctx.Err() == nil {
				i := int(next.Add(1)) - 1
				if i >= len(tasks) {
					return
				}
				results[i] = w.visit(tasks[i], level)
			}
		})
	}
	wg.Wait()
	return results, s.ctx.Err()
}

// worker visits directories one after the other.
type worker struct {
	*scan
	buf []byte
}

// visit looks for the skill file of a directory: SKILL.md, else skill.md, as the
// directory's entries spell them (J7).
func (w *worker) visit(t task, level int) visited {
	name := join(t.dir, skillFile)
	if f := w.unchanged(name, t.link); f != nil {
		return visited{found: f}
	}
	n, stamp, err := w.ground.head(name, w.buf)
	if err == nil {
		return visited{found: w.load(t, level, name, n, stamp)}
	}
	known := errors.Is(err, errNotExact)
	list, listErr := w.ground.list(t.dir)
	if listErr != nil {
		if errors.Is(listErr, fs.ErrNotExist) {
			return visited{}
		}
		return visited{problems: diag.List{diag.New(diag.SkippedDirectory, diag.At(w.path(t.dir)), "%s cannot be listed: %v", w.path(t.dir), cause(listErr)).
			As(diag.Warning).WithHint("check its permissions; what lies in it was not looked at")}}
	}
	v := visited{list: list}
	var dead *Found
	for _, want := range []string{skillFile, lowerFile} {
		i := slices.IndexFunc(list, func(e dirent) bool { return e.name == want })
		if i < 0 || list[i].mode.IsDir() {
			continue
		}
		name = join(t.dir, want)
		switch {
		case isLink(list[i].mode):
			f, dangling := w.linkedFile(t, level, name)
			if f == nil {
				continue
			}
			if !dangling {
				v.found = f
				return v
			}
			if dead == nil {
				dead = f
			}
		case !list[i].mode.IsRegular():
			v.found = w.broken(t, level, name, Stamp{}, "it is not a regular file")
			return v
		case known && want == skillFile:
			v.found = w.load(t, level, name, n, stamp)
			return v
		default:
			n, stamp, err := w.ground.head(name, w.buf)
			if err != nil && !errors.Is(err, errNotExact) {
				v.found = w.broken(t, level, name, stamp, "it cannot be read: "+cause(err).Error())
				return v
			}
			v.found = w.load(t, level, name, n, stamp)
			return v
		}
	}
	if v.found = dead; dead == nil {
		v.problems = wrongNames(w.path(t.dir), list)
	}
	return v
}

// wrongNames reports files that are skill files on a disk that ignores case.
func wrongNames(dir string, list []dirent) (out diag.List) {
	for _, e := range list {
		if !e.mode.IsDir() && strings.EqualFold(e.name, skillFile) && e.name != skillFile && e.name != lowerFile {
			out.Add(diag.New(diag.WrongFileName, diag.At(filepath.Join(dir, e.name)), "found %s, expected %s: it is not loaded", e.name, skillFile))
		}
	}
	return out
}

// load reads the head that is in the buffer, and more of the file where that is
// not enough.
func (w *worker) load(t task, level int, name string, n int, stamp Stamp) *Found {
	dir := w.path(t.dir)
	path := below(dir, name[strings.LastIndexByte(name, '/')+1:])
	head := w.buf[:n]
	all := n < len(w.buf) || stamp.Size == int64(n)
	p, enough := Parsed{}, false
	if stamp.Size <= maxFile {
		p, enough = parseHead(dir, path, head, all)
	}
	if !enough {
		raw := w.more(t, name, stamp.Size)
		p, enough = parse(dir, path, raw, int64(len(raw)) >= stamp.Size)
		if !enough {
			raw, err := w.whole(t, name)
			if err != nil {
				return w.broken(t, level, name, stamp, "it cannot be read: "+cause(err).Error())
			}
			p, _ = parse(dir, path, raw, true)
		}
		if stamp.Size > maxFile {
			p.Broken = tooLarge
		}
	}
	f := w.place(t, level, p, stamp)
	f.head = headSum(w.shared.seed, head)
	return f
}

// more reads enough of a file for nearly every head.
func (w *worker) more(t task, name string, size int64) []byte {
	buf := make([]byte, min(size, moreBytes))
	head := w.ground.head
	if t.file != "" {
		name, head = t.file, headOf
	}
	n, _, _ := head(name, buf) // an error shows again when the whole file is read
	return buf[:n]
}

func (w *worker) whole(t task, name string) ([]byte, error) {
	if t.file != "" {
		return wholeFile(t.file)
	}
	return w.ground.whole(name)
}

// broken is a skill file that cannot be read.
func (w *worker) broken(t task, level int, name string, stamp Stamp, why string) *Found {
	dir := w.path(t.dir)
	p := Parsed{Broken: why}
	p.Dir, p.Path = dir, filepath.Join(dir, filepath.Base(name))
	p.Form.FileName = filepath.Base(name)
	p.Name, p.Description = dirName(dir), noDescription
	p.Form.NameFrom, p.Form.DescFrom = FromDirectory, FromDefault
	return w.place(t, level, p, stamp)
}

// place makes a Found of what was read, and says where it lies.
func (w *worker) place(t task, level int, p Parsed, stamp Stamp) *Found {
	f := &Found{Skill: p.Skill, Root: w.index, Scope: w.root.Scope, Form: p.Form, Stamp: stamp, Problems: p.Problems}
	f.Body, f.Native = "", w.root.Native
	f.Form.FirstLine = strings.Clone(f.Form.FirstLine)
	f.Form.Depth = level
	f.Form.Hidden = t.dir != "." && (t.dir[0] == '.' || strings.Contains(t.dir, "/."))
	if t.link != "" {
		f.Form.LinkedDir, f.Form.Target = true, t.link
	}
	f.FS, f.shared = w.ground.sub(t.dir), w.shared
	f.rootDir, f.rootReal = w.root.Dir, w.root.Real
	f.key = Key(f.Name)
	if p.Form.FileName == lowerFile {
		f.Problems.Add(diag.New(diag.FileNameCase, diag.At(f.Path), "found %s, expected %s", lowerFile, skillFile))
	}
	if p.Broken != "" {
		f.Status, f.Reason = Broken, p.Broken
		if !slices.ContainsFunc(f.Problems, func(d diag.Diagnostic) bool { return d.Code == diag.NotALink }) {
			f.Problems.Add(diag.New(diag.SkillBroken, diag.At(f.Path), "%q is not loaded: %s", f.Name, p.Broken))
		}
	}
	return f
}
