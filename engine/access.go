package engine

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// What a path is refused for. The error's text repeats the path as it was asked for
// and never says where a link led.
var (
	ErrOutside   = errors.New("lies outside of what this session may reach")
	ErrProtected = errors.New("belongs to a skill and is not to be written")
)

// Access answers a host's file tools: may this path be read, may it be written
// (J28-J32). A path counts by where it really is, after every link, so that no link
// leads anywhere a plain path would not. Relative paths start at the workspace.
//
// Each answer is the real path, which is the one to open; a file that is not there
// yet has that of its directory. Open reads without trusting that nothing changed in
// between.
type Access struct {
	Workspace    string   // absolute
	ReadRoots    []string // absolute: the directories of the skills shown (J4)
	Protected    []string // absolute: may be read and not be written, wherever they are
	AllowOutside bool     // the host's own switch: all paths, save that what is protected stays so
	Home         string   // the user's home directory, see BroadRoot; "": the system's answer
}

// ResolveWorkspace gives the real path of what lies in the workspace. The error wraps
// ErrOutside where it does not.
func (a Access) ResolveWorkspace(path string) (string, error) {
	p, err := a.locate(path)
	if err != nil {
		return "", err
	}
	if a.AllowOutside || liesIn(p.real, a.Workspace) {
		return p.real, nil
	}
	return "", fmt.Errorf("%q %w", path, ErrOutside)
}

// ResolveReadable gives the real path of what lies in the workspace or in one of the
// read roots. Roots that BroadRoot refuses open nothing (J38).
func (a Access) ResolveReadable(path string) (string, error) {
	p, err := a.locate(path)
	if err != nil {
		return "", err
	}
	if a.AllowOutside || a.rootOf(p.real) != "" {
		return p.real, nil
	}
	return "", fmt.Errorf("%q %w", path, ErrOutside)
}

// Writable gives the real path of what may be written: what lies in the workspace and
// is not protected. A read root outside of the workspace is never writable. The error
// wraps ErrOutside or ErrProtected. A directory that holds a protected one is refused
// too, because who moves it moves that.
func (a Access) Writable(path string) (string, error) {
	p, err := a.locate(path)
	if err != nil {
		return "", err
	}
	for _, dir := range a.Protected {
		whole, err := realPath(dir)
		if err != nil || liesIn(p.real, dir) || liesIn(p.own, dir) || liesIn(whole, p.real) {
			return "", fmt.Errorf("%q %w", path, ErrProtected)
		}
	}
	if liesIn(p.real, a.Workspace) {
		return p.real, nil
	}
	for _, dir := range a.ReadRoots {
		if liesIn(p.real, dir) || liesIn(p.own, dir) {
			return "", fmt.Errorf("%q %w", path, ErrProtected)
		}
	}
	if a.AllowOutside {
		return p.real, nil
	}
	return "", fmt.Errorf("%q %w", path, ErrOutside)
}

// Open opens what ResolveReadable allows, through the directory that allows it: a
// link that is put in its way after the check leads nowhere.
func (a Access) Open(path string) (*os.File, error) {
	real, err := a.ResolveReadable(path)
	if err != nil {
		return nil, err
	}
	dir := a.rootOf(real)
	if dir == "" {
		return os.Open(real)
	}
	base, err := realPath(dir)
	if err != nil {
		return nil, err
	}
	root, err := os.OpenRoot(base)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	rel, err := filepath.Rel(base, real)
	if err != nil {
		return nil, err
	}
	return root.Open(rel)
}

// rootOf is the directory by which a real path may be read, or "".
func (a Access) rootOf(real string) string {
	if liesIn(real, a.Workspace) {
		return a.Workspace
	}
	for _, dir := range a.ReadRoots {
		if liesIn(real, dir) && !BroadRoot(dir, a.Home) {
			return dir
		}
	}
	return ""
}

