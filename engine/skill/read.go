package skill

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"hash/maphash"
	"io"
	"io/fs"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
)

var (
	// ErrOutside is wrapped where a name leads out of a skill to a place that its
	// links may not reach.
	ErrOutside = errors.New("outside of the skill")
	// ErrTooLarge is wrapped where a file is larger than is ever read.
	ErrTooLarge = errors.New("larger than 1 MiB")
)

const tooLarge = "the file is larger than 1024 KiB"

// Read reads the whole skill file. The error wraps fs.ErrNotExist where it is gone,
// ErrOutside where it is a link that is not followed, ErrTooLarge where it is
// larger than 1 MiB.
func (f *Found) Read(ctx context.Context) (*Content, error) {
	raw, err := f.bytes(ctx)
	if err != nil {
		return nil, err
	}
	p := Parse(f.Dir, f.Path, raw)
	h := sum(sha256.Sum256(raw))
	if f.shared != nil {
		f.shared.remember(f.Path, h)
	}
	form := p.Form
	form.Depth, form.Hidden, form.InModules, form.InSkill = f.Form.Depth, f.Form.Hidden, f.Form.InModules, f.Form.InSkill
	form.LinkedDir, form.LinkedFile, form.Target = f.Form.LinkedDir, f.Form.LinkedFile, f.Form.Target
	return &Content{Body: p.Body, Raw: raw, SHA256: h.String(), Size: int64(len(raw)), BodyLine: p.BodyLine, Form: form, Fields: p.Fields, Problems: p.Problems}, nil
}

func (f *Found) bytes(ctx context.Context) ([]byte, error) {
	return f.ReadFile(ctx, f.Form.FileName)
}

// ReadFile reads a file of the skill. Name is slash-separated and relative to the
// skill's directory. The error wraps fs.ErrNotExist where there is no such file,
// ErrOutside where the name, or a link on its way, leads out of the skill to a
// place that is neither under a root nor under an allowed target, and ErrTooLarge
// where it is larger than 1 MiB.
func (f *Found) ReadFile(ctx context.Context, name string) ([]byte, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	clean, err := localName(name)
	if err != nil {
		return nil, err
	}
	info, err := fs.Stat(f.FS, clean)
	if err != nil {
		if dir, ok := f.FS.(dirFS); ok && !f.staysInside(dir, clean) {
			return f.readOutside(dir, clean)
		}
		if _, system := errors.AsType[syscall.Errno](err); !system && !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, fs.ErrPermission) {
			return nil, fmt.Errorf("%q: %w", name, ErrOutside) // a link out of the skill to what is not there
		}
		return nil, fmt.Errorf("%q: %w", name, cause(err))
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%q is not a regular file: %w", name, fs.ErrNotExist)
	}
	return readBounded(f.FS, clean)
}

// localName cleans the name of a file inside of a skill, or says that it leads out.
func localName(name string) (string, error) {
	if runtime.GOOS == "windows" && strings.ContainsRune(name, '\\') {
		return "", fmt.Errorf("%q: %w", name, ErrOutside)
	}
	local := filepath.FromSlash(name)
	if name == "" || strings.ContainsRune(name, 0) || filepath.Clean(local) == "." {
		return "", fmt.Errorf("%q names no file: %w", name, fs.ErrNotExist)
	}
	if !filepath.IsLocal(local) {
		return "", fmt.Errorf("%q: %w", name, ErrOutside)
	}
	return filepath.ToSlash(filepath.Clean(local)), nil
}

// staysInside reports whether name, followed through its links, is in the skill's
// directory. A name that leads nowhere stays inside.
func (f *Found) staysInside(dir dirFS, name string) bool {
	own, err := filepath.EvalSymlinks(string(dir))
	if err != nil {
		return true
	}
	real, err := filepath.EvalSymlinks(filepath.Join(string(dir), filepath.FromSlash(name)))
	return err != nil || under(real, own)
}

// readOutside reads a file to which a link of the skill leads, through os.Root of
// the place that allows it.
func (f *Found) readOutside(dir dirFS, name string) ([]byte, error) {
	real, err := filepath.EvalSymlinks(filepath.Join(string(dir), filepath.FromSlash(name)))
	if err != nil {
		return nil, fmt.Errorf("%q: %w", name, cause(err))
	}
	if f.shared != nil {
		for _, reach := range f.shared.reach {
			if rel, err := filepath.Rel(reach, real); err == nil && filepath.IsLocal(rel) {
				fsys := dirFS(reach)
				if info, err := fs.Stat(fsys, filepath.ToSlash(rel)); err != nil || !info.Mode().IsRegular() {
					return nil, fmt.Errorf("%q is not a regular file: %w", name, fs.ErrNotExist)
				}
				return readBounded(fsys, filepath.ToSlash(rel))
			}
		}
	}
	return nil, fmt.Errorf("%q: %w", name, ErrOutside)
}

func readBounded(fsys fs.FS, name string) ([]byte, error) {
	file, err := fsys.Open(name)
	if err != nil {
		return nil, fmt.Errorf("%q: %w", name, cause(err))
	}
	defer file.Close()
	raw, err := io.ReadAll(io.LimitReader(file, maxFile+1))
	switch {
	case err != nil:
		return nil, fmt.Errorf("%q: %w", name, cause(err))
	case len(raw) > maxFile:
		return nil, fmt.Errorf("%q: %w", name, ErrTooLarge)
	}
	return raw, nil
}

// headSum tells two beginnings of a file apart.
func headSum(seed maphash.Seed, head []byte) uint64 { return maphash.Bytes(seed, head) }
