package link

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/promptc/promptc/engine"
	"github.com/promptc/promptc/engine/agent"
	"github.com/promptc/promptc/engine/diag"
	"github.com/promptc/promptc/engine/skill"
	"github.com/promptc/promptc/strategies/symlink"
)

// asks is a question about one skill in a temporary workspace.
type asks struct {
	content  string
	form     func(*skill.Form)
	copy     bool
	inside   bool
	headless bool
	bare     bool // the agent is started without the launch
	result   *Result
	facts    func(*agent.Facts)
	place    engine.Place
	files    []string
	outside  []string
}

const checkDir = "/hub/heron"

func text(name, description string) string {
	return fmt.Sprintf("---\nname: %s\ndescription: %s\n---\n\n# Heading\n\nParagraph.\n", name, description)
}

// ask plans the link with the strategy and checks it.
func (x asks) ask(t *testing.T, id string) Answer {
	t.Helper()
	facts, ok := agent.Lookup(id)
	if !ok {
		t.Fatalf("no agent %q", id)
	}
	if x.facts != nil {
		x.facts(&facts)
	}
	plain, _ := facts.At("", x.headless)
	if x.content == "" {
		x.content = text("heron", "Watches herons.")
	}
	parsed := skill.Parse(checkDir, checkDir+"/SKILL.md", []byte(x.content))
	f := skill.Found{Skill: parsed.Skill, Form: parsed.Form, Problems: parsed.Problems, Scope: skill.User, Status: skill.Loaded}
	f.Form.Depth = 1
	if x.form != nil {
		x.form(&f.Form)
	}
	place := x.place
	if place.Dir == "" {
		place.Dir = "/ws"
	}
	in := &engine.Input{Agent: plain, Workspace: "/ws", Place: place, Skills: []skill.Skill{f.Skill}, Selected: f.Name}
	in.Options = json.RawMessage(`{"mode":"link"}`)
	if x.copy {
		in.Options = json.RawMessage(`{"mode":"copy"}`)
	}
	r, err := symlink.New().Render(t.Context(), in)
	if err != nil || len(r.Links) != 1 {
		t.Fatalf("%s: %+v, %v", id, r, err)
	}
	q := Question{
		Facts: facts, Headless: x.headless, Workspace: "/ws", Place: place, Launch: r.Launch,
		Wants:   []Want{{Skill: f.Name, Link: r.Links[0]}},
		Sources: map[string]Source{checkDir: {Found: f, Inside: x.inside, Files: x.files, Outside: x.outside}},
		Command: "promptc link --agent " + id,
	}
	if x.bare {
		q.Launch = engine.Launch{}
	}
	if x.result != nil {
		x.result.Path = r.Links[0].Path
		q.Results = []Result{*x.result}
	}
	return Check(q)
}

var checks = map[string]asks{
	"outside":         {},
	"bare":            {bare: true},
	"inside":          {inside: true, bare: true},
	"copy":            {copy: true, bare: true},
	"headless":        {headless: true},
	"headless-bare":   {headless: true, bare: true},
	"headless-inside": {headless: true, inside: true},
	"linked-file":     {form: func(f *skill.Form) { f.LinkedFile = true }},
	"file-as-copy":    {form: func(f *skill.Form) { f.LinkedFile = true }, copy: true},
	"nested":          {form: func(f *skill.Form) { f.Depth, f.InModules = 3, true }},
	"hidden":          {form: func(f *skill.Form) { f.Hidden = true }},
	"colon":           {content: text("heron", "Herons: all of them.")},
	"no-frontmatter":  {content: "# Heron\n\nParagraph.\n"},
	"no-description":  {content: "---\nname: heron\n---\n\n# Heading\n\nParagraph.\n"},
	"no-name":         {content: "---\ndescription: Watches herons.\n---\n\nParagraph.\n"},
	"bom":             {content: "\ufeff" + text("heron", "Watches herons.")},
	"crlf":            {content: strings.ReplaceAll(text("heron", "Watches herons."), "\n", "\r\n")},
	"blank-in-name":   {content: text("Grey Heron", "Watches herons.")},
	"long":            {content: text("heron", strings.Repeat("bird ", 300))},
	"for-people":      {content: strings.Replace(text("heron", "Watches herons."), "---\n\n", "disable-model-invocation: true\n---\n\n", 1)},
	"in-the-way":      {result: &Result{Outcome: Conflict, Cause: Exists, Reason: "there is a file"}},
}

