package format

import (
	"encoding/json"

	"github.com/promptc/promptc/engine"
)

// openaiChat is OpenAI's Chat Completions, which many other hosts speak too.
type openaiChat struct{}

func (openaiChat) rules() rules {
	return rules{
		name: "openai-chat", summary: "a request to OpenAI's Chat Completions, as JSON",
		maxID: 40, maxTools: 128, longText: 1024, paired: true, schema: openaiSchema(),
	}
}

// openaiSchema is what OpenAI lists as supported in the schema of a function. A
// keyword outside of it is accepted by some models and refused by others.
func openaiSchema() dialect {
	return dialect{
		allow: []string{
			"type", "title", "description", "properties", "required", "additionalProperties", "items", "minItems", "maxItems",
			"enum", "const", "anyOf", "$ref", "$defs", "definitions", "pattern", "format", "minLength", "maxLength",
			"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf",
		},
		refs: true, flatTop: true, items: true,
	}
}

type chatMessage struct {
	Role       string          `json:"role"`
	Content    json.RawMessage `json:"content,omitempty"`
	ToolCalls  []chatCall      `json:"tool_calls,omitempty"`
	ToolCallID string          `json:"tool_call_id,omitempty"`
}

type chatCall struct {
	ID       string   `json:"id"`
	Type     string   `json:"type"`
	Function chatFunc `json:"function"`
}

type chatFunc struct {
	Name      string `json:"name"`
	Arguments string `json:"arguments"`
}

type chatTool struct {
	Type     string       `json:"type"`
	Function chatToolFunc `json:"function"`
}

type chatToolFunc struct {
	Name        string          `json:"name"`
	Description string          `json:"description,omitempty"`
	Parameters  json.RawMessage `json:"parameters"`
}

func (openaiChat) request(e *encoder, r *parts) object {
	var body object
	if r.prompt.Model != "" {
		body.add("model", r.prompt.Model)
	}
	if r.options.MaxTokens > 0 {
		body.add("max_completion_tokens", r.options.MaxTokens)
	}
	messages := r.messages
	if s := r.prompt.SystemText(); s != "" {
		messages = append([]json.RawMessage{marshal(chatMessage{Role: "system", Content: marshal(s)})}, messages...)
	}
	body.add("messages", messages)
	if len(r.tools) > 0 {
		var tools []json.RawMessage
		for _, t := range r.tools {
			tools = append(tools, marshal(chatTool{"function", chatToolFunc{t.name, t.description, t.schema}}))
		}
		body.add("tools", tools)
	}
	return body
}

func (openaiChat) messages(e *encoder, t turn) []json.RawMessage {
	switch t.role {
	case engine.RoleTool:
		return each(t.of(resultPart), func(p part) json.RawMessage {
			e.textResult(t, p)
			return marshal(chatMessage{Role: "tool", ToolCallID: p.host, Content: marshal(p.text)})
		})
	case engine.RoleAssistant:
		m := chatMessage{Role: "assistant"}
		if text := t.texts(); text != "" {
			m.Content = marshal(text)
		}
		for _, p := range t.of(callPart) {
			m.ToolCalls = append(m.ToolCalls, chatCall{p.host, "function", chatFunc{p.call.Name, textOfArguments(p.call.Arguments)}})
		}
		e.noImages(t)
		if m.Content == nil && m.ToolCalls == nil {
			return nil
		}
		return []json.RawMessage{marshal(m)}
	}
	out := e.results(t, openaiChat{})
	m := chatMessage{Role: string(t.role)}
	if !t.has(imagePart) || t.role == engine.RoleSystem {
		e.noImagesIn(t, engine.RoleSystem)
		if m.Content = marshal(t.texts()); t.texts() == "" {
			return out
		}
		return append(out, marshal(m))
	}
	var content []json.RawMessage
	for _, p := range t.parts {
		switch p.kind {
		case textPart:
			content = append(content, marshal(typedText{"text", p.text}))
		case imagePart:
			content = append(content, json.RawMessage(`{"type":"image_url","image_url":`+string(marshal(map[string]string{"url": p.image.dataURL()}))+`}`))
		}
	}
	m.Content = marshal(content)
	return append(out, marshal(m))
}

type typedText struct {
	Type string `json:"type"`
	Text string `json:"text"`
}

// chatKeys are the keys of a message that decode understands.
var chatKeys = []string{"role", "content", "tool_calls", "tool_call_id"}

func (openaiChat) decode(raw json.RawMessage) (turn, bool) {
	var m struct {
		Role      string          `json:"role"`
		Content   json.RawMessage `json:"content"`
		ToolCalls []struct {
			ID       string    `json:"id"`
			Type     string    `json:"type"`
			Function *chatFunc `json:"function"`
		} `json:"tool_calls"`
		ToolCallID string `json:"tool_call_id"`
	}
	if json.Unmarshal(raw, &m) != nil {
		return turn{}, false
	}
	c, ok := contentOf(m.Content)
	if !ok {
		return turn{}, false
	}
	t := turn{}
	if c.text != "" {
		t.parts = append(t.parts, part{kind: textPart, text: c.text})
	}
	for _, p := range c.parts {
		t.parts = append(t.parts, chatPart(p))
	}
	switch m.Role {
	case "user":
		t.role = engine.RoleUser
	case "system", "developer":
		t.role = engine.RoleSystem
	case "tool", "function":
		t.role = engine.RoleTool
		t.parts = []part{resultOf(t.parts, m.ToolCallID, false)}
	case "assistant":
		t.role = engine.RoleAssistant
		for _, call := range m.ToolCalls {
			if call.Function == nil {
				t.parts = append(t.parts, part{kind: otherPart, what: call.Type + " call"})
				continue
			}
			t.parts = append(t.parts, part{kind: callPart, call: engine.ToolCall{ID: call.ID, Name: call.Function.Name, Arguments: argumentText(call.Function.Arguments)}})
		}
	default:
		return turn{}, false
	}
	t.parts = append(t.parts, leftovers(raw, chatKeys)...)
	return t, true
}

func chatPart(raw json.RawMessage) part {
	var p struct {
		Type     string `json:"type"`
		Text     string `json:"text"`
		ImageURL struct {
			URL string `json:"url"`
		} `json:"image_url"`
	}
	if json.Unmarshal(raw, &p) != nil {
		return part{kind: otherPart, what: "content"}
	}
	switch p.Type {
	case "text":
		return part{kind: textPart, text: p.Text}
	case "image_url":
		return part{kind: imagePart, image: imageFrom(p.ImageURL.URL)}
	}
	return part{kind: otherPart, what: p.Type}
}

// unwrap knows a request ({messages}), a response ({choices}), a list and one message.
func (openaiChat) unwrap(data json.RawMessage) envelope {
	var top struct {
		Messages json.RawMessage `json:"messages"`
		Choices  []struct {
			Message json.RawMessage `json:"message"`
		} `json:"choices"`
		Tools json.RawMessage `json:"tools"`
	}
	if json.Unmarshal(data, &top) != nil {
		return envelope{items: data}
	}
	env := envelope{items: top.Messages, tools: !empty(top.Tools)}
	if len(top.Choices) > 0 {
		env.items = top.Choices[0].Message
	}
	if env.items == nil {
		env.items = data
	}
	return env
}
