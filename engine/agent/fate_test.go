package agent

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/promptc/promptc/engine/skill"
)

// measured are the agents that were run, in the order of testdata/fates.txt.
var measured = []string{"gemini-cli", "codex", "opencode", "qwen-code", "claude-code", "copilot-cli", "cline", "amp"}

// text of a skill file with a name, a description and a body.
func text(name, description string) string {
	return fmt.Sprintf("---\nname: %s\ndescription: %s\n---\n\n# Heading of %s\n\nParagraph of %s.\n", name, description, name, name)
}

// oddities are the files whose fate stands in testdata/fates.txt.
var oddities = map[string]func(name string) string{
	"plain":        func(n string) string { return text(n, "Mends nets.") },
	"invalid-yaml": func(n string) string { return text(n, "[nets, : {") },
	"colon":        func(n string) string { return text(n, "Mends nets: quickly.") },
	"no-description": func(n string) string {
		return strings.Replace(text(n, "x"), "description: x\n", "", 1)
	},
	"empty-description": func(n string) string { return text(n, "''") },
	"no-name":           func(n string) string { return strings.Replace(text(n, "Mends nets."), "name: "+n+"\n", "", 1) },
	"no-frontmatter":    func(n string) string { return "# Heading\n\nParagraph.\n" },
	"unclosed":          func(n string) string { return "---\nname: " + n + "\ndescription: Mends nets.\n\n# Heading\n" },
	"late":              func(n string) string { return "\n\n" + text(n, "Mends nets.") },
	"bom":               func(n string) string { return "\ufeff" + text(n, "Mends nets.") },
	"crlf":              func(n string) string { return strings.ReplaceAll(text(n, "Mends nets."), "\n", "\r\n") },
	"utf16":             func(n string) string { return utf16le(text(n, "Mends nets.")) },
	"bad-bytes":         func(n string) string { return text(n, "Mends nets.") + "caf\xe9\n" },
	"key-twice": func(n string) string {
		return strings.Replace(text(n, "Mends nets."), "---\n\n", "description: again\n---\n\n", 1)
	},
	"other-name":    func(n string) string { return text("another", "Mends nets.") },
	"blank-in-name": func(n string) string { return text("Odd Upper", "Mends nets.") },
	"unmodel": func(n string) string {
		return strings.Replace(text(n, "Mends nets."), "---\n\n", "disable-model-invocation: true\n---\n\n", 1)
	},
	"long":       func(n string) string { return text(n, strings.Repeat("net ", 300)) },
	"very-long":  func(n string) string { return text(n, strings.Repeat("net ", 800)) },
	"literal":    func(n string) string { return text(n, "|\n  Mends nets.\n  Use it at sea.") },
	"lower-case": func(n string) string { return text(n, "Mends nets.") },
	"nested":     func(n string) string { return text(n, "Mends nets.") },
	"in-a-skill": func(n string) string { return text(n, "Mends nets.") },
	"hidden":     func(n string) string { return text(n, "Mends nets.") },
	"modules":    func(n string) string { return text(n, "Mends nets.") },
	"linked":     func(n string) string { return text(n, "Mends nets.") },
	"linked-file": func(n string) string {
		return text(n, "Mends nets.")
	},
	"group-link": func(n string) string { return text(n, "Mends nets.") },
}

func utf16le(s string) string {
	out := "\xff\xfe"
	for _, r := range s {
		out += string([]byte{byte(r), byte(r >> 8)})
	}
	return out
}

// found is a skill file as discovery would report it.
func found(name, content string) skill.Found {
	dir := "/root/" + name
	p := skill.Parse(dir, dir+"/SKILL.md", []byte(content))
	f := skill.Found{Skill: p.Skill, Form: p.Form, Problems: p.Problems, Scope: skill.Project}
	f.Form.Depth = 1
	return f
}

