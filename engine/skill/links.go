package skill

import (
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"runtime"

	"github.com/promptc/promptc/engine/diag"
)

// isLink reports whether an entry may lead elsewhere: a symbolic link, or what
// Windows has besides (a junction is neither a directory nor a link to Go).
func isLink(mode fs.FileMode) bool {
	return mode&fs.ModeSymlink != 0 || runtime.GOOS == "windows" && mode&fs.ModeIrregular != 0
}

// follow resolves a link to a directory. It refuses one that leads back to where
// it lies, and reports that and a link that leads nowhere; a link to a file is
// nothing to it.
func (s *scan) follow(name string) (real string, ok bool) {
	if _, onDisk := s.ground.(disk); !onDisk {
		return "", false
	}
	at := s.path(name)
	info, err := os.Stat(at)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		s.problems.Add(diag.New(diag.LinkDangling, diag.At(at), "%s is a link whose target does not exist", at))
		return "", false
	case err != nil:
		s.problems.Add(diag.New(diag.LinkLoop, diag.At(at), "%s is a link that cannot be followed: %v", at, cause(err)))
		return "", false
	case !info.IsDir():
		return "", false
	}
	real, err = filepath.EvalSymlinks(at)
	if err != nil {
		s.problems.Add(diag.New(diag.LinkLoop, diag.At(at), "%s is a link that cannot be followed: %v", at, cause(err)))
		return "", false
	}
	if holder := s.ground.real(path.Dir(name)); under(holder, real) {
		s.problems.Add(diag.New(diag.LinkLoop, diag.At(at), "%s is a link to %s, which holds it: it is not followed", at, real))
		return "", false
	}
	return real, true
}

// linkedFile loads a skill file that is a link (J21): only where it leads to a
// place in the skill's own directory, under a root or under an allowed target. It
// is nil where the link leads to a directory.
func (w *worker) linkedFile(t task, level int, name string) (f *Found, dangling bool) {
	at := w.path(name)
	real, err := filepath.EvalSymlinks(at)
	if err != nil {
		f := w.broken(t, level, name, Stamp{}, "it is a link whose target does not exist")
		if !errors.Is(err, fs.ErrNotExist) {
			f = w.broken(t, level, name, Stamp{}, "it is a link that cannot be followed: "+cause(err).Error())
		}
		f.Form.LinkedFile = true
		return f, true
	}
	info, err := os.Lstat(real)
	if err != nil || info.IsDir() {
		return nil, false
	}
	own := t.link
	if own == "" {
		own = w.ground.real(t.dir)
	}
	inside := under(real, own)
	defer func() {
		f.Form.LinkedFile, f.Form.Target = true, filepath.Dir(real)
	}()
	switch {
	case !info.Mode().IsRegular():
		return w.broken(t, level, name, Stamp{}, "it is a link to something that is not a regular file"), false
	case !inside && !w.shared.reaches(real):
		f = w.broken(t, level, name, stampOf(info), "it is a link to "+real+", which lies outside of all roots and allowed targets")
		f.Problems.Add(diag.New(diag.LinkOutside, diag.At(at), "%s is a link to %s, outside of all roots and allowed targets: it is not followed", at, real))
		return f, false
	}
	n, stamp, err := headOf(real, w.buf)
	if err != nil && !errors.Is(err, errNotExact) {
		return w.broken(t, level, name, stamp, "it cannot be read: "+cause(err).Error()), false
	}
	t.file = real
	f = w.load(t, level, name, n, stamp)
	if !inside {
		f.Problems.Add(diag.New(diag.LinkOutside, diag.At(at), "%s is a link to %s, which lies under a root or an allowed target: it is followed", at, real).As(diag.Info).
			WithHint("nothing is to be done; some agents do not follow such a link"))
	}
	return f, false
}
