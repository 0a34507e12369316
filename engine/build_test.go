package engine_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/promptc/promptc/engine"
	"github.com/promptc/promptc/engine/agent"
	"github.com/promptc/promptc/engine/diag"
	"github.com/promptc/promptc/engine/skill"
	"github.com/promptc/promptc/engine/token"
	"github.com/promptc/promptc/strategies"
)

// jobOf makes a job of skills in memory: directory -> SKILL.md.
func jobOf(t *testing.T, spec engine.Spec, files map[string]string) *engine.Job {
	t.Helper()
	fsys := fstest.MapFS{}
	for dir, text := range files {
		fsys[dir+"/SKILL.md"] = &fstest.MapFile{Data: []byte(text)}
	}
	if spec.Workspace.Dir == "" {
		spec.Workspace.Dir = "/ws"
	}
	facts, ok := agent.Lookup(cmpOr(spec.Agent, "generic"))
	if !ok {
		t.Fatalf("no agent %q", spec.Agent)
	}
	plain, _ := facts.At("", spec.Headless)
	return &engine.Job{
		Spec: &spec, Agent: plain, Facts: facts, Strategies: strategies.Bundled(), Counter: token.ForModel(""),
		Catalog: skill.FromFS(fsys, ".", skill.Root{Dir: "/skills", Scope: skill.User, Trusted: true}),
	}
}

func cmpOr(a, b string) string {
	if a != "" {
		return a
	}
	return b
}

