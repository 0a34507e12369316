// Package examples_test holds the examples to what they promise: the skills are
// without fault, their scripts run, and each spec gives the prompt that it shows.
package examples_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/promptc/promptc/engine"
	"github.com/promptc/promptc/engine/diag"
	"github.com/promptc/promptc/engine/skill"
	"github.com/promptc/promptc/engine/token"
	"github.com/promptc/promptc/strategies"
)

// example is a skill with its text.
type example struct {
	*skill.Found
	body  string
	files []string
}

func skills(t *testing.T) map[string]example {
	t.Helper()
	dir, err := filepath.Abs("skills")
	if err != nil {
		t.Fatal(err)
	}
	c, err := skill.Discover(t.Context(), []skill.Root{{Dir: dir, Scope: skill.User, Trusted: true}})
	if err != nil {
		t.Fatal(err)
	}
	if len(c.Diagnostics) > 0 {
		t.Errorf("the directory has faults: %v", c.Diagnostics)
	}
	out := map[string]example{}
	for _, f := range c.Found {
		content, err := f.Read(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		files, more, err := f.Files(t.Context(), 0)
		if err != nil || more > 0 {
			t.Fatalf("%s: %d more files, %v", f.Name, more, err)
		}
		e := example{Found: f, body: content.Body}
		for _, file := range files {
			e.files = append(e.files, file.Path)
		}
		out[f.Name] = e
	}
	return out
}

var mention = regexp.MustCompile(`(?:scripts|references|assets)/[\w.-]*\w`)

func TestSkillsAreWithoutFault(t *testing.T) {
	all := skills(t)
	if len(all) != 6 {
		t.Errorf("%d skills, want 6", len(all))
	}
	for name, s := range all {
		if s.Status != skill.Loaded || len(s.Problems) > 0 {
			t.Errorf("%s is %s: %v", name, s.Status, s.Problems)
		}
		if filepath.Base(s.Dir) != name {
			t.Errorf("%s lies in %s", name, s.Dir)
		}
		if !strings.Contains(s.Description, "Use when") && !strings.Contains(s.Description, "时使用") {
			t.Errorf("%s does not say when to use it: %s", name, s.Description)
		}
		named := mention.FindAllString(s.body, -1)
		for _, file := range named {
			if !slices.Contains(s.files, file) {
				t.Errorf("%s speaks of %s, which is not there", name, file)
			}
		}
		for _, file := range s.files {
			if !slices.Contains(named, file) {
				t.Errorf("%s never speaks of %s, so no model will read it", name, file)
			}
		}
	}
}

// TestSkillsShowEveryShape: the README and the specs lean on these.
func TestSkillsShowEveryShape(t *testing.T) {
	all := skills(t)
	counter, err := token.Named("o200k_base")
	if err != nil {
		t.Fatal(err)
	}
	if n := counter.Count(all["sql-migration-review"].body); n <= 5000 {
		t.Errorf("the long skill has %d tokens only", n)
	}
	if s := all["release-notes"]; s.ArgumentHint == "" || !strings.Contains(s.body, "$ARGUMENTS") {
		t.Errorf("the skill with arguments takes none: hint %q", s.ArgumentHint)
	}
	han := func(r rune) bool { return unicode.Is(unicode.Han, r) }
	if s := all["weekly-report-zh"]; !strings.ContainsFunc(s.Description, han) || !strings.ContainsFunc(s.body, han) {
		t.Error("the Chinese skill is not Chinese")
	}
	if !slices.Contains(all["csv-profile"].files, "assets/sample.csv") {
		t.Error("the skill with a CSV asset has none")
	}
}

func TestScriptsAreExecutable(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("there are no such modes here")
	}
	for name, s := range skills(t) {
		for _, file := range s.files {
			info, err := os.Stat(filepath.Join(s.Dir, file))
			if err != nil {
				t.Fatal(err)
			}
			if script := strings.HasPrefix(file, "scripts/"); script != (info.Mode()&0o111 != 0) {
				t.Errorf("%s: %s has mode %v", name, file, info.Mode())
			}
		}
	}
}

func need(t *testing.T, programs ...string) {
	t.Helper()
	for _, p := range programs {
		if _, err := exec.LookPath(p); err != nil {
			t.Skipf("%s is not installed", p)
		}
	}
}

func output(t *testing.T, dir, program string, args ...string) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), program, args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_NOSYSTEM=1",
		"GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@example.org", "GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@example.org")
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%s %q: %v\n%s", program, args, err, stderr.String())
	}
	return string(out)
}

