package format

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/promptc/promptc/engine"
	"github.com/promptc/promptc/engine/diag"
)

// Request is a prompt as one provider takes it.
type Request struct {
	Format      string
	Body        []byte     // JSON, complete but for what a format-incomplete diagnostic names
	Names       *ToolNames // from the names in Body to those of the prompt's tools, for the answer
	Diagnostics diag.List  // what was changed, what has no place, what is missing
}

// Options are what a request needs and a prompt does not have. The zero value is
// fine for every provider.
type Options struct {
	// MaxTokens is the longest answer; 0: the provider's own, or DefaultMaxTokens
	// where the provider takes no request without one.
	MaxTokens int
}

// DefaultMaxTokens is the limit of an answer where a provider demands one and
// Options gives none.
const DefaultMaxTokens = 4096

// provider is one request format. What is documented of it as a plain rule stands
// in rules; the rest is how its messages are read and written.
type provider interface {
	rules() rules
	// decode reads one message of the provider's; ok is false where raw is none.
	decode(raw json.RawMessage) (t turn, ok bool)
	// messages writes a turn that has no form of the provider's own.
	messages(e *encoder, t turn) []json.RawMessage
	// request puts the parts together; system is "" where there is none.
	request(e *encoder, r *parts) object
	// unwrap finds the messages in a request or a response of the provider's.
	unwrap(data json.RawMessage) envelope
}

// rules are what a provider's documents and its refusals say.
type rules struct {
	name, summary string
	maxID         int  // bytes of a tool call's id; 0: no limit
	plainID       bool // ids keep to letters, digits, _ and -
	letterFirst   bool // a tool's name begins with a letter or _
	maxTools      int  // 0: no limit known
	longText      int  // runes of a tool's description that some deployments refuse; 0: none known
	paired        bool // a call without an answer, or an answer without a call, is refused
	userFirst     bool // the first message must be the user's
	schema        dialect
}

// providers are the request formats, in the order in which they are listed.
func providers() []provider {
	return []provider{openaiChat{}, openaiResponses{}, anthropic{}, gemini{}}
}

// Providers lists the names of the request formats.
func Providers() []string {
	var out []string
	for _, p := range providers() {
		out = append(out, p.rules().name)
	}
	return out
}

func providerOf(name string) (provider, error) {
	for _, p := range providers() {
		if p.rules().name == name {
			return p, nil
		}
	}
	return nil, fmt.Errorf("no request format %q; formats are %s", name, strings.Join(Providers(), ", "))
}

// parts are what a request is made of, each in the provider's form already.
type parts struct {
	prompt   *engine.Prompt
	options  Options
	messages []json.RawMessage
	tools    []toolParts
	marked   int // cache breakpoints that the history has
}

// toolParts is a tool with the name and the schema that the provider takes.
type toolParts struct {
	name, description string
	schema            json.RawMessage
	empty             bool // it takes no arguments
}

// NewRequest writes p in the named provider's form. Equal prompts give equal bytes;
// a message whose Raw is of that form stands in Body byte for byte. A host goes on
// by adding to p.Messages and asking again: what was there before stays as it is.
// The error is for an unknown name; what the provider would refuse is a diagnostic
// of severity error.
func NewRequest(name string, p *engine.Prompt, o Options) (*Request, error) {
	host, err := providerOf(name)
	if err != nil {
		return nil, err
	}
	e := newEncoder(host, p)
	r := &parts{prompt: p, options: o}
	r.messages = e.conversation(p.Messages)
	r.tools = e.tools(p.Tools)
	r.marked = e.marked
	e.rest(p)
	body := host.request(e, r)
	return &Request{Format: name, Body: body.bytes(), Names: e.names, Diagnostics: e.found}, nil
}

// Conversation writes messages alone in the named provider's form, one value for
// each of the provider's messages.
func Conversation(name string, messages []engine.Message) ([]json.RawMessage, diag.List, error) {
	host, err := providerOf(name)
	if err != nil {
		return nil, nil, err
	}
	e := newEncoder(host, &engine.Prompt{Messages: messages})
	return e.conversation(messages), e.found, nil
}

// rest names what a request has no place for at all.
func (e *encoder) rest(p *engine.Prompt) {
	if len(p.Links) > 0 {
		e.noPlace("the model is to find skills as links, which are no part of a request: %s", some(len(p.Links), p.Links[0].Path)).hint("`promptc link` makes them; the agent that reads them must be the one that gets this request")
	}
	if !p.Launch.Empty() {
		e.noPlace("the launch of %s is no part of a request: %s", p.Agent, strings.Join(LaunchLines(p.Launch), " ")).hint("start the agent with it")
	}
	if n := len(p.ReadRoots); n > 0 {
		e.noPlace("the model is to read files, which are no part of a request: below %s", some(n, p.ReadRoots[0])).as(diag.Info).hint("offer it a tool that reads files, and open it for these directories (read_roots of --format json)")
	}
	if len(p.Messages) == 0 {
		e.found.Add(diag.New(diag.FormatIncomplete, diag.Pos{}, "there is no message, and a provider takes no request without one").WithHint("add it with --message, or send the user's own behind this prompt"))
	}
	if p.Model == "" && e.host.rules().name != "gemini" {
		e.found.Add(diag.New(diag.FormatIncomplete, diag.Pos{}, "no model is named").WithHint("name it with --model, or add it to the request"))
	}
}

// some names the first of n things.
func some(n int, first string) string {
	if n == 1 {
		return first
	}
	return fmt.Sprintf("%s and %d more", first, n-1)
}
