package lint

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/promptc/promptc/engine/diag"
	"github.com/promptc/promptc/engine/skill"
)

// skillWith is a skill file of the name gull with more frontmatter and a body.
func skillWith(more, body string) string {
	return "---\nname: gull\ndescription: Counts gulls. Use when there are gulls.\n" + more + "---\n" + body
}

// looked checks one skill in memory, whose directory is gull; files are name and
// content by turns.
func looked(t *testing.T, text string, files ...string) []diag.Diagnostic {
	t.Helper()
	fsys := fstest.MapFS{"gull/SKILL.md": &fstest.MapFile{Data: []byte(text), Mode: 0o644}}
	for i := 0; i < len(files); i += 2 {
		fsys["gull/"+files[i]] = &fstest.MapFile{Data: []byte(files[i+1]), Mode: 0o644}
	}
	return report(t, fsys).Diagnostics
}

func report(t *testing.T, fsys fstest.MapFS) *Report {
	t.Helper()
	c := skill.FromFS(fsys, ".", skill.Root{Dir: "/skills", Scope: skill.User, Trusted: true})
	r, err := Check(t.Context(), c, Options{Count: func(s string) int { return len(strings.Fields(s)) }})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// of are the diagnostics of one code.
func of(list []diag.Diagnostic, code diag.Code) []diag.Diagnostic {
	return slices.DeleteFunc(slices.Clone(list), func(d diag.Diagnostic) bool { return d.Code != code })
}

// one is the only diagnostic of a code.
func one(t *testing.T, list []diag.Diagnostic, code diag.Code) diag.Diagnostic {
	t.Helper()
	found := of(list, code)
	if len(found) != 1 {
		t.Fatalf("%d diagnostics of %s: %v", len(found), code, list)
	}
	return found[0]
}

// TestCleanIsClean: what the standard and agents know is no finding.
func TestCleanIsClean(t *testing.T) {
	text := skillWith("license: MIT\nargument-hint: \"[bay]\"\nallowed-tools: Read Bash(git add:*)\nmetadata:\n  author: \"Kim\"\nwhen_to_use: at sea\n",
		"# Gulls\n\nCount $ARGUMENTS. See [this](references/a%20b.md#top), [that](https://example.org/x), [mail](mailto:a@example.org), [below](#gulls) and `references/a b.md`.\nRun `sh scripts/count.sh --all` or `your/scripts/x.py`. Copy `src/main.go` of the project.\nA price is quoted in euros. 👨‍👩‍👧 🏴󠁧󠁢󠁥󠁮󠁧󠁿 ❤️\n")
	if list := looked(t, text, "references/a b.md", "x", "scripts/count.sh", "echo\n"); len(list) > 0 {
		t.Errorf("%v", list)
	}
}

// TestEveryRuleHasAScript: a rule that no script of lint shows may not exist.
func TestEveryRuleHasAScript(t *testing.T) {
	scripts, err := filepath.Glob(filepath.Join("..", "..", "cmd", "promptc", "testdata", "script", "lint*.txtar"))
	if err != nil || len(scripts) == 0 {
		t.Fatalf("no scripts: %v", err)
	}
	var all []byte
	for _, name := range scripts {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, data...)
	}
	for _, r := range rules() {
		for _, code := range r.codes {
			if !regexp.MustCompile(`(?m)^stdout .*\\\[` + string(code) + `\\\]`).Match(all) {
				t.Errorf("no script of lint shows %s", code)
			}
		}
	}
}

// TestRulesReportTheirOwnCodes: a rule reports under the codes in its row alone.
func TestRulesReportTheirOwnCodes(t *testing.T) {
	texts := []string{
		skillWith("Version: 1\nmetadata: x\nallowed-tools: \"*, (\"\narguments: [a]\n", "Use $1, $ARGUMENTS, !`x`, </skill>, [a](b.md), /home/kim/x, a\u200bb, `scripts\\x.py`.\n"),
		"---\nname: A--\ndescription: \"|\"\ncompatibility: [x]\n---\n",
		"---\nname: a\ndescription: |\n  Ports <x>\n  over.\nargument-hint: x\n---\n" + strings.Repeat("line\n", 600),
	}
	for _, text := range texts {
		c := skill.FromFS(fstest.MapFS{"gull/SKILL.md": {Data: []byte(text)}}, ".", skill.Root{Dir: "/skills", Trusted: true})
		for _, r := range rules() {
			p := newPage(t.Context(), c.Found[0], nil)
			p.out = nil
			p.parse(t.Context())
			r.check(t.Context(), p)
			for _, d := range p.out {
				if !slices.Contains(r.codes, d.Code) {
					t.Errorf("the rule for %v reports %s", r.codes, d)
				}
			}
		}
	}
}

