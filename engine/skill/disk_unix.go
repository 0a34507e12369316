//go:build unix

package skill

import (
	"io/fs"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// inodeOf is the number that a file system gives to a file.
func inodeOf(info fs.FileInfo) uint64 {
	if s, ok := info.Sys().(*syscall.Stat_t); ok {
		return uint64(s.Ino)
	}
	return 0
}

// headOf reads the beginning of a file with the fewest calls: no poller, no
// finalizer, one look at the open file. A link is not followed and a pipe not
// waited for.
func headOf(path string, buf []byte) (n int, stamp Stamp, err error) {
	fd, err := retry(func() (int, error) {
		return unix.Open(path, unix.O_RDONLY|unix.O_NOFOLLOW|unix.O_NONBLOCK|unix.O_CLOEXEC, 0)
	})
	if err != nil {
		if err == unix.ELOOP || err == unix.EMLINK {
			return 0, stamp, errSpecial
		}
		return 0, stamp, &fs.PathError{Op: "open", Path: path, Err: err}
	}
	defer unix.Close(fd)
	var st unix.Stat_t
	if err := unix.Fstat(fd, &st); err != nil {
		return 0, stamp, &fs.PathError{Op: "stat", Path: path, Err: err}
	}
	stamp = stampFrom(&st)
	if st.Mode&unix.S_IFMT != unix.S_IFREG {
		return 0, stamp, errSpecial
	}
	for n < len(buf) && (int64(n) < stamp.Size || stamp.Size == 0) { // some systems say 0 of every file
		m, err := retry(func() (int, error) { return unix.Read(fd, buf[n:]) })
		if err != nil {
			return n, stamp, &fs.PathError{Op: "read", Path: path, Err: err}
		}
		if m == 0 {
			break
		}
		n += m
	}
	return n, stamp, ignoresCase(path)
}

// ignoresCase asks for the same name in another spelling: where there is such a
// file too, how the directory spells it can only be told from its entries.
func ignoresCase(path string) error {
	other := []byte(path)
	for i := len(other) - 1; i >= 0 && other[i] != '/'; i-- {
		if c := other[i]; 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' {
			other[i] ^= 0x20
		}
	}
	var st unix.Stat_t
	if unix.Lstat(string(other), &st) == unix.ENOENT {
		return nil
	}
	return errNotExact
}

// statOf looks at a file without following a link in its last place.
func statOf(path string) (Stamp, fs.FileMode, error) {
	var st unix.Stat_t
	if err := unix.Lstat(path, &st); err != nil {
		return Stamp{}, 0, &fs.PathError{Op: "lstat", Path: path, Err: err}
	}
	mode := fs.ModeIrregular
	switch st.Mode & unix.S_IFMT {
	case unix.S_IFREG:
		mode = 0
	case unix.S_IFDIR:
		mode = fs.ModeDir
	case unix.S_IFLNK:
		mode = fs.ModeSymlink
	}
	return stampFrom(&st), mode, nil
}

func stampFrom(st *unix.Stat_t) Stamp {
	return Stamp{Size: st.Size, Time: time.Unix(st.Mtim.Unix()), Inode: uint64(st.Ino)}
}

func retry(call func() (int, error)) (int, error) {
	for {
		n, err := call()
		if err != unix.EINTR {
			return n, err
		}
	}
}