// BroadRoot says whether a directory is refused as a read root, because it would open
// far more than a skill: the file system's root, the home directory (where home is "",
// the system's answer), and what holds that. So is one that cannot be resolved.
func BroadRoot(dir, home string) bool {
	real, err := realPath(dir)
	if err != nil || filepath.Dir(real) == real {
		return true
	}
	if home == "" {
		if home, err = os.UserHomeDir(); err != nil {
			return false
		}
	}
	home, err = realPath(home)
	return err == nil && liesIn(home, real)
}

// located is a path after all links, and after all but the one that it may be itself.
type located struct{ real, own string }

func (a Access) locate(path string) (located, error) {
	if path == "" || strings.ContainsRune(path, 0) {
		return located{}, fmt.Errorf("%q is not a path", path)
	}
	if !filepath.IsAbs(path) {
		// Not filepath.Join: behind a link, .. is not the directory before it.
		path = a.Workspace + string(filepath.Separator) + path
	}
	real, err := realPath(path)
	if err != nil {
		return located{}, err
	}
	own := real
	trimmed := strings.TrimRightFunc(path, isSeparator)
	if dir, base := filepath.Split(trimmed); base != "" && base != "." && base != ".." {
		if dir, err = realPath(dir); err != nil {
			return located{}, err
		}
		own = filepath.Join(dir, base)
	}
	return located{real, own}, nil
}

const maxLinks = 100

// realPath follows every link of an absolute path, as the system does, and a link to
// what is not there too: who writes to it would make that. What does not exist stands
// as it is written.
func realPath(path string) (string, error) {
	asked := path
	if !filepath.IsAbs(path) {
		return "", fmt.Errorf("%q is not absolute", path)
	}
	volume := filepath.VolumeName(path)
	at := volume + string(filepath.Separator)
	rest := split(path[len(volume):])
	for links := 0; len(rest) > 0; {
		part := rest[0]
		rest = rest[1:]
		if part == ".." {
			at = filepath.Dir(at)
			continue
		}
		next := filepath.Join(at, part)
		info, err := os.Lstat(next)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			at = next
			continue
		case err != nil:
			return "", fmt.Errorf("%q cannot be looked up: %w", asked, cause(err))
		case info.Mode()&fs.ModeSymlink == 0:
			at = next
			continue
		}
		if links++; links > maxLinks {
			return "", fmt.Errorf("%q leads through more than %d links", asked, maxLinks)
		}
		target, err := os.Readlink(next)
		if err != nil {
			return "", fmt.Errorf("%q cannot be looked up: %w", asked, cause(err))
		}
		if filepath.IsAbs(target) {
			volume = filepath.VolumeName(target)
			at = volume + string(filepath.Separator)
			target = target[len(volume):]
		}
		rest = append(split(target), rest...)
	}
	return at, nil
}

// cause is an error without the path in it.
func cause(err error) error {
	if p, ok := errors.AsType[*fs.PathError](err); ok {
		return p.Err
	}
	return err
}

// split gives the parts of a path, without empty ones and without ".".
func split(path string) []string {
	var parts []string
	for part := range strings.FieldsFuncSeq(path, isSeparator) {
		if part != "." {
			parts = append(parts, part)
		}
	}
	return parts
}

func isSeparator(r rune) bool { return r < 0x80 && os.IsPathSeparator(uint8(r)) }

// liesIn says whether a real path is dir or lies below it, by where dir really is: by
// name, and because names may differ in case on some disks also by what is there.
func liesIn(real, dir string) bool {
	dir, err := realPath(dir)
	if err != nil {
		return false
	}
	if rel, err := filepath.Rel(dir, real); err == nil && filepath.IsLocal(rel) {
		return true
	}
	wanted, err := os.Stat(dir)
	if err != nil {
		return false
	}
	for {
		if info, err := os.Stat(real); err == nil && os.SameFile(info, wanted) {
			return true
		}
		parent := filepath.Dir(real)
		if parent == real {
			return false
		}
		real = parent
	}
}
