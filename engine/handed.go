package engine

import (
	"cmp"
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/promptc/promptc/engine/agent"
	"github.com/promptc/promptc/engine/skill"
)

// agent says what the agent does with the skill: where the strategy leaves it to
// the agent that decides, else it is to know.
func (x *explainer) agent() {
	facts := x.job.Facts
	if facts.ID == "" {
		return
	}
	if v := x.job.Spec.AgentVersion; v != "" {
		facts = facts.Of(v)
	}
	info, _ := x.info()
	reached := slices.ContainsFunc(x.Prompt.Skills, func(u Used) bool { return u.Path == x.found.Path })
	if decides := reached && slices.Contains(info.Needs, agent.NeedNative); decides {
		x.fate(facts, x.handed(), "")
		return
	}
	if !x.job.Catalog.Roots[x.found.Root].Native {
		x.ok(StepAgent, "%s does not look into %s by itself", facts.ID, x.dirOf(x.found))
		return
	}
	var own []placed
	for _, f := range slices.Concat(x.job.Catalog.Found, x.Missed) {
		if x.job.Catalog.Roots[f.Root].Native {
			own = append(own, placed{f, *f})
		}
	}
	x.fate(facts, own, "left to itself, ")
}

// placed is a skill and how it lies where the agent sees it.
type placed struct {
	found *skill.Found
	seen  skill.Found
}

// handed are the prompt's skills as the agent finds them: behind the links that the
// prompt asks for, or in its own directories.
func (x *explainer) handed() []placed {
	var out []placed
	for _, f := range x.job.Catalog.Found {
		if !slices.ContainsFunc(x.Prompt.Skills, func(u Used) bool { return u.Path == f.Path }) {
			continue
		}
		p := placed{f, *f}
		if i := slices.IndexFunc(x.Prompt.Links, func(l Link) bool { return l.Target == f.Dir }); i >= 0 {
			l := x.Prompt.Links[i]
			p.seen.Dir = filepath.Join(x.Prompt.Place.Dir, filepath.FromSlash(l.Path))
			p.seen.Path = filepath.Join(p.seen.Dir, f.Form.FileName)
			p.seen.Scope = skill.Project
			form := &p.seen.Form
			form.Depth, form.Hidden, form.InModules, form.InSkill = 1, path.Base(l.Path)[0] == '.', false, false
			form.LinkedDir, form.LinkedFile, form.Target = !l.Copy, f.Form.LinkedFile && !l.Copy, f.Dir
		}
		out = append(out, p)
	}
	return out
}

// fate asks the facts. With a preface nothing hangs on the answer.
func (x *explainer) fate(facts agent.Facts, list []placed, preface string) {
	seen := make([]skill.Found, len(list))
	at := -1
	for i, p := range list {
		seen[i] = p.seen
		if p.found == x.found {
			at = i
		}
	}
	if at < 0 {
		return
	}
	fates := agent.Fates(facts, seen)
	fate := fates[at]
	who := strings.TrimSpace(facts.ID + " " + fate.Version)
	detail := fmt.Sprintf("%s%s %s", preface, who, outcome(fate.Outcome))
	if fate.Reason != "" {
		detail += ": " + fate.Reason
	}
	kept := x.found.Form.Unmodelled && fate.Outcome.Lives() // the step before says so
	ok := fate.Outcome == agent.FateUnknown || fate.Outcome.Lives() && (fate.Listed || kept)
	if ok && fate.Listed {
		var hidden bool
		if detail, hidden = x.listed(facts, seen, fates, at, detail); hidden {
			ok = false
		}
	}
	step := x.add(StepAgent, ok || preface != "", detail)
	if !ok {
		step.fix("promptc lint --agent %s %s", facts.ID, ShellWord(x.found.Dir))
		if preface == "" {
			step.Fix += " and promptc link --check say more; --strategy index does not hang on it"
		}
	}
}

// outcome is an agent.Outcome in words.
func outcome(o agent.Outcome) string {
	switch o {
	case agent.FateLoads:
		return "loads it"
	case agent.FateBare:
		return "loads it without its metadata"
	case agent.FateNameOnly:
		return "lists its name only"
	case agent.FateDropped:
		return "drops it and says so"
	case agent.FateSilent:
		return "drops it silently"
	case agent.FateDuplicates:
		return "has several of this name"
	}
	return "does with it what nobody knows"
}

// listed adds to detail what the agent's own list leaves of the skill.
func (x *explainer) listed(facts agent.Facts, seen []skill.Found, fates []agent.Fate, at int, detail string) (string, bool) {
	var set []skill.Skill
	for i, fate := range fates {
		if fate.Listed {
			s := seen[i].Skill
			s.Name, s.Description = cmp.Or(fate.ListedName, s.Name), fate.ListedDescription
			set = append(set, s)
		}
	}
	list := agent.List(facts, set, 0)
	if !list.Known {
		return detail, false
	}
	budget := ""
	if b := facts.Index.Budget; b.Known() {
		budget = fmt.Sprintf(" (budget: %v)", b.Value)
	}
	for _, h := range list.Hidden {
		if h.Path != seen[at].Path {
			continue
		}
		switch h.What {
		case "skill":
			return detail + "; its own list has no room for it" + budget, true
		case "description":
			return detail + "; its own list shows the name only" + budget, false
		default:
			return detail + "; its own list cuts the description" + budget, false
		}
	}
	return detail + "; its own list shows it whole" + budget, false
}
