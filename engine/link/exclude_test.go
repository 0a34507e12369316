//go:build unix

package link

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/promptc/promptc/engine/diag"
)

func (w *world) git(dir string, args ...string) string {
	w.t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		w.t.Skip("git is not installed")
	}
	cmd := exec.Command("git", args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "HOME="+w.dir, "GIT_CONFIG_NOSYSTEM=1", "GIT_AUTHOR_NAME=n", "GIT_AUTHOR_EMAIL=e", "GIT_COMMITTER_NAME=n", "GIT_COMMITTER_EMAIL=e")
	out, err := cmd.CombinedOutput()
	if err != nil {
		w.t.Fatalf("git %q: %v\n%s", args, err, out)
	}
	return string(out)
}

func (w *world) into(dir string, names ...string) Set {
	s := w.set(names...)
	s.Place.Dir, s.Into = dir, true
	return s
}

// TestP7LinksEnterNoCommit: git itself says so, in the repository's top, below
// it, and with names that are patterns.
func TestP7LinksEnterNoCommit(t *testing.T) {
	for _, below := range []string{"", "a dir/[x]"} {
		w := newWorld(t)
		w.skill("plain")
		w.skill("copied")
		for _, n := range []string{"st*r", "with space", "#hash", "!bang", "q?", "[b]", "end ", "ü"} {
			w.skill(n)
		}
		w.git(w.place, "init", "-q")
		dir := w.mkdir("ws/" + below)
		w.write("ws/keep.txt", "x")
		status := w.git(w.place, "status", "--porcelain", "--untracked-files=all")
		before := snapshot(t, w.place)
		set := w.into(dir, "plain", "copied", "st*r", "with space", "#hash", "!bang", "q?", "[b]", "end ", "ü")
		set.Wants[1].Copy = true
		r := w.apply(set)
		if len(r.Diagnostics) > 0 {
			t.Errorf("got %v", r.Diagnostics)
		}
		if got := w.git(w.place, "status", "--porcelain", "--untracked-files=all"); got != status {
			t.Errorf("git sees\n%s", got)
		}
		w.write("ws/"+below+"/"+skillsDir+"/star/SKILL.md", "a neighbour's")
		if got := w.git(w.place, "status", "--porcelain", "--untracked-files=all"); strings.Count(got, "\n") != strings.Count(status, "\n")+1 {
			t.Errorf("the patterns hide more than the links:\n%s", got)
		}
		if err := os.RemoveAll(w.path("ws/" + below + "/" + skillsDir + "/star")); err != nil {
			t.Fatal(err)
		}
		made := snapshot(t, w.place)
		w.apply(set)
		same(t, "the workspace after the second time", made, snapshot(t, w.place))
		w.removeAll()
		same(t, "the workspace", before, snapshot(t, w.place))
	}
}

// TestP7Worktree: the file is that of the main repository, and that is said.
func TestP7Worktree(t *testing.T) {
	w := newWorld(t)
	w.skill("a")
	main := w.mkdir("main")
	w.git(main, "init", "-q")
	w.git(main, "commit", "-q", "--allow-empty", "-m", "x")
	w.git(main, "worktree", "add", "-q", w.path("tree"))
	before, tree := snapshot(t, main), snapshot(t, w.path("tree"))
	set := w.into(w.path("tree"), "a")
	plan, err := Plan(t.Context(), set)
	if err != nil || len(plan.Diagnostics) != 1 {
		t.Fatalf("the plan does not warn: %v, %v", plan, err)
	}
	r := w.apply(set)
	if len(r.Diagnostics) != 1 || r.Diagnostics[0].Code != diag.GitExclude || !strings.Contains(r.Diagnostics[0].Message, filepath.Join(main, ".git", "info", "exclude")) {
		t.Errorf("got %v", r.Diagnostics)
	}
	if got := w.git(w.path("tree"), "status", "--porcelain", "--untracked-files=all"); got != "" {
		t.Errorf("git sees\n%s", got)
	}
	w.removeAll()
	// git itself refreshed its index when it was asked for the status.
	same(t, "the main repository", dropIndex(before), dropIndex(snapshot(t, main)))
	same(t, "the worktree", tree, snapshot(t, w.path("tree")))
}

func dropIndex(tree string) string {
	var out []string
	for line := range strings.SplitSeq(tree, "\n") {
		if !strings.Contains(line, "/index ") {
			out = append(out, line)
		}
	}
	return strings.Join(out, "\n")
}

