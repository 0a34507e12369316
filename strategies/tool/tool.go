// Package tool offers the skills as a tool: the list stands in the tool's
// description, nothing in the system prompt, and a call is answered with a
// skill's text. It is the strategy for a model that has tools and no files.
package tool

import (
	"context"
	_ "embed"
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"sync"
	"text/template"

	"github.com/promptc/promptc/engine"
	"github.com/promptc/promptc/engine/agent"
	"github.com/promptc/promptc/engine/diag"
	"github.com/promptc/promptc/engine/skill"
)

// New returns the strategy.
func New() engine.Strategy { return strategy{} }

type strategy struct{}

//go:embed tool.tmpl
var text string

var words = sync.OnceValue(func() *template.Template { return engine.ParseWords("tool", text) })

// maxTools is how many tools the strictest provider takes in one request (e16).
const maxTools = 128

func (strategy) Info() engine.Info {
	return engine.Info{
		Name:    "tool",
		Summary: "Offers one tool, or one for each skill, that answers with a skill's text.",
		Needs:   []agent.Need{agent.NeedTools},
		Options: schema(),
	}
}

// schema is the JSON Schema of the options.
func schema() json.RawMessage {
	presets, err := json.Marshal(slices.Sorted(maps.Keys(presets())))
	if err != nil {
		panic("tool: names always encode: " + err.Error())
	}
	return json.RawMessage(strings.Replace(optionSchema, "PRESETS", string(presets), 1))
}

const optionSchema = `{
  "type": "object",
  "additionalProperties": false,
  "properties": {
    "name": {
      "type": "string",
      "pattern": "^[a-zA-Z0-9_-]{1,64}$",
      "description": "name of the tool, by default activate_skill; with mode=each the beginning of every name"
    },
    "param": {
      "type": "string",
      "pattern": "^[a-zA-Z0-9_-]{1,64}$",
      "not": {"enum": ["args", "file"]},
      "description": "name of the parameter that takes a skill's name, by default name"
    },
    "mode": {
      "enum": ["one", "each"],
      "default": "one",
      "description": "one tool for all skills, or one for each"
    },
    "style": {
      "enum": ["full", "names"],
      "description": "names and descriptions, or names only; by default full, or as the preset has it"
    },
    "preset": {
      "enum": PRESETS,
      "description": "the shape in which this agent offers its skills; name, param and style still win"
    }
  }
}`

type options struct {
	Name   string `json:"name"`
	Param  string `json:"param"`
	Mode   string `json:"mode"`
	Style  string `json:"style"`
	Preset string `json:"preset"`
}

// Render gives tools and nothing else. Where none of them asks for a skill's
// files, the skills' directories are read roots.
func (strategy) Render(ctx context.Context, in *engine.Input) (*engine.Rendering, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	o := options{Mode: "one"}
	if err := in.Decode(&o); err != nil {
		return nil, err
	}
	out := &engine.Rendering{}
	if len(in.Skills) == 0 {
		return out, nil
	}
	custom, err := engine.ParseCustom(in.Template)
	if err != nil {
		out.Diagnostics.Add(refused(err))
		return out, nil
	}
	w := writer{words: engine.In(words(), in.Language), custom: custom, shape: o.shape(), skills: in.Skills}
	each := o.Mode == "each"
	if each && len(in.Skills) > maxTools {
		each = false
		out.Diagnostics.Add(diag.New(diag.ToolLimit, diag.Pos{}, "%d skills would be %d tools, and providers take %d: one tool was made for all", len(in.Skills), len(in.Skills), maxTools))
	}
	if each {
		out.Tools, err = w.each(o.Name)
	} else {
		out.Tools, err = w.one()
	}
	if err != nil {
		return &engine.Rendering{Diagnostics: diag.List{refused(err)}}, nil
	}
	if !slices.ContainsFunc(out.Tools, func(t engine.Tool) bool { return t.Asks.FileParam != "" }) {
		for _, s := range in.Skills {
			out.ReadRoots = append(out.ReadRoots, s.Dir)
		}
	}
	return out, nil
}

// Activate answers with the text between its isolation lines.
func (strategy) Activate(ctx context.Context, in *engine.Input, req *engine.Request) (*engine.Activation, error) {
	return in.Answer(ctx, req)
}

