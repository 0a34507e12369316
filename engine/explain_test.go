package engine_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/promptc/promptc/engine"
	"github.com/promptc/promptc/engine/agent"
	"github.com/promptc/promptc/engine/skill"
	"github.com/promptc/promptc/engine/token"
	"github.com/promptc/promptc/strategies"
)

// explained builds the job's prompt and asks for one name.
func explained(t *testing.T, job *engine.Job, name string, strays ...engine.Stray) ([]engine.Explanation, bool) {
	t.Helper()
	e := &engine.Evidence{Prompt: built(t, job), Strays: strays}
	e.Missed, e.Problems = job.Catalog.Search(t.Context())
	return engine.Explain(job, e, name)
}

// failing is the first step that keeps a skill from the model, or "".
func failing(e engine.Explanation) engine.Step {
	i := slices.IndexFunc(e.Steps, func(s engine.Step) bool { return !s.OK })
	if i < 0 {
		return engine.Step{}
	}
	return e.Steps[i]
}

// odd is a tree with one skill for each thing that may go wrong.
var odd = map[string]string{
	"one/alpha/SKILL.md":          md("alpha", "Does alpha work.", "Steps."),
	"one/beta/SKILL.md":           md("beta", "Does beta work, which takes a good many words to say in full.", "Steps."),
	"one/dir-name/SKILL.md":       md("frontmatter-name", "Named otherwise.", "Steps."),
	"one/quiet/SKILL.md":          "---\nname: quiet\ndescription: d\ndisable-model-invocation: true\n---\nBody.\n",
	"one/lost/SKILL.md":           "---\nname: lost\ndescription: a: b\nallowed-tools: [Read\n---\nBody.\n",
	"one/tides/SKILL.md":          "---\nname: tides\ndescription: Look up tides: high and low water\n---\nBody.\n",
	"one/prose/SKILL.md":          "# Prose\n\nDoes plain things.\n",
	"one/group/deep/SKILL.md":     md("deep", "One down.", "Steps."),
	"one/alpha/examples/SKILL.md": md("inner", "Inside.", "Steps."),
	"one/shout/Skill.MD":          md("shout", "Spelt otherwise.", "Steps."),
	"one/almost/skill.txt":        md("almost", "Of another kind.", "Steps."),
	"two/alpha/SKILL.md":          md("alpha", "Comes second.", "Steps."),
	"mine/local/SKILL.md":         md("local", "The project's.", "Steps."),
}