// TestOneFileNeverCostsAnother (J12): each is checked whatever the others are.
func TestJ12OneFileNeverCostsAnother(t *testing.T) {
	r := report(t, fstest.MapFS{
		"gull/SKILL.md": {Data: []byte(skillWith("", "Body.\n"))},
		"big/SKILL.md":  {Data: make([]byte, 2<<20)},
		"tern/SKILL.md": {Data: []byte("---\nname: tern\ndescription: [x\nallowed-tools: [Read\n---\n")},
	})
	if len(r.Files) != 3 || r.Files[1].Path != "/skills/gull/SKILL.md" || r.Files[1].Errors+r.Files[1].Warnings > 0 {
		t.Errorf("%+v", r.Files)
	}
	if d := of(r.Diagnostics, diag.SkillBroken); len(d) != 2 || d[0].Severity != diag.Error {
		t.Errorf("%v", r.Diagnostics)
	}
}

// TestA30DoubleKeysAreErrors: both lines are named.
func TestA30DoubleKeysAreErrors(t *testing.T) {
	d := one(t, looked(t, skillWith("description: again\n", "x")), diag.KeyDuplicate)
	if d.Severity != diag.Error || d.Line != 4 || !strings.Contains(d.Message, "line 3") {
		t.Errorf("%v", d)
	}
}

// TestP1WhatLiesDeepIsCheckedToo: but what lies inside of a skill is its resource.
func TestP1WhatLiesDeepIsCheckedToo(t *testing.T) {
	r := report(t, fstest.MapFS{
		"gull/SKILL.md":               {Data: []byte(skillWith("", "Body.\n"))},
		"gull/examples/tern/SKILL.md": {Data: []byte("No frontmatter, and a\u200bb.")},
		"group/auk/SKILL.md":          {Data: []byte(skillWith("", "Body.\n"))},
	})
	if d := one(t, r.Diagnostics, diag.NameDirectory); d.File != "/skills/group/auk/SKILL.md" {
		t.Errorf("%v", d)
	}
	if one(t, r.Diagnostics, diag.TooDeep).Severity != diag.Warning || one(t, r.Diagnostics, diag.Nested).Severity != diag.Warning {
		t.Errorf("%v", r.Diagnostics)
	}
	if d := one(t, r.Diagnostics, diag.HiddenCharacter); d.File != "/skills/gull/examples/tern/SKILL.md" {
		t.Errorf("%v", d) // it is a text of gull
	}
}

// TestLevels: strict makes errors of warnings and of nothing else; what is off is off.
func TestLevels(t *testing.T) {
	c := skill.FromFS(fstest.MapFS{"auk/SKILL.md": {Data: []byte("---\nname: gull\ndescription: Counts gulls.\n---\nBody.\n")}}, ".", skill.Root{Dir: "/skills", Trusted: true})
	levels := func(o Options) map[diag.Code]diag.Severity {
		r, err := Check(t.Context(), c, o)
		if err != nil {
			t.Fatal(err)
		}
		out := map[diag.Code]diag.Severity{}
		for _, d := range r.Diagnostics {
			out[d.Code] = d.Severity
		}
		return out
	}
	if got := levels(Options{}); got[diag.NameDirectory] != diag.Warning || got[diag.DescriptionWhen] != diag.Info || len(got) != 2 {
		t.Errorf("%v", got)
	}
	if got := levels(Options{Strict: true}); got[diag.NameDirectory] != diag.Error || got[diag.DescriptionWhen] != diag.Info {
		t.Errorf("strict: %v", got)
	}
	if got := levels(Options{Strict: true, Off: []diag.Code{diag.NameDirectory}}); len(got) != 1 {
		t.Errorf("off: %v", got)
	}
}

// TestManyOfOneKindAreCounted: ten are shown.
func TestManyOfOneKindAreCounted(t *testing.T) {
	found := of(looked(t, skillWith("", strings.Repeat("a\u200bb ", 30))), diag.HiddenCharacter)
	if len(found) != maxReports+1 || !slices.ContainsFunc(found, func(d diag.Diagnostic) bool { return d.Message == "20 more findings of this kind" }) {
		t.Errorf("%v", found)
	}
}
