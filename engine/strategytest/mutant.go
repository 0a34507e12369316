package strategytest

import (
	"context"
	"encoding/json"
	"fmt"
	"path"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/promptc/promptc/engine"
	"github.com/promptc/promptc/engine/agent"
	"github.com/promptc/promptc/engine/diag"
	"github.com/promptc/promptc/engine/skill"
)

// Mutant is a strategy that breaks one clause, and no other.
type Mutant struct {
	Clause   string
	Fault    string // what it does wrong
	Strategy engine.Strategy
	Local    string // why the fault cannot be seen across a process, or ""
}

// Sound returns the strategy that the mutants are made of: a list, a tool and
// links at once, and the body of a selected skill. It keeps every clause.
func Sound() engine.Strategy { return sound{} }

// Mutants has one for each clause, in the order of Clauses.
func Mutants() []Mutant {
	return []Mutant{
		{Clause: "info", Fault: "its name has blanks", Strategy: mutant{info: func(i *engine.Info) { i.Name = "Sound Strategy" }}},
		{Clause: "options", Fault: "its schema takes any key", Strategy: mutant{info: func(i *engine.Info) { i.Options = json.RawMessage(`{"type":"object"}`) }}},
		{Clause: "empty", Fault: "it says that there are no skills", Strategy: mutant{render: func(in *engine.Input, r *engine.Rendering) {
			if len(in.Skills) == 0 {
				r.Sections = []engine.Section{{ID: "skills", Text: "No skills."}}
			}
		}}},
		{Clause: "deterministic", Fault: "it counts its calls", Strategy: counting()},
		{Clause: "untouched", Fault: "it writes into its input", Local: "the other process has a copy",
			Strategy: mutant{render: func(in *engine.Input, _ *engine.Rendering) {
				if len(in.Skills) > 0 {
					in.Skills[0].ArgumentHint = "changed"
				}
			}}},
		{Clause: "cancelled", Fault: "it does not look at its context", Local: "the call ends before it reaches the other process",
			Strategy: deaf{}},
		{Clause: "parallel", Fault: "calls at the same time meet in a shared field", Strategy: meeting()},
		{Clause: "order", Fault: "it sorts by name", Strategy: mutant{skills: func(in *engine.Input) []skill.Skill {
			return slices.SortedFunc(slices.Values(in.Skills), func(a, b skill.Skill) int { return strings.Compare(a.Name, b.Name) })
		}}},
		{Clause: "growth", Fault: "it fills up what a small list leaves free", Strategy: mutant{render: func(in *engine.Input, r *engine.Rendering) {
			if len(r.Sections) > 0 {
				r.Sections[0].Text += "\n" + strings.Repeat("More. ", max(0, 200-50*len(in.Skills)))
			}
		}}},
		{Clause: "reachable", Fault: "it leaves out a skill without a word", Strategy: mutant{skills: func(in *engine.Input) []skill.Skill {
			if in.Selected == "" {
				return in.Skills
			}
			return slices.DeleteFunc(slices.Clone(in.Skills), func(s skill.Skill) bool { return s.Name != in.Selected && s.Name == "keel-alpha" })
		}}},
		{Clause: "sections", Fault: "a section does not say whose body it holds", Strategy: mutant{render: func(_ *engine.Input, r *engine.Rendering) {
			for i := range r.Sections {
				r.Sections[i].Skill = ""
			}
		}}},
		{Clause: "message", Fault: "it repeats what the user said", Strategy: mutant{render: func(in *engine.Input, r *engine.Rendering) {
			if len(r.Sections) > 0 {
				r.Sections[0].Text += "\n\nThe user says: " + in.Message
			}
		}}},
		{Clause: "tools", Fault: "its schema has a keyword that Gemini refuses", Strategy: mutant{render: func(_ *engine.Input, r *engine.Rendering) {
			for i, t := range r.Tools {
				r.Tools[i].Parameters = append(slices.Clone(t.Parameters[:len(t.Parameters)-1]), `,"additionalProperties":false}`...)
			}
		}}},
		{Clause: "asks", Fault: "it asks by a parameter that its tool does not have", Strategy: mutant{render: func(_ *engine.Input, r *engine.Rendering) {
			for i := range r.Tools {
				r.Tools[i].Asks.FileParam = "path"
			}
		}}},
		{Clause: "paths", Fault: "a skill's name becomes a path as it is", Strategy: mutant{render: func(in *engine.Input, r *engine.Rendering) {
			for i := range r.Links {
				r.Links[i].Path = path.Join(in.Agent.Skills, in.Skills[i].Name)
			}
		}}},
		{Clause: "hostile", Fault: "descriptions are not escaped", Strategy: mutant{line: func(s skill.Skill) string {
			return fmt.Sprintf("- %s: %s (%s)", engine.EscapeLine(s.Name), s.Description, s.Path)
		}}},
		{Clause: "diagnostics", Fault: "its diagnostic has a code of its own", Strategy: mutant{render: func(in *engine.Input, r *engine.Rendering) {
			if len(in.Skills) > 0 {
				r.Diagnostics.Add(diag.Diagnostic{Code: "made-up", Message: "something"})
			}
		}}},
		{Clause: "activate", Fault: "it answers for a file without its text", Strategy: mutant{activate: func(_ *engine.Input, req *engine.Request, a *engine.Activation) error {
			if req.File != "" {
				a.Text = "See " + req.File
			}
			return nil
		}}},
		{Clause: "unknown-skill", Fault: "it apologises where it should fail", Strategy: apologetic{}},
		{Clause: "large", Fault: "it stops after a thousand skills", Strategy: mutant{skills: func(in *engine.Input) []skill.Skill {
			return in.Skills[:min(len(in.Skills), 1000)]
		}}},
	}
}

