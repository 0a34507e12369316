package link

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
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
		if m, e := c.sharer(w.Path, there); m != nil && (e.Target != w.Target || asCopy != (there.kind == aDir)) {
			s.Result = s.because(Conflict, OtherSession, "the session %q uses what is there for the skill %q", m.Session, e.Skill)
			return s, nil
		}
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
	if m, e := c.sharer(w.Path, there); m != nil {
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
		if m, _ := c.sharer(e.Path, there); m != nil {
			s.do, s.Result = forget, s.because(Kept, OtherSession, "the session %q uses it as well", m.Session)
			return s, nil
		}
		s.do, s.Outcome = takeAway, Removed
	}
	return s, nil
}