func built(t *testing.T, job *engine.Job) *engine.Prompt {
	t.Helper()
	p, err := engine.Build(t.Context(), job)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// fit is built, and fit to send.
func fit(t *testing.T, job *engine.Job) *engine.Prompt {
	t.Helper()
	p := built(t, job)
	if err := p.Err(); err != nil {
		t.Fatal(err)
	}
	return p
}

func md(name, description, body string) string {
	return fmt.Sprintf("---\nname: %s\ndescription: %q\n---\n%s\n", name, description, body)
}

var three = map[string]string{
	"alpha": md("alpha", "Does alpha work.", "# Alpha\n\nThe steps of alpha, in full."),
	"beta":  md("beta", "Does beta work.", "# Beta\n\nThe steps of beta, in full."),
	"gamma": md("gamma", "Does gamma work.", "# Gamma\n\nThe steps of gamma, in full."),
}

func strategy(name string) engine.StrategySpec { return engine.StrategySpec{Name: name} }

func ids(p *engine.Prompt) []string {
	var out []string
	for _, s := range p.System {
		out = append(out, s.ID)
	}
	return out
}

func TestD3Layout(t *testing.T) {
	base := engine.Spec{System: "BASE", Knowledge: "FACTS", Select: engine.SelectSpec{Skill: "beta"}}
	for _, c := range []struct {
		strategy string
		layout   engine.Layout
		want     string
	}{
		{"inject", engine.Layout{}, "knowledge skills/beta system"},
		{"index", engine.Layout{}, "system skills knowledge"},
		{"tool", engine.Layout{}, "system knowledge"},
		{"inject", engine.Layout{Preset: "cache"}, "system skills/beta knowledge"},
		{"inject", engine.Layout{Order: []string{"skills", "system", "knowledge"}}, "skills/beta system knowledge"},
		{"index", engine.Layout{Order: []string{"knowledge"}}, "knowledge system skills"},
	} {
		spec := base
		spec.Strategy, spec.Layout = strategy(c.strategy), c.layout
		if got := strings.Join(ids(fit(t, jobOf(t, spec, three))), " "); got != c.want {
			t.Errorf("%s %+v: %s, want %s", c.strategy, c.layout, got, c.want)
		}
	}
}

func TestD4NoSkillIsTheBasePromptByteForByte(t *testing.T) {
	base := "Careful {{.with}} $braces \n\n"
	for _, name := range []string{"index", "inject", "tool"} {
		spec := engine.Spec{System: base, Strategy: strategy(name), Skills: engine.SkillsSpec{Auto: &[]string{}}}
		p := fit(t, jobOf(t, spec, three))
		if p.SystemText() != base || len(p.Tools) != 0 {
			t.Errorf("%s: %q, %d tools", name, p.SystemText(), len(p.Tools))
		}
	}
}

func TestD1BodyByteForByteBetweenItsLines(t *testing.T) {
	body := "# T\n\n---\n\n```sh\necho \"$HOME\" {{x}} <tag>\n```\n\n  trailing  "
	spec := engine.Spec{Strategy: strategy("inject")}
	p := fit(t, jobOf(t, spec, map[string]string{"a": md("a", "d", body)}))
	text := p.SystemText()
	head, rest, ok := strings.Cut(text, "\n")
	if !ok || !strings.HasPrefix(head, "--- skill `a` [") || !strings.HasSuffix(head, " ---") {
		t.Fatalf("head line %q", head)
	}
	directory, rest, _ := strings.Cut(rest, "\n\n")
	if !strings.Contains(directory, "/skills/a") {
		t.Errorf("no directory behind the head line: %q", directory)
	}
	i := strings.LastIndex(rest, "\n")
	if rest[:i] != body {
		t.Errorf("body %q, want %q", rest[:i], body)
	}
	nonce := head[strings.Index(head, "[")+1 : strings.Index(head, "]")]
	if len(nonce) != 18 || rest[i+1:] != "--- end of skill `a` ["+nonce+"] ---" {
		t.Errorf("nonce %q, tail line %q", nonce, rest[i+1:])
	}
}

func TestD13NonceOccursInNoText(t *testing.T) {
	files := map[string]string{"a": md("a", "d", "Body.")}
	p := fit(t, jobOf(t, engine.Spec{Strategy: strategy("inject")}, files))
	_, after, _ := strings.Cut(p.SystemText(), "[")
	nonce := after[:18]
	// The same content, and somewhere else in the prompt the nonce that it would get.
	q := fit(t, jobOf(t, engine.Spec{Strategy: strategy("inject"), Message: "look: " + nonce}, files))
	if strings.Contains(q.SystemText(), nonce) {
		t.Errorf("the nonce %s stands in the message and in the lines", nonce)
	}
	r := fit(t, jobOf(t, engine.Spec{Strategy: strategy("inject"), Message: "another message"}, files))
	if r.SystemText() != p.SystemText() {
		t.Error("another message changed the block, so a cache is lost")
	}
}

// forger writes a skill's isolation lines into the prompt twice.
type forger struct{ engine.Strategy }

func (forger) Info() engine.Info { return engine.Info{Name: "forger", Bodies: engine.AllBodies} }
func (forger) Render(_ context.Context, in *engine.Input) (*engine.Rendering, error) {
	s := in.Skills[0]
	text := in.Isolation.Wrap(s, s.Body)
	return &engine.Rendering{Sections: []engine.Section{{ID: "skills/a", Skill: s.Name, Text: text}, {ID: "skills/b", Text: text}}}, nil
}

func TestD13LinesStandAlone(t *testing.T) {
	job := jobOf(t, engine.Spec{Strategy: strategy("forger")}, map[string]string{"a": md("a", "d", "Body.")})
	job.Strategies = append(job.Strategies, forger{})
	p := built(t, job)
	if !has(p.Diagnostics, diag.IsolationFailed) {
		t.Errorf("forged lines were let pass: %v", p.Diagnostics)
	}
}

func has(list diag.List, code diag.Code) bool {
	return slices.ContainsFunc(list, func(d diag.Diagnostic) bool { return d.Code == code })
}

// rogue returns what a test gives it.
type rogue struct {
	engine.Strategy
	r engine.Rendering
}

func (rogue) Info() engine.Info { return engine.Info{Name: "rogue"} }
func (r rogue) Render(context.Context, *engine.Input) (*engine.Rendering, error) {
	return &r.r, nil
}

func TestRenderingIsChecked(t *testing.T) {
	object := []byte(`{"type":"object","properties":{}}`)
	for name, r := range map[string]engine.Rendering{
		"an id of its own":    {Sections: []engine.Section{{ID: "system", Text: "x"}}},
		"an id twice":         {Sections: []engine.Section{{ID: "skills", Text: "x"}, {ID: "skills", Text: "y"}}},
		"bad UTF-8":           {Sections: []engine.Section{{ID: "skills", Text: "\xff"}}},
		"a read root above":   {ReadRoots: []string{"/skills"}},
		"the whole disk":      {ReadRoots: []string{"/"}},
		"a link out":          {Links: []engine.Link{{Path: "../x", Target: "/skills/alpha"}}},
		"a link to elsewhere": {Links: []engine.Link{{Path: "x", Target: "/etc"}}},
		"a tool's name":       {Tools: []engine.Tool{{Name: "a b", Parameters: object}}},
		"a tool's schema":     {Tools: []engine.Tool{{Name: "a", Parameters: []byte(`{"type":"object"}`)}}},
		"a tool asks":         {Tools: []engine.Tool{{Name: "a", Parameters: object, Asks: engine.Asks{SkillParam: "name"}}}},
	} {
		job := jobOf(t, engine.Spec{Strategy: strategy("rogue")}, three)
		job.Strategies = append(job.Strategies, rogue{r: r})
		if p := built(t, job); !has(p.Diagnostics, diag.RenderingRefused) {
			t.Errorf("%s was let pass: %v", name, p.Diagnostics)
		}
	}
	job := jobOf(t, engine.Spec{Strategy: strategy("rogue"), ReservedTools: []string{"read"}}, three)
	job.Strategies = append(job.Strategies, rogue{r: engine.Rendering{Tools: []engine.Tool{{Name: "read", Parameters: object}}}})
	if p := built(t, job); !has(p.Diagnostics, diag.ToolClash) {
		t.Error("P9: a reserved tool name was let pass")
	}
}

func TestSelectionIsObeyedUnderEveryStrategy(t *testing.T) {
	for _, name := range []string{"index", "inject", "tool"} {
		spec := engine.Spec{Strategy: strategy(name), Message: "Go.", Select: engine.SelectSpec{Skill: "BETA ", Args: "x y"}}
		p := fit(t, jobOf(t, spec, three))
		all := p.SystemText() + p.Messages[0].Text
		if strings.Count(all, "The steps of beta, in full.") != 1 {
			t.Errorf("%s: the selected body stands %d times", name, strings.Count(all, "The steps of beta, in full."))
		}
		if strings.Contains(all, "The steps of alpha") {
			t.Errorf("%s: another body is there too", name)
		}
		if strings.Contains(p.SystemText(), "x y") || strings.Count(p.Messages[0].Text, "x y") != 1 {
			t.Errorf("%s: D10: the arguments belong into the message, once: %q", name, p.Messages[0].Text)
		}
	}
	// Under symlink the agent's own invocation is used where the facts know one.
	spec := engine.Spec{Agent: "claude-code", Strategy: strategy("symlink"), Message: "Go.",
		Workspace: engine.WorkspaceSpec{Dir: "/ws", Temporary: true}, Select: engine.SelectSpec{Skill: "beta", Args: "x y"}}
	p := fit(t, jobOf(t, spec, three))
	if got := p.Messages[0].Text; got != "/beta x y\n\nGo." {
		t.Errorf("symlink: %q", got)
	}
	if p.SystemText() != "" || len(p.Links) != 3 {
		t.Errorf("A11: system %q, %d links", p.SystemText(), len(p.Links))
	}
}

func TestD7D8MessageAndTitle(t *testing.T) {
	for _, c := range []struct {
		text, args, want, title string
		nothing                 bool
	}{
		{"Do it.", "a b", "Do it.\n\nARGUMENTS: a b", "", false},
		{"", "a b", "ARGUMENTS: a b", "/[beta]", false},
		{"Do it.", "", "Do it.", "", false},
		{"", "", "/[beta]", "/[beta]", true},
	} {
		spec := engine.Spec{Strategy: strategy("inject"), Message: c.text, Select: engine.SelectSpec{Skill: "beta", Args: c.args}}
		p := fit(t, jobOf(t, spec, three))
		if p.Messages[0].Text != c.want || p.Title != c.title || p.TypedNothing != c.nothing {
			t.Errorf("%+v: %q, title %q, %v", c, p.Messages[0].Text, p.Title, p.TypedNothing)
		}
	}
	if p := fit(t, jobOf(t, engine.Spec{}, three)); len(p.Messages) != 0 || p.Title != "" {
		t.Errorf("nothing typed and nothing selected: %+v", p.Messages)
	}
}

func TestA12FirstMessage(t *testing.T) {
	spec := engine.Spec{Strategy: strategy("index"), Place: "first_message", System: "BASE", Knowledge: "FACTS", Message: "Go."}
	p := fit(t, jobOf(t, spec, three))
	text := p.Messages[0].Text
	if p.SystemText() != "" || p.Usage.System != 0 {
		t.Errorf("the system prompt is not empty: %q", p.SystemText())
	}
	for _, want := range []string{"# Rules\n\nBASE", "# Skills\n\n", "# Knowledge\n\nFACTS", "# Request\n\nGo."} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is not in %q", want, text)
		}
	}
	// With a history nothing is added, and its bytes never change (A14, D19).
	spec.History = []engine.MessageSpec{{Role: "user", Text: "earlier \x00 bytes "}, {Role: "assistant", Text: "yes"}}
	p = fit(t, jobOf(t, spec, three))
	if len(p.Messages) != 3 || p.Messages[0].Text != "earlier \x00 bytes " || p.Messages[2].Text != "Go." {
		t.Errorf("%+v", p.Messages)
	}
}

