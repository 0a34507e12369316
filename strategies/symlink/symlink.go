// Package symlink hands skills to an agent that loads them by itself: as links in
// the agent's own skills directory. Not a byte of skill text is in the prompt
// (A11); what must happen on disk is returned as data.
package symlink

import (
	"context"
	"encoding/json"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/promptc/promptc/engine"
	"github.com/promptc/promptc/engine/agent"
	"github.com/promptc/promptc/engine/diag"
	"github.com/promptc/promptc/engine/skill"
)

// New returns the strategy.
func New() engine.Strategy { return strategy{} }

type strategy struct{}

const schema = `{
  "type": "object",
  "additionalProperties": false,
  "properties": {
    "mode": {
      "enum": ["link", "copy"],
      "description": "link or copy each skill; by default what the agent is known to follow"
    }
  }
}`

func (strategy) Info() engine.Info {
	return engine.Info{
		Name:    "symlink",
		Summary: "Links the skills into the agent's own skills directory; the agent lists and loads them by itself.",
		Needs:   []agent.Need{agent.NeedNative, agent.NeedLinks},
		Options: json.RawMessage(schema),
	}
}

type options struct {
	Mode string `json:"mode"`
}

// Render plans one link a skill, in session order. A skill that the agent finds
// by itself needs none; one that says disable-model-invocation is left out where
// the agent is not known to respect that.
func (strategy) Render(ctx context.Context, in *engine.Input) (*engine.Rendering, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	var o options
	if err := in.Decode(&o); err != nil {
		return nil, err
	}
	out := &engine.Rendering{}
	if len(in.Skills) == 0 {
		return out, nil
	}
	if in.Place.Dir == "" || in.Agent.Skills == "" {
		missing(in, out)
		return out, nil
	}
	plan := planner{in: in, out: out, copies: o.Mode == "copy" || o.Mode == "" && (in.Agent.Links == "copy" || in.Agent.Links == "whole")}
	plan.links()
	plan.launch()
	if in.Template != "" {
		out.Diagnostics.Add(diag.New(diag.TemplateFailed, diag.Pos{}, "symlink puts no words before the model; the template given was not used").
			As(diag.Warning).WithHint("remove templates.symlink from the spec"))
	}
	return out, nil
}

// Activate answers with the text between its isolation lines, for a host that
// must hand a skill over itself.
func (strategy) Activate(ctx context.Context, in *engine.Input, req *engine.Request) (*engine.Activation, error) {
	return in.Answer(ctx, req)
}

// missing says why no link can be asked for, and names each skill that is
// therefore not delivered.
func missing(in *engine.Input, out *engine.Rendering) {
	if in.Agent.Skills == "" {
		out.Diagnostics.Add(diag.New(diag.PlaceMissing, diag.Pos{}, "the facts name no skills directory of %q in a workspace", in.Agent.ID).
			WithHint("name a fallback, for example index"))
	} else {
		out.Diagnostics.Add(diag.New(diag.PlaceMissing, diag.Pos{}, "there is neither a workspace that may be written nor a view"))
	}
	for _, s := range in.Skills {
		out.Diagnostics.Add(engine.About(diag.SkillUndeliverable, s, "cannot be linked: there is no place for links"))
	}
}

type planner struct {
	in     *engine.Input
	out    *engine.Rendering
	copies bool
	linked []skill.Skill
}

func (p *planner) links() {
	names := newNamer()
	for _, s := range p.in.Skills {
		if s.Native {
			continue
		}
		if unmodelled(s) && p.in.Agent.Unmodel != agent.Yes && s.Name != p.in.Selected {
			d := engine.About(diag.SkillUndeliverable, s, "says disable-model-invocation, which %s is not known to respect", agentName(p.in.Agent))
			p.out.Diagnostics.Add(d.WithHint("select it to use it, or take another strategy"))
			continue
		}
		name, clash := names.name(s)
		if clash != "" {
			p.out.Diagnostics.Add(engine.About(diag.NameClash, s, "would be one with %q on some disks; its link is named %q", clash, name))
		} else if name != s.Name {
			p.out.Diagnostics.Add(renamed(p.in.Agent, s, name))
		}
		p.out.Links = append(p.out.Links, engine.Link{Path: path.Join(p.in.Agent.Skills, name), Target: s.Dir, Copy: p.copies})
		p.linked = append(p.linked, s)
	}
}

// renamed says that a name cannot be that of a directory. It matters where the
// agent takes the name from there, or does not say where from.
func renamed(a agent.Agent, s skill.Skill, name string) diag.Diagnostic {
	d := engine.About(diag.NameForm, s, "is linked as %q, since its name is no safe name for a directory", name)
	if a.NameOf == "frontmatter" {
		return d.As(diag.Info)
	}
	return d
}

// launch merges what the agent's command line needs: the view, the directories
// behind the links where it may not read them otherwise, and its headless part,
// which is empty unless the session is headless.
func (p *planner) launch() {
	l := launch{env: map[string][]string{}}
	if p.in.Place.View {
		l.add(p.in.Agent.View, p.in.Place.Dir)
	}
	if !p.copies && p.in.Agent.ReadsLink != agent.Yes {
		seen := make(map[string]bool, len(p.linked))
		for _, s := range p.linked {
			if !seen[s.Dir] {
				seen[s.Dir] = true
				l.add(p.in.Agent.ReadDir, s.Dir)
			}
		}
	}
	l.add(p.in.Agent.Headless, p.in.Place.Dir)
	p.out.Launch = l.merged()
}

// launch gathers parts of a command line in order. A variable that several parts
// set holds all the values, as a list of paths.
type launch struct {
	args []string
	env  map[string][]string
}

func (l *launch) add(part agent.Launch, dir string) {
	for _, a := range part.Args {
		l.args = append(l.args, strings.ReplaceAll(a, "{dir}", dir))
	}
	for k, v := range part.Env {
		if v = strings.ReplaceAll(v, "{dir}", dir); !slices.Contains(l.env[k], v) {
			l.env[k] = append(l.env[k], v)
		}
	}
}

func (l *launch) merged() engine.Launch {
	out := engine.Launch{Args: l.args}
	for k, v := range l.env {
		if out.Env == nil {
			out.Env = make(map[string]string, len(l.env))
		}
		out.Env[k] = strings.Join(v, string(filepath.ListSeparator))
	}
	return out
}

// unmodelled reads disable-model-invocation out of the frontmatter's other keys.
// Anything but a clear no counts as yes: a restriction fails closed.
func unmodelled(s skill.Skill) bool {
	var extra map[string]json.RawMessage
	if json.Unmarshal(s.Extra, &extra) != nil {
		return false
	}
	for k, v := range extra {
		if strings.EqualFold(k, "disable-model-invocation") {
			switch strings.ToLower(strings.Trim(string(v), `" `)) {
			case "false", "no", "off", "0", "null", "":
			default:
				return true
			}
		}
	}
	return false
}

func agentName(a agent.Agent) string {
	if a.ID == "" {
		return "the agent"
	}
	return a.ID
}
