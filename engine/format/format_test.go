package format_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/promptc/promptc/engine"
	"github.com/promptc/promptc/engine/format"
)

func TestVisible(t *testing.T) {
	for in, want := range map[string]string{
		"plain\ttext\n潮汐 👩‍🚀": "plain\ttext\n潮汐 👩‍🚀",
		"\x1b[2Jgone\a":       `\u{1b}[2Jgone\u{7}`,
		"a\u202eb\u200bc":     `a\u{202e}b\u{200b}c`,
		"bare\rreturn":        `bare\u{d}return`,
	} {
		if got := format.Visible(in); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}

func escaping() *engine.Prompt {
	return &engine.Prompt{
		Strategy: "inject", Agent: "generic",
		System: []engine.Section{{ID: "skills/a", Skill: "a", Text: "body \x1b[31m<b> & \u202e"}, {ID: "system", Text: "BASE"}},
		Usage:  engine.Usage{ModelOwn: "unknown", Sections: []int{3, 1}},
	}
}

func TestOnlyTheTextViewIsMadeSafe(t *testing.T) {
	p := escaping()
	var text, system, js bytes.Buffer
	for name, w := range map[string]*bytes.Buffer{"text": &text, "system": &system, "json": &js} {
		if err := format.Write(w, name, p); err != nil {
			t.Fatal(err)
		}
	}
	if strings.Contains(text.String(), "\x1b") || strings.Contains(text.String(), "\u202e") {
		t.Errorf("the text view sends control characters to a terminal: %q", text.String())
	}
	if system.String() != p.SystemText() {
		t.Errorf("system is not byte for byte: %q", system.String())
	}
	var got struct{ System string }
	if err := json.Unmarshal(js.Bytes(), &got); err != nil || got.System != p.SystemText() {
		t.Errorf("json is not byte for byte: %q, %v", got.System, err)
	}
	if strings.Contains(js.String(), `\u003c`) {
		t.Error("json escapes < although nobody puts it into HTML")
	}
}

func TestJSONListsAreNeverNull(t *testing.T) {
	var out bytes.Buffer
	if err := format.Write(&out, "json", &engine.Prompt{Usage: engine.Usage{ModelOwn: "unknown"}}); err != nil {
		t.Fatal(err)
	}
	var got map[string]any
	if err := json.Unmarshal(out.Bytes(), &got); err != nil {
		t.Fatal(err)
	}
	for _, key := range []string{"sections", "messages", "tools", "links", "read_roots", "skills", "dropped", "diagnostics"} {
		if _, ok := got[key].([]any); !ok {
			t.Errorf("%s is %v", key, got[key])
		}
	}
	if usage := got["usage"].(map[string]any); usage["framing"] != nil || usage["native"] != nil {
		t.Errorf("what is unknown is null: %v", usage)
	}
}

type full struct{}

func (full) Write([]byte) (int, error) { return 0, errors.New("no space left") }

func TestWriteFails(t *testing.T) {
	for _, name := range format.Names() {
		if err := format.Write(full{}, name, escaping()); err == nil {
			t.Errorf("%s: a full disk is not noticed", name)
		}
	}
	if err := format.Write(full{}, "yaml", escaping()); err == nil || !strings.Contains(err.Error(), "text, system, json") {
		t.Errorf("an unknown format: %v", err)
	}
}

func TestNumber(t *testing.T) {
	for n, want := range map[int]string{0: "0", 999: "999", 1000: "1,000", -1234567: "-1,234,567"} {
		if got := format.Number(n); got != want {
			t.Errorf("%d: %s, want %s", n, got, want)
		}
	}
}
