package format_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/promptc/promptc/engine"
	"github.com/promptc/promptc/engine/diag"
	"github.com/promptc/promptc/engine/format"
)

// adapted gives the schema of a tool as a provider gets it, "" where it gets none.
func adapted(t *testing.T, provider, params string) (string, diag.List) {
	t.Helper()
	p := &engine.Prompt{Model: "m", Messages: []engine.Message{{Role: engine.RoleUser, Text: "Go."}}, Tools: []engine.Tool{{Name: "look", Parameters: json.RawMessage(params)}}}
	r, err := format.NewRequest(provider, p, format.Options{MaxTokens: 1})
	if err != nil {
		t.Fatal(err)
	}
	var body struct {
		Tools []struct {
			Function struct {
				Parameters json.RawMessage `json:"parameters"`
			} `json:"function"`
			Parameters   json.RawMessage `json:"parameters"`
			InputSchema  json.RawMessage `json:"input_schema"`
			Declarations []struct {
				Parameters json.RawMessage `json:"parameters"`
			} `json:"functionDeclarations"`
		} `json:"tools"`
	}
	if err := json.Unmarshal(r.Body, &body); err != nil {
		t.Fatal(err)
	}
	tool := body.Tools[0]
	for _, raw := range []json.RawMessage{tool.Function.Parameters, tool.Parameters, tool.InputSchema} {
		if raw != nil {
			return string(raw), r.Diagnostics
		}
	}
	if len(tool.Declarations) > 0 {
		return string(tool.Declarations[0].Parameters), r.Diagnostics
	}
	t.Fatalf("%s: no tool in %s", provider, r.Body)
	return "", nil
}

// TestE08KeywordsByProvider: each provider gets the keywords of its own list, at
// every level, in the order of the schema; the rest is said.
func TestE08KeywordsByProvider(t *testing.T) {
	const in = `{"$schema":"x","type":"object","additionalProperties":false,"properties":{"z":{"type":"string","default":"a"},"a":{"type":"object","additionalProperties":false,"properties":{"q":{"type":"string","default":"b"}}}},"required":["z"]}`
	for provider, want := range map[string]string{
		"openai-chat":      `{"type":"object","additionalProperties":false,"properties":{"z":{"type":"string","description":"(default: \"a\")"},"a":{"type":"object","additionalProperties":false,"properties":{"q":{"type":"string","description":"(default: \"b\")"}}}},"required":["z"]}`,
		"openai-responses": `{"type":"object","additionalProperties":false,"properties":{"z":{"type":"string","description":"(default: \"a\")"},"a":{"type":"object","additionalProperties":false,"properties":{"q":{"type":"string","description":"(default: \"b\")"}}}},"required":["z"]}`,
		"anthropic":        `{"type":"object","additionalProperties":false,"properties":{"z":{"type":"string","default":"a"},"a":{"type":"object","additionalProperties":false,"properties":{"q":{"type":"string","default":"b"}}}},"required":["z"]}`,
		"gemini":           `{"type":"OBJECT","properties":{"z":{"type":"STRING","description":"(default: \"a\")"},"a":{"type":"OBJECT","properties":{"q":{"type":"STRING","description":"(default: \"b\")"}}}},"required":["z"]}`,
	} {
		got, found := adapted(t, provider, in)
		if got != want {
			t.Errorf("%s:\n got %s\nwant %s", provider, got, want)
		}
		if !slices.ContainsFunc(found, func(d diag.Diagnostic) bool {
			return d.Code == diag.ToolAdapted && strings.Contains(d.Message, "$schema")
		}) {
			t.Errorf("%s: nothing says that $schema is gone: %v", provider, found)
		}
	}
}

// TestE08OwnToolsStayAsTheyAre: promptc's own tools use what all providers take, so
// nothing is changed and nothing is said.
func TestE08OwnToolsStayAsTheyAre(t *testing.T) {
	own := engine.AskTool{Name: "look", Skill: engine.Param{Name: "name", Description: "which"}, Enum: []string{"a", "b"}, Args: engine.Param{Name: "args"}, File: engine.Param{Name: "file"}}.Tool()
	for _, provider := range format.Providers() {
		got, found := adapted(t, provider, string(own.Parameters))
		if provider == "gemini" {
			got = strings.NewReplacer(`"STRING"`, `"string"`, `"OBJECT"`, `"object"`).Replace(got)
		}
		if got != string(own.Parameters) {
			t.Errorf("%s:\n got %s\nwant %s", provider, got, own.Parameters)
		}
		for _, d := range found {
			if d.Code == diag.ToolAdapted || d.Code == diag.ToolRefused {
				t.Errorf("%s: %s", provider, d)
			}
		}
	}
}