// odd is a skill that is odd in one way, by its content or by its place.
func odd(kind string) skill.Found {
	f := found(kind, oddities[kind](kind))
	switch kind {
	case "lower-case":
		f.Form.FileName = "skill.md"
	case "nested":
		f.Form.Depth = 2
	case "in-a-skill":
		f.Form.Depth, f.Form.InSkill = 2, true
	case "hidden":
		f.Form.Hidden = true
	case "modules":
		f.Form.Depth, f.Form.InModules = 2, true
	case "linked":
		f.Form.LinkedDir = true
	case "linked-file":
		f.Form.LinkedFile = true
	case "group-link":
		f.Form.Depth, f.Form.LinkedDir = 2, true
	}
	return f
}

// TestFatesOfTheMeasured: each line of testdata/fates.txt is an oddity and what was
// seen to become of it in each agent.
func TestFatesOfTheMeasured(t *testing.T) {
	data, err := os.ReadFile("testdata/fates.txt")
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for line := range strings.SplitSeq(string(data), "\n") {
		words := strings.Fields(line)
		if len(words) == 0 || words[0] == "#" {
			continue
		}
		if len(words) != 1+len(measured) || oddities[words[0]] == nil {
			t.Fatalf("not a line of fates: %s", line)
		}
		seen[words[0]] = true
		for i, id := range measured {
			f, _ := Lookup(id)
			fate := Fates(f, []skill.Found{odd(words[0])})[0]
			if string(fate.Outcome) != words[i+1] {
				t.Errorf("%s in %s: %s (%s), want %s", words[0], id, fate.Outcome, fate.Reason, words[i+1])
			}
			if fate.Outcome != FateLoads && (fate.Reason == "" || fate.Source == "" || fate.Version == "" || fate.Date == "") {
				t.Errorf("%s in %s: no reason or no source: %+v", words[0], id, fate)
			}
			if fate.Outcome.Lives() != (fate.ListedName != "") || fate.Outcome.Lives() && fate.Path == "" {
				t.Errorf("%s in %s: %+v", words[0], id, fate)
			}
		}
	}
	for kind := range oddities {
		if !seen[kind] {
			t.Errorf("testdata/fates.txt has no line for %s", kind)
		}
	}
}

// TestFatesAgreeWithTheMeasurement reads the measurement itself, where it is there:
// what its sentences say of each oddity.
func TestFatesAgreeWithTheMeasurement(t *testing.T) {
	data, err := os.ReadFile(filepath.Join("..", "..", "..", "shared", "native.json"))
	if err != nil {
		t.Skip("no measurement here")
	}
	var agents []map[string]any
	if err := json.Unmarshal(data, &agents); err != nil {
		t.Fatal(err)
	}
	rows := map[string]string{
		"invalid_yaml": "invalid-yaml", "unquoted_colon": "colon", "missing_description": "no-description", "missing_name": "no-name",
		"no_frontmatter": "no-frontmatter", "bom": "bom", "crlf": "crlf", "skill_md_lowercase": "lower-case", "nested": "nested",
		"hidden_dir": "hidden", "node_modules": "modules",
	}
	if len(agents) < len(measured) {
		t.Fatalf("only %d agents were measured", len(agents))
	}
	for _, a := range agents {
		id := a["agent"].(string)
		f, ok := Lookup(id)
		if !ok || f.Version != a["version"] {
			t.Errorf("%s: %q, measured was %v", id, f.Version, a["version"])
		}
		for key, kind := range rows {
			got := Fates(f, []skill.Found{odd(kind)})[0].Outcome
			says := strings.ToLower(fmt.Sprint(a[key]))
			drops := slices.ContainsFunc([]string{"skipped", "not found", "not in the index", "no", "no ", "false"}, func(p string) bool { return strings.HasPrefix(says, p) && (p != "no" || says == "no") })
			if drops == got.Lives() {
				t.Errorf("%s, %s: %s; measured was %q", id, key, got, says)
			}
			if strings.Contains(says, "silently") && got == FateDropped || strings.Contains(says, "error") && got == FateSilent || strings.Contains(says, "reason") && got == FateSilent {
				t.Errorf("%s, %s: %s; measured was %q", id, key, got, says)
			}
		}
		links := a["follows_symlinks"].(map[string]any)
		for key, fact := range map[string]Fact[Answer]{
			"dir_abs": f.Links.Skill, "dir_in_workspace": f.Links.Inside, "whole_skills_dir": f.Links.Whole, "user_level": f.Links.User,
			"SKILL.md_file_link": f.Links.File, "link_to_group_folder": f.Links.Group,
		} {
			if want, ok := links[key].(bool); ok && (fact.Value == Yes) != want {
				t.Errorf("%s: links %s is %s, measured was %v", id, key, fact.Value, want)
			}
		}
	}
}

