package lint

import (
	"fmt"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/promptc/promptc/engine/agent"
	"github.com/promptc/promptc/engine/diag"
	"github.com/promptc/promptc/engine/skill"
)

// set is n skills with descriptions of 150 characters, as they were measured with.
func set(n int) *skill.Catalog {
	fsys := fstest.MapFS{}
	for i := range n {
		name := fmt.Sprintf("sk-bravo-%03d", i)
		text := "Use when the number is " + fmt.Sprint(i) + ". "
		fsys[name+"/SKILL.md"] = &fstest.MapFile{Data: []byte("---\nname: " + name + "\ndescription: " + text + strings.Repeat("x", 150-len(text)) + "\n---\nBody.\n")}
	}
	return skill.FromFS(fsys, ".", skill.Root{Dir: "/skills", Scope: skill.Project, Trusted: true})
}

func fatesOf(t *testing.T, c *skill.Catalog, o Options, id string) (*Report, map[agent.Outcome]int) {
	t.Helper()
	f, ok := agent.Lookup(id)
	if !ok {
		t.Fatalf("no agent %s", id)
	}
	o.Agents = append(o.Agents, f)
	r, err := Check(t.Context(), c, o)
	if err != nil {
		t.Fatal(err)
	}
	n := map[agent.Outcome]int{}
	for _, f := range r.Fates {
		n[f.Outcome]++
		if f.Outcome != agent.FateLoads && (f.Reason == "" || f.Source == "" || f.Version == "") {
			t.Errorf("%+v", f)
		}
	}
	return r, n
}

// TestC01ListsThatAreTooLong (also c03, c04): what the budget of an agent's list
// keeps from the model is said, skill by skill and for the agent.
func TestC01ListsThatAreTooLong(t *testing.T) {
	r, n := fatesOf(t, set(20), Options{}, "claude-code")
	if n[agent.FateLoads] != 10 || n[agent.FateNameOnly] != 10 {
		t.Errorf("claude-code was seen to keep 10 of 20 descriptions: %v", n)
	}
	d := one(t, r.Diagnostics, diag.ListBudget)
	if d.Severity != diag.Warning || d.File != "/skills" || !strings.Contains(d.Message, "10 without their descriptions, in a window of 200000") {
		t.Error(d)
	}
	if r, n := fatesOf(t, set(20), Options{Window: 1_000_000}, "claude-code"); n[agent.FateLoads] != 20 || len(r.Diagnostics) > 0 {
		t.Errorf("a large window: %v %v", n, r.Diagnostics)
	}
	if r, n := fatesOf(t, set(60), Options{}, "copilot-cli"); n[agent.FateLoads]+n[agent.FateNameOnly] != 60 || len(of(r.Diagnostics, diag.ListBudget)) != 1 {
		t.Errorf("copilot-cli has room for fewer than 60: %v %v", n, r.Diagnostics)
	}
	for _, id := range []string{"gemini-cli", "opencode", "cline"} {
		if r, _ := fatesOf(t, set(60), Options{}, id); len(r.Diagnostics) > 0 {
			t.Errorf("%s has no budget: %v", id, r.Diagnostics)
		}
	}
}

// TestFatesStandSkillBySkill: in the order of the agents, and none without agents.
func TestFatesStandSkillBySkill(t *testing.T) {
	codex, _ := agent.Lookup("codex")
	r, _ := fatesOf(t, set(2), Options{Agents: []agent.Facts{codex}}, "cline")
	var got []string
	for _, f := range r.Fates {
		got = append(got, f.Skill+" "+f.Agent)
	}
	if s := strings.Join(got, ", "); s != "sk-bravo-000 codex, sk-bravo-000 cline, sk-bravo-001 codex, sk-bravo-001 cline" {
		t.Error(s)
	}
	if r := report(t, fstest.MapFS{}); len(r.Fates) != 0 || r.Fates == nil {
		t.Errorf("%v", r.Fates)
	}
}

// TestANamedSkillIsADirectChild: its directory is as the agent would have it.
func TestANamedSkillIsADirectChild(t *testing.T) {
	c := skill.FromFS(fstest.MapFS{"SKILL.md": {Data: []byte("---\nname: tern\ndescription: Use when x.\n---\nB\n")}}, ".", skill.Root{Dir: "/x/gull", Trusted: true})
	if _, n := fatesOf(t, c, Options{}, "crush"); n[agent.FateDropped] != 1 {
		t.Errorf("crush drops a name that is not the directory's: %v", n)
	}
	if _, n := fatesOf(t, c, Options{Linked: []string{"/x/gull"}}, "kiro"); n[agent.FateSilent] != 1 {
		t.Errorf("kiro follows no links: %v", n)
	}
}