// TestE08RefusedParameter: what no change that keeps the meaning would help is an error.
func TestE08RefusedParameter(t *testing.T) {
	_, found := adapted(t, "anthropic", `{"type":"object","properties":{"the name":{"type":"string"}}}`)
	if found.Err() == nil || found.Errors()[0].Code != diag.ToolRefused {
		t.Errorf("a parameter that anthropic refuses: %v", found)
	}
	for _, params := range []string{"", "[]", "{", `"x"`, strings.Repeat(`{"properties":{"a":`, 400) + "{}" + strings.Repeat("}}", 400)} {
		if _, found := adapted(t, "openai-chat", params); found.Err() == nil {
			t.Errorf("%.40s is taken for a schema", params)
		}
	}
}

// TestE11NoParameters: properties are always an object; Gemini refuses an empty one,
// and gets no parameters.
func TestE11NoParameters(t *testing.T) {
	for _, params := range []string{`{"type":"object"}`, `{}`, `{"type":"object","properties":{}}`, `{"type":"object","properties":null}`} {
		for _, provider := range format.Providers() {
			got, _ := adapted(t, provider, params)
			want := `"properties":{}`
			if provider == "gemini" {
				if got != "" {
					t.Errorf("gemini gets %s for %s", got, params)
				}
				continue
			}
			if !strings.Contains(got, want) || !strings.Contains(got, `"type":"object"`) {
				t.Errorf("%s gets %s for %s", provider, got, params)
			}
		}
	}
}

// TestE13LongEnum: above a size a list of values is a plain text (also e14).
func TestE13LongEnum(t *testing.T) {
	enum := func(n int) string {
		var values []string
		for i := range n {
			values = append(values, fmt.Sprintf(`"skill %d"`, i))
		}
		return `{"type":"object","properties":{"name":{"type":"string","enum":[` + strings.Join(values, ",") + `]}}}`
	}
	for _, provider := range format.Providers() {
		if got, _ := adapted(t, provider, enum(engine.MaxEnum)); !strings.Contains(got, `"enum"`) {
			t.Errorf("%s: %d values are no enum", provider, engine.MaxEnum)
		}
		got, found := adapted(t, provider, enum(400))
		if strings.Contains(got, `"enum"`) || !strings.Contains(strings.ToLower(got), `"type":"string"`) {
			t.Errorf("%s: 400 values are %.60s", provider, got)
		}
		if !slices.ContainsFunc(found, func(d diag.Diagnostic) bool { return strings.Contains(d.Message, "an enum of 400 values (name)") }) {
			t.Errorf("%s: %v", provider, found)
		}
	}
}

