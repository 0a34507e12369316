package link

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/promptc/promptc/engine/diag"
)

// StateDir is where promptc keeps its views and manifests: $XDG_STATE_HOME/promptc,
// %LOCALAPPDATA%\promptc on windows, else ~/.local/state/promptc. As that standard
// demands, a relative XDG_STATE_HOME is ignored. It returns an error where neither a
// variable nor home says where.
func StateDir(goos string, lookup func(string) (string, bool), home string) (string, error) {
	from := func(key string) string {
		if lookup == nil {
			return ""
		}
		if v, ok := lookup(key); ok && filepath.IsAbs(v) {
			return v
		}
		return ""
	}
	base := from("XDG_STATE_HOME")
	if goos == "windows" {
		base = cmp.Or(base, from("LOCALAPPDATA"))
	}
	if base == "" && home != "" {
		base = filepath.Join(home, ".local", "state")
	}
	if base == "" {
		return "", errors.New("no state directory: neither XDG_STATE_HOME nor a home directory is known")
	}
	return filepath.Join(base, "promptc"), nil
}

// ViewDir is the view of a session below state; it makes nothing. An id that
// cannot be that of one directory is refused with a spec-value diagnostic.
func ViewDir(state, session string) (string, error) {
	if err := checkSession(session); err != nil {
		return "", err
	}
	return filepath.Join(state, "views", session), nil
}

// DefaultSession derives a session's id from what tells sessions apart: the same
// arguments give the same id, in any process and at any time.
func DefaultSession(agent, workspace, spec string) string {
	sum := hash12(agent, workspace, spec)
	name := strings.Trim(strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' || r == '-' {
			return r
		}
		return -1
	}, strings.ToLower(agent)), "-")
	return cmp.Or(name, "session") + "-" + sum
}

// hash12 names a list of texts by 12 hex digits.
func hash12(parts ...string) string {
	h := sha256.New()
	for _, p := range parts {
		fmt.Fprintf(h, "%d:%s", len(p), p)
	}
	return hex.EncodeToString(h.Sum(nil))[:12]
}

const maxSession = 100 // bytes

// checkSession refuses an id that is not the plain name of one directory (A25).
func checkSession(id string) error {
	reason := ""
	switch {
	case id == "":
		reason = "is empty"
	case len(id) > maxSession:
		reason = fmt.Sprintf("is longer than %d bytes", maxSession)
	case !utf8.ValidString(id):
		reason = "is not valid UTF-8"
	case strings.ContainsFunc(id, unicode.IsControl):
		reason = "holds a control character"
	case strings.ContainsAny(id, `/\:`):
		reason = "holds a separator"
	case strings.HasPrefix(id, "."), strings.Contains(id, ".."):
		reason = `begins with a dot or holds ".."`
	case strings.TrimRight(strings.TrimSpace(id), ".") != id:
		reason = "begins or ends with a blank or ends with a dot"
	case !filepath.IsLocal(id):
		reason = "is no name for a directory"
	default:
		return nil
	}
	return diag.List{diag.New(diag.SpecValue, diag.Pos{}, "the session id %q %s", id, reason).
		WithHint("use letters, digits, hyphens and single dots")}.Err()
}

// realPlace resolves the directory of a place and refuses the file system's root
// and the home directory. Where the place may still have to be made it is named
// by its nearest existing parent.
func realPlace(dir, home string) (string, error) {
	if dir == "" {
		return "", diag.List{diag.New(diag.PlaceMissing, diag.Pos{}, "no directory was named in which links may be made")}.Err()
	}
	if !filepath.IsAbs(dir) {
		return "", refusePlace(dir, "is not an absolute path")
	}
	real, err := resolve(dir)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return "", noPlace(dir)
	case err != nil:
		_, reason := reasonOf(err)
		return "", refusePlace(dir, "cannot be used: "+reason)
	}
	if filepath.Dir(real) == real {
		return "", refusePlace(dir, "is the root of the file system")
	}
	if home != "" && sameDir(home, real) {
		return "", refusePlace(dir, "is the home directory")
	}
	return real, nil
}

func refusePlace(dir, reason string) error {
	return diag.List{diag.New(diag.PlaceRefused, diag.At(dir), "no links are made in %s: it %s", dir, reason)}.Err()
}

func noPlace(dir string) error {
	return diag.List{diag.New(diag.PlaceMissing, diag.At(dir), "the directory %s, in which links were to be made, does not exist", dir).
		WithHint("create it, or correct the path")}.Err()
}

// resolve is filepath.EvalSymlinks that lets the last elements be missing.
func resolve(path string) (string, error) {
	path = filepath.Clean(path)
	real, err := filepath.EvalSymlinks(path)
	if err == nil || !errors.Is(err, os.ErrNotExist) {
		return real, err
	}
	if _, e := os.Lstat(path); e == nil {
		return "", err // a link that leads nowhere
	}
	dir := filepath.Dir(path)
	if dir == path {
		return "", err
	}
	real, err = resolve(dir)
	return filepath.Join(real, filepath.Base(path)), err
}

// sameDir says whether two paths lead to one file, by whatever names.
func sameDir(a, b string) bool {
	x, err := os.Stat(a)
	if err != nil {
		return false
	}
	y, err := os.Stat(b)
	return err == nil && os.SameFile(x, y)
}