func letters(s Checked) string {
	out := ""
	for _, a := range []agent.Answer{s.Listed, s.Activated, s.Readable} {
		out += map[agent.Answer]string{agent.Yes: "y", agent.No: "n", agent.Unknown: "?"}[a]
	}
	return out
}

// TestP8CheckAgreesWithWhatWasMeasured goes through testdata/check.txt.
func TestP8CheckAgreesWithWhatWasMeasured(t *testing.T) {
	data, err := os.ReadFile("testdata/check.txt")
	if err != nil {
		t.Fatal(err)
	}
	ids := []string{"gemini-cli", "codex", "opencode", "qwen-code", "claude-code", "copilot-cli", "cline", "amp"}
	seen := 0
	for line := range strings.Lines(string(data)) {
		words := strings.Fields(line)
		if strings.HasPrefix(line, "#") || len(words) == 0 {
			continue
		}
		x, ok := checks[words[0]]
		if !ok || len(words) != len(ids)+1 {
			t.Fatalf("not a row: %s", line)
		}
		seen++
		for i, id := range ids {
			answer := x.ask(t, id)
			s := answer.Skills[0]
			if got := letters(s); got != words[i+1] {
				t.Errorf("%s, %s: %s, want %s: %+v", words[0], id, got, words[i+1], s.Steps)
			}
			for _, step := range s.Steps {
				if step.Detail == "" || step.OK == agent.No && step.Fix == "" {
					t.Errorf("%s, %s: a step that does not say enough: %+v", words[0], id, step)
				}
			}
			said := slices.ContainsFunc(answer.Diagnostics, func(d diag.Diagnostic) bool { return d.Code == diag.SkillUndeliverable })
			no := slices.ContainsFunc(s.Steps, func(step Step) bool { return step.OK == agent.No })
			if x.result == nil && said != no {
				t.Errorf("%s, %s: said %v, wrong %v", words[0], id, said, no)
			}
		}
	}
	if seen != len(checks) {
		t.Errorf("%d of %d cases stand in the file", seen, len(checks))
	}
}

// TestP8OneFactChangesTheAnswer: nothing of it is written into the code.
func TestP8OneFactChangesTheAnswer(t *testing.T) {
	from := &agent.Source{From: "a test", How: agent.Measured, Version: "1", Date: "2026-12-01"}
	for name, c := range map[string]struct {
		asks
		change func(*agent.Facts)
		before string
		after  string
		fix    string
	}{
		"links":    {change: func(f *agent.Facts) { f.Links.Skill = agent.Fact[agent.Answer]{Value: agent.No, Source: from} }, before: "yyy", after: "nny", fix: "promptc link --agent codex --option mode=copy"},
		"unknown":  {change: func(f *agent.Facts) { f.Links.Skill = agent.Fact[agent.Answer]{} }, before: "yyy", after: "??y", fix: "promptc link --agent codex --option mode=copy"},
		"reads":    {change: func(f *agent.Facts) { f.Links.Reads = agent.Fact[agent.Answer]{Value: agent.No, Source: from} }, before: "yyy", after: "yyn", fix: "promptc link --agent codex --option mode=copy"},
		"trusts":   {change: func(f *agent.Facts) { f.Where.Trusts = agent.Fact[string]{Value: "it asks", Source: from} }, before: "yyy", after: "??y"},
		"headless": {asks: asks{headless: true}, change: func(f *agent.Facts) { f.Runs.Headless = agent.Fact[agent.Launch]{} }, before: "yyy", after: "y?y"},
		"bom":      {asks: asks{content: "\ufeff" + text("heron", "Watches.")}, change: func(f *agent.Facts) { f.Front.BOM = agent.Fact[agent.Handling]{Value: agent.Takes, Source: from} }, before: "nny", after: "yyy"},
		"unmodel":  {asks: checks["for-people"], change: func(f *agent.Facts) { f.Front.Unmodel = agent.Fact[agent.Answer]{Value: agent.Yes, Source: from} }, before: "yyy", after: "nyy"},
	} {
		before := c.ask(t, "codex").Skills[0]
		c.facts = c.change
		after := c.ask(t, "codex").Skills[0]
		if letters(before) != c.before || letters(after) != c.after {
			t.Errorf("%s: %s, then %s; want %s, then %s", name, letters(before), letters(after), c.before, c.after)
		}
		if c.fix != "" && !slices.ContainsFunc(after.Steps, func(s Step) bool { return s.Fix == c.fix }) {
			t.Errorf("%s: no fix %q in %+v", name, c.fix, after.Steps)
		}
	}
}

