package format

import (
	"bytes"
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/promptc/promptc/engine"
	"github.com/promptc/promptc/engine/diag"
)

// History is a conversation that came in a provider's form.
type History struct {
	Format   string
	System   string // the system prompt that it begins with; it is no Message
	Messages []engine.Message
	// Diagnostics say what is no message of that form, and what was not taken over.
	Diagnostics diag.List
}

// envelope is where the messages stand in a request or a response.
type envelope struct {
	items  json.RawMessage // a list of messages, or one
	system string
	tools  bool // it has tools, which are no part of a conversation
}

// ReadHistory reads messages in the named provider's form: a list, one message, a
// whole request or a whole response. Each Message keeps its own bytes in Raw, so that
// NewRequest gives them back unchanged; of one that is several here, the first has
// them. File is for the places of diagnostics. The error is for an unknown name.
func ReadHistory(name, file string, data []byte) (*History, error) {
	p, err := providerOf(name)
	if err != nil {
		return nil, err
	}
	h := &History{Format: name}
	data = bytes.TrimPrefix(data, []byte("\ufeff"))
	switch {
	case !utf8.Valid(data):
		h.refuse(file, data, 0, "it is not valid UTF-8")
		return h, nil
	case !json.Valid(data):
		h.refuse(file, data, 0, "it is no JSON")
		return h, nil
	}
	env := p.unwrap(bytes.TrimSpace(data))
	h.System = env.system
	if env.tools {
		h.Diagnostics.Add(diag.New(diag.FormatNoPlace, diag.At(file), "the tools of the request were not taken over: a history is messages").As(diag.Info).WithHint("the host adds its own tools to the request"))
	}
	items, offsets, ok := split(env.items, max(0, bytes.Index(data, env.items)))
	if !ok {
		h.refuse(file, data, 0, "there is no list of %s messages", name)
		return h, nil
	}
	ids := &missingIDs{}
	for i, raw := range items {
		t, ok := p.decode(raw)
		if !ok {
			h.refuse(file, data, offsets[i], "message %d is none of %s", i+1, name)
			continue
		}
		if t.role == engine.RoleSystem && len(h.Messages) == 0 {
			h.System = strings.TrimPrefix(h.System+"\n\n"+t.texts(), "\n\n")
			continue
		}
		ids.fill(&t, raw)
		h.Messages = append(h.Messages, t.project(name, raw)...)
	}
	return h, nil
}

// Answer reads what the provider answered to r. Tools have the names of the prompt
// again, so that a call can be handed to who offered the tool.
func (r *Request) Answer(data []byte) (*History, error) {
	h, err := ReadHistory(r.Format, "", data)
	if err != nil {
		return nil, err
	}
	for i := range h.Messages {
		for j, c := range h.Messages[i].Calls {
			if t, ok := r.Names.Owner(c.Name); ok {
				h.Messages[i].Calls[j].Name = t.Name
			}
		}
	}
	return h, nil
}

func (h *History) refuse(file string, data []byte, offset int, format string, args ...any) {
	before := data[:offset]
	at := diag.Pos{File: file, Line: 1 + bytes.Count(before, []byte("\n"))}
	at.Column = 1 + len([]rune(string(before[bytes.LastIndexByte(before, '\n')+1:])))
	h.Diagnostics.Add(diag.New(diag.HistoryInvalid, at, format, args...).WithHint("forms are %s, and a list of {role, text}; --history-format names one", strings.Join(Providers(), ", ")))
}

// split gives the items of a list with their offsets, or the one that raw is.
func split(raw json.RawMessage, base int) (items []json.RawMessage, offsets []int, ok bool) {
	switch trimmed := bytes.TrimSpace(raw); {
	case len(trimmed) == 0:
		return nil, nil, false
	case trimmed[0] == '{':
		return []json.RawMessage{trimmed}, []int{base}, true
	case trimmed[0] != '[':
		return nil, nil, false
	}
	dec := json.NewDecoder(bytes.NewReader(raw))
	if _, err := dec.Token(); err != nil {
		return nil, nil, false
	}
	for dec.More() {
		var item json.RawMessage
		if dec.Decode(&item) != nil {
			return nil, nil, false
		}
		items = append(items, item)
		offsets = append(offsets, base+int(dec.InputOffset())-len(item))
	}
	return items, offsets, true
}

// missingIDs gives an id to each call that came without one, and to its answer.
type missingIDs struct{ open []openCall }

