package format

import (
	"encoding/json"
	"strings"

	"github.com/promptc/promptc/engine"
	"github.com/promptc/promptc/engine/diag"
)

// gemini is Gemini's generateContent. The model's name stands in the address of a
// request, never in its body.
type gemini struct{}

func (gemini) rules() rules {
	return rules{
		name: "gemini", summary: "a request to Gemini's generateContent, as JSON",
		letterFirst: true, maxTools: 128, paired: true, userFirst: true,
		schema: dialect{
			allow: []string{
				"type", "format", "title", "description", "nullable", "enum", "properties", "required", "minProperties", "maxProperties",
				"items", "minItems", "maxItems", "minLength", "maxLength", "pattern", "minimum", "maximum", "anyOf",
			},
			flatTop: true, proto: true, items: true,
		},
	}
}

type geminiContent struct {
	Role  string            `json:"role,omitempty"`
	Parts []json.RawMessage `json:"parts"`
}

type geminiText struct {
	Text string `json:"text"`
}

type geminiCall struct {
	ID   string          `json:"id,omitempty"`
	Name string          `json:"name"`
	Args json.RawMessage `json:"args"`
}

type geminiAnswer struct {
	ID       string            `json:"id,omitempty"`
	Name     string            `json:"name"`
	Response map[string]string `json:"response"`
}

func (gemini) request(e *encoder, r *parts) object {
	var body object
	if s := r.prompt.SystemText(); s != "" {
		body.add("systemInstruction", marshal(geminiContent{Parts: []json.RawMessage{marshal(geminiText{s})}}))
	}
	body.add("contents", r.messages)
	if len(r.tools) > 0 {
		tools := object{{"functionDeclarations", each(r.tools, func(t toolParts) json.RawMessage {
			d := struct {
				Name        string          `json:"name"`
				Description string          `json:"description,omitempty"`
				Parameters  json.RawMessage `json:"parameters,omitempty"`
			}{Name: t.name, Description: t.description}
			if !t.empty { // refused: an object must have properties
				d.Parameters = t.schema
			}
			return marshal(d)
		})}}
		body.add("tools", []object{tools})
	}
	if r.options.MaxTokens > 0 {
		body.add("generationConfig", object{{"maxOutputTokens", r.options.MaxTokens}})
	}
	return body
}

func (gemini) messages(e *encoder, t turn) []json.RawMessage {
	c := geminiContent{Role: "user"}
	if t.role == engine.RoleAssistant {
		c.Role = "model"
	}
	if t.role == engine.RoleSystem {
		e.noPlace("message %d: %s has no system message in a conversation; it is sent as the user's", t.from+1, e.rules.name).hint("what holds for the whole conversation belongs into the base prompt")
	}
	key := func(name string, v any) {
		c.Parts = append(c.Parts, marshal(map[string]any{name: v}))
	}
	for _, p := range t.parts {
		switch p.kind {
		case textPart:
			if p.text != "" {
				key("text", p.text)
			}
		case imagePart:
			e.geminiImage(t, p.image, key)
		case callPart:
			args, ok := arguments(p.call.Arguments)
			if !ok {
				e.noPlace("message %d: the arguments of %q are no object; they stand under the key arguments", t.from+1, p.call.Name).hint("nothing, unless the tool's answer does not say what was wrong")
			}
			key("functionCall", geminiCall{p.host, p.call.Name, args})
		case resultPart:
			word := "output"
			if p.failed {
				word = "error"
			}
			key("functionResponse", geminiAnswer{p.host, p.name, map[string]string{word: p.text}})
			for _, i := range p.images {
				e.geminiImage(t, i, key)
			}
		}
	}
	if t.role == engine.RoleAssistant && t.has(callPart) && strings.HasPrefix(e.model, "gemini-3") {
		e.note(diag.FormatIncomplete, "message %d: calls that another model made carry no thought signature, which %s wants in the turn that is going on", t.from+1, e.model).
			hint("give a user's message behind them, or begin the turn anew")
	}
	if len(c.Parts) == 0 {
		return nil
	}
	return []json.RawMessage{marshal(c)}
}

func (e *encoder) geminiImage(t turn, i image, key func(string, any)) {
	if i.url != "" {
		e.noPlace("message %d: %s fetches no picture by its address; it is left out: %s", t.from+1, e.rules.name, i.url).hint("send the picture itself")
		return
	}
	key("inlineData", struct {
		Mime string `json:"mimeType"`
		Data string `json:"data"`
	}{i.mime, i.data})
}

