package link

import (
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/promptc/promptc/engine"
	"github.com/promptc/promptc/engine/agent"
	"github.com/promptc/promptc/engine/diag"
	"github.com/promptc/promptc/engine/skill"
)

// Check derives from the facts what will become of every wanted skill: whether the
// agent will list it, load it and let its model read its files, and if not why,
// with the fix. What no fact says is unknown, never yes (P8).
func Check(q Question) Answer {
	c := checking{Question: q}
	c.judge()
	out := Answer{Agent: q.Facts.ID, Version: q.Facts.Version, Headless: q.Headless, Skills: []Checked{}, Extras: c.extras()}
	for i := range q.Wants {
		s := c.skill(i)
		out.Skills = append(out.Skills, s)
		out.Diagnostics.Add(c.say(&s)...)
	}
	return out
}

type checking struct {
	Question
	fates  []agent.Fate // of each want, then of each of Own
	copies []agent.Fate // the same, if the links were copies
}

// judge asks for the fate of every skill as the agent will find it: at the first
// level of its directory, behind a link or not.
func (c *checking) judge() {
	outside := c.Facts
	inside := c.Facts
	inside.Links.Skill = inside.Links.Inside
	linked, copied := c.asFound(false), c.asFound(true)
	c.fates, c.copies = agent.Fates(outside, linked), agent.Fates(outside, copied)
	fates := agent.Fates(inside, linked)
	for i, w := range c.Wants {
		if c.Sources[w.Target].Inside {
			c.fates[i] = fates[i]
		}
	}
}

func (c *checking) asFound(copied bool) []skill.Found {
	var out []skill.Found
	for _, w := range c.Wants {
		f := c.Sources[w.Target].Found
		f.Dir = filepath.Join(c.Place.Dir, filepath.FromSlash(w.Path))
		f.Path = filepath.Join(f.Dir, filepath.Base(f.Path))
		f.Scope, f.Root = skill.Project, 0
		f.Form.Depth, f.Form.Hidden, f.Form.InModules, f.Form.InSkill = 1, strings.HasPrefix(path.Base(w.Path), "."), false, false
		f.Form.LinkedDir = !w.Copy && !copied
		if w.Copy || copied {
			f.Form.LinkedFile = false // a copy holds the file itself
		}
		out = append(out, f)
	}
	if !c.Place.View { // what a view competes with, and who wins, is not known of any agent
		out = append(out, c.Own...)
	}
	return out
}

func (c *checking) skill(i int) Checked {
	w, fate := c.Wants[i], c.fates[i]
	out := Checked{Name: w.Skill, Path: w.Path, ListedName: fate.ListedName, Listed: agent.Yes, Activated: agent.Yes, Files: []FileCheck{}}
	steps := []Step{c.link(i), c.trust(), c.written(i), c.named(i), c.headless()}
	for _, s := range steps {
		if s.Step == "" {
			continue
		}
		out.Steps = append(out.Steps, s)
		if s.Step != StepHeadless && s.Step != StepCalled {
			out.Listed = and(out.Listed, s.OK)
		}
		out.Activated = and(out.Activated, s.OK)
	}
	if out.Listed == agent.Yes && !fate.Listed {
		out.Listed = agent.No // as the skill itself says
		out.Activated = and(out.Activated, c.byUser())
	}
	if out.Listed == agent.No && !fate.Outcome.Lives() {
		out.ListedName = ""
	}
	files, step := c.files(i)
	out.Files, out.Readable = files, step.OK
	out.Steps = append(out.Steps, step)
	return out
}

// and is the weaker of two answers: no before unknown before yes.
func and(a, b agent.Answer) agent.Answer {
	switch {
	case a == agent.No || b == agent.No:
		return agent.No
	case a == agent.Yes && b == agent.Yes:
		return agent.Yes
	}
	return agent.Unknown
}

func (c *checking) result(path string) *Result {
	full := filepath.Join(c.Place.Dir, filepath.FromSlash(path))
	i := slices.IndexFunc(c.Results, func(r Result) bool { return r.Path == full || r.Path == path })
	if i < 0 {
		return nil
	}
	return &c.Results[i]
}

// link asks whether the link is there, and whether the agent follows it.
func (c *checking) link(i int) Step {
	w := c.Wants[i]
	s := Step{Step: StepLink, OK: agent.Yes, Detail: "it is a copy in " + c.Facts.ID + "'s own directory"}
	if r := c.result(w.Path); r != nil && (r.Outcome == Conflict || r.Outcome == Failed) {
		return Step{Step: StepLink, OK: agent.No, Detail: r.Reason, Fix: r.Cause.hint()}
	}
	if w.Copy {
		return s
	}
	fact, what := c.Facts.Links.Skill, "out of the workspace"
	if c.Sources[w.Target].Inside {
		fact, what = c.Facts.Links.Inside, "within the workspace"
	}
	s.Fact = factOf(fact.Source)
	switch {
	case agent.Is(fact, agent.Yes):
		s.Detail = c.Facts.ID + " follows links that lead " + what
	case !fact.Known():
		s.OK, s.Detail, s.Fix = agent.Unknown, "it is not known whether "+c.Facts.ID+" follows links that lead "+what, c.with("--option mode=copy")
	default:
		s.OK, s.Detail, s.Fix = agent.No, c.Facts.ID+" does not follow links that lead "+what, c.with("--option mode=copy")
	}
	return s
}

