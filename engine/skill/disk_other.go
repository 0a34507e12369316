//go:build !unix

package skill

import (
	"errors"
	"io"
	"io/fs"
	"os"
)

// inodeOf is 0: this system's files have no such number.
func inodeOf(fs.FileInfo) uint64 { return 0 }

// headOf reads the beginning of a file. How its name is spelt must be looked up.
func headOf(path string, buf []byte) (int, Stamp, error) {
	stamp, mode, err := statOf(path)
	if err != nil {
		return 0, stamp, err
	}
	if !mode.IsRegular() {
		return 0, stamp, errSpecial
	}
	f, err := os.Open(path)
	if err != nil {
		return 0, stamp, err
	}
	defer f.Close()
	n, err := io.ReadFull(f, buf)
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		return n, stamp, err
	}
	return n, stamp, errNotExact
}

// statOf looks at a file without following a link in its last place.
func statOf(path string) (Stamp, fs.FileMode, error) {
	info, err := os.Lstat(path)
	if err != nil {
		return Stamp{}, 0, err
	}
	return stampOf(info), info.Mode(), nil
}