func (m *missingIDs) fill(t *turn, raw json.RawMessage) {
	for i := range t.parts {
		switch p := &t.parts[i]; p.kind {
		case callPart:
			if p.call.ID == "" {
				p.call.ID = "call_" + short(string(raw)+"\x00"+strconv.Itoa(i), 16)
			}
			m.open = append(m.open, openCall{id: p.call.ID, name: p.call.Name})
		case resultPart:
			n := slices.IndexFunc(m.open, func(c openCall) bool {
				return p.reply == c.id || p.reply == "" && (p.name == "" || p.name == c.name)
			})
			if n >= 0 {
				p.reply = m.open[n].id
				m.open = slices.Delete(m.open, n, n+1)
			}
		}
	}
}

// Own is the name by which Detect calls promptc's own form, a list of {role, text}.
const Own = "promptc"

// Detect says in which form a history is: a name of Providers, or Own. Where the
// messages could be of several providers, it is prefer if that is one of them, else
// openai-chat; such messages mean the same in each.
func Detect(data []byte, prefer string) string {
	data = bytes.TrimSpace(bytes.TrimPrefix(data, []byte("\ufeff")))
	if !json.Valid(data) {
		return Own // YAML, or an error that the reader of YAML explains
	}
	var top map[string]json.RawMessage
	items := json.RawMessage(data)
	if json.Unmarshal(data, &top) == nil {
		has := func(keys ...string) bool {
			return slices.ContainsFunc(keys, func(k string) bool { return top[k] != nil })
		}
		switch {
		case has("contents", "candidates", "systemInstruction", "system_instruction", "generationConfig"):
			return gemini{}.rules().name
		case has("choices", "max_completion_tokens"):
			return openaiChat{}.rules().name
		case has("input", "instructions", "max_output_tokens"), has("output") && !has("role", "call_id"):
			return openaiResponses{}.rules().name
		case has("messages") && has("system", "stop_sequences"):
			return anthropic{}.rules().name
		case has("messages"):
			items = top["messages"]
		}
	}
	list, _, ok := split(items, 0)
	if !ok {
		return Own
	}
	plainly := true
	for _, item := range list {
		if name := clue(item); name != "" {
			return name
		}
		plainly = plainly && plain(item, prefer)
	}
	if plainly && slices.Contains(Providers(), prefer) {
		return prefer
	}
	return openaiChat{}.rules().name
}

// clue is the only form that a message can be of; "" where there are several.
func clue(raw json.RawMessage) string {
	chat, responses, claude, google := openaiChat{}.rules().name, openaiResponses{}.rules().name, anthropic{}.rules().name, gemini{}.rules().name
	var m map[string]json.RawMessage
	if json.Unmarshal(raw, &m) != nil {
		return ""
	}
	str := func(key string) (s string) {
		if json.Unmarshal(m[key], &s) != nil {
			return ""
		}
		return s
	}
	kind := str("type")
	switch {
	case m["parts"] != nil || str("role") == "model":
		return google
	case m["text"] != nil && m["content"] == nil:
		return Own
	case kind == "message" && (m["stop_reason"] != nil || m["usage"] != nil):
		return claude
	case kind != "":
		return responses
	case m["tool_calls"] != nil || m["tool_call_id"] != nil || str("role") == "tool" || str("role") == "function":
		return chat
	}
	c, ok := contentOf(m["content"])
	if !ok {
		return ""
	}
	for _, p := range c.parts {
		var b struct {
			Type   string          `json:"type"`
			Source json.RawMessage `json:"source"`
			Cache  json.RawMessage `json:"cache_control"`
		}
		if json.Unmarshal(p, &b) != nil {
			continue
		}
		switch {
		case b.Type == "input_text", b.Type == "output_text", b.Type == "input_image", b.Type == "input_file":
			return responses
		case b.Type == "image_url", b.Type == "input_audio", b.Type == "file", b.Type == "refusal":
			return chat
		case b.Source != nil, b.Cache != nil, b.Type != "text":
			return claude
		}
	}
	return ""
}

// plain says whether a message means in the named form what it means in every other:
// a role and a text.
func plain(raw json.RawMessage, name string) bool {
	n, err := parseNode(raw)
	if err != nil || len(n.keysOf()) != 2 || name == (gemini{}).rules().name || !slices.Contains(Providers(), name) {
		return false
	}
	if role, _ := n.get("role").text(); role != "user" && role != "assistant" {
		return false
	}
	content := n.get("content")
	if _, ok := content.text(); ok {
		return true
	}
	if name == (openaiResponses{}).rules().name || !content.isList() {
		return false
	}
	return !slices.ContainsFunc(content.list, func(p *node) bool {
		_, ok := p.get("text").text()
		return !ok || !p.get("type").is(`"text"`) || len(p.keys) != 2
	})
}
