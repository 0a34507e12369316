package lint

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/promptc/promptc/engine/diag"
)

// Write puts the patch in place of the file, as a whole or not at all, with the
// file's own mode. Of a linked file the target is rewritten, and only where it
// really lies inside of the path that was given. It refuses, with a fix-refused
// diagnostic for diag.Of, a file that lies elsewhere, that changed since the patch
// was made, or that may not be written; such a file is as it was.
func (p Patch) Write() error {
	if err := p.write(); err != nil {
		return diag.List{diag.New(diag.FixRefused, diag.At(p.Path), "%s was not fixed: %v", p.Path, reason(err))}.Err()
	}
	return nil
}

func (p Patch) write() error {
	real, err := filepath.EvalSymlinks(p.Path)
	if err != nil {
		return err
	}
	name, err := filepath.Rel(p.within, real)
	if err != nil || !filepath.IsLocal(name) {
		return fmt.Errorf("it really is %s, outside of %s", real, p.within)
	}
	root, err := os.OpenRoot(p.within)
	if err != nil {
		return err
	}
	defer root.Close()
	mode, err := p.unchanged(root, name)
	if errors.Is(err, errFixed) {
		return nil
	}
	if err != nil {
		return err
	}
	temporary, err := writeBeside(root, name, p.After, mode)
	if err != nil {
		return err
	}
	if _, err = p.unchanged(root, name); err == nil {
		err = root.Rename(temporary, name)
	}
	if err != nil {
		return errors.Join(err, root.Remove(temporary))
	}
	return nil
}

// errFixed says that the file is as the patch makes it: it was reached in two ways.
var errFixed = errors.New("it is fixed already")

// unchanged reports the mode of a file that may be written and holds what the patch
// was made from.
func (p Patch) unchanged(root *os.Root, name string) (fs.FileMode, error) {
	f, err := root.OpenFile(name, os.O_RDWR, 0)
	if err != nil {
		return 0, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return 0, err
	}
	if !info.Mode().IsRegular() {
		return 0, errors.New("it is not a regular file")
	}
	now, err := io.ReadAll(io.LimitReader(f, int64(len(p.After))+1))
	switch {
	case err != nil:
		return 0, err
	case bytes.Equal(now, p.After):
		return 0, errFixed
	case !bytes.Equal(now, p.Before):
		return 0, errors.New("it changed meanwhile")
	}
	return info.Mode().Perm(), nil
}

// writeBeside writes a new file in the directory of name and returns its name.
func writeBeside(root *os.Root, name string, data []byte, mode fs.FileMode) (temporary string, err error) {
	const tries = 100
	var f *os.File
	for n := range tries {
		temporary = filepath.Join(filepath.Dir(name), fmt.Sprintf(".%s.promptc-%d", filepath.Base(name), n))
		if f, err = root.OpenFile(temporary, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode); !errors.Is(err, fs.ErrExist) {
			break
		}
	}
	if err != nil {
		return "", err
	}
	_, err = f.Write(data)
	if err == nil {
		err = f.Chmod(mode) // what the umask took away
	}
	if err == nil {
		err = f.Sync()
	}
	if err = errors.Join(err, f.Close()); err != nil {
		return "", errors.Join(err, root.Remove(temporary))
	}
	return temporary, nil
}

// reason is what the system said, without the path that the message has already.
func reason(err error) error {
	if p, ok := errors.AsType[*fs.PathError](err); ok {
		return p.Err
	}
	return err
}
