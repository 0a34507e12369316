package format

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"regexp"
	"slices"
	"strconv"
	"unicode/utf8"

	"github.com/promptc/promptc/engine"
	"github.com/promptc/promptc/engine/diag"
)

// encoder writes one request.
type encoder struct {
	host   provider
	rules  rules
	model  string
	names  *ToolNames
	open   []openCall // calls that no result has answered yet
	ids    map[string]bool
	marked int // cache breakpoints in messages that are sent as they stand
	found  diag.List
}

type openCall struct{ id, host, name string }

func newEncoder(host provider, p *engine.Prompt) *encoder {
	e := &encoder{host: host, rules: host.rules(), model: p.Model, ids: map[string]bool{}}
	var names []ToolName
	add := func(name string) {
		if t := (ToolName{Name: name}); !slices.Contains(names, t) {
			names = append(names, t)
		}
	}
	for _, t := range p.Tools {
		add(t.Name)
	}
	for _, m := range p.Messages {
		if m.Form == e.rules.name && m.Raw != nil {
			continue // its names are the provider's already
		}
		for _, c := range m.Calls {
			add(c.Name)
		}
	}
	e.names = nameTools(e.rules, names)
	return e
}

// note is a diagnostic that was just added.
type note struct {
	list *diag.List
	at   int
}

func (n note) hint(format string, args ...any) note {
	(*n.list)[n.at] = (*n.list)[n.at].WithHint(format, args...)
	return n
}

func (n note) as(s diag.Severity) note {
	(*n.list)[n.at] = (*n.list)[n.at].As(s)
	return n
}

func (e *encoder) note(code diag.Code, format string, args ...any) note {
	e.found.Add(diag.New(code, diag.Pos{}, format, args...))
	return note{&e.found, len(e.found) - 1}
}

func (e *encoder) noPlace(format string, args ...any) note {
	return e.note(diag.FormatNoPlace, format, args...)
}

// conversation writes all messages. One that is in the provider's own form is sent
// byte for byte.
func (e *encoder) conversation(messages []engine.Message) []json.RawMessage {
	var out []json.RawMessage
	turns := merged(e.turns(messages))
	for i := range turns {
		t := &turns[i]
		e.pair(t)
		if i == 0 && e.rules.userFirst && t.role != engine.RoleUser {
			e.note(diag.FormatIncomplete, "the first message is not the user's, and %s wants it to be", e.rules.name).hint("begin the history with the user's message")
		}
		if t.raw != nil {
			e.marked += bytes.Count(t.raw, []byte(`"cache_control"`))
			out = append(out, t.raw)
			continue
		}
		for _, p := range t.parts {
			if p.kind == otherPart {
				n := e.noPlace("message %d: its %s has no place in %s and is left out", t.from+1, p.what, e.rules.name).
					hint("say in words what the model needs of it, or keep the conversation with the provider that it comes from")
				if p.minor {
					n.as(diag.Info).hint("nothing: no other provider wants it")
				}
			}
		}
		out = append(out, e.host.messages(e, *t)...)
	}
	if len(e.open) > 0 && e.rules.paired {
		e.note(diag.FormatIncomplete, "the history ends before the call of %q is answered", e.open[0].name).hint("add the tool's answer before the request is sent")
	}
	return out
}

// turns understands the messages. Whatever was changed since it came from its
// provider is taken from the Message, else from Raw, which holds more.
func (e *encoder) turns(messages []engine.Message) []turn {
	var out []turn
	for i := 0; i < len(messages); {
		t, n := e.turn(messages[i:])
		t.from = i
		out = append(out, t)
		i += n
	}
	return out
}

func (e *encoder) turn(messages []engine.Message) (turn, int) {
	m := messages[0]
	if m.Raw == nil {
		return turnOf(m), 1
	}
	form := m.Form
	if form == "" {
		form = Detect(m.Raw, e.rules.name)
	}
	if form == e.rules.name || plain(m.Raw, e.rules.name) {
		if t, ok := e.host.decode(m.Raw); ok {
			if n, ok := t.covers(messages, e.names); ok {
				t.adopt(messages[:n])
				t.raw = m.Raw
				return t, n
			}
		}
	} else if source, err := providerOf(form); err == nil {
		if t, ok := source.decode(m.Raw); ok {
			if n, ok := t.covers(messages, e.names); ok {
				t.adopt(messages[:n])
				return t, n
			}
		}
	}
	return turnOf(m), 1
}