// TestE16TooManyTools: 129 tools are refused as a whole where the limit is known.
func TestE16TooManyTools(t *testing.T) {
	p := &engine.Prompt{Model: "m", Messages: []engine.Message{{Role: engine.RoleUser, Text: "Go."}}}
	for i := range 129 {
		p.Tools = append(p.Tools, engine.Tool{Name: fmt.Sprintf("t%d", i), Parameters: json.RawMessage(`{"type":"object","properties":{}}`)})
	}
	for provider, limited := range map[string]bool{"openai-chat": true, "openai-responses": true, "gemini": true, "anthropic": false} {
		r, err := format.NewRequest(provider, p, format.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if got := r.Diagnostics.Err() != nil; got != limited {
			t.Errorf("%s: 129 tools: %v", provider, r.Diagnostics)
		}
		p := *p
		p.Tools = p.Tools[:128]
		if r, err = format.NewRequest(provider, &p, format.Options{}); err != nil || r.Diagnostics.Err() != nil {
			t.Errorf("%s: 128 tools: %v %v", provider, err, r.Diagnostics)
		}
	}
}

// hostile are schemas as strangers write them.
var hostile = []string{
	`{"type":"object","properties":{"a":{"$ref":"#/properties/a"}}}`,
	`{"$ref":"#"}`,
	`{"$ref":"#/$defs/x","$defs":{"x":{"$ref":"#/$defs/y"},"y":{"$ref":"#/$defs/x"}}}`,
	`{"$ref":"#/$defs/x","$defs":{"x":{"type":"object","properties":{"a":{"type":"string"}}}}}`,
	`{"type":"object","properties":{"a":{"$ref":"#/$defs/t"}},"$defs":{"t":{"type":"object","properties":{"kids":{"type":"array","items":{"$ref":"#/$defs/t"}}}}}}`,
	`{"type":["object","null"],"properties":{"a":{"type":["string","integer","null"]}}}`,
	`{"oneOf":[{"type":"object","properties":{"a":{"type":"string"}}},{"type":"object","properties":{"b":{"const":1}}}]}`,
	`{"allOf":[{"properties":{"a":{"type":"string"}},"required":["a"]},{"$ref":"#/$defs/b"}],"$defs":{"b":{"properties":{"b":{"enum":[null,1,"x"]}},"required":["b"]}}}`,
	`{"type":"object","properties":{"a":{"anyOf":[{"type":"null"}]},"b":{"anyOf":[]},"c":{"enum":[]},"d":{"type":[]},"e":{"type":"null"}}}`,
	`{"type":"object","properties":{"a":{"not":{"type":"string"}},"b":{"if":{"type":"string"},"then":{"minLength":1}}}}`,
	`{"type":"object","properties":{"a":false,"b":true,"c":7,"d":null,"e":"x","f":[]}}`,
	`{"type":"object","properties":[],"required":"a"}`,
	`{"type":"object","required":["a",1,null],"properties":{"a":{"type":"array","items":[{"type":"string"}],"additionalItems":false}}}`,
	`{"type":"object","properties":{"a":{"type":"integer","exclusiveMinimum":true,"minimum":1,"exclusiveMaximum":9}}}`,
	`{"type":"object","properties":{"a":{"type":"string","enum":["x"],"default":"` + strings.Repeat("long ", 50) + `"}}}`,
	`{"type":"object","properties":{"type":{"type":"string"},"properties":{"type":"object","properties":{"$ref":{"type":"string"}}}}}`,
	`{"type":"object","patternProperties":{"^x":{"type":"string"}},"properties":{"a":{"type":"object","additionalProperties":{"type":"string"}}}}`,
	`{"type":"object","properties":{"a":{"anyOf":[{"type":"string"},{"type":"integer"}],"type":"string","description":"d"}}}`,
}

// TestE08HostileSchemas: whatever a stranger writes, the outcome has only keywords of
// the provider's list, its references lead somewhere, and it is a schema.
func TestE08HostileSchemas(t *testing.T) {
	for _, in := range hostile {
		for _, provider := range format.Providers() {
			got, _ := adapted(t, provider, in)
			if got == "" {
				continue // gemini, no parameters
			}
			if again, _ := adapted(t, provider, got); again != got && provider != "gemini" {
				t.Errorf("%s: adapting twice differs\n in %s\n 1. %s\n 2. %s", provider, in, got, again)
			}
			var v any
			if err := json.Unmarshal([]byte(got), &v); err != nil {
				t.Fatalf("%s: %v: %s", provider, err, got)
			}
			if provider == "gemini" {
				geminiLevel(t, got, v.(map[string]any))
				continue
			}
			if err := keywords(v.(map[string]any), openaiWords); strings.HasPrefix(provider, "openai") && err != nil {
				t.Errorf("%s: %v\n in %s\nout %s", provider, err, in, got)
			}
			var schema jsonschema.Schema
			err := json.Unmarshal([]byte(got), &schema)
			if err == nil {
				_, err = schema.Resolve(nil)
			}
			if err != nil && !strings.Contains(in, `"enum":[]`) && !strings.Contains(in, `"type":[]`) {
				t.Errorf("%s: no schema: %v\n in %s\nout %s", provider, err, in, got)
			}
		}
	}
}

var openaiWords = strings.Fields("type title description properties required additionalProperties items minItems maxItems enum const anyOf $ref $defs definitions pattern format minLength maxLength minimum maximum exclusiveMinimum exclusiveMaximum multipleOf")

// keywords looks for one that is not allowed, at every level.
func keywords(schema map[string]any, allowed []string) error {
	for key, v := range schema {
		if !slices.Contains(allowed, key) {
			return fmt.Errorf("keyword %q", key)
		}
		var below []any
		switch key {
		case "properties", "$defs", "definitions":
			for _, s := range v.(map[string]any) {
				below = append(below, s)
			}
		case "items", "additionalProperties":
			below = append(below, v)
		case "anyOf":
			below = v.([]any)
		}
		for _, s := range below {
			if m, ok := s.(map[string]any); ok {
				if err := keywords(m, allowed); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

var geminiWords = strings.Fields("type format title description nullable enum properties required minProperties maxProperties items minItems maxItems minLength maxLength pattern minimum maximum anyOf")

// geminiLevel holds a level to what Gemini's Schema is documented to be.
func geminiLevel(t *testing.T, all string, s map[string]any) {
	t.Helper()
	for key := range s {
		if !slices.Contains(geminiWords, key) {
			t.Errorf("keyword %q in %s", key, all)
		}
	}
	if list, ok := s["anyOf"].([]any); ok {
		if len(s) != 1 {
			t.Errorf("something beside anyOf in %s", all)
		}
		for _, v := range list {
			geminiLevel(t, all, v.(map[string]any))
		}
		return
	}
	kind, ok := s["type"].(string)
	if !ok || !slices.Contains([]string{"STRING", "NUMBER", "INTEGER", "BOOLEAN", "ARRAY", "OBJECT"}, kind) {
		t.Errorf("type %v in %s", s["type"], all)
	}
	if _, ok := s["enum"]; ok && kind != "STRING" {
		t.Errorf("an enum of %s in %s", kind, all)
	}
	if kind == "ARRAY" {
		items, ok := s["items"].(map[string]any)
		if !ok {
			t.Errorf("a list of nothing in %s", all)
			return
		}
		geminiLevel(t, all, items)
	}
	properties, _ := s["properties"].(map[string]any)
	for _, v := range properties {
		geminiLevel(t, all, v.(map[string]any))
	}
	required, _ := s["required"].([]any)
	for _, name := range required {
		if _, ok := properties[name.(string)]; !ok {
			t.Errorf("required %v is no property in %s", name, all)
		}
	}
}