func TestJ25NoBodyInTheIndex(t *testing.T) {
	p := fit(t, jobOf(t, engine.Spec{}, three))
	for line := range strings.Lines(p.SystemText()) {
		if strings.Contains(line, "in full") {
			t.Errorf("a body line: %q", line)
		}
	}
	if want := []string{"/skills/alpha", "/skills/beta", "/skills/gamma"}; !slices.Equal(p.ReadRoots, want) {
		t.Errorf("J4: read roots %v, want %v", p.ReadRoots, want)
	}
}

func TestP16SelectChangesNothingBeforeTheSkillBlock(t *testing.T) {
	spec := engine.Spec{Strategy: strategy("inject"), System: "BASE", Layout: engine.Layout{Preset: "cache"}, Select: engine.SelectSpec{Skill: "alpha"}}
	a := fit(t, jobOf(t, spec, three))
	spec.Select.Skill = "beta"
	b := fit(t, jobOf(t, spec, three))
	if a.Stable != 1 || b.Stable != 1 || a.System[0] != b.System[0] {
		t.Errorf("stable %d and %d sections", a.Stable, b.Stable)
	}
	if again := fit(t, jobOf(t, spec, three)); again.Fingerprint != b.Fingerprint {
		t.Error("the same state gave another print")
	}
	if a.Fingerprint == b.Fingerprint {
		t.Error("another skill gave the same print")
	}
}