// merged joins what providers want in one message: an assistant's text with its
// calls, and the results of calls that were made together.
func merged(turns []turn) []turn {
	var out []turn
	for _, t := range turns {
		if n := len(out) - 1; n >= 0 && t.raw == nil && out[n].raw == nil && t.role == out[n].role && (t.role == engine.RoleAssistant || t.role == engine.RoleTool) {
			out[n].parts = append(slices.Clip(out[n].parts), t.parts...)
			continue
		}
		out = append(out, t)
	}
	return out
}

// pair gives calls their ids and results the id and the name of their call.
func (e *encoder) pair(t *turn) {
	if (t.role == engine.RoleUser || t.role == engine.RoleSystem) && !t.has(resultPart) && len(e.open) > 0 {
		if e.rules.paired {
			e.unpaired(t.from, "the call of %q before it is not answered", e.open[0].name)
		}
		e.open = nil
	}
	for i := range t.parts {
		switch p := &t.parts[i]; p.kind {
		case callPart:
			host, name := p.host, e.names.Host(ToolName{Name: p.call.Name})
			if t.raw == nil {
				host = e.id(p.call.ID)
			}
			e.ids[host] = true
			e.open = append(e.open, openCall{p.call.ID, host, name})
			p.host, p.call.Name = host, name
		case resultPart:
			n := slices.IndexFunc(e.open, func(c openCall) bool { return c.id == p.reply || p.reply == "" })
			if n < 0 {
				if e.rules.paired {
					e.unpaired(t.from, "it answers the call %q, which is not open", p.reply)
				}
				p.host = p.reply
				continue
			}
			p.host, p.name = e.open[n].host, e.open[n].name
			e.open = slices.Delete(e.open, n, n+1)
		}
	}
}

func (e *encoder) unpaired(from int, format string, args ...any) {
	n := e.note(diag.HistoryInvalid, format, args...)
	d := &e.found[n.at]
	d.Message = "message " + strconv.Itoa(from+1) + ": " + d.Message
	n.hint("every call of a tool needs its answer behind it, before the user's next message, and every answer its call")
}

var plainID = regexp.MustCompile(`^[a-zA-Z0-9_-]+$`)

// id is the id of a call as the provider takes it: the engine's own where it can be.
func (e *encoder) id(id string) string {
	fits := func(s string) bool {
		return s != "" && !e.ids[s] && (e.rules.maxID == 0 || len(s) <= e.rules.maxID) && (!e.rules.plainID || plainID.MatchString(s))
	}
	out := id
	for i := 0; !fits(out); i++ {
		out = "call_" + short(id+"\x00"+strconv.Itoa(i), 24)
	}
	return out
}

// short is the beginning of a hash in hex.
func short(text string, digits int) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])[:digits]
}

// tools writes names and schemas as the provider takes them.
func (e *encoder) tools(tools []engine.Tool) []toolParts {
	if limit := e.rules.maxTools; limit > 0 && len(tools) > limit {
		e.note(diag.ToolLimit, "%d tools, and %s takes %d", len(tools), e.rules.name, limit).as(diag.Error)
	}
	var out []toolParts
	for _, t := range tools {
		name := e.names.Host(ToolName{Name: t.Name})
		if name != t.Name {
			e.note(diag.ToolAdapted, "the tool %q is called %q for %s", t.Name, name, e.rules.name).hint("map the name in a call back with Request.Names")
		}
		if n := utf8.RuneCountInString(t.Description); e.rules.longText > 0 && n > e.rules.longText {
			e.note(diag.ToolLimit, "the description of %q has %d characters; deployments of older models behind %s refuse more than %d", t.Name, n, e.rules.name, e.rules.longText).as(diag.Info).
				hint("if this one does, use --option style=names or the strategy index")
		}
		schema, notes := e.rules.schema.adapt(t.Parameters)
		for _, n := range notes {
			code := diag.ToolAdapted
			if n.refused {
				code = diag.ToolRefused
			}
			e.note(code, "the tool %q: %s", t.Name, n.text)
		}
		out = append(out, toolParts{name: name, description: t.Description, schema: schema.bytes(), empty: schema.empty()})
	}
	return out
}
