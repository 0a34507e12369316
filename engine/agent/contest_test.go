package agent

import (
	"strings"
	"testing"

	"github.com/promptc/promptc/engine/skill"
)

// rivals are two skills of one frontmatter name: in two directories of one root, or
// in two roots.
func rivals(scopes ...skill.Scope) []skill.Found {
	var out []skill.Found
	for i, s := range scopes {
		f := found(string(rune('a'+i)), text("net", "Mends nets."))
		f.Scope, f.Form.Depth = s, 1
		if i > 0 && s != scopes[i-1] {
			f.Root = i
		}
		out = append(out, f)
	}
	return out
}

func TestFatesOfDuplicates(t *testing.T) {
	const (
		p = skill.Project
		u = skill.User
	)
	for _, c := range []struct {
		id     string
		scopes []skill.Scope
		want   []Outcome
	}{
		{"gemini-cli", []skill.Scope{p, p}, []Outcome{FateLoads, FateDropped}}, // it warns
		{"gemini-cli", []skill.Scope{u, p}, []Outcome{FateDropped, FateLoads}},
		{"codex", []skill.Scope{p, p}, []Outcome{FateDuplicates, FateDuplicates}},
		{"codex", []skill.Scope{p, u}, []Outcome{FateDuplicates, FateDuplicates}},
		{"opencode", []skill.Scope{p, p}, []Outcome{FateSilent, FateLoads}},
		{"opencode", []skill.Scope{p, u}, []Outcome{FateLoads, FateSilent}},
		{"qwen-code", []skill.Scope{p, p}, []Outcome{FateLoads, FateSilent}},
		{"qwen-code", []skill.Scope{u, p}, []Outcome{FateSilent, FateLoads}},
		{"claude-code", []skill.Scope{p, p}, []Outcome{FateLoads, FateLoads}}, // by their directories
		{"copilot-cli", []skill.Scope{p, p}, []Outcome{FateLoads, FateSilent}},
		{"copilot-cli", []skill.Scope{u, p}, []Outcome{FateSilent, FateLoads}},
		{"cline", []skill.Scope{p, p}, []Outcome{FateDuplicates, FateDuplicates}}, // nobody knows which
		{"amp", []skill.Scope{p, p}, []Outcome{FateSilent, FateLoads}},
		{"amp", []skill.Scope{p, u}, []Outcome{FateSilent, FateLoads}},
		{"cursor", []skill.Scope{p, u}, []Outcome{FateUnknown, FateUnknown}},
		{"adk-go", []skill.Scope{p, u}, []Outcome{FateDropped, FateDropped}},
	} {
		f, _ := Lookup(c.id)
		f.Front.NameDiffers = Fact[Handling]{Takes, &Source{}} // the directories are called a and b
		for i, fate := range Fates(f, rivals(c.scopes...)) {
			if fate.Outcome != c.want[i] {
				t.Errorf("%s, %v: number %d %s (%s), want %s", c.id, c.scopes, i+1, fate.Outcome, fate.Reason, c.want[i])
			}
			if fate.Outcome != FateLoads && fate.Reason == "" {
				t.Errorf("%s, %v: number %d has no reason", c.id, c.scopes, i+1)
			}
		}
	}
}

// TestClaudeTakesTheUsersOwn: the same directory in both scopes is one skill to it.
func TestClaudeTakesTheUsersOwn(t *testing.T) {
	project, user := found("net", text("net", "The project's.")), found("net", text("net", "The user's."))
	user.Scope, user.Root, user.Path = skill.User, 1, "/home/u/.claude/skills/net/SKILL.md"
	f, _ := Lookup("claude-code")
	fates := Fates(f, []skill.Found{project, user})
	if fates[0].Outcome != FateSilent || fates[1].Outcome != FateLoads || !strings.Contains(fates[0].Reason, user.Path) {
		t.Errorf("%+v", fates)
	}
}

// TestADroppedSkillIsNoRival: only what loads competes.
func TestADroppedSkillIsNoRival(t *testing.T) {
	good, bad := found("a", text("net", "Mends nets.")), found("b", "\ufeff"+text("net", "Mends nets."))
	f, _ := Lookup("codex")
	fates := Fates(f, []skill.Found{good, bad})
	if fates[0].Outcome != FateLoads || fates[1].Outcome != FateDropped {
		t.Errorf("%+v", fates)
	}
}
