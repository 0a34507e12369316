package engine

import (
	"fmt"
	"slices"
	"strings"

	"github.com/promptc/promptc/engine/agent"
	"github.com/promptc/promptc/engine/diag"
)

// Policy is what `strategy: auto` means: for each agent an order of strategies.
// It is data that a benchmark wrote.
type Policy struct {
	Name    string              `json:"name"`
	Date    string              `json:"date"`
	Agents  map[string][]string `json:"agents"`  // agent id -> strategies, best first
	Default []string            `json:"default"` // for agents that it does not name
}

func (p *Policy) order(agentID string) []string {
	if order, ok := p.Agents[agentID]; ok {
		return order
	}
	return p.Default
}

// DefaultStrategy is used where a spec names none.
const DefaultStrategy = "index"

// choose takes the first strategy of the chain whose needs agent and place meet.
// Each one that is passed over is a diagnostic; nil means that none is left.
func choose(job *Job) (Strategy, Place, diag.List) {
	c := chooser{job: job}
	chain := c.chain()
	if c.found.Err() != nil {
		return nil, Place{}, c.found
	}
	for i, s := range chain {
		info := s.Info()
		missing, unknown := c.unmet(info)
		if len(missing) > 0 {
			next := "and no other is left"
			if i+1 < len(chain) {
				next = fmt.Sprintf("%q is tried next", chain[i+1].Info().Name)
			}
			c.found.Add(diag.New(diag.StrategyPassedOver, c.job.Spec.At("strategy.name"), "%q was passed over: %s; %s", info.Name, strings.Join(missing, " and "), next))
			continue
		}
		for _, need := range unknown {
			c.found.Add(diag.New(diag.NeedUnknown, c.job.Spec.At("agent"), "%q needs %q, and the facts do not say whether %s has it", info.Name, need, job.Agent.ID))
		}
		place := Place{}
		if slices.Contains(info.Needs, agent.NeedLinks) {
			place = c.place()
			if place.View {
				c.found.Add(diag.New(diag.WorkspaceNotTemporary, c.job.Spec.At("workspace.dir"), "the workspace is not temporary, so the links go into the view %s, which the launch hands over", place.Dir))
			}
		}
		return s, place, c.found
	}
	d := diag.New(diag.NoStrategy, c.job.Spec.At("strategy.name"), "no strategy is left that %s can use here", job.Agent.ID)
	if c.noPlace {
		d = d.WithHint("make the workspace temporary (--temporary), allow links in it (--into-workspace), or name a fallback (--fallback inject)")
	}
	c.found.Add(d)
	return nil, Place{}, c.found
}

type chooser struct {
	job     *Job
	found   diag.List
	noPlace bool
}

// chain resolves the spec's strategy and its fallbacks.
func (c *chooser) chain() []Strategy {
	spec := c.job.Spec
	type named struct{ name, at string }
	var list []named
	switch name := spec.Strategy.Name; name {
	case "":
		list = []named{{DefaultStrategy, "strategy.name"}}
	case "auto":
		if c.job.Policy == nil {
			c.found.Add(diag.New(diag.NoStrategy, spec.At("strategy.name"), "`auto` needs a policy, and there is none").WithHint("name a strategy: index, inject, symlink or tool"))
			return nil
		}
		for _, n := range c.job.Policy.order(c.job.Agent.ID) {
			list = append(list, named{n, "strategy.name"})
		}
	default:
		list = []named{{name, "strategy.name"}}
	}
	for i, name := range spec.Strategy.Fallback {
		list = append(list, named{name, fmt.Sprintf("strategy.fallback.%d", i)})
	}
	var chain []Strategy
	for _, n := range list {
		i := slices.IndexFunc(c.job.Strategies, func(s Strategy) bool { return s.Info().Name == n.name })
		if i < 0 {
			var known []string
			for _, s := range c.job.Strategies {
				known = append(known, s.Info().Name)
			}
			d := diag.New(diag.UnknownStrategy, spec.At(n.at), "no strategy is named %q", n.name)
			if near := diag.Nearest(n.name, known); near != "" {
				d = d.WithHint("did you mean %q?", near)
			} else {
				d = d.WithHint("known are %s", strings.Join(known, ", "))
			}
			c.found.Add(d)
			continue
		}
		if !slices.Contains(chain, c.job.Strategies[i]) {
			chain = append(chain, c.job.Strategies[i])
		}
	}
	return chain
}

// unmet lists what info needs and the agent or the place does not have, and what
// the facts do not know.
func (c *chooser) unmet(info Info) (missing []string, unknown []agent.Need) {
	for _, need := range info.Needs {
		switch c.job.Agent.Offers(need) {
		case agent.No:
			missing = append(missing, fmt.Sprintf("%s does not have what %q stands for", c.job.Agent.ID, need))
		case agent.Unknown:
			unknown = append(unknown, need)
		}
		if need == agent.NeedLinks && c.place().Dir == "" {
			c.noPlace = true
			missing = append(missing, fmt.Sprintf("the workspace %s is the user's own and %s has no launch for a view outside of it", c.job.Spec.Workspace.Dir, c.job.Agent.ID))
		}
	}
	return missing, unknown
}

// place is where links may be made (A9).
func (c *chooser) place() Place {
	w := c.job.Spec.Workspace
	switch {
	case w.Temporary || w.Into:
		return Place{Dir: w.Dir}
	case c.job.View != "" && !c.job.Agent.View.Empty():
		return Place{Dir: c.job.View, View: true}
	}
	return Place{}
}
