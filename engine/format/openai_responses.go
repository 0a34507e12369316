package format

import (
	"encoding/json"
	"strings"

	"github.com/promptc/promptc/engine"
)

// openaiResponses is OpenAI's Responses: a conversation is a list of items, in
// which a call is an item of its own.
type openaiResponses struct{}

func (openaiResponses) rules() rules {
	return rules{
		name: "openai-responses", summary: "a request to OpenAI's Responses, as JSON",
		maxID: 64, maxTools: 128, longText: 1024, paired: true, schema: openaiSchema(),
	}
}

type inputMessage struct {
	Type    string          `json:"type"` // may be left out, but OpenAI's own Go types do not read it then
	Role    string          `json:"role"`
	Content json.RawMessage `json:"content"`
}

type functionCall struct {
	Type      string `json:"type"`
	CallID    string `json:"call_id"`
	Name      string `json:"name"`
	Arguments string `json:"arguments"`
}

type functionOutput struct {
	Type   string          `json:"type"`
	CallID string          `json:"call_id"`
	Output json.RawMessage `json:"output"`
}

// request says strict: false for every tool: where it is left out, Responses makes
// every parameter required.
func (openaiResponses) request(e *encoder, r *parts) object {
	var body object
	if r.prompt.Model != "" {
		body.add("model", r.prompt.Model)
	}
	if r.options.MaxTokens > 0 {
		body.add("max_output_tokens", r.options.MaxTokens)
	}
	if s := r.prompt.SystemText(); s != "" {
		body.add("instructions", s)
	}
	body.add("input", r.messages)
	if len(r.tools) > 0 {
		body.add("tools", each(r.tools, func(t toolParts) json.RawMessage {
			return marshal(struct {
				Type        string          `json:"type"`
				Name        string          `json:"name"`
				Description string          `json:"description,omitempty"`
				Parameters  json.RawMessage `json:"parameters"`
				Strict      bool            `json:"strict"`
			}{"function", t.name, t.description, t.schema, false})
		}))
	}
	return body
}

func (openaiResponses) messages(e *encoder, t turn) []json.RawMessage {
	switch t.role {
	case engine.RoleTool:
		return each(t.of(resultPart), func(p part) json.RawMessage {
			e.textResult(t, part{failed: p.failed})
			output := marshal(p.text)
			if len(p.images) > 0 {
				content := []json.RawMessage{marshal(typedText{"input_text", p.text})}
				for _, i := range p.images {
					content = append(content, inputImage(i))
				}
				output = marshal(content)
			}
			return marshal(functionOutput{"function_call_output", p.host, output})
		})
	case engine.RoleAssistant:
		var out []json.RawMessage
		if text := t.texts(); text != "" {
			out = append(out, marshal(inputMessage{"message", "assistant", marshal(text)}))
		}
		e.noImages(t)
		return append(out, each(t.of(callPart), func(p part) json.RawMessage {
			return marshal(functionCall{"function_call", p.host, p.call.Name, textOfArguments(p.call.Arguments)})
		})...)
	}
	out := e.results(t, openaiResponses{})
	m := inputMessage{Type: "message", Role: string(t.role), Content: marshal(t.texts())}
	if t.has(imagePart) {
		var content []json.RawMessage
		for _, p := range t.parts {
			switch p.kind {
			case textPart:
				content = append(content, marshal(typedText{"input_text", p.text}))
			case imagePart:
				content = append(content, inputImage(p.image))
			}
		}
		m.Content = marshal(content)
	} else if t.texts() == "" {
		return out
	}
	return append(out, marshal(m))
}

func inputImage(i image) json.RawMessage {
	return marshal(struct {
		Type     string `json:"type"`
		ImageURL string `json:"image_url"`
		Detail   string `json:"detail"`
	}{"input_image", i.dataURL(), "auto"})
}

// itemKeys are the keys of an item that decode understands.
var itemKeys = []string{"type", "role", "content", "call_id", "name", "arguments", "output"}

func (openaiResponses) decode(raw json.RawMessage) (turn, bool) {
	var m struct {
		Type      string          `json:"type"`
		Role      string          `json:"role"`
		Content   json.RawMessage `json:"content"`
		CallID    string          `json:"call_id"`
		Name      string          `json:"name"`
		Arguments string          `json:"arguments"`
		Output    json.RawMessage `json:"output"`
	}
	if json.Unmarshal(raw, &m) != nil {
		return turn{}, false
	}
	var t turn
	switch m.Type {
	case "", "message":
		role, known := roleOf(m.Role)
		c, ok := responseContent(m.Content)
		if !known || !ok {
			return turn{}, false
		}
		t.role, t.parts = role, c
	case "function_call":
		t.role = engine.RoleAssistant
		t.parts = []part{{kind: callPart, call: engine.ToolCall{ID: m.CallID, Name: m.Name, Arguments: argumentText(m.Arguments)}}}
	case "function_call_output":
		c, ok := responseContent(m.Output)
		if !ok {
			return turn{}, false
		}
		t.role = engine.RoleTool
		t.parts = []part{resultOf(c, m.CallID, false)}
	default:
		// An item of a tool that the provider runs, or its reasoning.
		t.role = engine.RoleAssistant
		if strings.HasSuffix(m.Type, "_output") {
			t.role = engine.RoleUser
		}
		t.parts = []part{{kind: otherPart, what: m.Type, minor: m.Type == "reasoning" || m.Type == "item_reference"}}
		return t, true
	}
	t.parts = append(t.parts, leftovers(raw, itemKeys)...)
	return t, true
}

func responseContent(raw json.RawMessage) ([]part, bool) {
	c, ok := contentOf(raw)
	if !ok {
		return nil, false
	}
	var out []part
	if c.text != "" {
		out = append(out, part{kind: textPart, text: c.text})
	}
	for _, raw := range c.parts {
		var p struct {
			Type     string `json:"type"`
			Text     string `json:"text"`
			ImageURL string `json:"image_url"`
		}
		switch err := json.Unmarshal(raw, &p); {
		case err != nil:
			out = append(out, part{kind: otherPart, what: "content"})
		case p.Type == "input_text", p.Type == "output_text", p.Type == "text":
			out = append(out, part{kind: textPart, text: p.Text})
		case p.Type == "input_image" && p.ImageURL != "":
			out = append(out, part{kind: imagePart, image: imageFrom(p.ImageURL)})
		default:
			out = append(out, part{kind: otherPart, what: p.Type})
		}
	}
	return out, true
}

// unwrap knows a request ({instructions, input}), a response ({output}), a list and
// one item.
func (openaiResponses) unwrap(data json.RawMessage) envelope {
	var top struct {
		Object       string          `json:"object"`
		Type         string          `json:"type"`
		Instructions json.RawMessage `json:"instructions"`
		Input        json.RawMessage `json:"input"`
		Output       json.RawMessage `json:"output"`
		Tools        json.RawMessage `json:"tools"`
	}
	if json.Unmarshal(data, &top) != nil || top.Type != "" {
		return envelope{items: data}
	}
	env := envelope{items: top.Input, tools: !empty(top.Tools) && top.Object == ""}
	if json.Unmarshal(top.Instructions, &env.system) != nil {
		env.system = ""
	}
	if top.Output != nil {
		env.items, env.system = top.Output, ""
	}
	var text string
	if json.Unmarshal(env.items, &text) == nil && env.items != nil {
		env.items = marshal(inputMessage{"message", "user", marshal(text)})
	}
	if env.items == nil {
		env.items = data
	}
	return env
}
