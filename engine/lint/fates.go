package lint

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/promptc/promptc/engine/agent"
	"github.com/promptc/promptc/engine/diag"
	"github.com/promptc/promptc/engine/skill"
)

// DefaultWindow is the window of a model in tokens where none is given: that of the
// models with which most agents' lists were measured.
const DefaultWindow = 200_000

// fates asks what becomes of each skill in each of the agents, when it sees all of
// them: alone, beside those of its name, and in the budget of its list. A skill that
// was named itself counts as a direct child of an agent's directory. What a budget
// keeps from the model is reported too, agent by agent.
func (r *Report) fates(c *skill.Catalog, all []*skill.Found, opts Options) (out diag.List) {
	if len(opts.Agents) == 0 || len(all) == 0 {
		return nil
	}
	list := make([]skill.Found, len(all))
	for i, f := range all {
		list[i] = *f
		if form := &list[i].Form; form.Depth == 0 {
			form.Depth = 1
			form.LinkedDir = form.LinkedDir || slices.Contains(opts.Linked, f.Dir)
		}
	}
	window := opts.Window
	if window == 0 {
		window = DefaultWindow
	}
	at := c.Roots[all[0].Root].Dir
	byAgent := make([][]agent.Fate, len(opts.Agents))
	for i, f := range opts.Agents {
		byAgent[i] = agent.Fates(f, list)
		if d, ok := budget(f, list, byAgent[i], window, at); ok {
			out.Add(d)
		}
	}
	for i := range list {
		for _, fates := range byAgent {
			r.Fates = append(r.Fates, fates[i])
		}
	}
	return out
}

// budget applies what the agent's list has no room for to the fates of the skills
// that it lists, and reports how many they are.
func budget(f agent.Facts, list []skill.Found, fates []agent.Fate, window int, at string) (d diag.Diagnostic, over bool) {
	var set []skill.Skill
	byPath := map[string]*agent.Fate{}
	for i := range fates {
		if fates[i].Listed && fates[i].Outcome.Lives() {
			set = append(set, list[i].Skill)
			byPath[list[i].Path] = &fates[i]
		}
	}
	gone, bare, cut := 0, 0, 0
	source := f.Index.Budget.Source
	for _, h := range agent.List(f, set, window).Hidden {
		fate := byPath[h.Path]
		if fate == nil || source == nil {
			continue
		}
		switch {
		case h.What == "skill" && fate.Listed:
			gone++
			fate.Listed, fate.ListedDescription = false, ""
			tell(fate, source, "its name does not fit into the list of %s")
		case h.What == "description" && fate.ListedDescription != "":
			bare++
			fate.ListedDescription = ""
			if fate.Outcome == agent.FateLoads {
				fate.Outcome = agent.FateNameOnly
			}
			tell(fate, source, "its description does not fit into the list of %s")
		case h.What == "end" && !overLimit(f, fate):
			cut++
			tell(fate, source, "its description is cut in the list of %s")
		}
	}
	if gone+bare+cut == 0 {
		return d, false
	}
	var parts []string
	for _, p := range []struct {
		n    int
		what string
	}{{gone, "not at all"}, {bare, "without their descriptions"}, {cut, "with shortened descriptions"}} {
		if p.n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", p.n, p.what))
		}
	}
	return diag.New(diag.ListBudget, diag.At(at), "of %s the list of %s shows %s, in a window of %d tokens", counted(len(set), "skill"), strings.TrimSpace(f.ID+" "+f.Version), strings.Join(parts, ", "), window), true
}

// overLimit reports whether the description was longer than the agent takes of any:
// then it is the limit, and not the budget, that cut it.
func overLimit(f agent.Facts, fate *agent.Fate) bool {
	limit := f.Front.Description
	return limit.Known() && limit.Value.Chars > 0 && utf8.RuneCountInString(fate.ListedDescription) > limit.Value.Chars
}

// tell adds a reason, with its source, to a fate.
func tell(fate *agent.Fate, source *agent.Source, reason string) {
	reason = fmt.Sprintf(reason, fate.Agent)
	if fate.Reason != "" {
		reason = fate.Reason + "; " + reason
	}
	fate.Reason, fate.Source, fate.Date = reason, source.From, source.Date
	if source.Version != "" {
		fate.Version = source.Version
	}
}
