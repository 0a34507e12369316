//go:build unix

package link

import (
	"errors"
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

func noPrivilege(error) bool { return false }

func diskFull(err error) bool {
	return errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT)
}
func readOnly(err error) bool    { return errors.Is(err, syscall.EROFS) }
func otherDevice(err error) bool { return errors.Is(err, syscall.EXDEV) }

// noLinks also takes EPERM: that is what symlink(2) says on a file system
// without links. A directory that may not be written gives EACCES.
func noLinks(err error) bool {
	if _, ok := errors.AsType[*os.LinkError](err); ok && errors.Is(err, syscall.EPERM) {
		return true
	}
	return errors.Is(err, syscall.ENOTSUP) || errors.Is(err, syscall.ENOSYS)
}

var errNoJunction = errors.New("this system has no junctions")

func makeJunction(target, path string) error {
	return &os.LinkError{Op: "junction", Old: target, New: path, Err: errNoJunction}
}

// junctionTarget reads a junction, which only windows has.
func junctionTarget(string, os.FileInfo) (string, bool) { return "", false }

func samePath(a, b string) bool { return a == b }

const executables = true

// tryLock takes the lock of f unless another process, or another open file of
// this one, has it.
func tryLock(f *os.File) (bool, error) {
	err := unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB)
	if errors.Is(err, unix.EWOULDBLOCK) || errors.Is(err, unix.EINTR) {
		return false, nil
	}
	return err == nil, err
}

// syncDir makes the names in dir durable.
func syncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	defer d.Close()
	if err := d.Sync(); err != nil && !errors.Is(err, syscall.EINVAL) && !errors.Is(err, syscall.ENOTSUP) {
		return err
	}
	return nil
}
