package engine

import (
	"encoding/json"

	"github.com/promptc/promptc/engine/diag"
	"github.com/promptc/promptc/engine/skill"
)

// Prompt is what the model gets before its first turn, with what the host must
// do for it (links, launch, read roots), what it costs, and what was left out.
type Prompt struct {
	Agent    string
	Version  string
	Model    string
	Strategy string
	Language string

	System []Section // in order; joined by SystemText
	// FirstMessage says that System has no place of its own: it stands in the first
	// user message already, and SystemText is empty.
	FirstMessage bool
	Stable       int // leading sections that no Select changes: where a cache breakpoint fits
	Messages     []Message
	Tools        []Tool

	Place     Place
	Links     []Link
	Launch    Launch
	ReadRoots []string

	Title        string // for a host's list of sessions: "/[name]" where nothing was typed, else ""
	TypedNothing bool   // the user only chose a skill

	Skills      []Used    // those that the model can reach, in session order
	Dropped     []Dropped // those that it cannot, and why
	Usage       Usage
	Fingerprint string // sha256:… of all that the model gets; never of files behind a link
	Diagnostics diag.List
}

// Err is nil where the prompt is fit to send.
func (p *Prompt) Err() error { return p.Diagnostics.Err() }

// Role of a Message.
type Role string

const (
	RoleUser      Role = "user"
	RoleAssistant Role = "assistant"
	RoleTool      Role = "tool"
	// RoleSystem marks words of the host in the midst of a history. They come only
	// with a history in a provider's form; the system prompt is never a Message.
	RoleSystem Role = "system"
)

// Message is one turn. Raw holds the host's own form, kept byte for byte, and Form
// says which that is (a name of package format). Where one message of a host is
// several here, the first of them holds it.
type Message struct {
	Role   Role            `json:"role"`
	Text   string          `json:"text"`
	Calls  []ToolCall      `json:"tool_calls,omitempty"`
	Reply  string          `json:"tool_call_id,omitempty"` // the id of the call that this answers
	Failed bool            `json:"failed,omitempty"`       // the tool reports an error
	Raw    json.RawMessage `json:"-"`
	Form   string          `json:"-"`
}

// ToolCall is a model's call of a tool.
type ToolCall struct {
	ID        string          `json:"id"`
	Name      string          `json:"name"`
	Arguments json.RawMessage `json:"arguments"` // an object
}

// Used is a skill that the model can reach.
type Used struct {
	Name   string      `json:"name"`
	Path   string      `json:"path"`
	Scope  skill.Scope `json:"scope"`
	SHA256 string      `json:"sha256"` // of the whole SKILL.md; "" without Job.Inspect
	Tokens int         `json:"tokens"` // of the whole SKILL.md; 0 without Job.Inspect
}

// Drop says why a skill is not within the model's reach.
type Drop string

const (
	DropBudget        Drop = "budget"
	DropShadowed      Drop = "shadowed"
	DropUntrusted     Drop = "untrusted"
	DropDisabled      Drop = "disabled"
	DropHidden        Drop = "hidden"
	DropBroken        Drop = "broken"
	DropUndeliverable Drop = "undeliverable"
)

// Dropped is a skill that the model cannot reach.
type Dropped struct {
	Name   string `json:"name"`
	Reason Drop   `json:"reason"`
	Path   string `json:"-"`
}

// Counter counts tokens. The engine never counts by itself: the caller brings one.
type Counter interface {
	Name() string
	Exact() bool // the count equals that of the named encoding
	Count(text string) int
	Frame() Frame
}

// Frame is what a provider adds around messages and tools, in tokens. It is
// unknown where Source is empty: then only text is counted. It is an alias, so
// that counters need not import this package.
type Frame = struct {
	Message int    // for each message
	Request int    // once
	Tool    int    // for each tool
	ToolSet int    // once, where there are tools
	Source  string // where this is published; "": unknown
}

// Usage is what the prompt costs, in tokens of the named tokenizer.
type Usage struct {
	Tokenizer string `json:"tokenizer"`
	Exact     bool   `json:"exact"`
	ModelOwn  any    `json:"model_own"` // true, false or "unknown"
	System    int    `json:"system"`
	Messages  int    `json:"messages"`
	Tools     int    `json:"tools"`
	Total     int    `json:"total"`   // system + messages + tools, text only
	Framing   *int   `json:"framing"` // what the provider adds; nil: unknown
	Native    *int   `json:"native"`  // what the agent's own list costs; nil: unknown
	// Sections holds the tokens of each section of System, in its order.
	Sections []int `json:"-"`
}