func refused(err error) diag.Diagnostic {
	return diag.New(diag.TemplateFailed, diag.Pos{}, "the template of tool: %v", err).
		WithHint("an entry has .Name, .Description, .Path and .Dir, the instruction .Tool and .Count")
}

// shape is the preset's, or promptc's own, with what the options change of it.
func (o options) shape() shape {
	s := own
	if o.Preset != "" {
		s = presets()[o.Preset]
	}
	if o.Name != "" {
		s.name = o.Name
	}
	if o.Param != "" {
		s.skill = o.Param
	}
	if o.Style != "" {
		s.names = o.Style == "names"
	}
	if s.files.name == s.name {
		s.files.name += "_file"
	}
	return s
}

type writer struct {
	words  engine.Words
	custom engine.Custom
	shape  shape
	skills []skill.Skill
}

// one is a tool for all skills, and where the shape has it one for their files.
func (w writer) one() ([]engine.Tool, error) {
	listed := w.shape.enum && len(w.skills) <= engine.MaxEnum
	description, err := w.description(listed)
	if err != nil {
		return nil, err
	}
	t := engine.AskTool{
		Name: w.shape.name, Description: description,
		Skill: w.param(w.shape.skill, "skill"),
		File:  w.param(w.shape.file, "file"), Args: w.param(w.shape.args, "args"),
	}
	if listed {
		t.Enum = engine.SkillNames(w.skills)
	}
	tools := []engine.Tool{t.Tool()}
	if f := w.shape.files; f.name != "" {
		tools = append(tools, engine.AskTool{
			Name: f.name, Description: w.words.Say("files", w.shape.name),
			Skill: w.param(f.skill, "skill"), File: w.param(f.file, "resource"), FileNeeded: true,
		}.Tool())
	}
	return tools, nil
}

// description is the instruction and the list. The words of an entry have .Name,
// .Description, .Path and .Dir, all escaped; those of the instruction .Tool (its
// name) and .Count (of skills). Without descriptions the names need not stand here
// where the schema lists them.
func (w writer) description(listed bool) (string, error) {
	head, err := w.custom.Instruction(w.words, map[string]any{"Tool": w.shape.name, "Count": len(w.skills)})
	if err != nil || w.shape.names && listed {
		return head, err
	}
	if w.shape.names {
		names := make([]string, len(w.skills))
		for i, s := range w.skills {
			names[i] = engine.EscapeLine(s.Name)
		}
		return head + "\n\n" + w.words.Say("names", strings.Join(names, ", ")), nil
	}
	var b strings.Builder
	b.WriteString(head)
	b.WriteByte('\n')
	entries := w.custom.Entries(w.words, "entry", fields...)
	for _, s := range w.skills {
		b.WriteByte('\n')
		if err := entries.Append(&b, values(entries, s)...); err != nil {
			return "", err
		}
	}
	return b.String(), nil
}

// fields are those that the words for one skill may use.
var fields = []string{"Name", "Description", "Path", "Dir"}

// values are those of s, escaped; what the words do not use is not made.
func values(e *engine.Entries, s skill.Skill) []string {
	out := []string{s.Name, s.Description, engine.Slash(s.Path), engine.Slash(s.Dir)}
	for i, f := range fields {
		if e.Uses(f) {
			out[i] = engine.EscapeLine(out[i])
		}
	}
	return out
}

// each is a tool for every skill.
func (w writer) each(prefix string) ([]engine.Tool, error) {
	if w.shape.file == "" && w.shape.args == "" {
		w.shape.file = own.file // a schema without parameters is refused by some providers
	}
	names := namer{prefix: prefix, taken: map[string]bool{}}
	block := "each"
	if w.shape.names {
		block = "each-names"
	}
	entries := w.custom.Entries(w.words, block, fields...)
	var tools []engine.Tool
	for _, s := range w.skills {
		var description strings.Builder
		if err := entries.Append(&description, values(entries, s)...); err != nil {
			return nil, err
		}
		tools = append(tools, engine.AskTool{
			Name: names.name(s.Name), Description: description.String(), Fixed: s.Name,
			File: w.param(w.shape.file, "file"), Args: w.param(w.shape.args, "args"),
		}.Tool())
	}
	return tools, nil
}

// param is the parameter of that name, described by the words for its use.
func (w writer) param(name, use string) engine.Param {
	if name == "" {
		return engine.Param{}
	}
	return engine.Param{Name: name, Description: w.words.Say("param-"+use, nil)}
}
