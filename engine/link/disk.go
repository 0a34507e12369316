package link

import (
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
)

// system is how this package changes anything. The zero value is the real one;
// tests count and refuse changes, and decide what links a system has.
type system struct {
	before   func(op, path string) error     // asked ahead of every single change
	symlink  func(target, path string) error // instead of a symbolic link
	junction func(target, path string) error // instead of a junction
}

func (s system) ask(op, path string) error {
	if s.before == nil {
		return nil
	}
	return s.before(op, path)
}

// disk is the directory of a place. Names are relative, slash-separated, and
// never lead out of it, whatever links there are on the way.
type disk struct {
	system
	dir  string // resolved
	root *os.Root
}

func openDisk(sys system, dir string) (*disk, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	return &disk{sys, dir, root}, nil
}

func (d *disk) full(name string) string { return filepath.Join(d.dir, filepath.FromSlash(name)) }

// kind is what has a name.
type kind int

const (
	absent kind = iota
	aLink
	aDir
	aFile
	anOther // a FIFO, a socket, a device
)

// look tells what has the name itself (lstat), and where it leads if it is a link.
func (d *disk) look(name string) (k kind, target string, err error) {
	info, err := d.root.Lstat(filepath.FromSlash(name))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return absent, "", nil
	case err != nil:
		return absent, "", err
	case info.Mode()&fs.ModeSymlink != 0:
		target, err = d.root.Readlink(filepath.FromSlash(name))
		return aLink, target, err
	case info.IsDir():
		return aDir, "", nil
	case info.Mode().IsRegular():
		return aFile, "", nil
	}
	if target, ok := junctionTarget(d.full(name), info); ok {
		return aLink, target, nil
	}
	return anOther, "", nil
}

// say names what is in the way.
func (k kind) say() string {
	switch k {
	case aLink:
		return "a link"
	case aDir:
		return "a directory"
	case aFile:
		return "a file"
	case anOther:
		return "a FIFO, socket or device"
	}
	return "nothing"
}

func (d *disk) makeLink(target, name string) error {
	if err := d.ask("symlink", name); err != nil {
		return err
	}
	if d.symlink != nil {
		return d.symlink(target, d.full(name))
	}
	return d.root.Symlink(target, filepath.FromSlash(name))
}

func (d *disk) makeJunction(target, name string) error {
	if err := d.ask("junction", name); err != nil {
		return err
	}
	if d.junction != nil {
		return d.junction(target, d.full(name))
	}
	return makeJunction(target, d.full(name))
}

func (d *disk) makeDir(name string) error {
	if err := d.ask("mkdir", name); err != nil {
		return err
	}
	return d.root.Mkdir(filepath.FromSlash(name), 0o755)
}

// removeLink takes a link away, only if it still leads to one of targets.
func (d *disk) removeLink(name string, targets []string) error {
	k, target, err := d.look(name)
	if err != nil {
		return err
	}
	if k != aLink || !leadsTo(target, targets) {
		return errNotOurs
	}
	return d.remove(name)
}

var errNotOurs = errors.New("it is no longer what promptc made")

func leadsTo(target string, targets []string) bool {
	for _, t := range targets {
		if target == t || samePath(target, t) {
			return true
		}
	}
	return false
}

// removeDir takes an empty directory away; a link or a file is left alone.
func (d *disk) removeDir(name string) error {
	if k, _, err := d.look(name); err != nil || k != aDir {
		return errors.Join(err, errNotOurs)
	}
	return d.remove(name)
}

func (d *disk) remove(name string) error {
	if err := d.ask("remove", name); err != nil {
		return err
	}
	return d.root.Remove(filepath.FromSlash(name))
}

func (d *disk) rename(from, to string) error {
	if err := d.ask("rename", to); err != nil {
		return err
	}
	return d.root.Rename(filepath.FromSlash(from), filepath.FromSlash(to))
}

// removeScratch empties and removes name, which is scratch itself or lies below
// it. Links are taken away, never followed. A name elsewhere is refused.
func (d *disk) removeScratch(scratch, name string) error {
	if scratch == "" || name != scratch && !strings.HasPrefix(name, scratch+"/") {
		return errNotOurs
	}
	k, _, err := d.look(name)
	if err != nil || k == absent {
		return err
	}
	if k == aDir {
		list, err := d.list(name)
		if err != nil {
			return err
		}
		for _, entry := range list {
			if err := d.removeScratch(scratch, path.Join(name, entry)); err != nil {
				return err
			}
		}
	}
	return d.remove(name)
}

func (d *disk) list(name string) ([]string, error) {
	f, err := d.root.Open(filepath.FromSlash(name))
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return f.Readdirnames(-1)
}
