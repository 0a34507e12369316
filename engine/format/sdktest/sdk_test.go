package sdktest

import (
	"bytes"
	"context"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/promptc/promptc/engine"
	"github.com/promptc/promptc/engine/format"
	"github.com/promptc/promptc/engine/skill"
	"github.com/promptc/promptc/strategies"
)

// TestGoldenRequests: the SDK of each provider understands every golden request whole.
func TestGoldenRequests(t *testing.T) {
	files, err := filepath.Glob(filepath.Join("..", "testdata", "request", "*.txtar"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no goldens: %v", err)
	}
	for _, file := range files {
		ar, err := txtar.ParseFile(file)
		if err != nil {
			t.Fatal(err)
		}
		n := 0
		for _, f := range ar.Files {
			provider, ok := strings.CutSuffix(f.Name, ".json")
			if !ok || provider == "history" {
				continue
			}
			n++
			if i := slices.IndexFunc(ar.Files, func(x txtar.File) bool { return x.Name == provider+".txt" }); i >= 0 && bytes.Contains(ar.Files[i].Data, []byte("error: ")) {
				continue // a request that is not fit to send, and is said to be
			}
			t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar")+"/"+provider, func(t *testing.T) {
				accept(t, provider, f.Data, brought[provider]...)
			})
		}
		if n != len(format.Providers()) {
			t.Errorf("%s has %d requests", file, n)
		}
	}
}

// brought are keys of the histories in the goldens that the SDK does not know, or
// leaves out of a message that it sends back.
var brought = map[string][]string{"openai-chat": {"reasoning_content"}, "openai-responses": {"id", "status"}}

// words counts a token a word: enough to build with.
type words struct{}

func (words) Name() string          { return "words" }
func (words) Exact() bool           { return false }
func (words) Count(text string) int { return len(strings.Fields(text)) }
func (words) Frame() engine.Frame   { return engine.Frame{} }

// build makes the prompt of a strategy from the example skills.
func build(t *testing.T, change func(*engine.Spec)) *engine.Prompt {
	t.Helper()
	root, err := filepath.Abs(filepath.Join("..", "..", ".."))
	if err != nil {
		t.Fatal(err)
	}
	spec := &engine.Spec{
		Agent: "claude-code", Model: "some-model", System: "You are careful.", Message: "Write the release notes.",
		Env:       engine.Env{Dir: root, Home: t.TempDir(), Lookup: func(string) (string, bool) { return "", false }},
		Workspace: engine.WorkspaceSpec{Dir: t.TempDir(), Temporary: true},
		Roots:     []engine.RootSpec{{Dir: filepath.Join(root, "examples", "skills"), Scope: string(skill.User)}},
	}
	change(spec)
	job, err := engine.Load(context.Background(), spec)
	if err != nil {
		t.Fatal(err)
	}
	job.Strategies, job.Counter = strategies.Bundled(), words{}
	p, err := engine.Build(t.Context(), job)
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Err(); err != nil {
		t.Fatal(err)
	}
	return p
}

// TestEveryStrategy: the request of every strategy, with a history and its tools, is
// understood by every SDK, and its history comes back.
func TestEveryStrategy(t *testing.T) {
	earlier := []engine.Message{
		{Role: engine.RoleUser, Text: "Hello."},
		{Role: engine.RoleAssistant, Text: "I look.", Calls: []engine.ToolCall{{ID: "call_1", Name: "activate_skill", Arguments: []byte(`{"name":"release-notes"}`)}}},
		{Role: engine.RoleTool, Reply: "call_1", Text: "# Release notes"},
		{Role: engine.RoleAssistant, Text: "Which range?"},
	}
	for _, s := range strategies.Bundled() {
		for _, variant := range variants() {
			p := build(t, func(spec *engine.Spec) {
				spec.Strategy.Name = s.Info().Name
				spec.Earlier = earlier
				variant.change(spec)
			})
			for _, provider := range format.Providers() {
				t.Run(s.Info().Name+"/"+variant.name+"/"+provider, func(t *testing.T) {
					r, err := format.NewRequest(provider, p, format.Options{})
					if err != nil {
						t.Fatal(err)
					}
					if err := r.Diagnostics.Err(); err != nil {
						t.Fatal(err)
					}
					accept(t, provider, r.Body)
					h, err := format.ReadHistory(provider, "", r.Body)
					if err != nil {
						t.Fatal(err)
					}
					if h.System != p.SystemText() {
						t.Errorf("the system prompt came back as %q", h.System)
					}
					again, err := format.NewRequest(provider, with(p, h.Messages), format.Options{})
					if err != nil {
						t.Fatal(err)
					}
					if string(again.Body) != string(r.Body) {
						t.Errorf("the request of what came back differs:\n%s\n%s", r.Body, again.Body)
					}
				})
			}
		}
	}
}

func with(p *engine.Prompt, messages []engine.Message) *engine.Prompt {
	q := *p
	q.Messages = messages
	return &q
}

type variant struct {
	name   string
	change func(*engine.Spec)
}

func variants() []variant {
	return []variant{
		{"all", func(*engine.Spec) {}},
		{"selected", func(s *engine.Spec) { s.Select = engine.SelectSpec{Skill: "release-notes", Args: "v1 <v2>"} }},
		{"cache", func(s *engine.Spec) { s.Layout.Preset, s.Knowledge = "cache", "The harbour closes at ten." }},
		{"first-message", func(s *engine.Spec) { s.Place, s.Earlier = "first_message", nil }},
		{"chinese", func(s *engine.Spec) { s.Language = "zh" }},
	}
}

// TestToolOptions: the tools of the other modes, and names that not every provider
// takes, are understood by every SDK.
func TestToolOptions(t *testing.T) {
	for _, options := range []map[string]any{{"mode": "each"}, {"style": "names"}, {"name": "3d"}, {"mode": "each", "name": "3d"}} {
		p := build(t, func(spec *engine.Spec) { spec.Strategy = engine.StrategySpec{Name: "tool", Options: options} })
		for _, provider := range format.Providers() {
			r, err := format.NewRequest(provider, p, format.Options{})
			if err != nil {
				t.Fatal(err)
			}
			if err := r.Diagnostics.Err(); err != nil {
				t.Fatal(err)
			}
			accept(t, provider, r.Body)
		}
	}
}