func TestA21Set(t *testing.T) {
	names := func(p *engine.Prompt) string {
		var out []string
		for _, s := range p.Skills {
			out = append(out, s.Name)
		}
		return strings.Join(out, " ")
	}
	for _, c := range []struct {
		set  engine.SkillsSpec
		want string
	}{
		{engine.SkillsSpec{}, "alpha beta gamma"},
		{engine.SkillsSpec{Auto: &[]string{}}, ""},
		{engine.SkillsSpec{Enable: []string{"gamma", "alpha"}}, "gamma alpha"},
		{engine.SkillsSpec{Auto: &[]string{"beta"}, Enable: []string{"alpha"}}, "beta alpha"},
		{engine.SkillsSpec{Disable: []string{"beta"}}, "alpha gamma"},
		{engine.SkillsSpec{Auto: &[]string{"beta", "alpha"}, Disable: []string{"alpha"}}, "beta"},
	} {
		if got := names(fit(t, jobOf(t, engine.Spec{Skills: c.set}, three))); got != c.want {
			t.Errorf("%+v: %q, want %q", c.set, got, c.want)
		}
	}
}

func TestA9PlaceAndFallback(t *testing.T) {
	spec := engine.Spec{Agent: "claude-code", Strategy: engine.StrategySpec{Name: "symlink", Fallback: engine.Names{"inject"}}}
	job := jobOf(t, spec, three)
	if p := fit(t, job); p.Strategy != "inject" || !has(p.Diagnostics, diag.StrategyPassedOver) {
		t.Errorf("without a view: %s, %v", p.Strategy, p.Diagnostics)
	}
	job.View = "/state/views/x"
	p := fit(t, job)
	if p.Strategy != "symlink" || !p.Place.View || p.Place.Dir != job.View || !has(p.Diagnostics, diag.WorkspaceNotTemporary) {
		t.Errorf("with a view: %s in %+v", p.Strategy, p.Place)
	}
	if !slices.Contains(p.Launch.Args, job.View) {
		t.Errorf("the launch does not hand the view over: %v", p.Launch.Args)
	}
}

