package agent

import (
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"go.yaml.in/yaml/v3"
)

// first are the agents that must be there, in this order.
var first = []string{
	"claude-code", "codex", "gemini-cli", "qwen-code", "opencode", "crush", "goose", "copilot-cli", "cursor", "kiro",
	"amp", "deepagents", "deepagents-code", "eino", "adk-go", "agent-framework", "langchain4j", "spring-ai-agent-utils",
	"openskills", "cline", "codebuddy", "ai4j", "generic",
}

var (
	url        = regexp.MustCompile(`^https://[a-z0-9.-]+\.[a-z]+(/\S*)?$`)
	repository = regexp.MustCompile(`^[\w.-]+/[\w.-]+(:[\w./-]+)?$`)
)

func TestEveryFactHasASource(t *testing.T) {
	for _, f := range All() {
		known := 0
		for _, r := range f.Describe() {
			if r.Topic == "" || r.Fact == "" || r.Value == "" {
				t.Errorf("%s: a row is not complete: %+v", f.ID, r)
			}
			if r.Value == "unknown" {
				if r.Source != "" {
					t.Errorf("%s: %s %s is unknown and has the source %s", f.ID, r.Topic, r.Fact, r.Source)
				}
				continue
			}
			known++
			if !url.MatchString(r.Source) && !repository.MatchString(r.Source) {
				t.Errorf("%s: %s %s: the source %q is neither a URL nor a path in a repository", f.ID, r.Topic, r.Fact, r.Source)
			}
			if r.Version == "" {
				t.Errorf("%s: %s %s has no version", f.ID, r.Topic, r.Fact)
			}
			if _, err := time.Parse(time.DateOnly, r.Date); err != nil {
				t.Errorf("%s: %s %s: %v", f.ID, r.Topic, r.Fact, err)
			}
			if !slices.Contains([]How{Measured, Read, Documented, Reported, Decided}, r.How) {
				t.Errorf("%s: %s %s: how is %q", f.ID, r.Topic, r.Fact, r.How)
			}
		}
		if known < 3 {
			t.Errorf("%s: only %d facts are known", f.ID, known)
		}
	}
}

func TestASourceMustBeWhole(t *testing.T) {
	const whole = "- id: x\n  name: X\n  known:\n  - from: a/b\n    how: source\n    version: 1\n    date: 2026-01-02\n    facts:\n      finds: {depth: 1}\n"
	if _, err := decodeEntry(whole); err != nil {
		t.Fatal(err)
	}
	for _, gone := range []string{"    version: 1\n", "    date: 2026-01-02\n", "    how: source\n"} {
		if _, err := decodeEntry(strings.Replace(whole, gone, "", 1)); err == nil {
			t.Errorf("a source without %q is taken", strings.TrimSpace(gone))
		}
	}
	for _, wrong := range []struct{ in, out string }{
		{"finds: {depth: 1}", "finds: {deep: 1}"},
		{"finds: {depth: 1}", "seeks: {depth: 1}"},
		{"finds: {depth: 1}", "finds: {hidden: maybe}"},
		{"finds: {depth: 1}", "finds: [depth]"},
		{"finds: {depth: 1}", "where: {walks: sideways}"},
		{"finds: {depth: 1}", "where: {dirs: [shared .x/skills]}"},
		{"finds: {depth: 1}", "frontmatter: {bom: eaten}"},
		{"finds: {depth: 1}", "frontmatter: {name_form: {pattern: '('}}"},
		{"finds: {depth: 1}", "index: {budget: {chars: 3, size: 4}}"},
		{"finds: {depth: 1}", "index: {shape: {escape: html}}"},
		{"finds: {depth: 1}", "twice: {keeps: some}"},
		{"from: a/b", "from: a/b\n    sure: no"},
		{"how: source", "how: guessed"},
		{"date: 2026-01-02", "date: yesterday"},
		{"  name: X\n", ""},
	} {
		if _, err := decodeEntry(strings.Replace(whole, wrong.in, wrong.out, 1)); err == nil {
			t.Errorf("%q is taken", wrong.out)
		}
	}
	twice := whole + "  - from: c/d\n    how: source\n    version: 1\n    date: 2026-01-02\n    facts:\n      finds: {depth: 2}\n"
	if _, err := decodeEntry(twice); err == nil {
		t.Error("two sources may say different things of one fact")
	}
}

