package skill

import (
	"errors"
	"io"
	"io/fs"
	"time"
)

// ground is where a root's directories lie: on a disk or in memory. Names are
// slash-separated and relative to the root; "." is the root itself.
type ground interface {
	// list gives the entries of a directory, sorted by name; links are not followed.
	list(dir string) ([]dirent, error)
	// stat looks at a name without following a link in its last place.
	stat(name string) (Stamp, fs.FileMode, error)
	// head reads the first len(buf) bytes of a regular file, or less where the file
	// is shorter. It fails with errNotExact where the file's name may be spelt
	// otherwise, and with errSpecial where it is a link or no regular file.
	head(name string, buf []byte) (n int, stamp Stamp, err error)
	// whole reads a file up to the size that a skill file may have, and a byte more.
	whole(name string) ([]byte, error)
	// sub is a directory as a file system.
	sub(dir string) fs.FS
	// real is the path of a directory on the disk without links, or "".
	real(dir string) string
}

// dirent is an entry of a directory. Mode holds the type only.
type dirent struct {
	name string
	mode fs.FileMode
}

var (
	errNotExact = errors.New("the name may be spelt otherwise")
	errSpecial  = errors.New("not a regular file")
)

// memory is a ground in memory.
type memory struct{ fsys fs.FS }

func (m memory) list(dir string) ([]dirent, error) {
	list, err := fs.ReadDir(m.fsys, dir)
	out := make([]dirent, 0, len(list))
	for _, e := range list {
		out = append(out, dirent{e.Name(), e.Type()})
	}
	return out, err
}

func (m memory) stat(name string) (Stamp, fs.FileMode, error) {
	info, err := fs.Stat(m.fsys, name)
	if err != nil {
		return Stamp{}, 0, err
	}
	return Stamp{Size: info.Size(), Time: info.ModTime()}, info.Mode(), nil
}

func (m memory) head(name string, buf []byte) (int, Stamp, error) {
	f, err := m.fsys.Open(name)
	if err != nil {
		return 0, Stamp{}, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return 0, Stamp{}, err
	}
	stamp := Stamp{Size: info.Size(), Time: info.ModTime()}
	if !info.Mode().IsRegular() {
		return 0, stamp, errSpecial
	}
	n, err := io.ReadFull(f, buf)
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		err = nil
	}
	return n, stamp, err
}

func (m memory) whole(name string) ([]byte, error) {
	f, err := m.fsys.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, maxFile+1))
}

func (m memory) sub(dir string) fs.FS {
	if sub, err := fs.Sub(m.fsys, dir); err == nil {
		return sub
	}
	return m.fsys
}

func (m memory) real(string) string { return "" }

// isZero reports whether a stamp says nothing: then a file counts as changed.
func (s Stamp) isZero() bool { return s.Time.Equal(time.Time{}) }

func join(dir, name string) string {
	if dir == "." {
		return name
	}
	return dir + "/" + name
}
