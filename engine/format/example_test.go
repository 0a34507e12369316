package format_test

import (
	"encoding/json"
	"fmt"

	"github.com/promptc/promptc/engine"
	"github.com/promptc/promptc/engine/format"
)

// A host sends the request, reads the answer, and goes on with both: what was there
// before stays as it is.
func ExampleNewRequest() {
	prompt := &engine.Prompt{ // engine.Build makes it
		Model:    "some-model",
		System:   []engine.Section{{ID: "system", Text: "You are careful."}},
		Stable:   1,
		Messages: []engine.Message{{Role: engine.RoleUser, Text: "When is high water?"}},
	}
	request, err := format.NewRequest("anthropic", prompt, format.Options{MaxTokens: 900})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%s", request.Body)
	// Output:
	// {
	//   "model": "some-model",
	//   "max_tokens": 900,
	//   "system": [
	//     {"type":"text","text":"You are careful.","cache_control":{"type":"ephemeral"}}
	//   ],
	//   "messages": [
	//     {"role":"user","content":"When is high water?"}
	//   ]
	// }
}

// The answer of a provider is a history of its own: its messages go behind those of
// the prompt, and the answers of tools behind them.
func ExampleReadHistory() {
	answer := []byte(`{"choices": [{"message": {"role": "assistant", "content": null, "tool_calls": [
		{"id": "call_1", "type": "function", "function": {"name": "activate_skill", "arguments": "{\"name\":\"tide-table\"}"}}]}}]}`)
	history, err := format.ReadHistory("openai-chat", "", answer)
	if err != nil || history.Diagnostics.Err() != nil {
		fmt.Println(err, history.Diagnostics)
		return
	}
	call := history.Messages[0].Calls[0]
	fmt.Println(call.Name, string(call.Arguments))
	messages := append(history.Messages, engine.Message{Role: engine.RoleTool, Reply: call.ID, Text: "High water is at six."})
	raw, _, err := format.Conversation("openai-chat", messages)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(len(raw), string(raw[1]))
	// Output:
	// activate_skill {"name":"tide-table"}
	// 2 {"role":"tool","content":"High water is at six.","tool_call_id":"call_1"}
}

// Two servers offer a tool of the same name, and a third one a name that providers do
// not take.
func ExampleNameTools() {
	names, err := format.NameTools("gemini", []format.ToolName{{Space: "harbour", Name: "search"}, {Space: "library", Name: "search"}, {Name: "admin.tools/list"}})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, tool := range names.Tools() {
		fmt.Println(names.Host(tool))
	}
	owner, ok := names.Owner("library__search")
	fmt.Println(owner.Space, owner.Name, ok)
	// Output:
	// admin_tools_list_6e5c8995
	// harbour__search
	// library__search
	// library search true
}

// Detect tells in which form messages are.
func ExampleDetect() {
	data, err := json.Marshal([]map[string]any{{"role": "user", "parts": []map[string]string{{"text": "When is high water?"}}}})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(format.Detect(data, ""))
	// Output: gemini
}
