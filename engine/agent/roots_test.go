package agent

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/promptc/promptc/engine/skill"
)

// world is an Env in which the given paths exist.
func world(vars map[string]string, paths ...string) Env {
	return Env{
		Workspace: "/work/repo/sub", Home: "/home/u",
		Lookup: func(key string) (string, bool) { v, ok := vars[key]; return v, ok },
		Exists: func(path string) bool { return slices.Contains(paths, path) },
	}
}

func rootsOf(t *testing.T, id string, env Env) string {
	t.Helper()
	f, ok := Lookup(id)
	if !ok {
		t.Fatalf("%s is not there", id)
	}
	var out []string
	for _, r := range f.Roots(env) {
		out = append(out, fmt.Sprintf("%s %s", r.Scope, r.Dir))
		if r.Source != "default" {
			t.Errorf("%s: the source of %s is %q", id, r.Dir, r.Source)
		}
	}
	return strings.Join(out, "\n")
}

// TestJ1RootsInTheAgentsOwnOrder: the first one wins, as it was measured or read.
func TestJ1RootsInTheAgentsOwnOrder(t *testing.T) {
	repo := world(nil, "/work/repo/.git")
	for _, c := range []struct {
		id   string
		env  Env
		want string
	}{
		{"claude-code", repo, "user /home/u/.claude/skills\nproject /work/repo/sub/.claude/skills\nproject /work/repo/.claude/skills"},
		{"claude-code", world(map[string]string{"CLAUDE_CONFIG_DIR": "/cfg"}), "user /cfg/skills\nproject /work/repo/sub/.claude/skills"},
		{"claude-code", world(nil, "/work/.claude/skills"), "user /home/u/.claude/skills\nproject /work/repo/sub/.claude/skills\nproject /work/.claude/skills"},
		{"codex", repo, "project /work/repo/sub/.agents/skills\nproject /work/repo/sub/.codex/skills\nproject /work/repo/.agents/skills\nproject /work/repo/.codex/skills\nuser /home/u/.agents/skills\nuser /home/u/.codex/skills"},
		{"codex", world(map[string]string{"CODEX_HOME": "/c"}, "/work/.agents/skills"), "project /work/repo/sub/.agents/skills\nproject /work/repo/sub/.codex/skills\nuser /home/u/.agents/skills\nuser /c/skills"},
		{"gemini-cli", repo, "project /work/repo/sub/.agents/skills\nproject /work/repo/sub/.gemini/skills\nuser /home/u/.agents/skills\nuser /home/u/.gemini/skills"},
		{"gemini-cli", world(map[string]string{"GEMINI_CLI_HOME": "/g"}), "project /work/repo/sub/.agents/skills\nproject /work/repo/sub/.gemini/skills\nuser /g/.agents/skills\nuser /g/.gemini/skills"},
		{"qwen-code", repo, "project /work/repo/sub/.qwen/skills\nproject /work/repo/sub/.agents/skills\nuser /home/u/.qwen/skills\nuser /home/u/.agents/skills"},
		{"cline", repo, "project /work/repo/.cline/skills\nproject /work/repo/.clinerules/skills\nproject /work/repo/.agents/skills\nuser /home/u/.cline/skills\nuser /home/u/.agents/skills"},
		{"cline", world(nil), "project /work/repo/sub/.cline/skills\nproject /work/repo/sub/.clinerules/skills\nproject /work/repo/sub/.agents/skills\nuser /home/u/.cline/skills\nuser /home/u/.agents/skills"},
		{"kiro", world(map[string]string{"KIRO_HOME": "/k"}), "project /work/repo/sub/.kiro/skills\nuser /k/skills"},
		{"openskills", repo, "project /work/repo/sub/.agent/skills\nuser /home/u/.agent/skills\nproject /work/repo/sub/.claude/skills\nuser /home/u/.claude/skills"},
		{"ai4j", repo, "project /work/repo/sub/.ai4j/skills\nuser /home/u/.ai4j/skills"},
		{"generic", repo, "project /work/repo/sub/.agents/skills\nuser /home/u/.agents/skills"},
		{"adk-go", repo, ""},
	} {
		if got := rootsOf(t, c.id, c.env); got != c.want {
			t.Errorf("%s:\n%s\nwant\n%s", c.id, got, c.want)
		}
	}
}

func TestRootsOfRepositoryEnds(t *testing.T) {
	f, _ := Lookup("crush")
	var dirs []string
	for _, r := range f.Roots(world(nil, "/work/.git")) {
		if r.Scope == skill.Project {
			dirs = append(dirs, r.Dir)
		}
	}
	if len(dirs) != 8 || dirs[0] != "/work/repo/sub/.cursor/skills" || dirs[4] != "/work/.cursor/skills" {
		t.Errorf("crush looks in the workspace and in the root alone, here in %v", dirs)
	}
}

func TestRootsHaveTheAgentsDepthAndHiddenDirectories(t *testing.T) {
	for _, c := range []struct {
		id             string
		depth          int
		hidden, native bool
	}{
		{"claude-code", 1, true, true}, {"gemini-cli", 1, false, true}, {"codex", 6, false, true}, {"agent-framework", 2, false, true},
		{"ai4j", 1, true, false}, {"generic", 1, false, true}, {"windsurf", 1, false, true},
	} {
		f, _ := Lookup(c.id)
		roots := f.Roots(world(nil))
		if c.id == "agent-framework" { // its host names the directories
			f.Where.Dirs = Fact[[]Dir]{[]Dir{{skill.Project, "skills"}}, &Source{}}
			roots = f.Roots(world(nil))
		}
		for _, r := range roots {
			if r.Depth != c.depth || r.Hidden != c.hidden || r.Native != c.native {
				t.Errorf("%s: %s: depth %d, hidden %v, native %v", c.id, r.Dir, r.Depth, r.Hidden, r.Native)
			}
		}
	}
}

// TestRootsOfTheHomeDirectory: where the home directory is the repository, its
// skills are the user's, and stand once.
func TestRootsOfTheHomeDirectory(t *testing.T) {
	env := world(nil, "/home/u/.git")
	env.Workspace = "/home/u/code"
	want := "project /home/u/code/.agents/skills\nproject /home/u/code/.codex/skills\nuser /home/u/.agents/skills\nuser /home/u/.codex/skills"
	if got := rootsOf(t, "codex", env); got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
}

func TestRootsWithoutHome(t *testing.T) {
	env := world(nil)
	env.Home, env.Exists, env.Lookup = "", nil, nil
	if got := rootsOf(t, "claude-code", env); got != "project /work/repo/sub/.claude/skills" {
		t.Errorf("without a home directory: %s", got)
	}
}

func TestChangingAFactChangesTheRoots(t *testing.T) {
	f, _ := Lookup("gemini-cli")
	env := world(nil, "/work/repo/.git")
	before := len(f.Roots(env))
	f.Where.Walks.Value = WalkEvery
	if after := f.Roots(env); len(after) != before+2 || after[2].Dir != "/work/repo/.agents/skills" {
		t.Errorf("walking up gives %v", after)
	}
}
