package format_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/promptc/promptc/engine"
	"github.com/promptc/promptc/engine/diag"
	"github.com/promptc/promptc/engine/format"
)

func read(t *testing.T, name, data string) *format.History {
	t.Helper()
	h, err := format.ReadHistory(name, "h.json", []byte(data))
	if err != nil {
		t.Fatal(err)
	}
	return h
}

// bodyOf is the request for messages, which must be fit to send.
func bodyOf(t *testing.T, name string, messages []engine.Message) []byte {
	t.Helper()
	r, err := format.NewRequest(name, &engine.Prompt{Model: "m", Messages: messages}, format.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := r.Diagnostics.Err(); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return r.Body
}

// histories are those of the goldens, by format.
func histories(t *testing.T) map[string][]byte {
	t.Helper()
	out := map[string][]byte{}
	for name, file := range map[string]string{"openai-chat": "history-chat", "openai-responses": "history-responses", "anthropic": "history-anthropic", "gemini": "history-gemini"} {
		ar, err := txtar.ParseFile(filepath.Join("testdata", "request", file+".txtar"))
		if err != nil {
			t.Fatal(err)
		}
		out[name] = ar.Files[1].Data
	}
	return out
}

// TestD10HistoryBytes: each message of a history in the provider's own form stands in
// the request byte for byte, whatever blanks and unknown keys it has.
func TestD10HistoryBytes(t *testing.T) {
	for name, data := range histories(t) {
		h := read(t, name, string(data))
		body, rest := bodyOfOpen(t, name, h.Messages), 0
		for _, m := range h.Messages {
			if m.Raw == nil {
				continue
			}
			at := bytes.Index(body[rest:], m.Raw)
			if at < 0 {
				t.Errorf("%s: not byte for byte, or not in its place: %s", name, m.Raw)
				continue
			}
			rest += at + len(m.Raw)
			if !bytes.Contains(data, m.Raw) {
				t.Errorf("%s: the history has no %s", name, m.Raw)
			}
		}
	}
}

// bodyOfOpen allows calls that wait for an answer.
func bodyOfOpen(t *testing.T, name string, messages []engine.Message) []byte {
	t.Helper()
	r, err := format.NewRequest(name, &engine.Prompt{Model: "m", Messages: messages}, format.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return r.Body
}

// TestD10ChangedMessage: what a host changed in a Message is sent, not what Raw says.
func TestD10ChangedMessage(t *testing.T) {
	for name, data := range histories(t) {
		h := read(t, name, string(data))
		last := &h.Messages[len(h.Messages)-1]
		raw := last.Raw
		if len(last.Calls) > 0 {
			last.Calls = slices.Clone(last.Calls)
			last.Calls[0].Arguments = json.RawMessage(`{"where":"changed"}`)
		} else {
			last.Text = "changed"
		}
		body := bodyOfOpen(t, name, h.Messages)
		if bytes.Contains(body, raw) || !bytes.Contains(body, []byte("changed")) {
			t.Errorf("%s: the change is not in the request:\n%s", name, body)
		}
	}
}

// TestD10DroppedAnswer: where a host dropped one of two answers that stood in one
// message, the other one is still sent, and the missing one is said.
func TestD10DroppedAnswer(t *testing.T) {
	h := read(t, "anthropic", string(histories(t)["anthropic"]))
	i := slices.IndexFunc(h.Messages, func(m engine.Message) bool { return m.Role == engine.RoleTool })
	messages := slices.Delete(slices.Clone(h.Messages), i+1, i+2)
	r, err := format.NewRequest("anthropic", &engine.Prompt{Model: "m", Messages: messages}, format.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if bytes.Contains(r.Body, []byte("where?")) || !bytes.Contains(r.Body, []byte("a crane")) {
		t.Errorf("the request is\n%s", r.Body)
	}
	if r.Diagnostics.Err() == nil {
		t.Error("the call that has no answer any more is not said")
	}
}

// view is what of Messages is the same in every provider's form.
type view struct {
	Role   engine.Role
	Text   string
	Calls  []string
	Failed bool
}

// conversation merges what providers merge, and leaves ids out.
func conversation(messages []engine.Message) []view {
	var out []view
	for _, m := range messages {
		v := view{Role: m.Role, Text: m.Text, Failed: m.Failed}
		for _, c := range m.Calls {
			var args bytes.Buffer
			if json.Compact(&args, c.Arguments) != nil {
				args.Write(c.Arguments)
			}
			v.Calls = append(v.Calls, c.Name+args.String())
		}
		if n := len(out) - 1; n >= 0 && m.Role == engine.RoleAssistant && out[n].Role == m.Role {
			out[n].Text += v.Text
			out[n].Calls = append(out[n].Calls, v.Calls...)
			continue
		}
		out = append(out, v)
	}
	return out
}

// TestRoundTrip: a conversation goes from each provider's form to each other's and
// back, and is the same: texts, calls with their arguments, answers in their order.
// What a provider has no mark for (a failed call) may be lost, and is said.
func TestRoundTrip(t *testing.T) {
	own := []engine.Message{
		{Role: engine.RoleUser, Text: "Both, please: <a> & \"b\" \u2028 \U0001F6A2"},
		{Role: engine.RoleAssistant, Text: "I look.", Calls: []engine.ToolCall{
			{ID: "call_1", Name: "look", Arguments: json.RawMessage(`{"where":"quay","n":9007199254740993}`)},
			{ID: "call_2", Name: "look", Arguments: json.RawMessage(`{}`)},
		}},
		{Role: engine.RoleTool, Reply: "call_1", Text: "a crane"},
		{Role: engine.RoleTool, Reply: "call_2", Text: "too dark", Failed: true},
		{Role: engine.RoleAssistant, Text: "A crane."},
		{Role: engine.RoleUser, Text: "And now?"},
	}
	marks := map[string]bool{"anthropic": true, "gemini": true}
	for _, first := range format.Providers() {
		one := read(t, first, string(bodyOf(t, first, own)))
		check(t, first, own, one.Messages, marks[first])
		for _, second := range format.Providers() {
			two := read(t, second, string(bodyOf(t, second, one.Messages)))
			check(t, first+" to "+second, own, two.Messages, marks[first] && marks[second])
			// And the ids still tell which answer belongs to which call.
			var calls, replies []string
			for _, m := range two.Messages {
				for _, c := range m.Calls {
					calls = append(calls, c.ID)
				}
				if m.Role == engine.RoleTool {
					replies = append(replies, m.Reply)
				}
			}
			if !slices.Equal(calls, replies) || len(calls) != 2 || calls[0] == calls[1] {
				t.Errorf("%s to %s: calls %q, answers %q", first, second, calls, replies)
			}
		}
	}
}

func check(t *testing.T, what string, want, got []engine.Message, marks bool) {
	t.Helper()
	a, b := conversation(want), conversation(got)
	for i := range a {
		if !marks {
			a[i].Failed = false
		}
	}
	x, _ := json.Marshal(a)
	y, _ := json.Marshal(b)
	if !bytes.Equal(x, y) {
		t.Errorf("%s:\n got %s\nwant %s", what, y, x)
	}
}

// TestP16PrefixStays: what a request says is not changed by what comes behind it, so
// a cache of the prefix holds through a whole loop.
func TestP16PrefixStays(t *testing.T) {
	turns := []engine.Message{
		{Role: engine.RoleUser, Text: "one"},
		{Role: engine.RoleAssistant, Text: "two", Calls: []engine.ToolCall{{ID: "same", Name: "3d.print", Arguments: json.RawMessage(`{}`)}}},
		{Role: engine.RoleTool, Reply: "same", Text: "three"},
		{Role: engine.RoleAssistant, Text: "four", Calls: []engine.ToolCall{{ID: "same", Name: "3d.print", Arguments: json.RawMessage(`{}`)}}},
		{Role: engine.RoleTool, Reply: "same", Text: "five"},
		{Role: engine.RoleAssistant, Text: "six"},
		{Role: engine.RoleUser, Text: "seven"},
	}
	for _, name := range format.Providers() {
		var before []json.RawMessage
		for n := 1; n <= len(turns); n++ {
			now, _, err := format.Conversation(name, turns[:n])
			if err != nil {
				t.Fatal(err)
			}
			for i, m := range before {
				if !bytes.Equal(m, now[i]) {
					t.Errorf("%s: message %d changed when message %d came:\n%s\n%s", name, i+1, n, m, now[i])
				}
			}
			before = now
		}
	}
}

// TestResponses: what a provider answers can be fed back as it is.
func TestResponses(t *testing.T) {
	for name, data := range map[string]string{
		"openai-chat":      `{"id":"x","object":"chat.completion","choices":[{"index":0,"finish_reason":"tool_calls","message":{"role":"assistant","content":"I look.","refusal":null,"annotations":[],"tool_calls":[{"id":"c1","type":"function","function":{"name":"look","arguments":"{\"a\":1}"}}]}}],"usage":{"total_tokens":3}}`,
		"openai-responses": `{"id":"x","object":"response","instructions":"old","tools":[{"type":"function","name":"look"}],"output":[{"type":"reasoning","id":"r","summary":[]},{"type":"message","id":"m","role":"assistant","status":"completed","content":[{"type":"output_text","text":"I look.","annotations":[]}]},{"type":"function_call","id":"f","call_id":"c1","name":"look","arguments":"{\"a\":1}","status":"completed"}]}`,
		"anthropic":        `{"id":"x","type":"message","role":"assistant","model":"m","content":[{"type":"text","text":"I look."},{"type":"tool_use","id":"c1","name":"look","input":{"a":1}}],"stop_reason":"tool_use","usage":{"input_tokens":1,"output_tokens":2}}`,
		"gemini":           `{"candidates":[{"index":0,"finishReason":"STOP","content":{"role":"model","parts":[{"text":"I look."},{"functionCall":{"id":"c1","name":"look","args":{"a":1}},"thoughtSignature":"c2ln"}]}}],"usageMetadata":{"totalTokenCount":3}}`,
	} {
		if got := format.Detect([]byte(data), ""); got != name {
			t.Errorf("the response of %s looks like %s", name, got)
		}
		h := read(t, name, data)
		if len(h.Diagnostics) > 0 || h.System != "" {
			t.Errorf("%s: %v, system %q", name, h.Diagnostics, h.System)
		}
		got := conversation(h.Messages)
		if len(got) != 1 || got[0].Text != "I look." || len(got[0].Calls) != 1 || got[0].Calls[0] != `look{"a":1}` {
			t.Errorf("%s: %+v", name, got)
		}
		messages := append([]engine.Message{{Role: engine.RoleUser, Text: "Look."}}, h.Messages...)
		messages = append(messages, engine.Message{Role: engine.RoleTool, Reply: h.Messages[len(h.Messages)-1].Calls[0].ID, Text: "a crane"})
		body := bodyOf(t, name, messages)
		for _, unwanted := range []string{"usage", "finish", "stop_reason", `"id":"x"`} {
			if bytes.Contains(body, []byte(unwanted)) {
				t.Errorf("%s: %s of the response is in the request:\n%s", name, unwanted, body)
			}
		}
	}
}

// TestE02AnswerHasTheOwnersNames: a call comes back under the name that the tool has in
// the prompt, and the message is still sent as it came.
func TestE02AnswerHasTheOwnersNames(t *testing.T) {
	p := &engine.Prompt{
		Messages: []engine.Message{{Role: engine.RoleUser, Text: "Print."}},
		Tools:    []engine.Tool{{Name: "3d-print", Parameters: json.RawMessage(`{"type":"object","properties":{"a":{"type":"string"}}}`)}},
	}
	r, err := format.NewRequest("gemini", p, format.Options{})
	if err != nil {
		t.Fatal(err)
	}
	host := r.Names.Host(format.ToolName{Name: "3d-print"})
	h, err := r.Answer([]byte(`{"candidates":[{"content":{"role":"model","parts":[{"functionCall":{"name":"` + host + `", "args":{}}}]}}]}`))
	if err != nil || h.Diagnostics.Err() != nil {
		t.Fatal(err, h.Diagnostics)
	}
	call := h.Messages[0].Calls[0]
	if call.Name != "3d-print" || host == "3d-print" {
		t.Errorf("%q is called %q", host, call.Name)
	}
	p.Messages = append(p.Messages, h.Messages...)
	p.Messages = append(p.Messages, engine.Message{Role: engine.RoleTool, Reply: call.ID, Text: "printed"})
	again, err := format.NewRequest("gemini", p, format.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Contains(again.Body, h.Messages[0].Raw) || bytes.Count(again.Body, []byte(`"`+host+`"`)) != 3 {
		t.Errorf("the request is\n%s", again.Body)
	}
}

// TestDetect: a form is known by what only it has; a plain text is that of the
// provider that is asked for.
func TestDetect(t *testing.T) {
	for data, want := range map[string]string{
		`[{"role":"user","text":"x"}]`:    format.Own,
		`[]`:                              "openai-chat",
		"- {role: user, text: x}":         format.Own,
		`"x"`:                             format.Own,
		`7`:                               format.Own,
		`[{"role":"user","content":"x"}]`: "openai-chat",
		`[{"role":"tool","tool_call_id":"a","content":"x"}]`:   "openai-chat",
		`[{"role":"developer","content":"x"}]`:                 "openai-chat",
		`{"messages":[{"role":"user","content":"x"}]}`:         "openai-chat",
		`{"system":"s","messages":[]}`:                         "anthropic",
		`[{"role":"user","content":[{"type":"tool_result"}]}]`: "anthropic",
		`[{"role":"user","content":[{"type":"input_text"}]}]`:  "openai-responses",
		`[{"type":"function_call_output"}]`:                    "openai-responses",
		`{"input":"x"}`:                                        "openai-responses",
		`{"contents":[]}`:                                      "gemini",
		`[{"role":"model","parts":[]}]`:                        "gemini",
		`[7,{"role":"user","parts":[]}]`:                       "gemini",
	} {
		if got := format.Detect([]byte(data), ""); got != want {
			t.Errorf("%s: %s, want %s", data, got, want)
		}
	}
	plain := []byte(`[{"role":"user","content":"x"},{"role":"assistant","content":[{"type":"text","text":"y"}]}]`)
	for prefer, want := range map[string]string{"anthropic": "anthropic", "openai-chat": "openai-chat", "openai-responses": "openai-chat", "gemini": "openai-chat", "text": "openai-chat"} {
		if got := format.Detect(plain, prefer); got != want {
			t.Errorf("prefer %s: %s, want %s", prefer, got, want)
		}
	}
}

// TestPlainMessagesStay: a role and a text are sent as they are by every provider that
// writes them so.
func TestPlainMessagesStay(t *testing.T) {
	const raw = `{"role": "user",   "content": "x"}`
	h := read(t, "openai-chat", "["+raw+"]")
	for name, same := range map[string]bool{"openai-chat": true, "openai-responses": true, "anthropic": true, "gemini": false} {
		if got := bytes.Contains(bodyOf(t, name, h.Messages), []byte(raw)); got != same {
			t.Errorf("%s: byte for byte is %v", name, got)
		}
	}
	// A host that knows no form may set Raw alone.
	m := engine.Message{Role: engine.RoleUser, Text: "x", Raw: json.RawMessage(`{"role":"user","parts":[{"text":"x"}] }`)}
	if body := bodyOf(t, "gemini", []engine.Message{m}); !bytes.Contains(body, m.Raw) {
		t.Errorf("gemini: %s", body)
	}
	if body := bodyOf(t, "openai-chat", []engine.Message{m}); !bytes.Contains(body, []byte(`{"role":"user","content":"x"}`)) {
		t.Errorf("openai-chat: %s", body)
	}
}

// TestHistoryPlaces: what is no message has the place at which it begins.
func TestHistoryPlaces(t *testing.T) {
	h := read(t, "openai-chat", "\ufeff\n[\n  {\"role\":\"user\",\"content\":\"é\"}, {\"role\":\"x\"},\n 7]")
	var got []string
	for _, d := range h.Diagnostics {
		if d.Code != diag.HistoryInvalid || d.Severity != diag.Error {
			t.Errorf("%s", d)
		}
		got = append(got, d.Where())
	}
	if want := []string{"h.json:3:34", "h.json:4:2"}; !slices.Equal(got, want) {
		t.Errorf("places %q, want %q", got, want)
	}
	for _, data := range []string{"", "{", `"x"`, "7", "null", "[{\"role\":\"user\",\"content\":\"\xff\"}]"} {
		if h := read(t, "anthropic", data); h.Diagnostics.Err() == nil {
			t.Errorf("%q is a history: %+v", data, h)
		}
	}
	if _, err := format.ReadHistory("openai", "", nil); err == nil {
		t.Error("a form that is not known is no error")
	}
}

// FuzzReadHistory: whatever bytes come, nothing fails, and what was read is sent back
// byte for byte in its own form and as JSON in every other.
func FuzzReadHistory(f *testing.F) {
	files, err := filepath.Glob(filepath.Join("testdata", "request", "history-*.txtar"))
	if err != nil || len(files) == 0 {
		f.Fatal(err)
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(txtar.Parse(data).Files[1].Data)
	}
	f.Add([]byte(`[{"role":"user","content":"x"},{"role":"assistant","content":[{"type":"text","text":"y"}]}]`))
	f.Add([]byte(`[{"type":"function_call","call_id":"a","name":"","arguments":"["},{"type":"x_output"}]`))
	f.Add([]byte(`{"candidates":[{"content":{"parts":[{"function_response":{"response":[1]}},{"text":null}]}}]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		format.Detect(data, "anthropic")
		for _, name := range format.Providers() {
			h, err := format.ReadHistory(name, "", data)
			if err != nil {
				t.Fatal(err)
			}
			for _, to := range format.Providers() {
				r, err := format.NewRequest(to, &engine.Prompt{Messages: h.Messages}, format.Options{})
				if err != nil {
					t.Fatal(err)
				}
				if !json.Valid(r.Body) {
					t.Fatalf("%s to %s: no JSON:\n%s", name, to, r.Body)
				}
				if to != name {
					continue
				}
				for _, m := range h.Messages {
					if !bytes.Contains(r.Body, m.Raw) {
						t.Fatalf("%s: not byte for byte: %s\n%s", name, m.Raw, r.Body)
					}
				}
			}
		}
	})
}

// FuzzToolSchema: whatever schema comes, each provider gets JSON with an object on top.
func FuzzToolSchema(f *testing.F) {
	for _, s := range hostile {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		p := &engine.Prompt{Tools: []engine.Tool{{Name: "look", Parameters: data}}}
		for _, name := range format.Providers() {
			r, err := format.NewRequest(name, p, format.Options{})
			if err != nil {
				t.Fatal(err)
			}
			if !json.Valid(r.Body) {
				t.Fatalf("%s: no JSON:\n%s", name, r.Body)
			}
			if json.Valid(data) && strings.HasPrefix(string(data), "{") && name == "openai-chat" && r.Diagnostics.Err() == nil && !bytes.Contains(r.Body, []byte(`"properties":{`)) {
				t.Fatalf("no properties in\n%s", r.Body)
			}
		}
	})
}
