package sdktest

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/anthropics/anthropic-sdk-go"
	anthropicoption "github.com/anthropics/anthropic-sdk-go/option"
	"github.com/openai/openai-go/v3"
	openaioption "github.com/openai/openai-go/v3/option"
	"github.com/openai/openai-go/v3/responses"
	"google.golang.org/genai"
)

// sdks decode a body into the types of a provider's SDK and send it with the SDK's
// client. What arrives is what the SDK understood: a key that it does not know, or a
// value of another type, does not arrive.
var sdks = map[string]func(t *testing.T, url string, body []byte){
	"openai-chat": func(t *testing.T, url string, body []byte) {
		var p openai.ChatCompletionNewParams
		decode(t, body, &p)
		c := openai.NewClient(openaioption.WithBaseURL(url), openaioption.WithAPIKey("none"))
		if _, err := c.Chat.Completions.New(t.Context(), p); err != nil {
			t.Fatal(err)
		}
	},
	"openai-responses": func(t *testing.T, url string, body []byte) {
		var p responses.ResponseNewParams
		decode(t, body, &p)
		c := openai.NewClient(openaioption.WithBaseURL(url), openaioption.WithAPIKey("none"))
		if _, err := c.Responses.New(t.Context(), p); err != nil {
			t.Fatal(err)
		}
	},
	"anthropic": func(t *testing.T, url string, body []byte) {
		var p anthropic.MessageNewParams
		decode(t, body, &p)
		c := anthropic.NewClient(anthropicoption.WithBaseURL(url), anthropicoption.WithAPIKey("none"))
		if _, err := c.Messages.New(t.Context(), p); err != nil {
			t.Fatal(err)
		}
	},
	"gemini": func(t *testing.T, url string, body []byte) {
		// The SDK keeps what is beside the contents in a type of its own.
		var p struct {
			System   *genai.Content   `json:"systemInstruction"`
			Contents []*genai.Content `json:"contents"`
			Tools    []*genai.Tool    `json:"tools"`
			Config   *struct {
				MaxOutputTokens int32 `json:"maxOutputTokens"`
			} `json:"generationConfig"`
		}
		dec := json.NewDecoder(bytes.NewReader(body))
		dec.DisallowUnknownFields()
		if err := dec.Decode(&p); err != nil {
			t.Fatalf("%v in\n%s", err, body)
		}
		config := &genai.GenerateContentConfig{SystemInstruction: p.System, Tools: p.Tools}
		if p.Config != nil {
			config.MaxOutputTokens = p.Config.MaxOutputTokens
		}
		c, err := genai.NewClient(t.Context(), &genai.ClientConfig{APIKey: "none", Backend: genai.BackendGeminiAPI, HTTPOptions: genai.HTTPOptions{BaseURL: url}})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := c.Models.GenerateContent(t.Context(), "some-model", p.Contents, config); err != nil {
			t.Fatal(err)
		}
	},
}

func decode(t *testing.T, body []byte, into any) {
	t.Helper()
	if err := json.Unmarshal(body, into); err != nil {
		t.Fatalf("%v in\n%s", err, body)
	}
}

// known are the other ways in which an SDK writes what means the same, by provider.
var known = map[string]func(top map[string]any){
	// The type of a message may be left out; the SDK reads only the one that has it.
	"openai-responses": func(top map[string]any) {
		items, _ := top["input"].([]any)
		for _, item := range items {
			if m := item.(map[string]any); m["type"] == nil && m["role"] != nil {
				m["type"] = "message"
			}
		}
	},
	// A text is written as a list of one block.
	"anthropic": func(top map[string]any) {
		messages, _ := top["messages"].([]any)
		for _, m := range messages {
			m := m.(map[string]any)
			m["content"] = blocks(m["content"])
			for _, b := range m["content"].([]any) {
				if b := b.(map[string]any); b["type"] == "tool_result" && b["content"] != nil {
					b["content"] = blocks(b["content"])
				}
			}
		}
	},
	// Empty objects are left out or put in, and the system prompt is the user's.
	"gemini": func(top map[string]any) {
		if s, ok := top["systemInstruction"].(map[string]any); ok {
			delete(s, "role")
		}
		if c, ok := top["generationConfig"].(map[string]any); ok && len(c) == 0 {
			delete(top, "generationConfig")
		}
		contents, _ := top["contents"].([]any)
		if len(contents) == 0 {
			delete(top, "contents")
		}
		for _, c := range contents {
			for _, p := range c.(map[string]any)["parts"].([]any) {
				call, _ := p.(map[string]any)["functionCall"].(map[string]any)
				if args, ok := call["args"].(map[string]any); ok && len(args) == 0 {
					delete(call, "args")
				}
			}
		}
	},
}

func blocks(content any) any {
	if text, ok := content.(string); ok {
		return []any{map[string]any{"type": "text", "text": text}}
	}
	return content
}

// accept sends body with the provider's SDK to a server on loopback, which must get
// the same JSON. ignored are keys that only a history brought, which the SDK does not
// know and the provider takes back all the same.
func accept(t *testing.T, provider string, body []byte, ignored ...string) {
	t.Helper()
	var got []byte
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		data, err := io.ReadAll(r.Body)
		if err != nil {
			t.Error(err)
		}
		got = data
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write([]byte("{}"))
	}))
	defer server.Close()
	want := canonical(t, provider, body, nil)
	sdks[provider](t, server.URL, want)
	if a, b := canonical(t, provider, want, ignored), canonical(t, provider, got, ignored); !bytes.Equal(a, b) {
		t.Errorf("%s: the SDK understood another request.\nwe wrote %s\nit sends %s", provider, a, b)
	}
}

// canonical is data with its keys sorted, without nulls and without the ignored keys,
// in the SDK's way of writing.
func canonical(t *testing.T, provider string, data []byte, ignored []string) []byte {
	t.Helper()
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.UseNumber()
	var v map[string]any
	if err := dec.Decode(&v); err != nil {
		t.Fatalf("%v in %q", err, data)
	}
	if f := known[provider]; f != nil {
		f(v)
	}
	out, err := json.Marshal(strip(v, ignored))
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func strip(v any, ignored []string) any {
	switch x := v.(type) {
	case map[string]any:
		for _, key := range ignored {
			delete(x, key)
		}
		for key, item := range x {
			if item == nil {
				delete(x, key)
				continue
			}
			x[key] = strip(item, ignored)
		}
	case []any:
		for i := range x {
			x[i] = strip(x[i], ignored)
		}
	}
	return v
}