// sound is the model; its parts are replaced by mutants.
type sound struct{}

func (sound) Info() engine.Info {
	return engine.Info{
		Name: "sound", Summary: "Lists, offers and links every skill, and shows a selected one.",
		Needs:   []agent.Need{agent.NeedRead, agent.NeedTools, agent.NeedNative, agent.NeedLinks},
		Bodies:  engine.SelectedBodies,
		Options: json.RawMessage(`{"type":"object","additionalProperties":false,"properties":{}}`),
	}
}

func (sound) Render(ctx context.Context, in *engine.Input) (*engine.Rendering, error) {
	return mutant{}.Render(ctx, in)
}

func (sound) Activate(ctx context.Context, in *engine.Input, req *engine.Request) (*engine.Activation, error) {
	return in.Answer(ctx, req)
}

// mutant is sound but for the parts that are set.
type mutant struct {
	sound
	info     func(*engine.Info)
	skills   func(*engine.Input) []skill.Skill // which are shown, and in which order
	line     func(skill.Skill) string
	render   func(*engine.Input, *engine.Rendering)
	activate func(*engine.Input, *engine.Request, *engine.Activation) error
}

func (m mutant) Info() engine.Info {
	i := m.sound.Info()
	if m.info != nil {
		m.info(&i)
	}
	return i
}

func (m mutant) Render(ctx context.Context, in *engine.Input) (*engine.Rendering, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	r := &engine.Rendering{}
	skills := in.Skills
	if m.skills != nil {
		skills = m.skills(in)
	}
	if len(skills) > 0 {
		m.show(in, skills, r)
	}
	if m.render != nil {
		m.render(in, r)
	}
	return r, nil
}

func (m mutant) show(in *engine.Input, skills []skill.Skill, r *engine.Rendering) {
	line := m.line
	if line == nil {
		line = func(s skill.Skill) string {
			return fmt.Sprintf("- %s: %s (%s)", engine.EscapeLine(s.Name), engine.EscapeLine(s.Description), s.Path)
		}
	}
	lines := []string{"Skills:"}
	for i, s := range skills {
		lines = append(lines, line(s))
		r.ReadRoots = append(r.ReadRoots, s.Dir)
		if in.Place.Dir != "" {
			r.Links = append(r.Links, engine.Link{Path: path.Join(in.Agent.Skills, fmt.Sprintf("skill-%d", i)), Target: s.Dir})
		}
	}
	r.Sections = []engine.Section{{ID: "skills", Text: strings.Join(lines, "\n")}}
	if i := slices.IndexFunc(skills, func(s skill.Skill) bool { return s.Name == in.Selected }); i >= 0 {
		s := skills[i]
		r.Sections = append(r.Sections, engine.Section{ID: "skills/" + engine.Fold(s.Name), Skill: s.Name, Text: in.Isolation.Wrap(s, s.Body)})
	}
	r.Tools = []engine.Tool{engine.AskTool{
		Name: "load", Description: "Loads a skill of the list.", Skill: engine.Param{Name: "name"},
		File: engine.Param{Name: "file"}, Enum: engine.SkillNames(skills),
	}.Tool()}
}

func (m mutant) Activate(ctx context.Context, in *engine.Input, req *engine.Request) (*engine.Activation, error) {
	a, err := m.sound.Activate(ctx, in, req)
	if err == nil && m.activate != nil {
		err = m.activate(in, req, a)
	}
	return a, err
}

// counting keeps a count from call to call.
func counting() engine.Strategy {
	var calls atomic.Int64
	return mutant{render: func(_ *engine.Input, r *engine.Rendering) {
		if len(r.Sections) > 0 {
			r.Sections[0].Text += fmt.Sprintf("\nList %012d.", calls.Add(1))
		}
	}}
}

// meeting shows it when another call is under way.
func meeting() engine.Strategy {
	var inside atomic.Int64
	return mutant{render: func(_ *engine.Input, r *engine.Rendering) {
		inside.Add(1)
		defer inside.Add(-1)
		for range 500 {
			runtime.Gosched()
			if inside.Load() > 1 && len(r.Sections) > 0 {
				r.Sections[0].Text += "\nAnother call is under way."
				return
			}
		}
	}}
}

// deaf goes on whatever becomes of its context.
type deaf struct{ sound }

func (d deaf) Render(ctx context.Context, in *engine.Input) (*engine.Rendering, error) {
	return d.sound.Render(context.WithoutCancel(ctx), in)
}

func (d deaf) Activate(ctx context.Context, in *engine.Input, req *engine.Request) (*engine.Activation, error) {
	return d.sound.Activate(context.WithoutCancel(ctx), in, req)
}

// apologetic has a friendly text in place of an error.
type apologetic struct{ sound }

func (a apologetic) Activate(ctx context.Context, in *engine.Input, req *engine.Request) (*engine.Activation, error) {
	if _, ok := in.Skill(req.Skill); !ok && ctx.Err() == nil {
		return &engine.Activation{Text: "Sorry, there is no such skill."}, nil
	}
	return a.sound.Activate(ctx, in, req)
}
