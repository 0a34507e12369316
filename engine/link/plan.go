package link

import (
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

// comparison holds a set against the disk and the manifests. It changes nothing.
type comparison struct {
	set    Set
	real   string // the place, resolved
	disk   *disk  // nil where the place is not there yet
	own    *Manifest
	others []*Manifest // of other sessions in the same place

	wanted  map[string]string // folded path of a wanted link -> its skill
	above   map[string]string // folded directory above one -> its skill
	sources map[string]*tree
}

// step is what one link needs.
type step struct {
	Result
	rel   string
	do    action
	entry Entry // as the manifest holds it afterwards
	old   *Entry
	tree  *tree // of a copy
}

type action int

const (
	leave   action = iota // nothing is done, and the manifest says what it said
	note                  // nothing is done on disk; the manifest then holds entry
	create                // nothing is there
	replace               // what is there is ours
	takeAway
	forget // nothing is done on disk; the manifest no longer holds it
)

func (c *comparison) steps() []step {
	c.wanted, c.above, c.sources = map[string]string{}, map[string]string{}, map[string]*tree{}
	var out []step
	for _, w := range c.set.Wants {
		s, err := c.want(w)
		out = append(out, s.unless(err))
	}
	for _, e := range c.own.Entries {
		if e.Kind == Dir || c.wants(e.Path) {
			continue
		}
		s, err := c.unwanted(&e)
		out = append(out, s.unless(err))
	}
	return out
}

func (c *comparison) wants(name string) bool {
	return slices.ContainsFunc(c.set.Wants, func(w Want) bool { return w.Path == name })
}

// unless leaves everything as it is where the comparison failed.
func (s step) unless(err error) step {
	if err == nil {
		return s
	}
	cause, reason := reasonOf(err)
	s.do, s.Result = leave, s.because(Failed, cause, "%s", reason)
	return s
}

func (c *comparison) result(skill, rel, target string) Result {
	return Result{Name: skill, Path: filepath.Join(c.set.Place.Dir, filepath.FromSlash(rel)), Target: target}
}

func (r Result) because(o Outcome, cause Cause, format string, args ...any) Result {
	r.Outcome, r.Cause, r.Reason = o, cause, fmt.Sprintf(format, args...)
	return r
}

// want compares one wanted link with what is there.
func (c *comparison) want(w Want) (step, error) {
	s := step{Result: c.result(w.Skill, w.Path, w.Target), rel: w.Path}
	stop := func(o Outcome, cause Cause, format string, args ...any) (step, error) {
		s.Result = s.because(o, cause, format, args...)
		return s, nil
	}
	if reason := badPath(w.Path); reason != "" {
		s.Path = w.Path
		return stop(Failed, NotLocal, "the path %q %s", w.Path, reason)
	}
	if other, ok := c.clash(w); ok {
		return stop(Conflict, NameClash, "on some disks it would be one with the link to the skill %q", other)
	}
	if !filepath.IsAbs(w.Target) {
		return stop(Failed, SourceMissing, "the target %q is not an absolute path", w.Target)
	}
	if reason := noSource(w.Target); reason != "" {
		return stop(Failed, SourceMissing, "%s", reason)
	}
	if c.looped(w) {
		return stop(Conflict, Ancestor, "the skill's directory %s holds the place of the link", w.Target)
	}
	if parent, k, target, err := c.parent(w.Path); err != nil {
		return s, err
	} else if k != absent {
		if sameDir(c.full(w.Path), w.Target) {
			return stop(Kept, NoCause, "the skill's own directory is found there: %s is a link to %s", parent, target)
		}
		if k == aLink {
			return stop(Conflict, LinkedParent, "%s is a link to %s, and promptc writes through no link", parent, target)
		}
		return stop(Conflict, Exists, "%s is %s, so nothing can be made below it", parent, k.say())
	}
	return c.compare(w, s)
}

// compare decides what becomes of the name itself.
func (c *comparison) compare(w Want, s step) (step, error) {
	there, err := c.look(w.Path)
	if err != nil {
		return s, err
	}
	if c.leaving(w.Path) {
		there = found{} // another spelling of a link of ours that is taken away first
	}
	own := c.own.at(w.Path)
	if own != nil && own.Kind == Dir {
		own = nil
	}
	mine := own != nil && there.is(own)
	asCopy := w.Copy || mine && own.Instead && there.kind == aDir
	s.entry = Entry{Path: w.Path, Kind: Symlink, Skill: w.Skill, Target: w.Target, Links: []string{w.Target}}
	if asCopy {
		if s.tree, err = c.source(w.Target); err != nil {
			cause, reason := reasonOf(err)
			s.Result = s.because(Failed, cause, "the skill cannot be copied: %s", reason)
			return s, nil
		}
		if !s.tree.holds("SKILL.md") && !s.tree.holds("skill.md") {
			s.Result = s.because(Failed, SourceMissing, "its skill file leads outside of its directory, where a copy does not follow")
			return s, nil
		}
		s.entry = Entry{Path: w.Path, Kind: Copy, Skill: w.Skill, Target: w.Target, Hashes: []string{s.tree.sum}, Instead: mine && own.Instead && !w.Copy}
		s.Reason = s.tree.leftOut()
	}
	right := there.is(&s.entry)
	switch {
	case there.kind == absent:
		s.do, s.Outcome = create, Linked
		if asCopy {
			s.Outcome = Copied
		}
	case own != nil && right:
		s.do, s.Outcome = note, Kept
		if own.Kind == Junction && !asCopy {
			s.entry.Kind = Junction
		}
	case mine:
		s.do, s.Outcome, s.old = replace, Repaired, own
		if asCopy {
			s.Outcome = Copied
			s.Reason = strings.TrimSuffix("refreshed, since the skill has changed; "+s.Reason, "; ")
		}
	case own != nil && own.Kind == Copy && there.kind == aDir:
		s.Result = s.because(Conflict, Changed, "the copy was changed after promptc made it")
	default:
		if own != nil {
			s.do = forget
		}
		return c.foreign(w, s, there, right), nil
	}
	return s, nil
}

// foreign decides where the name is taken by what this session did not make.
func (c *comparison) foreign(w Want, s step, there found, right bool) step {
	for _, m := range c.others {
		e := m.at(w.Path)
		if e == nil || e.Kind == Dir || !there.is(e) {
			continue
		}
		if right {
			s.do, s.Result = note, s.because(Kept, NoCause, "the session %q has made it already", m.Session)
			return s
		}
		s.Result = s.because(Conflict, OtherSession, "the session %q has linked the skill %q under this name", m.Session, e.Skill)
		return s
	}
	switch {
	case there.kind == aLink && !w.Copy && sameDir(c.full(w.Path), w.Target):
		s.Result = s.because(Kept, NoCause, "a link that promptc did not make leads there already")
	case there.kind == aDir && sameDir(c.full(w.Path), w.Target):
		s.Result = s.because(Kept, NoCause, "it is the skill's own directory")
	case there.kind == aLink:
		s.Result = s.because(Conflict, Exists, "there is a link to %s that promptc did not make", there.target)
	default:
		s.Result = s.because(Conflict, Exists, "there is %s that promptc did not make", there.kind.say())
	}
	return s
}

// unwanted decides about a link of ours that is in the set no more.
func (c *comparison) unwanted(e *Entry) (step, error) {
	s := step{Result: c.result(e.Skill, e.Path, e.Target), rel: e.Path, old: e, entry: *e}
	if parent, k, target, err := c.parent(e.Path); err != nil {
		return s, err
	} else if k != absent {
		s.do, s.Result = forget, s.because(Kept, LinkedParent, "%s has become %s%s; what is behind it is not promptc's", parent, k.say(), leading(target))
		return s, nil
	}
	there, err := c.look(e.Path)
	if err != nil {
		return s, err
	}
	switch {
	case there.kind == absent:
		s.do, s.Result = forget, s.because(Removed, NoCause, "it was gone already")
	case !there.is(e) && there.kind == aDir && e.Kind == Copy:
		s.Result = s.because(Conflict, Changed, "the copy was changed after promptc made it, so it is left")
	case !there.is(e):
		s.do, s.Result = forget, s.because(Kept, Exists, "it is %s%s by now, which promptc did not make", there.kind.say(), leading(there.target))
	default:
		for _, m := range c.others {
			if o := m.at(e.Path); o != nil && o.Kind != Dir && there.is(o) {
				s.do, s.Result = forget, s.because(Kept, OtherSession, "the session %q uses it as well", m.Session)
				return s, nil
			}
		}
		s.do, s.Outcome = takeAway, Removed
	}
	return s, nil
}

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

func (c *comparison) source(dir string) (*tree, error) {
	if t, ok := c.sources[dir]; ok {
		return t, nil
	}
	t, err := sourceTree(dir)
	if err == nil {
		c.sources[dir] = t
	}
	return t, err
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

// badPath says what is wrong with the path of a link; "" where nothing is.
func badPath(name string) string {
	switch {
	case !local(name):
		return "leads out of the place"
	case strings.ContainsFunc(name, func(r rune) bool { return r < ' ' || r == 0x7f }):
		return "holds a control character"
	}
	for part := range strings.SplitSeq(name, "/") {
		if fold(part) == ".git" || strings.HasPrefix(part, scratchPrefix) {
			return "leads into a directory that is not for links"
		}
	}
	return ""
}

// noSource says why dir is no skill's directory; "" where it is one.
func noSource(dir string) string {
	info, err := os.Stat(dir)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return fmt.Sprintf("the skill's directory %s is gone", dir)
	case err != nil:
		_, reason := reasonOf(err)
		return fmt.Sprintf("the skill's directory %s cannot be read: %s", dir, reason)
	case !info.IsDir():
		return fmt.Sprintf("%s is not a directory", dir)
	}
	if err := openSkillFile(dir); err != nil {
		return fmt.Sprintf("the skill's directory %s holds no SKILL.md that can be read", dir)
	}
	return ""
}

// openSkillFile opens and closes the skill file of dir, through whatever links
// there are.
func openSkillFile(dir string) error {
	var last error
	for _, name := range []string{"SKILL.md", "skill.md"} {
		file := filepath.Join(dir, name)
		info, err := os.Stat(file)
		if err == nil && !info.Mode().IsRegular() {
			err = fmt.Errorf("%s is not a file", file)
		}
		if err == nil {
			f, err := os.Open(file)
			if err == nil {
				return f.Close()
			}
		}
		last = err
	}
	return last
}