// trust asks whether the agent reads a project's skills at all.
func (c *checking) trust() Step {
	fact := c.Facts.Where.Trusts
	if !fact.Known() || fact.Value == "" {
		return Step{}
	}
	s := Step{Step: StepTrust, OK: agent.Unknown, Detail: fact.Value, Fact: factOf(fact.Source)}
	need := engine.Launch{Env: c.Facts.Runs.Headless.Value.Env}
	switch {
	case need.Empty():
	case holds(c.Launch, need):
		s.OK, s.Detail = agent.Yes, "the launch sets "+need.String()
	default:
		s.Fix = strings.TrimSpace(need.String() + " " + c.Facts.Runs.Program.Value)
	}
	return s
}

// written asks what the agent makes of the file, behind whatever it lies.
func (c *checking) written(i int) Step {
	fate, copied := c.fates[i], c.copies[i]
	s := Step{Step: StepSkill, OK: agent.Yes, Detail: fate.Reason, Fact: Fact{fate.Source, fate.Version, fate.Date}}
	if fate.Source == "" {
		s.Fact = Fact{}
	}
	switch {
	case fate.Outcome == agent.FateUnknown:
		s.OK = agent.Unknown
	case !fate.Outcome.Lives():
		s.OK = agent.No
	}
	if s.OK == agent.Yes {
		if s.Detail == "" {
			s.Detail = c.Facts.ID + " takes the file as it is"
		}
		return s
	}
	form := c.Sources[c.Wants[i].Target].Found.Form
	switch {
	case copied.Outcome.Lives():
		s.Fix = c.with("--option mode=copy")
	case form.BOM, form.Encoding != "utf-8" && form.Encoding != "", form.FenceLine > 1, form.YAML == skill.RepairedYAML, form.YAML == skill.LinesYAML:
		s.Fix = "promptc lint --fix " + engine.ShellWord(c.Wants[i].Target)
	case form.FileName != "SKILL.md" && form.FileName != "":
		s.Fix = "mv " + engine.ShellWord(path.Join(c.Wants[i].Target, form.FileName)) + " " + engine.ShellWord(path.Join(c.Wants[i].Target, "SKILL.md"))
	default:
		s.Fix = c.with("--strategy inject", "promptc render")
	}
	return s
}

// named asks whether the agent and promptc mean the same by the name.
func (c *checking) named(i int) Step {
	fate, w := c.fates[i], c.Wants[i]
	switch {
	case !fate.Outcome.Lives():
		return Step{}
	case fate.Outcome == agent.FateDuplicates:
		return Step{Step: StepCalled, OK: agent.Unknown, Detail: fate.Reason, Fix: "rename one of them", Fact: Fact{fate.Source, fate.Version, fate.Date}}
	case fate.ListedName != w.Skill:
		return Step{Step: StepCalled, OK: agent.Yes, Detail: c.Facts.ID + " calls it " + fate.ListedName, Fact: factOf(c.Facts.Front.NameFrom.Source)}
	}
	return Step{Step: StepCalled, OK: agent.Yes, Detail: c.Facts.ID + " calls it so too"}
}

// headless asks whether a skill can be used when nobody is there to allow it.
func (c *checking) headless() Step {
	if !c.Headless {
		return Step{}
	}
	fact := c.Facts.Runs.Headless
	s := Step{Step: StepHeadless, OK: agent.Yes, Detail: "nothing is needed", Fact: factOf(fact.Source)}
	switch need := fact.Value; {
	case !fact.Known():
		s.OK, s.Detail = agent.Unknown, "it is not known what "+c.Facts.ID+" needs to use skills when nobody can be asked"
	case need.Empty():
	case holds(c.Launch, need):
		s.Detail = "the launch has " + need.String()
	default:
		s.OK, s.Detail = agent.No, "without "+need.String()+" skills do not work"
		s.Fix = c.with("--headless")
	}
	if c.Facts.Runs.Trap.Known() && s.OK != agent.No {
		s.Detail += "; " + c.Facts.Runs.Trap.Value
	}
	return s
}

// byUser asks whether a skill that is kept from the model can be called by hand.
func (c *checking) byUser() agent.Answer {
	invoke, prompted := c.Facts.Use.Invoke, c.Facts.Use.Prompted
	switch {
	case !invoke.Known() || invoke.Value == "":
		return agent.Unknown
	case c.Headless && !prompted.Known():
		return agent.Unknown
	case c.Headless:
		return prompted.Value
	}
	return agent.Yes
}

func factOf(s *agent.Source) Fact {
	if s == nil {
		return Fact{}
	}
	return Fact{s.From, s.Version, s.Date}
}

// with is the call that makes the links with more flags, or another verb of promptc
// with the same flags.
func (c *checking) with(flag string, verb ...string) string {
	call := c.Command
	if call == "" {
		call = "promptc link"
	}
	if len(verb) > 0 {
		call = strings.Replace(call, "promptc link", verb[0], 1)
	}
	return call + " " + flag
}

// say is a diagnostic for each thing that the agent will not do; what the skill
// itself says is none.
func (c *checking) say(s *Checked) diag.List {
	var out diag.List
	at := diag.At(filepath.Join(c.Place.Dir, filepath.FromSlash(s.Path)))
	for _, step := range s.Steps {
		if step.OK != agent.No || step.Step == StepLink && c.failed(s.Path) {
			continue
		}
		d := diag.New(diag.SkillUndeliverable, at, "%q, %s: %s", s.Name, step.Step, step.Detail)
		if step.Fix != "" {
			d = d.WithHint("%s", step.Fix)
		}
		out.Add(d)
	}
	return out
}

// failed says that there is a diagnostic already.
func (c *checking) failed(path string) bool {
	r := c.result(path)
	return r != nil && (r.Outcome == Conflict || r.Outcome == Failed)
}