// oddJob loads the tree from disk; root one, two and (untrusted) mine.
func oddJob(t *testing.T, change func(*engine.Spec)) *engine.Job {
	t.Helper()
	dir := t.TempDir()
	for name, text := range odd {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	spec := &engine.Spec{Env: engine.Env{Dir: dir, Lookup: func(string) (string, bool) { return "", false }}}
	spec.Roots = []engine.RootSpec{{Dir: "one", Scope: "user"}, {Dir: "two", Scope: "user"}, {Dir: "mine", Scope: "project"}}
	if change != nil {
		change(spec)
	}
	job, err := engine.Load(t.Context(), spec)
	if err != nil {
		t.Fatal(err)
	}
	job.Strategies, job.Counter = strategies.Bundled(), token.ForModel("")
	return job
}

func TestExplainNamesTheFirstStepThatFails(t *testing.T) {
	for _, c := range []struct {
		name, step, detail, fix string
		change                  func(*engine.Spec)
	}{
		{name: "alpha"},
		{name: "deep", step: "depth", detail: "depth 2", fix: "--depth 2"},
		{name: "inner", step: "depth", detail: "inside of the skill", fix: "mv "},
		{name: "shout", step: "file-name", detail: "Skill.MD", fix: "SKILL.md"},
		{name: "lost", step: "parsed", detail: "allowed-tools", fix: "SKILL.md:4:1"},
		{name: "local", step: "trust", detail: "not trusted", fix: "--trust"},
		{name: "quiet", step: "visible", detail: "disable-model-invocation", fix: "--select quiet"},
		{name: "quiet", change: func(s *engine.Spec) { s.Select.Skill = "quiet" }},
		{name: "beta", step: "enabled", detail: "disabled by", fix: "disable", change: func(s *engine.Spec) { s.Skills.Disable = []string{"Beta"} }},
		{name: "beta", step: "enabled", detail: "enable names others", fix: "--enable beta", change: func(s *engine.Spec) { s.Skills.Enable = []string{"alpha"} }},
		{name: "beta", step: "enabled", detail: "auto names others", fix: "--enable beta", change: func(s *engine.Spec) { s.Skills.Auto = &[]string{} }},
		{name: "beta", step: "budget", detail: "valid, but left out: the budget of 150 tokens", fix: "--pin beta", change: func(s *engine.Spec) { s.Budget.Prompt = 150; s.Rank = "listed"; s.Skills.Pin = []string{"alpha"} }},
		{name: "beta", step: "strategy", detail: `"alpha" is selected`, fix: "select", change: func(s *engine.Spec) { s.Strategy.Name = "inject"; s.Select.Skill = "alpha" }},
		{name: "beta", step: "strategy", detail: "no prompt is built", fix: "known are", change: func(s *engine.Spec) { s.Strategy.Name = "none-of-these" }},
		{name: "dir-name"}, // its directory's name, where no skill has that
	} {
		job := oddJob(t, c.change)
		if c.step == "budget" {
			tight(t, job, c.name)
			c.detail = fmt.Sprintf("valid, but left out: the budget of %d tokens", job.Spec.Budget.Prompt)
		}
		list, found := explained(t, job, c.name)
		got := failing(list[0])
		if !found || got.Step != c.step || !strings.Contains(got.Detail, c.detail) || !strings.Contains(got.Fix, c.fix) || list[0].Seen != (c.step == "") {
			t.Errorf("%s: %v, %+v, want %q with %q and %q\n%+v", c.name, found, got, c.step, c.detail, c.fix, list[0].Steps)
		}
	}
}

// tight sets a budget in which one skill has no place.
func tight(t *testing.T, job *engine.Job, without string) {
	t.Helper()
	for n := range 400 {
		job.Spec.Budget.Prompt = 400 - n
		p := built(t, job)
		if slices.ContainsFunc(p.Dropped, func(d engine.Dropped) bool { return d.Name == without && d.Reason == engine.DropBudget }) {
			return
		}
	}
	t.Fatalf("no budget drops %s", without)
}

// TestExplainAgreesWithThePrompt: seen is what the prompt says, for every skill that
// is found and under every strategy that does not leave it to the agent.
func TestExplainAgreesWithThePrompt(t *testing.T) {
	for name, change := range map[string]func(*engine.Spec){
		"plain":   nil,
		"trust":   func(s *engine.Spec) { yes := true; s.Trust.Project = &yes },
		"budget":  func(s *engine.Spec) { s.Budget.Prompt = 120 },
		"disable": func(s *engine.Spec) { s.Skills.Disable = []string{"alpha", "tides"} },
		"enable":  func(s *engine.Spec) { s.Skills.Enable = []string{"alpha", "local"} },
		"auto":    func(s *engine.Spec) { s.Skills.Auto = &[]string{"beta"} },
		"select":  func(s *engine.Spec) { s.Select.Skill = "quiet" },
		"deeper":  func(s *engine.Spec) { s.Depth = 3 },
	} {
		for _, strategy := range []string{"index", "inject", "tool"} {
			job := oddJob(t, func(s *engine.Spec) {
				s.Strategy.Name = strategy
				if change != nil {
					change(s)
				}
			})
			p := built(t, job)
			e := &engine.Evidence{Prompt: p}
			e.Missed, e.Problems = job.Catalog.Search(t.Context())
			n := 0
			for _, f := range slices.Concat(job.Catalog.Found, e.Missed) {
				list, _ := engine.Explain(job, e, f.Name)
				i := slices.IndexFunc(list, func(x engine.Explanation) bool { return x.Path == f.Path })
				if i < 0 {
					t.Fatalf("%s %s: %s is not among the answers", name, strategy, f.Path)
				}
				inPrompt := slices.ContainsFunc(p.Skills, func(u engine.Used) bool { return u.Path == f.Path })
				if list[i].Seen != inPrompt {
					t.Errorf("%s %s: %s seen %v, in the prompt %v: %+v", name, strategy, f.Path, list[i].Seen, inPrompt, failing(list[i]))
				}
				n++
			}
			if n < 10 {
				t.Errorf("only %d skills", n)
			}
		}
	}
}

func TestExplainShadowedNamesTheWinner(t *testing.T) {
	job := oddJob(t, nil)
	list, _ := explained(t, job, " ALPHA ")
	if len(list) != 2 || !list[0].Seen || list[1].Seen {
		t.Fatalf("%+v", list)
	}
	step := failing(list[1])
	if step.Step != "shadowing" || !strings.Contains(step.Detail, list[0].Path) || !strings.Contains(step.Fix, filepath.Dir(filepath.Dir(list[1].Path))) {
		t.Errorf("%+v", step)
	}
}

// TestExplainAnswersTheUsedOneFirst, wherever the roots stand.
func TestExplainAnswersTheUsedOneFirst(t *testing.T) {
	job := oddJob(t, func(s *engine.Spec) {
		s.Roots = []engine.RootSpec{{Dir: "one", Scope: "project"}, {Dir: "two", Scope: "user"}}
	})
	list, _ := explained(t, job, "alpha")
	if len(list) != 2 || !list[0].Seen || failing(list[1]).Step != "trust" || !strings.Contains(list[0].Path, "two") {
		t.Errorf("%+v", list)
	}
}

func TestExplainSaysAsWhatAFileWasRead(t *testing.T) {
	job := oddJob(t, nil)
	for name, want := range map[string][]string{
		"tides": {"YAML after a repair", "3:14: ", "[yaml-repaired]"},
		"Prose": {"no frontmatter", "[no-frontmatter]"},
		"alpha": {"valid YAML"},
	} {
		list, found := explained(t, job, name)
		i := slices.IndexFunc(list[0].Steps, func(s engine.Step) bool { return s.Step == "parsed" })
		if !found || !list[0].Seen || i < 0 {
			t.Fatalf("%s: %+v", name, list)
		}
		for _, w := range want {
			if !strings.Contains(list[0].Steps[i].Detail, w) {
				t.Errorf("%s: %q lacks %q", name, list[0].Steps[i].Detail, w)
			}
		}
		if fixed := strings.Contains(list[0].Steps[i].Fix, "lint --fix"); fixed != (name == "tides") {
			t.Errorf("%s: %q", name, list[0].Steps[i].Fix)
		}
	}
	list, _ := explained(t, job, "Prose")
	for _, s := range list[0].Steps {
		if (s.Step == "name" && !strings.Contains(s.Detail, "heading")) || (s.Step == "description" && !strings.Contains(s.Detail, "paragraph")) {
			t.Errorf("%+v", s)
		}
	}
}

func TestExplainANameThatNobodyHas(t *testing.T) {
	job := oddJob(t, nil)
	list, found := explained(t, job, "tide")
	if found || len(list) != 1 || list[0].Seen || !slices.Equal(list[0].Near, []string{"tides"}) || !strings.Contains(list[0].Steps[0].Fix, `"tides"`) {
		t.Errorf("%v %+v", found, list)
	}
	list, found = explained(t, job, "almost")
	if found || len(list[0].Files) != 1 || !strings.HasSuffix(list[0].Files[0].Path, "skill.txt") {
		t.Errorf("%v %+v", found, list)
	}
	list, found = explained(t, job, "depe")
	if found || len(list[0].Files) != 1 || !strings.Contains(list[0].Files[0].Reason, "depth 2") {
		t.Errorf("%v %+v", found, list)
	}
}

func TestExplainAStray(t *testing.T) {
	job := oddJob(t, nil)
	other := filepath.Join(job.Spec.Workspace.Dir, "elsewhere")
	f := &skill.Found{Skill: skill.Skill{Name: "far", Dir: filepath.Join(other, "far"), Path: filepath.Join(other, "far", "SKILL.md")}, Form: skill.Form{FileName: "SKILL.md", YAML: skill.ValidYAML}}
	list, found := explained(t, job, "far", engine.Stray{Found: f, Whose: "a directory of some-agent"})
	step := failing(list[0])
	if !found || step.Step != "root" || !strings.Contains(step.Detail, "some-agent") || !strings.Contains(step.Fix, "--extra-root "+other) {
		t.Errorf("%v %+v", found, step)
	}
	// A skill in a root goes before one that lies elsewhere.
	f.Name = "alpha"
	if list, _ = explained(t, job, "alpha", engine.Stray{Found: f}); len(list) != 2 {
		t.Errorf("%+v", list)
	}
}

// TestExplainAsksTheAgent: under symlink the agent's facts decide, and one changed
// fact changes the answer.
func TestExplainAsksTheAgent(t *testing.T) {
	change := func(s *engine.Spec) {
		s.Agent, s.Strategy.Name, s.Workspace.Temporary = "claude-code", "symlink", true
	}
	job := oddJob(t, change)
	list, _ := explained(t, job, "alpha")
	last := list[0].Steps[len(list[0].Steps)-1]
	if !list[0].Seen || last.Step != "agent" || !strings.Contains(last.Detail, "claude-code "+job.Facts.Version) || !strings.Contains(last.Detail, "loads it") {
		t.Errorf("%+v", last)
	}
	job.Facts.Links.Skill = agent.Fact[agent.Answer]{Value: agent.No, Source: job.Facts.Links.Whole.Source}
	job.Facts.Index.Shape = agent.Fact[agent.Shape]{}
	list, _ = explained(t, job, "alpha")
	if step := failing(list[0]); list[0].Seen || step.Step != "agent" || !strings.Contains(step.Detail, "drops it silently") || step.Fix == "" {
		t.Errorf("%+v", step)
	}
}

func TestExplainChangesNothing(t *testing.T) {
	job := oddJob(t, nil)
	p := built(t, job)
	before := fmt.Sprintf("%+v %+v", p.Skills, p.Dropped)
	e := &engine.Evidence{Prompt: p}
	e.Missed, e.Problems = job.Catalog.Search(t.Context())
	var first []engine.Explanation
	for range 2 {
		list, _ := engine.Explain(job, e, "alpha")
		if first != nil && fmt.Sprint(list) != fmt.Sprint(first) {
			t.Error("two answers differ")
		}
		first = list
	}
	if after := fmt.Sprintf("%+v %+v", p.Skills, p.Dropped); after != before {
		t.Errorf("%s\n%s", before, after)
	}
}
