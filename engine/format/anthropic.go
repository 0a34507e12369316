package format

import (
	"cmp"
	"encoding/json"
	"regexp"
	"strings"
	"sync"

	"github.com/promptc/promptc/engine"
	"github.com/promptc/promptc/engine/diag"
)

// anthropic is Anthropic's Messages.
type anthropic struct{}

// maxMarks is how many cache breakpoints a request may have.
const maxMarks = 4

var anthropicParameter = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[a-zA-Z0-9_.-]{1,64}$`) })

func (anthropic) rules() rules {
	return rules{
		name: "anthropic", summary: "a request to Anthropic's Messages, as JSON, with cache breakpoints",
		plainID: true, paired: true, userFirst: true,
		schema: dialect{
			allow: []string{
				"type", "title", "description", "default", "examples", "enum", "const", "properties", "required",
				"additionalProperties", "patternProperties", "propertyNames", "minProperties", "maxProperties", "dependentRequired",
				"items", "prefixItems", "contains", "minContains", "maxContains", "minItems", "maxItems", "uniqueItems",
				"anyOf", "oneOf", "allOf", "not", "if", "then", "else", "$ref", "$defs", "definitions",
				"pattern", "format", "minLength", "maxLength", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf",
			},
			refs: true, flatTop: true, property: anthropicParameter,
		},
	}
}

type cacheControl struct {
	Type string `json:"type"`
}

type textBlock struct {
	Type  string        `json:"type"`
	Text  string        `json:"text"`
	Cache *cacheControl `json:"cache_control,omitempty"`
}

type imageSource struct {
	Type string `json:"type"`
	Mime string `json:"media_type,omitempty"`
	Data string `json:"data,omitempty"`
	URL  string `json:"url,omitempty"`
}

type toolUse struct {
	Type  string          `json:"type"`
	ID    string          `json:"id"`
	Name  string          `json:"name"`
	Input json.RawMessage `json:"input"`
}

type toolResult struct {
	Type    string          `json:"type"`
	ID      string          `json:"tool_use_id"`
	Content json.RawMessage `json:"content,omitempty"`
	IsError bool            `json:"is_error,omitempty"`
}

type anthropicMessage struct {
	Role    string          `json:"role"`
	Content json.RawMessage `json:"content"`
}

type anthropicTool struct {
	Name        string          `json:"name"`
	Description string          `json:"description,omitempty"`
	Schema      json.RawMessage `json:"input_schema"`
	Cache       *cacheControl   `json:"cache_control,omitempty"`
}

// request puts one breakpoint where the part ends that no selection changes. A cache
// covers what stands before it, and tools stand before the system prompt: where no
// section is stable, the breakpoint is the last tool's.
func (anthropic) request(e *encoder, r *parts) object {
	var body object
	if r.prompt.Model != "" {
		body.add("model", r.prompt.Model)
	}
	limit := r.options.MaxTokens
	if limit == 0 {
		limit = DefaultMaxTokens
		e.note(diag.FormatIncomplete, "max_tokens is %d: anthropic takes no request without a limit", limit).hint("give another one with --max-tokens")
	}
	body.add("max_tokens", limit)
	mark := &cacheControl{"ephemeral"}
	if r.marked >= maxMarks {
		mark = nil
		e.noPlace("the history has %d cache breakpoints, and anthropic takes %d: none was set behind the stable part", r.marked, maxMarks).as(diag.Info).hint("take one out of the history")
	}
	stable, rest := r.prompt.StableText()
	if stable != "" || rest != "" {
		var blocks []json.RawMessage
		if stable != "" {
			blocks = append(blocks, marshal(textBlock{"text", stable, mark}))
		}
		if rest != "" {
			blocks = append(blocks, marshal(textBlock{"text", rest, nil}))
		}
		body.add("system", blocks)
	}
	body.add("messages", r.messages)
	if len(r.tools) > 0 {
		var tools []json.RawMessage
		for i, t := range r.tools {
			tool := anthropicTool{Name: t.name, Description: t.description, Schema: t.schema}
			if stable == "" && i == len(r.tools)-1 {
				tool.Cache = mark
			}
			tools = append(tools, marshal(tool))
		}
		body.add("tools", tools)
	}
	return body
}

func (anthropic) messages(e *encoder, t turn) []json.RawMessage {
	role := "user"
	if t.role == engine.RoleAssistant {
		role = "assistant"
		e.noImages(t)
	}
	if t.role == engine.RoleSystem {
		e.noPlace("message %d: %s has no system message in a conversation; it is sent as the user's", t.from+1, e.rules.name).hint("what holds for the whole conversation belongs into the base prompt")
	}
	var blocks []json.RawMessage
	for _, p := range t.parts {
		switch p.kind {
		case textPart:
			if strings.TrimSpace(p.text) != "" { // refused, and says nothing
				blocks = append(blocks, marshal(textBlock{"text", p.text, nil}))
			}
		case imagePart:
			if role == "user" {
				blocks = append(blocks, imageBlock(p.image))
			}
		case callPart:
			input, ok := arguments(p.call.Arguments)
			if !ok {
				e.noPlace("message %d: the arguments of %q are no object; they stand under the key arguments", t.from+1, p.call.Name).hint("nothing, unless the tool's answer does not say what was wrong")
			}
			blocks = append(blocks, marshal(toolUse{"tool_use", p.host, p.call.Name, input}))
		case resultPart:
			r := toolResult{Type: "tool_result", ID: p.host, IsError: p.failed}
			var content []json.RawMessage
			if strings.TrimSpace(p.text) != "" {
				content = append(content, marshal(textBlock{"text", p.text, nil}))
			}
			for _, i := range p.images {
				content = append(content, imageBlock(i))
			}
			switch {
			case len(p.images) > 0:
				r.Content = marshal(content)
			case len(content) > 0:
				r.Content = marshal(p.text)
			}
			blocks = append(blocks, marshal(r))
		}
	}
	switch {
	case len(blocks) == 0:
		return nil
	case len(blocks) == 1 && t.texts() != "":
		return []json.RawMessage{marshal(anthropicMessage{role, marshal(t.texts())})}
	}
	return []json.RawMessage{marshal(anthropicMessage{role, marshal(blocks)})}
}

func imageBlock(i image) json.RawMessage {
	source := imageSource{Type: "base64", Mime: i.mime, Data: i.data}
	if i.url != "" {
		source = imageSource{Type: "url", URL: i.url}
	}
	return json.RawMessage(`{"type":"image","source":` + string(marshal(source)) + `}`)
}

func (anthropic) decode(raw json.RawMessage) (turn, bool) {
	var m struct {
		Role    string          `json:"role"`
		Content json.RawMessage `json:"content"`
	}
	if json.Unmarshal(raw, &m) != nil {
		return turn{}, false
	}
	role, known := roleOf(m.Role)
	parts, ok := anthropicParts(m.Content)
	if !known || !ok {
		return turn{}, false
	}
	return turn{role: role, parts: append(parts, leftovers(raw, []string{"role", "content"})...)}, true
}

func anthropicParts(raw json.RawMessage) ([]part, bool) {
	c, ok := contentOf(raw)
	if !ok {
		return nil, false
	}
	var out []part
	if c.text != "" {
		out = append(out, part{kind: textPart, text: c.text})
	}
	for _, raw := range c.parts {
		p, ok := anthropicPart(raw)
		if !ok {
			return nil, false
		}
		out = append(out, p)
	}
	return out, true
}

func anthropicPart(raw json.RawMessage) (part, bool) {
	var b struct {
		Type      string          `json:"type"`
		Text      string          `json:"text"`
		Source    imageSource     `json:"source"`
		ID        string          `json:"id"`
		Name      string          `json:"name"`
		Input     json.RawMessage `json:"input"`
		ToolUseID string          `json:"tool_use_id"`
		Content   json.RawMessage `json:"content"`
		IsError   bool            `json:"is_error"`
	}
	if json.Unmarshal(raw, &b) != nil {
		return part{}, false
	}
	switch b.Type {
	case "text":
		return part{kind: textPart, text: b.Text}, true
	case "image":
		switch b.Source.Type {
		case "base64":
			return part{kind: imagePart, image: image{mime: b.Source.Mime, data: b.Source.Data}}, true
		case "url":
			return part{kind: imagePart, image: image{url: b.Source.URL}}, true
		}
	case "tool_use":
		input := b.Input
		if empty(input) {
			input = json.RawMessage("{}")
		}
		return part{kind: callPart, call: engine.ToolCall{ID: b.ID, Name: b.Name, Arguments: input}}, true
	case "tool_result":
		content, ok := anthropicParts(b.Content)
		return resultOf(content, b.ToolUseID, b.IsError), ok
	}
	return part{kind: otherPart, what: b.Type, minor: strings.HasSuffix(b.Type, "thinking")}, true
}

// unwrap knows a request ({system, messages}), a list, and one message, which is
// also what a response is.
func (anthropic) unwrap(data json.RawMessage) envelope {
	var top struct {
		Type     string          `json:"type"`
		Role     string          `json:"role"`
		Content  json.RawMessage `json:"content"`
		System   json.RawMessage `json:"system"`
		Messages json.RawMessage `json:"messages"`
		Tools    json.RawMessage `json:"tools"`
	}
	if json.Unmarshal(data, &top) != nil {
		return envelope{items: data}
	}
	if top.Type == "message" {
		// A response: of it only these two are taken back in a request.
		return envelope{items: json.RawMessage(`{"role":` + string(marshal(top.Role)) + `,"content":` + cmp.Or(string(top.Content), "null") + `}`)}
	}
	if top.Messages == nil {
		return envelope{items: data}
	}
	env := envelope{items: top.Messages, tools: !empty(top.Tools)}
	if system, ok := anthropicParts(top.System); ok {
		env.system = turn{role: engine.RoleAssistant, parts: system}.texts() // blocks follow one another without a break
	}
	return env
}
