package link

import (
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/promptc/promptc/engine"
	"github.com/promptc/promptc/engine/agent"
	"github.com/promptc/promptc/engine/skill"
)

// files asks whether the model may read what lies beside the SKILL.md.
func (c *checking) files(i int) ([]FileCheck, Step) {
	w := c.Wants[i]
	src := c.Sources[w.Target]
	s := c.reach(w, src)
	s.Step = StepFiles
	out := []FileCheck{}
	all := s.OK
	for _, name := range src.Files {
		f := FileCheck{Path: name, Readable: s.OK}
		switch {
		case !slices.Contains(src.Outside, name):
		case w.Copy:
			f.Readable, f.Reason = agent.No, "it is a link out of the skill, and a copy holds no links"
		case s.OK == agent.Yes && !agent.Is(c.Facts.Links.Reads, agent.No):
			f.Readable, f.Reason = agent.Unknown, "it is a link out of the skill, and it is not known whether "+c.Facts.ID+" follows it"
		default:
			f.Readable, f.Reason = agent.No, "it is a link out of the skill"
		}
		if f.Reason == "" && f.Readable != agent.Yes {
			f.Reason = s.Detail
		}
		if f.Readable != s.OK {
			all = and(all, f.Readable)
		}
		out = append(out, f)
	}
	if all != s.OK {
		s.OK, s.Detail = all, s.Detail+"; but "+strings.Join(src.Outside, ", ")+" leads out of the skill"
		s.Fix = "put a copy of the file into " + engine.ShellWord(w.Target)
	}
	return out, s
}

// reach asks whether the model may read in the skill's directory at all.
func (c *checking) reach(w Want, src Source) Step {
	id, reads, dir := c.Facts.ID, c.Facts.Links.Reads, c.Facts.Runs.ReadDir
	yes := func(detail string, from *agent.Source) Step {
		return Step{OK: agent.Yes, Detail: detail, Fact: factOf(from)}
	}
	handed := func(path string) bool {
		return !dir.Value.Empty() && holds(c.Launch, filled(dir.Value, path))
	}
	switch {
	case w.Copy && !c.Place.View:
		return yes("the copy lies in the workspace", nil)
	case w.Copy && (handed(c.Place.Dir) || handed(w.Target)):
		return yes("the launch hands the view over for reading", dir.Source)
	case w.Copy:
		return Step{OK: agent.Unknown, Detail: "the copy lies in a view, and it is not known whether " + id + " reads there"}
	case src.Inside:
		return yes("the link leads to a directory of the workspace", nil)
	case handed(w.Target):
		return yes("the launch has "+filled(dir.Value, w.Target).String(), dir.Source)
	case agent.Is(reads, agent.Yes):
		detail := id + " reads behind the link"
		if c.Facts.Links.Note.Known() {
			detail += ": " + c.Facts.Links.Note.Value
		}
		return yes(detail, reads.Source)
	}
	s := Step{OK: agent.Unknown, Detail: "it is not known whether " + id + " reads behind a link that leads out of the workspace", Fix: c.with("--option mode=copy")}
	if agent.Is(reads, agent.No) {
		s.OK, s.Detail, s.Fact = agent.No, id+" does not read behind a link that leads out of the workspace", factOf(reads.Source)
	}
	if !dir.Value.Empty() {
		s.Fix = strings.TrimSpace(c.Facts.Runs.Program.Value + " " + filled(dir.Value, engine.ShellWord(w.Target)).String())
	}
	return s
}

// filled puts a directory into a launch.
func filled(l engine.Launch, dir string) engine.Launch {
	out := engine.Launch{Args: slices.Clone(l.Args)}
	for i, a := range out.Args {
		out.Args[i] = strings.ReplaceAll(a, "{dir}", dir)
	}
	for k, v := range l.Env {
		if out.Env == nil {
			out.Env = map[string]string{}
		}
		out.Env[k] = strings.ReplaceAll(v, "{dir}", dir)
	}
	return out
}

// holds says whether all of part is in whole: its arguments side by side, and each
// of its variables, alone or in a list of paths.
func holds(whole, part engine.Launch) bool {
	for k, v := range part.Env {
		if whole.Env[k] != v && !slices.Contains(filepath.SplitList(whole.Env[k]), v) {
			return false
		}
	}
	n := len(part.Args)
	for i := 0; n > 0; i++ {
		if i+n > len(whole.Args) {
			return false
		}
		if slices.Equal(whole.Args[i:i+n], part.Args) {
			break
		}
	}
	return true
}

// extras are the skills that the agent has besides the set: what lies in its own
// directories, and skill files further down in a linked skill where it looks there.
func (c *checking) extras() []Extra {
	out := []Extra{}
	for i, f := range agent.Fates(c.Facts, c.Own) {
		if e, ok := c.extra(&c.Own[i], f); ok {
			e.Reason = "it lies in " + filepath.Dir(filepath.Dir(c.Own[i].Path)) + ", which " + c.Facts.ID + " reads by itself"
			if e.Fix = c.keepOut(&c.Own[i]); e.Fix == "" {
				e.Fix = "move " + engine.ShellWord(c.Own[i].Dir) + " away"
			}
			out = append(out, e)
		}
	}
	for _, w := range c.Wants {
		nested := slices.Clone(c.Sources[w.Target].Nested)
		for i := range nested {
			nested[i].Form.InSkill, nested[i].Form.LinkedDir = true, !w.Copy
			nested[i].Form.Depth = 2 + strings.Count(filepath.ToSlash(strings.TrimPrefix(nested[i].Dir, w.Target)), "/") - 1
		}
		for i, f := range agent.Fates(c.Facts, nested) {
			if e, ok := c.extra(&nested[i], f); ok {
				e.Reason = "it lies inside of the skill " + w.Skill + ", and " + c.Facts.ID + " looks there"
				e.Fix = "mv " + engine.ShellWord(nested[i].Path) + " " + engine.ShellWord(strings.TrimSuffix(nested[i].Path, ".md")+".txt")
				out = append(out, e)
			}
		}
	}
	return out
}

func (c *checking) extra(s *skill.Found, f agent.Fate) (Extra, bool) {
	e := Extra{Name: f.ListedName, Path: s.Path, Listed: agent.No}
	switch {
	case f.Outcome == agent.FateUnknown:
		e.Name, e.Listed = s.Name, agent.Unknown
	case !f.Outcome.Lives():
		return e, false
	case f.Listed:
		e.Listed = agent.Yes
	}
	return e, true
}

// variable is the beginning of a directory that a variable may move.
var variable = regexp.MustCompile(`^\$\{([A-Za-z_][A-Za-z0-9_]*):-~?([^}]*)\}(.*)$`)

// keepOut is what keeps a skill of the user's own out: the variable that names its
// directory, where the agent has one, else another home.
func (c *checking) keepOut(s *skill.Found) string {
	if s.Scope != skill.User {
		return ""
	}
	name := "HOME"
	for _, d := range c.Facts.Where.Dirs.Value {
		m := variable.FindStringSubmatch(d.Path)
		if d.Scope == skill.User && m != nil && strings.HasSuffix(filepath.ToSlash(filepath.Dir(s.Dir)), m[2]+m[3]) {
			name = m[1]
			break
		}
	}
	return strings.TrimSpace(name + "=\"$(mktemp -d)\" " + c.Facts.Runs.Program.Value)
}
