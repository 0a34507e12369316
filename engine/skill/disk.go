package skill

import (
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// disk is a ground on the disk, through the os package.
type disk struct {
	dir     string // as found
	realDir string
}

// path is the whole path of a name, which is clean.
func (d disk) path(name string) string { return below(d.dir, name) }

func below(dir, name string) string {
	if name == "." {
		return dir
	}
	return dir + string(filepath.Separator) + filepath.FromSlash(name)
}

func (d disk) list(dir string) ([]dirent, error) {
	list, err := os.ReadDir(d.path(dir))
	out := make([]dirent, 0, len(list))
	for _, e := range list {
		out = append(out, dirent{e.Name(), e.Type()})
	}
	return out, err
}

func (d disk) stat(name string) (Stamp, fs.FileMode, error) {
	return statOf(d.path(name))
}

func (d disk) head(name string, buf []byte) (int, Stamp, error) {
	return headOf(d.path(name), buf)
}

func (d disk) whole(name string) ([]byte, error) { return wholeFile(d.path(name)) }

func (d disk) sub(dir string) fs.FS { return dirFS(d.path(dir)) }

func (d disk) real(dir string) string { return below(d.realDir, dir) }

// stampOf is the stamp of a file.
func stampOf(info fs.FileInfo) Stamp {
	return Stamp{Size: info.Size(), Time: info.ModTime(), Inode: inodeOf(info)}
}

// wholeFile reads a file up to the size that a skill file may have, and a byte
// more.
func wholeFile(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, maxFile+1))
}

// dirFS is a directory as a file system that holds no descriptor: each call opens
// the directory through os.Root and closes it again. A link that leads out of the
// directory cannot be opened.
type dirFS string

func (d dirFS) root() (*os.Root, error) { return os.OpenRoot(string(d)) }

// Open opens a file below the directory.
func (d dirFS) Open(name string) (fs.File, error) { return within(d, fs.FS.Open, name) }

// ReadDir lists a directory below it.
func (d dirFS) ReadDir(name string) ([]fs.DirEntry, error) { return within(d, fs.ReadDir, name) }

// Stat follows links that stay inside.
func (d dirFS) Stat(name string) (fs.FileInfo, error) { return within(d, fs.Stat, name) }

// Lstat does not follow a link in the last place.
func (d dirFS) Lstat(name string) (fs.FileInfo, error) { return within(d, fs.Lstat, name) }

// ReadLink is where a link leads, as it is written.
func (d dirFS) ReadLink(name string) (string, error) { return within(d, fs.ReadLink, name) }

func within[T any](d dirFS, call func(fs.FS, string) (T, error), name string) (T, error) {
	root, err := d.root()
	if err != nil {
		var zero T
		return zero, err
	}
	defer root.Close()
	return call(root.FS(), name)
}
