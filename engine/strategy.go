package engine

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/promptc/promptc/engine/agent"
	"github.com/promptc/promptc/engine/diag"
	"github.com/promptc/promptc/engine/skill"
)

// A Strategy is a function of its arguments: it opens no file, keeps no state,
// reads no clock, and leaves its Input as it was found. It is safe for calls in
// parallel. package strategytest is this contract as a test suite.
//
// Render returns what the model sees before the first turn. Given no skills it
// returns an empty Rendering. Input.Message is there to choose by, and never
// appears in a Rendering. A skill that Render keeps from the model is named in a
// skill-hidden diagnostic, so that every skill is either reachable or accounted for.
//
// Activate returns the words for a skill or for one of its files; whether the
// model has them already is the Session's business. It returns an error that
// wraps ErrUnknownSkill where Input has no such skill (ErrUnknownFile is the
// engine's, which reads the file before it asks).
type Strategy interface {
	Info() Info
	Render(ctx context.Context, in *Input) (*Rendering, error)
	Activate(ctx context.Context, in *Input, req *Request) (*Activation, error)
}

var (
	ErrUnknownSkill = errors.New("unknown skill")
	ErrUnknownFile  = errors.New("unknown file")
)

// Info describes a strategy; it never changes while a program runs.
type Info struct {
	Name    string          `json:"name"`
	Summary string          `json:"summary"` // one sentence
	Needs   []agent.Need    `json:"needs"`   // what rules it out is known before it renders
	Bodies  Bodies          `json:"bodies"`  // what Render reads
	Options json.RawMessage `json:"options"` // JSON Schema of its options: validated by the engine, printed by promptc strategies
}

// Bodies says whose bodies Render wants in Input.Skills.
type Bodies string

const (
	NoBodies       Bodies = ""
	SelectedBodies Bodies = "selected" // the selected skill's, or of all where none is selected
	AllBodies      Bodies = "all"
)

// Input is all that a strategy knows.
type Input struct {
	Agent     agent.Agent     // plain values of one version; the zero value is unknown
	Workspace string          // absolute; "" where there is none
	Place     Place           // where links may be asked for; zero: nowhere
	Language  string          // en | zh
	Message   string          // the user's first text; stays the same for the session
	Skills    []skill.Skill   // in session order, already cut to the budget; no bodies in Activate
	Selected  string          // the skill that the user chose, or ""
	Options   json.RawMessage // valid by Info.Options, or nil
	Template  string          // the spec's own words for one entry or for the instruction, or ""
	Isolation Isolation       // the lines between which a body stands
}

// Place is where links may be made: a workspace that may be written, or a view
// of promptc's own outside of it.
type Place struct {
	Dir  string `json:"dir"`
	View bool   `json:"view"`
}

// By says who asked for a skill.
type By string

const (
	ByModel By = "model"
	ByUser  By = "user"
)

// Request asks for the words of one skill or of one of its files.
type Request struct {
	Skill string
	File  string // slash-separated, relative to the skill's directory; "" is the body
	Args  string
	By    By
	Text  string       // read, filled with Args and cut to the budget by the engine
	Files []skill.File // the skill's other files, capped
	More  int          // how many files were left out of Files
}

// Rendering is what a strategy puts before the model, as data.
type Rendering struct {
	Sections    []Section // the engine places them: system prompt or first message
	Tools       []Tool
	Links       []Link
	Launch      Launch
	ReadRoots   []string // directories of skills, nothing else
	Diagnostics diag.List
}

// Activation is what a conversation gains by a skill; the Session makes it a
// tool result or a user message.
type Activation struct {
	Text        string
	ArgsUsed    bool // the text holds the arguments already
	Diagnostics diag.List
}

// Section is a piece of text with an id: knowledge, skills, skills/NAME, system.
type Section struct {
	ID    string `json:"id"`
	Skill string `json:"-"` // whose body this carries, or ""
	Text  string `json:"text"`
}

// Tool is a tool that the host offers to the model.
type Tool struct {
	Name        string          `json:"name"`
	Description string          `json:"description"`
	Parameters  json.RawMessage `json:"parameters"` // JSON Schema; an object with properties
	Asks        Asks            `json:"-"`
}

// Asks says how a call of a tool becomes a Request: the skill is fixed (Skill),
// or named by the parameter SkillParam.
type Asks struct {
	Skill      string
	SkillParam string
	FileParam  string
	ArgsParam  string
}

// Link asks for a link, or a copy, of a skill's directory.
type Link struct {
	Path   string // local, slash-separated, relative to Place.Dir
	Target string // absolute: a skill's directory
	Copy   bool
}

// Launch is what the agent's command line needs.
type Launch = agent.Launch