func TestProfileFindsTheFaultsOfTheSample(t *testing.T) {
	need(t, "python3")
	got := output(t, filepath.Join("skills", "csv-profile"), "python3", "scripts/profile.py", "assets/sample.csv")
	for _, want := range []string{
		"6 rows, 4 columns, delimiter ','\n",
		"joined: date 5 + date-other 1; 0 empty, 6 distinct",
		"- rows 7: not 4 cells\n",
		"- id: looks like a key, but rows 5, 6 share a value\n",
		"- joined: not date in rows 4\n",
		"- amount: not float in rows 6\n",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
}

func TestCommitsNamesTypesAndBreaks(t *testing.T) {
	need(t, "git", "sh", "awk")
	script, err := filepath.Abs(filepath.Join("skills", "release-notes", "scripts", "commits.sh"))
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	output(t, dir, "git", "init", "-q")
	commit := func(paragraphs ...string) {
		args := []string{"commit", "-q", "--allow-empty"}
		for _, p := range paragraphs {
			args = append(args, "-m", p)
		}
		output(t, dir, "git", args...)
	}
	commit("feat: before the first tag")
	output(t, dir, "git", "tag", "v1")
	commit("fix(api): one", "A body\nof two lines.")
	commit("Two without a type")
	commit("feat: three", "BREAKING CHANGE: all is new")
	commit("chore!: four")
	var got []string
	for line := range strings.Lines(output(t, dir, "sh", script, "v1")) {
		_, rest, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		got = append(got, rest)
	}
	want := []string{"fix(api)\tfix(api): one", "other\tTwo without a type", "feat!\tfeat: three", "chore!\tchore!: four"}
	if !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
	// A tag that looks like an option is not one.
	cmd := exec.CommandContext(t.Context(), "sh", script, "--output=made")
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err == nil || !strings.Contains(string(out), "no such tag or commit") {
		t.Errorf("%v: %s", err, out)
	}
	if made, _ := filepath.Glob(filepath.Join(dir, "made*")); len(made) > 0 {
		t.Errorf("it made %v", made)
	}
}

// build renders a spec; change may alter it before.
func build(t *testing.T, name string, change func(*engine.Spec)) *engine.Prompt {
	t.Helper()
	dir := t.TempDir()
	env := engine.Env{Dir: dir, Home: dir, Lookup: func(string) (string, bool) { return "", false }}
	file, err := filepath.Abs(filepath.Join("specs", name))
	if err != nil {
		t.Fatal(err)
	}
	spec, err := engine.LoadSpec(file, env)
	if err != nil {
		t.Fatal(err)
	}
	if change != nil {
		change(spec)
	}
	job, err := engine.Load(t.Context(), spec)
	if err != nil {
		t.Fatal(err)
	}
	job.Strategies, job.Counter, job.View = strategies.Bundled(), token.ForModel(spec.Model), filepath.Join(dir, "view")
	p, err := engine.Build(t.Context(), job)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestSpecsGiveTheirPrompt(t *testing.T) {
	want := map[string]struct{ strategy, language string }{
		"cache-layout.yaml": {"inject", "en"},
		"chinese.yaml":      {"index", "zh"},
		"index.yaml":        {"index", "en"},
		"inject.yaml":       {"inject", "en"},
		"symlink.yaml":      {"symlink", "en"},
		"tool.yaml":         {"tool", "en"},
	}
	files, err := filepath.Glob(filepath.Join("specs", "*"))
	if err != nil || len(files) != len(want) {
		t.Errorf("%q, %v: want %d specs", files, err, len(want))
	}
	for name, w := range want {
		p := build(t, name, nil)
		if p.Strategy != w.strategy || p.Language != w.language {
			t.Errorf("%s: %s in %s", name, p.Strategy, p.Language)
		}
		for _, d := range p.Diagnostics {
			if d.Severity != diag.Info {
				t.Errorf("%s: %s", name, d)
			}
		}
	}
}

// TestP16SelectionChangesNothingBeforeTheSkills is the claim of cache-layout.yaml.
func TestP16SelectionChangesNothingBeforeTheSkills(t *testing.T) {
	one := build(t, "cache-layout.yaml", nil)
	two := build(t, "cache-layout.yaml", func(s *engine.Spec) { s.Select.Skill = "csv-profile" })
	args := build(t, "cache-layout.yaml", func(s *engine.Spec) { s.Select.Args = "other.sql" })
	if one.Stable == 0 || one.Stable != two.Stable {
		t.Fatalf("%d and %d stable sections", one.Stable, two.Stable)
	}
	for i := range one.Stable {
		if one.System[i] != two.System[i] {
			t.Errorf("section %d differs:\n%v\n%v", i, one.System[i], two.System[i])
		}
	}
	if one.SystemText() == two.SystemText() {
		t.Error("the selection changed nothing at all")
	}
	if one.SystemText() != args.SystemText() {
		t.Error("arguments changed the system prompt")
	}
}
