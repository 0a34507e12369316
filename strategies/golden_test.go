package strategies_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
	"go.yaml.in/yaml/v3"

	"github.com/promptc/promptc/engine"
	"github.com/promptc/promptc/engine/agent"
	"github.com/promptc/promptc/engine/skill"
	"github.com/promptc/promptc/strategies"
)

var update = flag.Bool("update", false, "write the goldens anew")

// TestGolden renders each NAME/testdata/CASE.txtar with the strategy NAME. A case
// is a comment that names its rules, input.yaml, and what comes out, as a person
// reads it: one file a language.
func TestGolden(t *testing.T) {
	for _, s := range strategies.Bundled() {
		name := s.Info().Name
		files, err := filepath.Glob(filepath.Join(name, "testdata", "*.txtar"))
		if err != nil || len(files) == 0 {
			t.Errorf("%s has no cases (%v)", name, err)
		}
		for _, file := range files {
			t.Run(name+"/"+strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) { golden(t, s, file) })
		}
	}
}

func golden(t *testing.T, s engine.Strategy, file string) {
	ar, err := txtar.ParseFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if len(ar.Files) == 0 || ar.Files[0].Name != "input.yaml" || len(ar.Comment) == 0 {
		t.Fatalf("%s needs a comment and input.yaml", file)
	}
	c := decode(t, ar.Files[0].Data)
	out := []txtar.File{ar.Files[0]}
	for _, language := range engine.Languages() {
		out = append(out, txtar.File{Name: language, Data: []byte(c.show(t, s, language))})
	}
	got := txtar.Format(&txtar.Archive{Comment: ar.Comment, Files: out})
	if *update {
		if err := os.WriteFile(file, got, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if want := txtar.Format(ar); !bytes.Equal(got, want) {
		t.Errorf("%s differs; go test ./strategies -update writes it anew. Got:\n%s", file, got)
	}
}

// testCase is an input as a person writes it.
type testCase struct {
	Agent    agent.Agent
	Place    engine.Place
	Message  string
	Selected string
	Options  json.RawMessage
	Template string
	Skills   []struct {
		Name, Description, Dir, Body string
		Native                       bool
		Extra                        json.RawMessage
	}
	Activate []struct {
		Skill, File, Args, Text string
		Files                   []string
		More                    int
	}
}

func decode(t *testing.T, data []byte) *testCase {
	t.Helper()
	var v any
	if err := yaml.Unmarshal(data, &v); err != nil {
		t.Fatal(err)
	}
	data, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	var c testCase
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	if err := d.Decode(&c); err != nil {
		t.Fatal(err)
	}
	return &c
}

func (c *testCase) input(language string) *engine.Input {
	in := &engine.Input{
		Agent: c.Agent, Place: c.Place, Language: language, Message: c.Message, Selected: c.Selected,
		Options: c.Options, Template: c.Template, Workspace: "/work",
		Isolation: engine.Isolation{Nonce: "141421356237309504", Language: language},
	}
	for _, s := range c.Skills {
		dir := s.Dir
		if dir == "" {
			dir = "/skills/" + s.Name
		}
		in.Skills = append(in.Skills, skill.Skill{
			Name: s.Name, Description: s.Description, Dir: dir, Path: dir + "/SKILL.md",
			Body: s.Body, Native: s.Native, Extra: s.Extra,
		})
	}
	return in
}

func (c *testCase) show(t *testing.T, s engine.Strategy, language string) string {
	t.Helper()
	r, err := s.Render(t.Context(), c.input(language))
	if err != nil {
		return fmt.Sprintf("error: %v\n", err)
	}
	var b strings.Builder
	for _, p := range r.Sections {
		fmt.Fprintf(&b, "# section %s (body of %q)\n%s\n", p.ID, p.Skill, p.Text)
	}
	for _, p := range r.Tools {
		fmt.Fprintf(&b, "# tool %s %+v\n%s\n%s\n", p.Name, p.Asks, p.Description, p.Parameters)
	}
	for _, l := range r.Links {
		how := "->"
		if l.Copy {
			how = "copy of"
		}
		fmt.Fprintf(&b, "# link %s %s %s\n", l.Path, how, l.Target)
	}
	if len(r.Launch.Args) > 0 {
		fmt.Fprintf(&b, "# launch %s\n", strings.Join(r.Launch.Args, " "))
	}
	for _, k := range slices.Sorted(maps.Keys(r.Launch.Env)) {
		fmt.Fprintf(&b, "# launch %s=%s\n", k, r.Launch.Env[k])
	}
	for _, root := range r.ReadRoots {
		fmt.Fprintf(&b, "# readable %s\n", root)
	}
	for _, d := range r.Diagnostics {
		fmt.Fprintf(&b, "# %s\n#   %s\n", d, d.Hint)
	}
	for _, a := range c.Activate {
		req := &engine.Request{Skill: a.Skill, File: a.File, Args: a.Args, Text: a.Text, More: a.More}
		for _, f := range a.Files {
			req.Files = append(req.Files, skill.File{Path: f})
		}
		act, err := s.Activate(t.Context(), c.input(language), req)
		if err != nil {
			fmt.Fprintf(&b, "# activate %s: error: %v\n", a.Skill, err)
			continue
		}
		fmt.Fprintf(&b, "# activate %s %s\n%s\n", a.Skill, a.File, act.Text)
	}
	if b.Len() == 0 {
		return "# nothing\n"
	}
	return b.String()
}
