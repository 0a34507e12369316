package link

import (
	"os"
	"path"
	"path/filepath"
	"slices"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

func leading(target string) string {
	if target == "" {
		return ""
	}
	return " to " + target
}

// found is what has a name on disk.
type found struct {
	kind   kind
	target string // of a link
	sum    string // of a directory, as far as anybody claims to have copied it
}

// is says whether what is there is as e has it.
func (f found) is(e *Entry) bool {
	return f.kind == aLink && leadsTo(f.target, e.Links) || f.kind == aDir && f.sum != "" && slices.Contains(e.Hashes, f.sum)
}

// sharer is another session that has what is there, and its entry.
func (c *comparison) sharer(name string, there found) (*Manifest, *Entry) {
	for _, m := range c.others {
		if e := m.at(name); e != nil && e.Kind != Dir && there.is(e) {
			return m, e
		}
	}
	return nil, nil
}

func (c *comparison) look(name string) (found, error) {
	if c.disk == nil {
		return found{}, nil
	}
	k, target, err := c.disk.look(name)
	if err != nil {
		return found{}, err
	}
	f := found{kind: k, target: target}
	copied := func(m *Manifest) bool { e := m.at(name); return e != nil && len(e.Hashes) > 0 }
	if k == aDir && (copied(c.own) || slices.ContainsFunc(c.others, copied)) {
		if f.sum, err = c.disk.copySum(name); err != nil {
			return found{}, err
		}
	}
	return f, nil
}

// parent returns the first directory above name that is none, and what it is
// instead; absent where all of them are directories or not there.
func (c *comparison) parent(name string) (string, kind, string, error) {
	if c.disk == nil {
		return "", absent, "", nil
	}
	for _, dir := range parents(name) {
		k, target, err := c.disk.look(dir)
		if err != nil || k == absent {
			return "", absent, "", err
		}
		if k != aDir {
			return dir, k, target, nil
		}
	}
	return "", absent, "", nil
}

// parents lists the directories above name, the topmost first.
func parents(name string) []string {
	var out []string
	for dir := path.Dir(name); dir != "."; dir = path.Dir(dir) {
		out = append(out, dir)
	}
	slices.Reverse(out)
	return out
}

func (c *comparison) full(name string) string {
	return filepath.Join(c.real, filepath.FromSlash(name))
}

func fold(name string) string { return norm.NFC.String(cases.Fold().String(norm.NFC.String(name))) }

// clash says with which skill's link w would be one, or in one, on a disk that
// ignores case or how Unicode composes a letter.
func (c *comparison) clash(w Want) (string, bool) {
	name := fold(w.Path)
	if other, ok := c.wanted[name]; ok {
		return other, true
	}
	if other, ok := c.above[name]; ok {
		return other, true
	}
	for _, dir := range parents(name) {
		if other, ok := c.wanted[dir]; ok {
			return other, true
		}
	}
	c.wanted[name] = w.Skill
	for _, dir := range parents(name) {
		c.above[dir] = w.Skill
	}
	return "", false
}

// leaving says whether what has the name is a link of ours by another spelling,
// which is no longer wanted.
func (c *comparison) leaving(name string) bool {
	if c.disk == nil || c.own.at(name) != nil {
		return false
	}
	here, err := os.Lstat(c.full(name))
	if err != nil {
		return false
	}
	for _, e := range c.own.Entries {
		if e.Kind == Dir || e.Path == name || fold(e.Path) != fold(name) || c.wants(e.Path) {
			continue
		}
		if there, err := os.Lstat(c.full(e.Path)); err == nil && os.SameFile(here, there) {
			return true
		}
	}
	return false
}

// looped says whether the target of w is a directory above the link, in which it
// would turn in circles.
func (c *comparison) looped(w Want) bool {
	target, err := os.Stat(w.Target)
	if err != nil {
		return false
	}
	for dir := filepath.Dir(c.full(w.Path)); ; dir = filepath.Dir(dir) {
		if info, err := os.Stat(dir); err == nil && os.SameFile(info, target) {
			return true
		}
		if dir == filepath.Dir(dir) {
			return false
		}
	}
}
