// Package index lists the skills in the prompt, one entry each, and lets the
// model read the one that it needs. It is the cheapest strategy for a model that
// can read files; see New.
package index

import (
	"context"
	_ "embed"
	"encoding/json"
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

//go:embed index.tmpl
var text string

var words = sync.OnceValue(func() *template.Template { return engine.ParseWords("index", text) })

const schema = `{
  "type": "object",
  "additionalProperties": false,
  "properties": {
    "shape": {
      "enum": ["line", "xml"],
      "default": "line",
      "description": "line: one Markdown line a skill, the cheapest; xml: the form of the open standard"
    },
    "load": {
      "enum": ["read", "tool", "marker"],
      "default": "read",
      "description": "how the model gets a skill: it reads the file, calls a tool, or writes [LOAD_SKILL: name]"
    }
  }
}`

func (strategy) Info() engine.Info {
	return engine.Info{
		Name:    "index",
		Summary: "Lists name, description and path of each skill; the model reads the one that it needs.",
		Needs:   []agent.Need{agent.NeedRead},
		Options: json.RawMessage(schema),
	}
}

type options struct {
	Shape string `json:"shape"`
	Load  string `json:"load"`
}

// Render gives one section, "skills": how to use the list, then the list.
func (strategy) Render(ctx context.Context, in *engine.Input) (*engine.Rendering, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	o := options{Shape: "line", Load: "read"}
	if err := in.Decode(&o); err != nil {
		return nil, err
	}
	out := &engine.Rendering{}
	if len(in.Skills) == 0 {
		return out, nil
	}
	w := writer{words: engine.In(words(), in.Language), options: o, skills: in.Skills}
	list, err := w.section(in.Template)
	if err != nil {
		out.Diagnostics.Add(diag.New(diag.TemplateFailed, diag.Pos{}, "the template of index: %v", err).
			WithHint("an entry has .Name, .Description, .Path and .Dir, the instruction .Load, .Tool and .Count"))
		return out, nil
	}
	out.Sections = []engine.Section{{ID: "skills", Text: list}}
	switch o.Load {
	case "read":
		for _, s := range in.Skills {
			out.ReadRoots = append(out.ReadRoots, s.Dir)
		}
	case "tool":
		out.Tools = []engine.Tool{askTool(w.words, in.Skills)}
	}
	return out, nil
}

// Activate answers with the text between its isolation lines.
func (strategy) Activate(ctx context.Context, in *engine.Input, req *engine.Request) (*engine.Activation, error) {
	return in.Answer(ctx, req)
}

// toolName is the name of the tool under load=tool; the tool strategy has the
// same default.
const toolName = "activate_skill"

// askTool is the one tool of load=tool. The skills are described in the section,
// so the tool's own words are the same for every set (c20).
func askTool(w engine.Words, skills []skill.Skill) engine.Tool {
	return engine.AskTool{
		Name:        toolName,
		Description: w.Say("tool", nil),
		Skill:       engine.Param{Name: "name", Description: w.Say("tool-name", nil)},
		Enum:        engine.SkillNames(skills),
		File:        engine.Param{Name: "file", Description: w.Say("tool-file", nil)},
		Args:        engine.Param{Name: "args", Description: w.Say("tool-args", nil)},
	}.Tool()
}

type writer struct {
	words   engine.Words
	options options
	skills  []skill.Skill
}

// section is the instruction and the list. The words of an entry have .Name,
// .Description, .Path and .Dir, all escaped; those of the instruction .Load
// (read, tool or marker), .Tool (its name) and .Count (of skills).
func (w writer) section(own string) (string, error) {
	custom, err := engine.ParseCustom(own)
	if err != nil {
		return "", err
	}
	head, err := custom.Instruction(w.words, map[string]any{"Load": w.options.Load, "Tool": toolName, "Count": len(w.skills)})
	if err != nil {
		return "", err
	}
	var b strings.Builder
	b.Grow(w.size(len(head)))
	b.WriteString(head)
	b.WriteString("\n")
	escape := engine.EscapeLine
	if w.options.Shape == "xml" {
		escape = engine.EscapeXML
		b.WriteString("\n<available_skills>")
	}
	entries := custom.Entries(w.words, "entry-"+w.options.Shape, "Name", "Description", "Path", "Dir")
	for _, s := range w.skills {
		b.WriteByte('\n')
		dir := ""
		if entries.Uses("Dir") {
			dir = escape(engine.Slash(s.Dir))
		}
		if err := entries.Append(&b, escape(s.Name), escape(s.Description), escape(engine.Slash(s.Path)), dir); err != nil {
			return "", err
		}
	}
	if w.options.Shape == "xml" {
		b.WriteString("\n</available_skills>")
	}
	return b.String(), nil
}

// size is about how long a section with such a head gets.
func (w writer) size(head int) int {
	const around = 64 // what stands around the fields of an entry, at the most
	for _, s := range w.skills {
		head += len(s.Name) + len(s.Description) + len(s.Path) + around
	}
	return head
}