func TestBudgetHoldsForTheWholePrompt(t *testing.T) {
	files := map[string]string{}
	for i := range 12 {
		name := fmt.Sprintf("skill-%02d", i)
		files[name] = md(name, strings.Repeat("Does the work that is asked for. ", 6), strings.Repeat("A paragraph about the work.\n\n", 60))
	}
	for _, name := range []string{"index", "inject", "tool"} {
		for _, budget := range []int{250, 700, 1500, 3000} {
			spec := engine.Spec{Strategy: strategy(name), System: "BASE", Budget: engine.BudgetSpec{Prompt: budget}, Skills: engine.SkillsSpec{Pin: []string{"skill-11"}}}
			p := built(t, jobOf(t, spec, files))
			if has(p.Diagnostics, diag.OverBudget) {
				if name != "inject" {
					t.Errorf("%s cannot fit %d", name, budget)
				}
				continue
			}
			if p.Usage.Total > budget {
				t.Errorf("%s: %d tokens, budget %d", name, p.Usage.Total, budget)
			}
			if !slices.ContainsFunc(p.Skills, func(u engine.Used) bool { return u.Name == "skill-11" }) {
				t.Errorf("%s at %d: the pinned skill was dropped", name, budget)
			}
			for _, d := range p.Dropped {
				if d.Reason == engine.DropBudget && !slices.ContainsFunc(p.Diagnostics, func(x diag.Diagnostic) bool { return x.Code == diag.SkillDropped && x.File == d.Path }) {
					t.Errorf("%s at %d: %s was dropped without a word", name, budget, d.Name)
				}
			}
		}
	}
}

func TestJ12ASkillThatVanishesCostsNoOther(t *testing.T) {
	job := jobOf(t, engine.Spec{Strategy: strategy("inject")}, three)
	for _, f := range job.Catalog.Found {
		if f.Name == "beta" {
			f.FS = fstest.MapFS{}
		}
	}
	p := fit(t, job)
	if got := ids(p); !slices.Equal(got, []string{"skills/alpha", "skills/gamma"}) || !has(p.Diagnostics, diag.SkillBroken) {
		t.Errorf("%v, %v", got, p.Diagnostics)
	}
}

func TestBuildNeedsStrategiesAndCounter(t *testing.T) {
	job := jobOf(t, engine.Spec{}, three)
	job.Strategies = nil
	if _, err := engine.Build(t.Context(), job); err == nil {
		t.Error("no strategies, and no error")
	}
	job = jobOf(t, engine.Spec{}, three)
	job.Counter = nil
	if _, err := engine.Build(t.Context(), job); err == nil {
		t.Error("no counter, and no error")
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := engine.Build(ctx, jobOf(t, engine.Spec{}, three)); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

func TestP11FilesOfASkill(t *testing.T) {
	job := jobOf(t, engine.Spec{Strategy: strategy("tool")}, three)
	got, err := engine.Activate(t.Context(), job, engine.Ask{Skill: "alpha", By: engine.ByModel})
	if err != nil || got.Diagnostics.Err() != nil {
		t.Fatal(err, got.Diagnostics)
	}
	if !strings.Contains(got.Text, "The steps of alpha, in full.") || !strings.Contains(got.Text, "/skills/alpha") {
		t.Errorf("%q", got.Text)
	}
	for _, file := range []string{"../beta/SKILL.md", "/etc/hosts", "none.md", "a/../../beta/SKILL.md"} {
		got, err := engine.Activate(t.Context(), job, engine.Ask{Skill: "alpha", File: file, By: engine.ByModel})
		if err != nil || got.Text != "" || !has(got.Diagnostics, diag.UnknownFile) {
			t.Errorf("%s: %q, %v, %v", file, got.Text, got.Diagnostics, err)
		}
	}
}

// TestSchemaHasEveryKey: an editor must know what the spec reads, and no more.
func TestSchemaHasEveryKey(t *testing.T) {
	compareSchema(t)
}