// TestChangingAFactChangesTheFate: fates come from facts and not from a list of cases.
func TestChangingAFactChangesTheFate(t *testing.T) {
	for _, c := range []struct {
		id, kind string
		change   func(*Facts)
		before   Outcome
		after    Outcome
	}{
		{"gemini-cli", "bom", func(f *Facts) { f.Front.BOM.Value = Takes }, FateSilent, FateLoads},
		{"gemini-cli", "bom", func(f *Facts) { f.Front.BOM.Value = Refused }, FateSilent, FateDropped},
		{"gemini-cli", "bom", func(f *Facts) { f.Front.BOM = Fact[Handling]{} }, FateSilent, FateUnknown},
		{"codex", "invalid-yaml", func(f *Facts) { f.Front.InvalidYAML.Value = ByLines }, FateDropped, FateLoads},
		{"codex", "invalid-yaml", func(f *Facts) { f.Front.InvalidYAML.Value = Bare }, FateDropped, FateBare},
		{"claude-code", "no-name", func(f *Facts) { f.Front.NameFrom.Value, f.Front.NoName.Value = "frontmatter", Silent }, FateLoads, FateSilent},
		{"qwen-code", "blank-in-name", func(f *Facts) { f.Front.NameForm.Value = NameForm{} }, FateSilent, FateLoads},
		{"copilot-cli", "long", func(f *Facts) { f.Front.Description.Value.Over = "" }, FateDropped, FateLoads},
		{"claude-code", "nested", func(f *Facts) { f.Finds.Depth.Value = 2 }, FateSilent, FateLoads},
		{"codex", "linked-file", func(f *Facts) { f.Links.File.Value = Yes }, FateSilent, FateLoads},
		{"codex", "linked", func(f *Facts) { f.Links.Skill.Value = No }, FateLoads, FateSilent},
		{"opencode", "other-name", func(f *Facts) { f.Front.NameDiffers.Value = Refused }, FateLoads, FateDropped},
		{"opencode", "plain", func(f *Facts) { f.Index.Shape.Value.Entry = "{name}" }, FateLoads, FateNameOnly},
	} {
		f, _ := Lookup(c.id)
		if got := Fates(f, []skill.Found{odd(c.kind)})[0].Outcome; got != c.before {
			t.Errorf("%s in %s: %s, want %s", c.kind, c.id, got, c.before)
		}
		c.change(&f)
		if got := Fates(f, []skill.Found{odd(c.kind)})[0].Outcome; got != c.after {
			t.Errorf("%s in %s after the change: %s, want %s", c.kind, c.id, got, c.after)
		}
		if g, _ := Lookup(c.id); Fates(g, []skill.Found{odd(c.kind)})[0].Outcome != c.before {
			t.Errorf("the change of %s was not the caller's alone", c.id)
		}
	}
}

