package format_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
	"go.yaml.in/yaml/v3"

	"github.com/promptc/promptc/engine"
	"github.com/promptc/promptc/engine/agent"
	"github.com/promptc/promptc/engine/format"
)

var update = flag.Bool("update", false, "write the goldens anew")

// prompt is a Prompt as a person writes it.
type prompt struct {
	Model        string
	Agent        string
	Sections     []engine.Section
	Stable       int
	FirstMessage bool `json:"first_message"`
	History      string
	Messages     []engine.Message
	Tools        []engine.Tool
	Links        []engine.Link
	Launch       agent.Launch
	ReadRoots    []string `json:"read_roots"`
	MaxTokens    int      `json:"max_tokens"`
}

// TestGolden writes testdata/request/CASE.txtar in every format. A case is a comment
// that names its rules, prompt.yaml, maybe a file with a history in the form that
// prompt.yaml names, and what comes out: the body and the diagnostics of each format.
func TestGolden(t *testing.T) {
	files, err := filepath.Glob(filepath.Join("testdata", "request", "*.txtar"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no cases: %v", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) { golden(t, file) })
	}
}

func golden(t *testing.T, file string) {
	ar, err := txtar.ParseFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if len(ar.Comment) == 0 {
		t.Fatalf("%s says not what it shows", file)
	}
	p, opts, in := readCase(t, ar)
	out := in
	for _, name := range format.Providers() {
		r, err := format.NewRequest(name, p, opts)
		if err != nil {
			t.Fatal(err)
		}
		if !json.Valid(r.Body) {
			t.Errorf("%s: the body is no JSON:\n%s", name, r.Body)
		}
		out = append(out, txtar.File{Name: name + ".json", Data: r.Body})
		if len(r.Diagnostics) > 0 {
			var b strings.Builder
			for _, d := range r.Diagnostics {
				fmt.Fprintf(&b, "%s\n  %s\n", d, d.Hint)
			}
			out = append(out, txtar.File{Name: name + ".txt", Data: []byte(b.String())})
		}
	}
	got := txtar.Format(&txtar.Archive{Comment: ar.Comment, Files: out})
	if *update {
		if err := os.WriteFile(file, got, 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	if want := txtar.Format(ar); !bytes.Equal(got, want) {
		t.Errorf("%s differs; go test ./engine/format -update writes it anew. Got:\n%s", file, got)
	}
}

// readCase gives the prompt of a case and the files that are its input.
func readCase(t *testing.T, ar *txtar.Archive) (*engine.Prompt, format.Options, []txtar.File) {
	t.Helper()
	if len(ar.Files) == 0 || ar.Files[0].Name != "prompt.yaml" {
		t.Fatal("a case begins with prompt.yaml")
	}
	in := ar.Files[:1:1]
	var v any
	if err := yaml.Unmarshal(in[0].Data, &v); err != nil {
		t.Fatal(err)
	}
	data, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	var c prompt
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&c); err != nil {
		t.Fatal(err)
	}
	p := &engine.Prompt{
		Agent: c.Agent, Model: c.Model, System: c.Sections, Stable: c.Stable, FirstMessage: c.FirstMessage,
		Tools: c.Tools, Links: c.Links, Launch: c.Launch, ReadRoots: c.ReadRoots,
	}
	if c.History != "" {
		if len(ar.Files) < 2 || ar.Files[1].Name != "history.json" {
			t.Fatal("history.json must follow prompt.yaml")
		}
		in = ar.Files[:2:2]
		if got := format.Detect(in[1].Data, ""); got != c.History {
			t.Errorf("the history looks like %s, it is %s", got, c.History)
		}
		h, err := format.ReadHistory(c.History, "history.json", in[1].Data)
		if err != nil {
			t.Fatal(err)
		}
		if err := h.Diagnostics.Err(); err != nil {
			t.Fatal(err)
		}
		p.Messages = h.Messages
	}
	p.Messages = append(p.Messages, c.Messages...)
	return p, format.Options{MaxTokens: c.MaxTokens}, in
}