func (gemini) decode(raw json.RawMessage) (turn, bool) {
	var m struct {
		Role  string            `json:"role"`
		Parts []json.RawMessage `json:"parts"`
	}
	if json.Unmarshal(raw, &m) != nil || m.Parts == nil {
		return turn{}, false
	}
	t := turn{}
	switch m.Role {
	case "user", "function", "":
		t.role = engine.RoleUser
	case "model":
		t.role = engine.RoleAssistant
	default:
		return turn{}, false
	}
	for _, raw := range m.Parts {
		p, ok := geminiPart(raw)
		if !ok {
			return turn{}, false
		}
		t.parts = append(t.parts, p)
	}
	t.parts = append(t.parts, leftovers(raw, []string{"role", "parts"})...)
	return t, true
}

// geminiPart reads a part; keys come as fooBar and as foo_bar.
func geminiPart(raw json.RawMessage) (part, bool) {
	var fields map[string]json.RawMessage
	if json.Unmarshal(raw, &fields) != nil {
		return part{}, false
	}
	get := func(camel, snake string) json.RawMessage {
		if v, ok := fields[camel]; ok {
			return v
		}
		return fields[snake]
	}
	if string(fields["thought"]) == "true" {
		return part{kind: otherPart, what: "thought", minor: true}, true
	}
	if v, ok := fields["text"]; ok {
		var text string
		if json.Unmarshal(v, &text) != nil {
			return part{}, false
		}
		return part{kind: textPart, text: text}, true
	}
	if v := get("functionCall", "function_call"); v != nil {
		var c geminiCall
		if json.Unmarshal(v, &c) != nil {
			return part{}, false
		}
		if empty(c.Args) {
			c.Args = json.RawMessage("{}")
		}
		return part{kind: callPart, call: engine.ToolCall{ID: c.ID, Name: c.Name, Arguments: c.Args}}, true
	}
	if v := get("functionResponse", "function_response"); v != nil {
		return geminiResult(v)
	}
	if v := get("inlineData", "inline_data"); v != nil {
		var d struct {
			Mime  string `json:"mimeType"`
			Snake string `json:"mime_type"`
			Data  string `json:"data"`
		}
		if json.Unmarshal(v, &d) != nil {
			return part{}, false
		}
		if mime := d.Mime + d.Snake; strings.HasPrefix(mime, "image/") {
			return part{kind: imagePart, image: image{mime: mime, data: d.Data}}, true
		}
	}
	for _, known := range []string{"inlineData", "fileData", "executableCode", "codeExecutionResult", "videoMetadata"} {
		if _, ok := fields[known]; ok {
			return part{kind: otherPart, what: known}, true
		}
	}
	return part{kind: otherPart, what: "part", minor: len(fields) == 1 && fields["thoughtSignature"] != nil}, true
}

// geminiResult reads an answer: its text where it is {"output": …}, {"error": …} or
// {"result": …}, else the object as it is.
func geminiResult(raw json.RawMessage) (part, bool) {
	var r struct {
		ID       string          `json:"id"`
		Name     string          `json:"name"`
		Response json.RawMessage `json:"response"`
	}
	if json.Unmarshal(raw, &r) != nil {
		return part{}, false
	}
	p := part{kind: resultPart, reply: r.ID, name: r.Name, text: string(r.Response)}
	var fields map[string]json.RawMessage
	if json.Unmarshal(r.Response, &fields) == nil && len(fields) == 1 {
		for key, v := range fields {
			var text string
			if (key == "output" || key == "error" || key == "result") && json.Unmarshal(v, &text) == nil {
				p.text, p.failed = text, key == "error"
			}
		}
	}
	return p, true
}

// unwrap knows a request ({contents}), a response ({candidates}), a list and one
// content.
func (gemini) unwrap(data json.RawMessage) envelope {
	var top struct {
		System     json.RawMessage `json:"systemInstruction"`
		Snake      json.RawMessage `json:"system_instruction"`
		Contents   json.RawMessage `json:"contents"`
		Candidates []struct {
			Content json.RawMessage `json:"content"`
		} `json:"candidates"`
		Tools json.RawMessage `json:"tools"`
	}
	if json.Unmarshal(data, &top) != nil {
		return envelope{items: data}
	}
	env := envelope{items: top.Contents, tools: !empty(top.Tools)}
	for _, s := range []json.RawMessage{top.System, top.Snake} {
		if t, ok := (gemini{}).decode(s); ok {
			env.system = t.texts()
		}
	}
	if len(top.Candidates) > 0 {
		env.items = top.Candidates[0].Content
	}
	if env.items == nil {
		env.items = data
	}
	return env
}