// TestFatesSayWhatIsListed: names and descriptions as the agent has them.
func TestFatesSayWhatIsListed(t *testing.T) {
	long := strings.TrimSpace(strings.Repeat("net ", 800))
	for _, c := range []struct {
		id, kind, name, description string
		listed                      bool
	}{
		{"codex", "plain", "plain", "Mends nets.", true},
		{"codex", "no-name", "no-name", "Mends nets.", true},
		{"codex", "other-name", "another", "Mends nets.", true},
		{"codex", "very-long", "very-long", long[:1024] + "...", true},
		{"claude-code", "other-name", "other-name", "Mends nets.", true},
		{"claude-code", "no-description", "no-description", "Heading of no-description", true},
		{"claude-code", "no-frontmatter", "no-frontmatter", "Heading", true},
		{"claude-code", "very-long", "very-long", long[:1536], true},
		{"claude-code", "unmodel", "unmodel", "Mends nets.", false},
		{"qwen-code", "unmodel", "unmodel", "Mends nets.", false},
		{"codex", "unmodel", "unmodel", "Mends nets.", true},
		{"copilot-cli", "no-description", "no-description", "Paragraph of no-description.", true},
		{"copilot-cli", "blank-in-name", "Odd-Upper", "Mends nets.", true},
		{"copilot-cli", "empty-description", "empty-description", "", true},
		{"gemini-cli", "blank-in-name", "Odd Upper", "Mends nets.", true},
		{"cline", "plain", "plain", "", true},
		{"opencode", "bom", "bom", "Mends nets.", true},
		{"amp", "lower-case", "lower-case", "Mends nets.", true},
		{"gemini-cli", "bom", "", "", false},
		{"ai4j", "no-frontmatter", "Heading", "Paragraph.", true},
		{"ai4j", "no-name", "Heading of no-name", "Mends nets.", true},
	} {
		f, _ := Lookup(c.id)
		got := Fates(f, []skill.Found{odd(c.kind)})[0]
		if got.ListedName != c.name || got.ListedDescription != c.description || got.Listed != c.listed {
			t.Errorf("%s in %s is listed %v as %q: %q", c.kind, c.id, got.Listed, got.ListedName, got.ListedDescription)
		}
	}
}

// TestClaudeListsWhenToUse: its list adds when_to_use, which counts for the limit.
func TestClaudeListsWhenToUse(t *testing.T) {
	content := strings.Replace(text("net", "Mends nets."), "---\n\n", "when_to_use: at sea\n---\n\n", 1)
	f, _ := Lookup("claude-code")
	if got := Fates(f, []skill.Found{found("net", content)})[0].ListedDescription; got != "Mends nets. - at sea" {
		t.Errorf("it lists %q", got)
	}
	f.Front.Description.Value.Chars = 14
	if got := Fates(f, []skill.Found{found("net", content)})[0]; got.ListedDescription != "Mends nets. - " || !strings.Contains(got.Reason, "cuts") {
		t.Errorf("it lists %q: %s", got.ListedDescription, got.Reason)
	}
}

func TestFatesOfAgentsThatWereRead(t *testing.T) {
	for _, c := range []struct {
		id, kind string
		want     Outcome
	}{
		{"crush", "other-name", FateDropped}, {"crush", "late", FateLoads}, {"crush", "long", FateDropped}, {"crush", "bom", FateLoads},
		{"goose", "no-description", FateNameOnly}, {"goose", "no-name", FateDropped}, {"goose", "bom", FateUnknown},
		{"kiro", "linked", FateSilent}, {"kiro", "plain", FateLoads}, {"cursor", "linked", FateUnknown},
		{"agent-framework", "other-name", FateDropped}, {"agent-framework", "linked", FateSilent},
		{"windsurf", "plain", FateLoads}, {"windsurf", "bom", FateUnknown}, {"generic", "plain", FateLoads},
	} {
		f, _ := Lookup(c.id)
		if got := Fates(f, []skill.Found{odd(c.kind)})[0]; got.Outcome != c.want {
			t.Errorf("%s in %s: %s (%s), want %s", c.kind, c.id, got.Outcome, got.Reason, c.want)
		}
	}
}

// TestOneBadFileSpoilsAll: in some frameworks one file costs all skills.
func TestOneBadFileSpoilsAll(t *testing.T) {
	f, _ := Lookup("adk-go")
	fates := Fates(f, []skill.Found{odd("plain"), odd("invalid-yaml"), odd("crlf")})
	for i, fate := range fates {
		if fate.Outcome != FateDropped || i != 1 && !strings.Contains(fate.Reason, "/root/invalid-yaml/SKILL.md") {
			t.Errorf("%s: %s (%s)", fate.Skill, fate.Outcome, fate.Reason)
		}
	}
}