// TestP7ForgedGitFile: a .git file that points at another repository, which does
// not point back, gets nothing written there.
func TestP7ForgedGitFile(t *testing.T) {
	for name, text := range map[string]string{
		"repository": "gitdir: ../victim/.git\n",
		"worktree":   "gitdir: ../victim/.git/worktrees/x\n",
		"submodule":  "gitdir: ../victim/.git/modules/x\n",
		"nothing":    "hello\n",
		"nowhere":    "gitdir: /nowhere\n",
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			w.skill("a")
			w.write("victim/.git/HEAD", "ref: refs/heads/main\n")
			w.write("victim/.git/info/exclude", "# theirs\n")
			w.write("victim/.git/worktrees/x/commondir", "../..\n")
			w.write("victim/.git/worktrees/x/gitdir", w.path("victim-tree/.git")+"\n")
			w.write("victim/.git/modules/x/HEAD", "x")
			w.write("ws/.git", text)
			before, victim := snapshot(t, w.place), snapshot(t, w.path("victim"))
			r := w.apply(w.into(w.place, "a"))
			wantOutcomes(t, r, "a=linked")
			if len(r.Diagnostics) != 1 || r.Diagnostics[0].Code != diag.GitExclude {
				t.Errorf("got %v", r.Diagnostics)
			}
			same(t, "the other repository", victim, snapshot(t, w.path("victim")))
			w.removeAll()
			same(t, "the workspace", before, snapshot(t, w.place))
		})
	}
}

// TestP7ExcludeIsALink: it is not written through.
func TestP7ExcludeIsALink(t *testing.T) {
	for _, at := range []string{"info", "info/exclude"} {
		w := newWorld(t)
		w.skill("a")
		w.write("ws/.git/HEAD", "x")
		w.write("theirs/exclude", "# theirs\n")
		target := w.path("theirs")
		if at != "info" {
			target += "/exclude"
		}
		w.link(target, "ws/.git/"+at)
		before := snapshot(t, w.dir)
		r := w.apply(w.into(w.place, "a"))
		wantOutcomes(t, r, "a=linked")
		if len(r.Diagnostics) != 1 || r.Diagnostics[0].Code != diag.GitExclude {
			t.Errorf("got %v", r.Diagnostics)
		}
		w.removeAll()
		os.RemoveAll(w.state)
		same(t, "everything", before, snapshot(t, w.dir))
	}
}

// TestP7ExcludeIsRestored byte for byte, whatever it was and in whatever order
// sessions come and go.
func TestP7ExcludeIsRestored(t *testing.T) {
	absent := excludeFile{dir: true}
	for _, x := range []excludeFile{
		{}, absent, {exists: true, dir: true}, {exists: true, dir: true, text: "*.log"}, {exists: true, dir: true, text: "*.log\n"}, {exists: true, dir: true, text: "*.log\r\n"},
		{exists: true, dir: true, text: "# promptc begins nothing\n"}, {exists: true, dir: true, text: "\n\n"},
	} {
		for _, order := range [][]string{{"a", "b"}, {"b", "a"}} {
			y := x.with("a", []string{"/1"})
			if again := y.with("a", []string{"/1"}); again != y {
				t.Errorf("%q: twice is %q, then %q", x.text, y.text, again.text)
			}
			y = y.with("b", []string{"/2", "/3"}).with("a", []string{"/4"})
			if !strings.Contains(y.text, "\n/2\n/3\n") || !strings.Contains(y.text, "\n/4\n") || strings.Contains(y.text, "/1") {
				t.Errorf("%q: got %q", x.text, y.text)
			}
			for _, key := range order {
				y = y.with(key, nil)
			}
			if y.exists != x.exists || y.text != x.text {
				t.Errorf("%q: it is %q in the end", x.text, y.text)
			}
		}
	}
	// What the user wrote meanwhile stays.
	for _, x := range []excludeFile{{}, absent, {exists: true, dir: true, text: "*.log"}} {
		y := x.with("a", []string{"/1"})
		y.text += "mine\n"
		y = y.with("a", nil)
		if !y.exists || !strings.HasSuffix(y.text, "mine\n") || strings.Contains(y.text, "promptc") {
			t.Errorf("%q: got %q", x.text, y.text)
		}
	}
	cut := excludeFile{exists: true, dir: true, text: "# promptc begin a\n/1\nmine\n"} // somebody removed the end
	if y := cut.with("a", nil); y.text != "/1\nmine\n" {
		t.Errorf("got %q", y.text)
	}
}

// TestP7TwoSessions in one repository.
func TestP7TwoSessions(t *testing.T) {
	w := newWorld(t)
	w.skill("a")
	w.skill("b")
	w.write("ws/.git/HEAD", "x")
	before := snapshot(t, w.place)
	one, two := w.into(w.place, "a"), w.into(w.mkdir("ws/sub"), "b")
	w.apply(one)
	w.apply(two)
	text, err := os.ReadFile(w.path("ws/.git/info/exclude"))
	if err != nil || !strings.Contains(string(text), "\n/.agents/skills/a\n") || !strings.Contains(string(text), "\n/sub/.agents/skills/b\n") {
		t.Errorf("got %q, %v", text, err)
	}
	w.removeAll()
	os.Remove(w.path("ws/sub"))
	same(t, "the workspace", before, snapshot(t, w.place))
}

// TestP7OnlyInto: a temporary workspace inside of a repository leaves that alone.
func TestP7OnlyInto(t *testing.T) {
	w := newWorld(t)
	w.skill("a")
	w.write("ws/.git/HEAD", "x")
	git := snapshot(t, w.path("ws/.git"))
	w.apply(w.set("a"))
	same(t, "the repository", git, snapshot(t, w.path("ws/.git")))
}
