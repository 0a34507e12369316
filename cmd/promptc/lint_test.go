package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestExamplesAreClean: the skills that are shown to people break no rule, but for
// the one that is long on purpose.
func TestExamplesAreClean(t *testing.T) {
	var report struct {
		Files       []struct{ Path string }
		Diagnostics []struct{ Code, File, Message string }
	}
	if err := json.Unmarshal(promptc(t, "lint", "--json", filepath.Join("..", "..", "examples", "skills")), &report); err != nil {
		t.Fatal(err)
	}
	if len(report.Files) != 6 {
		t.Errorf("%d skills were checked", len(report.Files))
	}
	for _, d := range report.Diagnostics {
		if d.Code != "body-long" || !strings.Contains(filepath.ToSlash(d.File), "/sql-migration-review/") {
			t.Errorf("%s: %s [%s]", d.File, d.Message, d.Code)
		}
	}
}

// TestLintAgreesWithTheMeasurement compares what `lint --agents` says of odd files
// with the sentences that were written down when the agents were run, where those
// are there. testdata/script/lint_agents.txtar is the same for always.
func TestLintAgreesWithTheMeasurement(t *testing.T) {
	data, err := os.ReadFile(filepath.Join("..", "..", "..", "shared", "native.json"))
	if err != nil {
		t.Skip("no measurement here")
	}
	var agents []map[string]any
	if err := json.Unmarshal(data, &agents); err != nil {
		t.Fatal(err)
	}
	text := func(name, more string) string { return "---\n" + name + more + "---\nBody.\n" }
	odd := map[string]struct{ key, file, text string }{
		"badyaml":  {"invalid_yaml", "badyaml/SKILL.md", text("name: badyaml\n", "description: [open bad: : {x\n")},
		"colon":    {"unquoted_colon", "colon/SKILL.md", text("name: colon\n", "description: Tides: high and low\n")},
		"silent":   {"missing_description", "silent/SKILL.md", text("name: silent\n", "")},
		"nameless": {"missing_name", "nameless/SKILL.md", text("", "description: Has no name\n")},
		"bare":     {"no_frontmatter", "bare/SKILL.md", "Body.\n"},
		"marked":   {"bom", "marked/SKILL.md", "\ufeff" + text("name: marked\n", "description: Has a mark\n")},
		"crlf":     {"crlf", "crlf/SKILL.md", strings.ReplaceAll(text("name: crlf\n", "description: Has CRLF\n"), "\n", "\r\n")},
		"lower":    {"skill_md_lowercase", "lower/skill.md", text("name: lower\n", "description: Is lower\n")},
		"inner":    {"nested", "group/inner/SKILL.md", text("name: inner\n", "description: Lies deeper\n")},
	}
	dir := t.TempDir()
	for _, o := range odd {
		path := filepath.Join(dir, filepath.FromSlash(o.file))
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(o.text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	var report struct {
		Fates []struct{ Agent, Version, Path, Outcome string }
	}
	if err := json.Unmarshal(promptc(t, "lint", "--agents", "--json", dir), &report); err != nil {
		t.Fatal(err)
	}
	compared := 0
	for _, a := range agents {
		for name, o := range odd {
			i := slices.IndexFunc(report.Fates, func(f struct{ Agent, Version, Path, Outcome string }) bool {
				return f.Agent == a["agent"] && strings.HasSuffix(filepath.ToSlash(f.Path), "/"+o.file)
			})
			if i < 0 {
				t.Fatalf("no fate of %s in %v", name, a["agent"])
			}
			compared++
			f := report.Fates[i]
			says := strings.ToLower(fmt.Sprint(a[o.key]))
			dropped := says == "no" || slices.ContainsFunc([]string{"skipped", "not found", "not in the index", "no "}, func(p string) bool { return strings.HasPrefix(says, p) })
			if dropped != strings.HasPrefix(f.Outcome, "dropped") || strings.Contains(says, "silently") && f.Outcome == "dropped" || strings.Contains(says, "reason") && f.Outcome == "dropped-silently" {
				t.Errorf("%s in %s: %s; measured was %q", name, f.Agent, f.Outcome, says)
			}
			if f.Version != a["version"] {
				t.Errorf("%s in %s: version %s, measured was %v", name, f.Agent, f.Version, a["version"])
			}
		}
	}
	if compared < 8*len(odd) {
		t.Errorf("only %d were compared", compared)
	}
}