// TestP8EveryFileOfASkill: those that lead out of it are told one by one.
func TestP8EveryFileOfASkill(t *testing.T) {
	x := asks{files: []string{"a.md", "out.md"}, outside: []string{"out.md"}}
	for _, c := range []struct {
		id   string
		copy bool
		want string
	}{
		{"codex", false, "yes unknown"}, {"codex", true, "yes no"}, {"claude-code", false, "yes no"},
	} {
		x.copy = c.copy
		s := x.ask(t, c.id).Skills[0]
		if len(s.Files) != 2 || string(s.Files[0].Readable+" "+s.Files[1].Readable) != c.want {
			t.Errorf("%s, copy %v: %+v, want %s", c.id, c.copy, s.Files, c.want)
		}
		if s.Files[1].Reason == "" || s.Readable != s.Files[1].Readable {
			t.Errorf("%s: %+v", c.id, s)
		}
	}
	x = asks{files: []string{"a.md"}, bare: true}
	if s := x.ask(t, "claude-code").Skills[0]; s.Files[0].Readable != agent.No || s.Files[0].Reason == "" {
		t.Errorf("got %+v", s.Files)
	}
}

// TestP8AViewIsHandedOver to be read, or nobody knows.
func TestP8AViewIsHandedOver(t *testing.T) {
	view := engine.Place{Dir: "/state/views/x", View: true}
	for id, want := range map[string]string{"claude-code": "yyy", "copilot-cli": "yyy", "opencode": "yy?"} {
		if got := letters(asks{place: view, copy: true}.ask(t, id).Skills[0]); got != want {
			t.Errorf("%s: %s, want %s", id, got, want)
		}
	}
}

// TestP8WhatTheAgentHasBesides competes for names, and can be kept out.
func TestP8WhatTheAgentHasBesides(t *testing.T) {
	facts, _ := agent.Lookup("claude-code")
	parsed := skill.Parse("/home/u/.claude/skills/heron", "/home/u/.claude/skills/heron/SKILL.md", []byte(text("heron", "The user's.")))
	own := skill.Found{Skill: parsed.Skill, Form: parsed.Form, Scope: skill.User}
	own.Form.Depth = 1
	parsed = skill.Parse(checkDir, checkDir+"/SKILL.md", []byte(text("heron", "Linked.")))
	linked := skill.Found{Skill: parsed.Skill, Form: parsed.Form}
	q := Question{
		Facts: facts, Workspace: "/ws", Place: engine.Place{Dir: "/ws"}, Own: []skill.Found{own},
		Wants:   []Want{{Skill: "heron", Link: engine.Link{Path: ".claude/skills/heron", Target: checkDir}}},
		Sources: map[string]Source{checkDir: {Found: linked}},
	}
	x := Check(q)
	if s := x.Skills[0]; s.Listed != agent.No || !strings.Contains(fmt.Sprint(s.Steps), own.Path) {
		t.Errorf("the user's own wins: %+v", s)
	}
	if len(x.Extras) != 1 || x.Extras[0].Fix != `CLAUDE_CONFIG_DIR="$(mktemp -d)" claude` {
		t.Errorf("got %+v", x.Extras)
	}
	facts, _ = agent.Lookup("gemini-cli")
	q.Facts, q.Wants[0].Path = facts, ".gemini/skills/heron"
	q.Own[0].Dir, q.Own[0].Path = "/home/u/elsewhere/heron", "/home/u/elsewhere/heron/SKILL.md"
	if x = Check(q); len(x.Extras) != 1 || x.Extras[0].Fix != `HOME="$(mktemp -d)" gemini` {
		t.Errorf("got %+v", x.Extras)
	}
	if x.Skills[0].Listed == agent.No {
		t.Errorf("here the project's wins: %+v", x.Skills[0])
	}
}
