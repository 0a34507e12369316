package link

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// A copy holds at most this much.
const (
	maxCopyFiles = 10_000
	maxCopyBytes = 256 << 20
)

var errTooLarge = fmt.Errorf("a copy holds at most %d files and %d MiB", maxCopyFiles, maxCopyBytes>>20)

// tree is the content of a directory, as a copy has it.
type tree struct {
	items   []item   // a directory stands before what it holds
	skipped []string // what a copy leaves out, and why
	sum     string   // changes with every name, byte and executable bit
}

type item struct {
	path string
	dir  bool
	exec bool
}

// readTree reads all of root. With follow, links are taken for what they lead to
// where that lies inside; those that lead outside, FIFOs, devices and .git are
// skipped. Without, none of these is in a copy of ours, so they are an error.
func readTree(root *os.Root, follow bool) (*tree, error) {
	r := &treeReader{root: root, follow: follow, tree: &tree{}, hash: sha256.New()}
	if err := r.dir(".", nil); err != nil {
		return nil, err
	}
	r.tree.sum = "sha256:" + hex.EncodeToString(r.hash.Sum(nil))
	return r.tree, nil
}

type treeReader struct {
	root   *os.Root
	follow bool
	tree   *tree
	hash   hash.Hash
	bytes  int64
}

var errNotCopied = errors.New("it holds something that no copy holds")

func (r *treeReader) dir(name string, above []fs.FileInfo) error {
	f, err := r.root.Open(filepath.FromSlash(name))
	if err != nil {
		return err
	}
	info, err := f.Stat()
	names, err2 := f.Readdirnames(-1)
	f.Close()
	if err := errors.Join(err, err2); err != nil {
		return err
	}
	if slices.ContainsFunc(above, func(a fs.FileInfo) bool { return os.SameFile(a, info) }) {
		r.skip(name, "a link to a directory that it lies in")
		return nil
	}
	above = append(slices.Clip(above), info)
	if name != "." {
		r.add(item{path: name, dir: true}, nil)
	}
	slices.Sort(names)
	for _, n := range names {
		if err := r.entry(path.Join(name, n), above); err != nil {
			return err
		}
	}
	return nil
}

func (r *treeReader) entry(name string, above []fs.FileInfo) error {
	if len(r.tree.items) >= maxCopyFiles {
		return errTooLarge
	}
	info, err := r.root.Lstat(filepath.FromSlash(name))
	if err != nil {
		return err
	}
	if r.follow && path.Base(name) == ".git" {
		r.skip(name, "git's own")
		return nil
	}
	if r.follow && info.Mode()&(fs.ModeSymlink|fs.ModeIrregular) != 0 {
		if info, err = r.root.Stat(filepath.FromSlash(name)); err != nil {
			r.skip(name, "a link that leads outside of the skill, or nowhere")
			return nil
		}
	}
	switch {
	case info.IsDir():
		return r.dir(name, above)
	case info.Mode().IsRegular():
		return r.file(name)
	case r.follow:
		r.skip(name, "neither a file nor a directory")
		return nil
	}
	return errNotCopied
}

func (r *treeReader) file(name string) error {
	f, err := r.root.Open(filepath.FromSlash(name))
	if err != nil {
		return err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return err
	}
	h := sha256.New()
	n, err := io.Copy(h, io.LimitReader(f, maxCopyBytes-r.bytes+1))
	if err != nil {
		return err
	}
	if r.bytes += n; r.bytes > maxCopyBytes {
		return errTooLarge
	}
	r.add(item{path: name, exec: executables && info.Mode()&0o111 != 0}, h.Sum(nil))
	return nil
}

func (r *treeReader) add(i item, sum []byte) {
	fmt.Fprintf(r.hash, "%q %t %t %x\n", i.path, i.dir, i.exec, sum)
	r.tree.items = append(r.tree.items, i)
}

func (r *treeReader) skip(name, why string) {
	if name == "." {
		return
	}
	r.tree.skipped = append(r.tree.skipped, name+" ("+why+")")
}

// leftOut is what skipped says, in a clause; "" where nothing was.
func (t *tree) leftOut() string {
	const most = 3
	list := t.skipped
	switch {
	case len(list) == 0:
		return ""
	case len(list) > most:
		return fmt.Sprintf("left out: %s and %d more", strings.Join(list[:most], ", "), len(list)-most)
	}
	return "left out: " + strings.Join(list, ", ")
}

// holds says whether t has a file of that name.
func (t *tree) holds(name string) bool {
	return slices.ContainsFunc(t.items, func(i item) bool { return i.path == name && !i.dir })
}

// sourceTree reads a skill's directory as a copy would hold it.
func sourceTree(dir string) (*tree, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	return readTree(root, true)
}

// copySum is the sum of a copy at name, or "" where it holds what no copy holds.
func (d *disk) copySum(name string) (string, error) {
	root, err := d.root.OpenRoot(filepath.FromSlash(name))
	if err != nil {
		return "", err
	}
	defer root.Close()
	t, err := readTree(root, false)
	if errors.Is(err, errNotCopied) || errors.Is(err, errTooLarge) {
		return "", nil
	}
	if err != nil {
		return "", err
	}
	return t.sum, nil
}

// writeCopy makes name, which must not exist, a copy of the directory source.
func (d *disk) writeCopy(source string, t *tree, name string) error {
	root, err := os.OpenRoot(source)
	if err != nil {
		return err
	}
	defer root.Close()
	if err := d.makeDir(name); err != nil {
		return err
	}
	for _, i := range t.items {
		to := path.Join(name, i.path)
		if i.dir {
			err = d.makeDir(to)
		} else {
			err = d.writeFile(root, i, to)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (d *disk) writeFile(root *os.Root, i item, to string) error {
	from, err := root.Open(filepath.FromSlash(i.path))
	if err != nil {
		return err
	}
	defer from.Close()
	if err := d.ask("create", to); err != nil {
		return err
	}
	perm := fs.FileMode(0o644)
	if i.exec {
		perm = 0o755
	}
	f, err := d.root.OpenFile(filepath.FromSlash(to), os.O_WRONLY|os.O_CREATE|os.O_EXCL, perm)
	if err != nil {
		return err
	}
	defer f.Close()
	if err := d.ask("write", to); err != nil {
		return err
	}
	if _, err := io.Copy(f, io.LimitReader(from, maxCopyBytes)); err != nil {
		return err
	}
	return f.Close()
}

// emptySum is the sum of an empty directory.
func emptySum() string { return "sha256:" + hex.EncodeToString(sha256.New().Sum(nil)) }
