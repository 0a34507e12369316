//go:build unix

package skill

import (
	"io/fs"
	"syscall"
)

// inodeOf is the number that a file system gives to a file.
func inodeOf(info fs.FileInfo) uint64 {
	if s, ok := info.Sys().(*syscall.Stat_t); ok {
		return uint64(s.Ino)
	}
	return 0
}

func headOf(path string, buf []byte) (int, Stamp, error) {
	n, stamp, err := portableHead(path, buf)
	if err == nil {
		err = errNotExact
	}
	return n, stamp, err
}
