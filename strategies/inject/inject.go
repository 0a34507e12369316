// Package inject puts the text of skills into the prompt itself, each between
// its isolation lines: the selected skill alone, or all of them. It needs nothing
// of the agent, and costs the most.
package inject

import (
	"context"
	"encoding/json"

	"github.com/promptc/promptc/engine"
	"github.com/promptc/promptc/engine/agent"
	"github.com/promptc/promptc/engine/diag"
	"github.com/promptc/promptc/engine/skill"
)

// New returns the strategy.
func New() engine.Strategy { return strategy{} }

type strategy struct{}

func (strategy) Info() engine.Info {
	return engine.Info{
		Name:    "inject",
		Summary: "Puts the text of the selected skill, or of all, into the prompt between isolation lines.",
		Needs:   []agent.Need{},
		Bodies:  engine.SelectedBodies,
		Options: json.RawMessage(`{"type": "object", "additionalProperties": false, "properties": {}}`),
	}
}

// Render gives one section a skill, "skills/NAME". Where a skill is selected the
// others are hidden, and said to be.
func (strategy) Render(ctx context.Context, in *engine.Input) (*engine.Rendering, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if err := in.Decode(&struct{}{}); err != nil {
		return nil, err
	}
	out := &engine.Rendering{}
	if len(in.Skills) == 0 {
		return out, nil
	}
	show := func(skill.Skill) bool { return true }
	if in.Selected != "" {
		chosen, ok := in.Skill(in.Selected)
		if !ok {
			return nil, in.Unknown(in.Selected)
		}
		show = func(s skill.Skill) bool { return s.Name == chosen.Name }
	}
	for _, s := range in.Skills {
		if !show(s) {
			out.Diagnostics.Add(engine.About(diag.SkillHidden, s, "is not in the prompt, because %q is selected", in.Selected))
			continue
		}
		out.Sections = append(out.Sections, engine.Section{
			ID: "skills/" + engine.Fold(s.Name), Skill: s.Name, Text: in.Isolation.Wrap(s, s.Body),
		})
		out.ReadRoots = append(out.ReadRoots, s.Dir)
	}
	if in.Template != "" {
		out.Diagnostics.Add(diag.New(diag.TemplateFailed, diag.Pos{}, "inject has no words that a template could replace; the one given was not used").
			As(diag.Warning).WithHint("remove templates.inject from the spec"))
	}
	return out, nil
}

// Activate answers with the text between its isolation lines.
func (strategy) Activate(ctx context.Context, in *engine.Input, req *engine.Request) (*engine.Activation, error) {
	return in.Answer(ctx, req)
}
