package link

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

// lock waits until no other process works on the place of s, or until ctx ends.
// The returned function ends it, and takes the store's directory away where no
// manifest is left in it.
func (s store) lock(ctx context.Context) (unlock func(), err error) {
	for {
		f, err := s.openLock()
		if err != nil {
			return nil, fmt.Errorf("lock: %w", err)
		}
		if err := waitLock(ctx, f); err != nil {
			f.Close()
			return nil, err
		}
		if s.current(f) {
			return func() { s.unlock(f) }, nil
		}
		f.Close() // whoever had it removed the file: begin again with the new one
	}
}

const lockName = "lock"

func (s store) openLock() (*os.File, error) {
	for {
		if err := s.ask("mkdir", s.dir); err != nil {
			return nil, err
		}
		if err := os.MkdirAll(s.dir, 0o700); err != nil {
			return nil, err
		}
		f, err := os.OpenFile(filepath.Join(s.dir, lockName), os.O_RDWR|os.O_CREATE, 0o600)
		if errors.Is(err, fs.ErrNotExist) {
			continue // the directory was taken away in between
		}
		return f, err
	}
}

// current says whether f still is the lock file that others would open.
func (s store) current(f *os.File) bool {
	a, err := f.Stat()
	if err != nil {
		return false
	}
	b, err := os.Stat(filepath.Join(s.dir, lockName))
	return err == nil && os.SameFile(a, b)
}

func (s store) unlock(f *os.File) {
	defer f.Close()
	if left, err := filepath.Glob(filepath.Join(s.dir, "*.json")); err != nil || len(left) > 0 {
		return
	}
	if s.ask("remove", s.dir) != nil {
		return
	}
	temps, _ := filepath.Glob(filepath.Join(s.dir, "*.tmp"))
	for _, t := range append(temps, filepath.Join(s.dir, lockName), s.dir) {
		os.Remove(t) // what stays is an empty directory of promptc's own
	}
}

// waitLock asks again and again: a lock that blocks could not be cancelled.
func waitLock(ctx context.Context, f *os.File) error {
	const most = 100 * time.Millisecond
	for pause := time.Millisecond; ; pause = min(2*pause, most) {
		if err := ctx.Err(); err != nil {
			return err
		}
		ok, err := tryLock(f)
		if ok || err != nil {
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(pause):
		}
	}
}
