package main

import (
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/promptc/promptc/engine"
	"github.com/promptc/promptc/engine/skill"
)

// treeOf writes files, each with its text, and gives the directory.
func treeOf(t testing.TB, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func text(name, description string) string {
	return "---\nname: " + name + "\ndescription: " + description + "\n---\nBody of " + name + ".\n"
}

func keys(v any) []string { return slices.Sorted(maps.Keys(v.(map[string]any))) }

// TestSkillsJSON: the keys are those that hosts read, no more and no fewer.
func TestSkillsJSON(t *testing.T) {
	dir := treeOf(t, map[string]string{
		"a/tide/SKILL.md": text("tide", "Tides."), "a/tide/scripts/x.sh": "x", "b/tide/SKILL.md": text("tide", "Other tides."),
		"a/lost/SKILL.md": "---\nname: lost\nallowed-tools: [Read\n---\n", "mine/own/SKILL.md": text("own", "The project's."),
		"a/quiet/SKILL.md": "---\nname: quiet\ndescription: d\ndisable-model-invocation: true\n---\n", "a/off/SKILL.md": text("off", "Disabled."),
	})
	at := func(name string) string { return filepath.Join(dir, name) }
	args := []string{"skills", "--json", "--quiet", "--root", at("a"), "--root", at("b"), "--root", "project:" + at("mine"), "--root", at("gone"), "--disable", "off"}
	skillKeys := []string{"argument_hint", "description", "dir", "files", "name", "path", "reason", "scope", "shadowed_by", "status"}
	for _, full := range []bool{true, false} {
		call := args
		want := slices.Sorted(slices.Values(append(slices.Clone(skillKeys), "sha256", "tokens")))
		if !full {
			call, want = append(slices.Clone(args), "--no-tokens"), skillKeys
		}
		var view map[string]any
		if err := json.Unmarshal(promptc(t, call...), &view); err != nil {
			t.Fatal(err)
		}
		if got := keys(view); !slices.Equal(got, []string{"count", "diagnostics", "roots", "skills", "spec"}) {
			t.Errorf("top: %v", got)
		}
		for _, r := range view["roots"].([]any) {
			if got := keys(r); !slices.Equal(got, []string{"dir", "scope", "skills", "source", "state"}) {
				t.Errorf("root: %v", got)
			}
		}
		states := map[string]string{}
		for _, s := range view["skills"].([]any) {
			if got := keys(s); !slices.Equal(got, want) {
				t.Errorf("skill: %v, want %v", got, want)
			}
			m := s.(map[string]any)
			states[m["path"].(string)] = m["status"].(string)
			if reason := m["reason"].(string); (reason == "") != (m["status"] == "visible") {
				t.Errorf("%s is %s because %q", m["name"], m["status"], reason)
			}
			if full && !slices.Equal(keys(m["tokens"]), []string{"body", "index"}) {
				t.Errorf("tokens: %v", m["tokens"])
			}
			if shadowed := m["shadowed_by"] != ""; shadowed != (m["status"] == "shadowed") {
				t.Errorf("%+v", m)
			}
		}
		for path, status := range map[string]string{
			"a/tide": "visible", "b/tide": "shadowed", "a/lost": "broken", "mine/own": "untrusted", "a/quiet": "hidden", "a/off": "disabled",
		} {
			if got := states[filepath.Join(at(path), "SKILL.md")]; got != status {
				t.Errorf("%s is %q, want %s", path, got, status)
			}
		}
		if n := view["count"].(float64); int(n) != len(states) {
			t.Errorf("count %v of %d", n, len(states))
		}
	}
}

func TestSkillsSourcesOfRoots(t *testing.T) {
	dir := treeOf(t, map[string]string{"s/a/SKILL.md": text("a", "A."), "promptc.yaml": "roots: [{dir: s}]\nextra_roots: [{dir: t, scope: shared}]\n"})
	var view struct {
		Spec  string
		Roots []struct{ Dir, Scope, Source, State string }
	}
	decode := func(args ...string) {
		t.Helper()
		view.Roots = nil
		if err := json.Unmarshal(promptc(t, append([]string{"skills", "--json", "--quiet"}, args...)...), &view); err != nil {
			t.Fatal(err)
		}
	}
	decode("--spec", filepath.Join(dir, "promptc.yaml"), "--extra-root", filepath.Join(dir, "u"))
	var got []string
	for _, r := range view.Roots {
		got = append(got, filepath.Base(r.Dir)+" "+r.Scope+" "+r.Source+" "+r.State)
	}
	if want := []string{"s project spec ok", "t shared spec missing", "u user flag missing"}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	if view.Spec != filepath.Join(dir, "promptc.yaml") {
		t.Errorf("spec %q", view.Spec)
	}
	decode("--workspace", dir, "--agent", "ai4j")
	if len(view.Roots) == 0 || view.Roots[0].Source != "default" {
		t.Errorf("%+v", view.Roots)
	}
}

// TestMatchingRanks: prefix, then the beginning of a word, then the letters in
// their order; equal ranks by name; whatever order they came in.
func TestMatchingRanks(t *testing.T) {
	var list []engine.Standing
	add := func(name string, state engine.State) {
		f := &skill.Found{Skill: skill.Skill{Name: name, Path: "/s/" + name}}
		list = append(list, engine.Standing{Found: f, State: state})
	}
	for _, name := range []string{"write-release-notes", "relay", "Release-Notes", "rapid-eel", "pull-req", "unrelated"} {
		add(name, engine.StateVisible)
	}
	add("release-hidden", engine.StateHidden)
	add("release-off", engine.StateDisabled)
	add("release-shadowed", engine.StateShadowed)
	ownOnly := &skill.Found{Skill: skill.Skill{Name: "release-model"}, Form: skill.Form{NotForUsers: true}}
	list = append(list, engine.Standing{Found: ownOnly, State: engine.StateVisible})

	want := []string{"relay", "release-hidden", "Release-Notes", "write-release-notes", "rapid-eel", "unrelated"}
	for range 2 {
		for _, typed := range []string{"/rel", "rel", "/REL"} {
			var got []string
			for _, st := range matching(list, typed) {
				got = append(got, st.Name)
			}
			if !slices.Equal(got, want) {
				t.Errorf("%s: %v, want %v", typed, got, want)
			}
		}
		slices.Reverse(list)
	}
	if got := len(matching(list, "/")); got != 7 {
		t.Errorf("a slash alone: %d", got)
	}
	if got := matching(list, "/zzz"); len(got) != 0 {
		t.Errorf("%v", got)
	}
}