func TestUnknownIsWritten(t *testing.T) {
	f, _ := Lookup("cursor")
	if f.Links.Skill.Known() {
		t.Error("nobody knows whether cursor follows links")
	}
	if !slices.ContainsFunc(f.Describe(), func(r Row) bool { return r.Topic == "links" && r.Value == "unknown" }) {
		t.Error("no row of cursor says unknown")
	}
	empty := Facts{}
	if rows := empty.Describe(); len(rows) != len(table()) || slices.ContainsFunc(rows, func(r Row) bool { return r.Value != "unknown" }) {
		t.Error("not everything is unknown about nothing")
	}
}

func TestAllAgentsAreThere(t *testing.T) {
	ids := IDs()
	if len(ids) < len(first)+20 || !slices.Equal(ids[:len(first)], first) {
		t.Fatalf("the agents are %v", ids)
	}
	for i, f := range All() {
		if f.ID != ids[i] || f.Name == "" {
			t.Errorf("number %d is %q with the name %q", i, f.ID, f.Name)
		}
		if slices.Contains(ids[:i], f.ID) {
			t.Errorf("%s stands twice", f.ID)
		}
	}
	if _, ok := Lookup("no-such-agent"); ok {
		t.Error("an agent was found that is not there")
	}
	var all []struct{ ID string }
	if err := yaml.Unmarshal([]byte(agentsYAML), &all); err != nil {
		t.Fatal(err)
	}
	for i, e := range all {
		if i >= len(ids) || e.ID != ids[i] {
			t.Fatalf("as one YAML document number %d is %q, by its lines it is %v", i, e.ID, ids)
		}
	}
}

// TestTheTableIsWhole: a fact that is not in the table could be neither read nor told.
func TestTheTableIsWhole(t *testing.T) {
	var f Facts
	listed := map[any]bool{}
	for _, r := range table() {
		if listed[r.get(&f)] {
			t.Errorf("%s.%s leads to another row's fact", r.topic, r.key)
		}
		listed[r.get(&f)] = true
	}
	v := reflect.ValueOf(&f).Elem()
	for i := range v.NumField() {
		group := v.Field(i)
		if group.Kind() != reflect.Struct || !group.CanAddr() || !group.CanSet() {
			continue
		}
		for j := range group.NumField() {
			if fact, ok := group.Field(j).Addr().Interface().(anyFact); ok && !listed[fact] {
				t.Errorf("%s.%s is not in the table", v.Type().Field(i).Name, group.Type().Field(j).Name)
			}
		}
	}
}

// TestVersionsAtEveryBorder: sources that hold for some versions agree with each
// other before, at and behind each border.
func TestVersionsAtEveryBorder(t *testing.T) {
	for _, f := range All() {
		for _, s := range f.stated {
			for _, border := range []string{s.Since, s.Before} {
				if border == "" {
					continue
				}
				for _, v := range []string{"0", border, "99999"} {
					if _, err := f.of(v); err != nil {
						t.Errorf("%s at %s: %v", f.ID, v, err)
					}
				}
			}
		}
	}
}

func TestCompareVersions(t *testing.T) {
	ordered := []string{"0", "0.0.1790142911-g7618fb", "0.61", "0.61.1", "1.0.9", "1.0.62", "1.0.102", "1.1", "2.1.332", "v3"}
	for i, a := range ordered {
		for j, b := range ordered {
			if got := compareVersions(a, b); got < 0 != (i < j) || got > 0 != (i > j) {
				t.Errorf("compare %s and %s: %d", a, b, got)
			}
		}
	}
	if compareVersions("1.2.0", "1.2") != 0 || compareVersions("1.2.3-rc1", "1.2.3") != 0 {
		t.Error("equal versions differ")
	}
}
