package engine

import (
	"bytes"
	"encoding/json"

	"github.com/promptc/promptc/engine/skill"
)

// MaxEnum is how many names an AskTool offers as an enum; beyond it the parameter
// is a plain string that the Session checks, because providers refuse or charge
// for long enums (P10).
const MaxEnum = 100

// An AskTool is a tool by which a model asks for a skill. Its schema keeps to what
// OpenAI, Anthropic and Gemini all take: type, properties, required, description
// and enum, in a fixed order of keys.
type AskTool struct {
	Name        string
	Description string
	Fixed       string // the only skill that it loads; then Skill is left out
	Skill       Param
	Enum        []string // the values of Skill; none, or more than MaxEnum: a plain string
	Args        Param
	File        Param
	FileNeeded  bool
}

// Param is a parameter; one without a name is left out.
type Param struct{ Name, Description string }

// SkillNames are the names in session order, as a model is to write them: folded,
// unless two would become one. Input.Skill finds the skill by either form.
func SkillNames(skills []skill.Skill) []string {
	names := make([]string, len(skills))
	count := map[string]int{}
	for i, s := range skills {
		names[i] = Fold(s.Name)
		count[names[i]]++
	}
	for i, s := range skills {
		if names[i] == "" || count[names[i]] > 1 {
			names[i] = s.Name
		}
	}
	return names
}

// Tool is the tool as a host gets it.
func (a AskTool) Tool() Tool {
	var b bytes.Buffer
	b.WriteString(`{"type":"object","properties":{`)
	required := []string{}
	add := func(p Param, enum []string, need bool) {
		if p.Name == "" {
			return
		}
		if b.Bytes()[b.Len()-1] != '{' {
			b.WriteByte(',')
		}
		writeJSON(&b, p.Name)
		b.WriteString(`:{"type":"string"`)
		if p.Description != "" {
			b.WriteString(`,"description":`)
			writeJSON(&b, p.Description)
		}
		if len(enum) > 0 && len(enum) <= MaxEnum {
			b.WriteString(`,"enum":`)
			writeJSON(&b, enum)
		}
		b.WriteByte('}')
		if need {
			required = append(required, p.Name)
		}
	}
	which := a.Skill
	if a.Fixed != "" {
		which = Param{}
	}
	add(which, a.Enum, true)
	add(a.Args, nil, false)
	add(a.File, nil, a.FileNeeded)
	b.WriteString(`},"required":`)
	writeJSON(&b, required)
	b.WriteByte('}')
	return Tool{
		Name: a.Name, Description: a.Description, Parameters: b.Bytes(),
		Asks: Asks{Skill: a.Fixed, SkillParam: which.Name, FileParam: a.File.Name, ArgsParam: a.Args.Name},
	}
}

// writeJSON writes v on one line; < > & stay as they are, since a model reads it.
func writeJSON(b *bytes.Buffer, v any) {
	e := json.NewEncoder(b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		panic("engine: strings always encode: " + err.Error())
	}
	b.Truncate(b.Len() - 1) // Encode ends with a line break
}
