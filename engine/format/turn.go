package format

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/promptc/promptc/engine"
)

// A turn is one message of some provider's, understood: its parts in order. It
// holds more than an engine.Message does, so that a history goes from one provider
// to another without a loss that nobody needs.
type turn struct {
	role  engine.Role
	parts []part
	raw   json.RawMessage // the message itself, where it is to be sent as it stands
	from  int             // number of the engine.Message that it begins with, from 0
}

type kind int

const (
	textPart kind = iota
	imagePart
	callPart
	resultPart
	otherPart // what has no form outside of its provider
)

type part struct {
	kind   kind
	text   string          // of a text and of a result
	call   engine.ToolCall // ID is "" where the provider has none
	reply  string          // the id of the call that a result answers
	host   string          // the id of a call or a result as the provider has it
	name   string          // of the tool that a result comes from, where the provider has it
	failed bool
	image  image
	images []image // of a result
	what   string  // what an otherPart is
	minor  bool    // an otherPart that another provider would not want anyway
}

// image is a picture by its bytes (in base64) or by its address.
type image struct{ mime, data, url string }

// dataURL is the picture as an address.
func (i image) dataURL() string {
	if i.url != "" {
		return i.url
	}
	return "data:" + i.mime + ";base64," + i.data
}

// imageFrom reads an address, which may hold the picture itself.
func imageFrom(url string) image {
	if rest, ok := strings.CutPrefix(url, "data:"); ok {
		if mime, data, ok := strings.Cut(rest, ";base64,"); ok {
			return image{mime: mime, data: data}
		}
	}
	return image{url: url}
}

// roleOf is the role that most providers call by this word.
func roleOf(word string) (role engine.Role, ok bool) {
	switch word {
	case "user":
		return engine.RoleUser, true
	case "assistant":
		return engine.RoleAssistant, true
	case "system", "developer":
		return engine.RoleSystem, true
	}
	return "", false
}

// turnOf is a Message that has no form of a provider's.
func turnOf(m engine.Message) turn {
	t := turn{role: m.Role}
	if m.Role == engine.RoleTool {
		t.parts = []part{{kind: resultPart, text: m.Text, reply: m.Reply, failed: m.Failed}}
		return t
	}
	if m.Text != "" {
		t.parts = append(t.parts, part{kind: textPart, text: m.Text})
	}
	for _, c := range m.Calls {
		t.parts = append(t.parts, part{kind: callPart, call: c})
	}
	return t
}

// project gives the Messages that the engine works with: results one by one, the
// text around them as the user's own. The first of them carries raw.
func (t turn) project(form string, raw json.RawMessage) []engine.Message {
	var out []engine.Message
	open := false // the last of out may take more text
	at := func() *engine.Message {
		if !open {
			role := t.role
			if role == engine.RoleTool {
				role = engine.RoleUser
			}
			out = append(out, engine.Message{Role: role})
			open = true
		}
		return &out[len(out)-1]
	}
	for _, p := range t.parts {
		switch p.kind {
		case textPart:
			m := at()
			if m.Text != "" && m.Role != engine.RoleAssistant {
				m.Text += "\n\n"
			}
			m.Text += p.text
		case callPart:
			m := at()
			m.Calls = append(m.Calls, p.call)
		case resultPart:
			out = append(out, engine.Message{Role: engine.RoleTool, Text: p.text, Reply: p.reply, Failed: p.failed})
			open = false
		case imagePart, otherPart:
			if len(out) == 0 {
				at()
			}
		}
	}
	if len(out) == 0 {
		at()
	}
	out[0].Raw, out[0].Form = raw, form
	return out
}

// covers says whether t is what messages begin with, and how many of them it is.
// Ids and tool names count only where the provider's message has them as they are.
func (t turn) covers(messages []engine.Message, names *ToolNames) (int, bool) {
	own := t.project("", nil)
	if len(own) > len(messages) {
		return 0, false
	}
	for i, m := range own {
		x := messages[i]
		if m.Role != x.Role || m.Text != x.Text || m.Failed != x.Failed || m.Reply != "" && m.Reply != x.Reply || i > 0 && x.Raw != nil {
			return 0, false
		}
		if !slices.EqualFunc(m.Calls, x.Calls, func(a, b engine.ToolCall) bool {
			return (a.ID == "" || a.ID == b.ID) && (a.Name == b.Name || a.Name == names.Host(ToolName{Name: b.Name})) && string(a.Arguments) == string(b.Arguments)
		}) {
			return 0, false
		}
	}
	return len(own), true
}

// adopt takes ids, names and arguments from the Messages that t covers, so that
// they are the engine's in every turn.
func (t *turn) adopt(messages []engine.Message) {
	t.parts = slices.Clone(t.parts)
	var calls []engine.ToolCall
	var replies []string
	for _, m := range messages {
		calls = append(calls, m.Calls...)
		if m.Role == engine.RoleTool {
			replies = append(replies, m.Reply)
		}
	}
	for i := range t.parts {
		switch p := &t.parts[i]; p.kind {
		case callPart:
			p.host, p.call, calls = p.call.ID, calls[0], calls[1:]
		case resultPart:
			p.host, p.reply, replies = p.reply, replies[0], replies[1:]
		}
	}
}

// texts joins the text parts.
func (t turn) texts() string {
	var b strings.Builder
	for _, p := range t.parts {
		if p.kind != textPart {
			continue
		}
		if b.Len() > 0 && t.role != engine.RoleAssistant {
			b.WriteString("\n\n")
		}
		b.WriteString(p.text)
	}
	return b.String()
}

func (t turn) has(k kind) bool {
	return slices.ContainsFunc(t.parts, func(p part) bool { return p.kind == k })
}

func (t turn) of(k kind) []part {
	var out []part
	for _, p := range t.parts {
		if p.kind == k {
			out = append(out, p)
		}
	}
	return out
}
