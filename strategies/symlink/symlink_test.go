package symlink

import (
	"encoding/json"
	"fmt"
	"slices"
	"testing"

	"github.com/promptc/promptc/engine"
	"github.com/promptc/promptc/engine/agent"
	"github.com/promptc/promptc/engine/diag"
	"github.com/promptc/promptc/engine/skill"
)

func named(name string) skill.Skill {
	return skill.Skill{Name: name, Description: "Described at length.", Dir: "/s/" + name, Path: "/s/" + name + "/SKILL.md"}
}

func input(skills ...skill.Skill) *engine.Input {
	return &engine.Input{
		Language: "en", Skills: skills, Place: engine.Place{Dir: "/w"},
		Agent: agent.Agent{ID: "able", Skills: ".able/skills", ReadsLink: agent.Yes, NameOf: "frontmatter"},
	}
}

func render(t *testing.T, in *engine.Input) *engine.Rendering {
	t.Helper()
	r, err := New().Render(t.Context(), in)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestA11NotAByteOfSkillTextIsInThePrompt(t *testing.T) {
	r := render(t, input(named("a"), named("b")))
	if len(r.Sections) != 0 || len(r.Tools) != 0 || len(r.ReadRoots) != 0 || len(r.Links) != 2 {
		t.Errorf("got %+v", r)
	}
	if New().Info().Bodies != engine.NoBodies {
		t.Error("symlink asks for bodies")
	}
}

func TestA7LinkOrCopy(t *testing.T) {
	for _, c := range []struct {
		links, mode string
		copies      bool
	}{
		{"follow", "", false}, {"unknown", "", false}, {"", "", false}, {"copy", "", true}, {"whole", "", true},
		{"follow", "copy", true}, {"copy", "link", false}, {"whole", "link", false},
	} {
		in := input(named("a"))
		in.Agent.Links = c.links
		if c.mode != "" {
			in.Options = json.RawMessage(`{"mode":"` + c.mode + `"}`)
		}
		if got := render(t, in).Links[0].Copy; got != c.copies {
			t.Errorf("links %q, mode %q: copy is %v", c.links, c.mode, got)
		}
	}
}

// What lies behind a link is handed over where the agent may not read it; a copy
// lies in the place itself.
func TestA9LaunchHandsOverWhatIsNeeded(t *testing.T) {
	in := input(named("a"), named("b"))
	in.Agent.View = agent.Launch{Args: []string{"--view={dir}"}}
	in.Agent.ReadDir = agent.Launch{Args: []string{"--read", "{dir}"}}
	in.Agent.Headless = agent.Launch{Args: []string{"--yes"}}
	for _, c := range []struct {
		view  bool
		reads agent.Answer
		mode  string
		want  string
	}{
		{false, agent.Yes, "link", "[--yes]"},
		{true, agent.Yes, "link", "[--view=/w --yes]"},
		{true, agent.No, "link", "[--view=/w --read /s/a --read /s/b --yes]"},
		{false, agent.Unknown, "link", "[--read /s/a --read /s/b --yes]"},
		{false, agent.No, "copy", "[--yes]"},
	} {
		in.Place.View, in.Agent.ReadsLink, in.Options = c.view, c.reads, json.RawMessage(`{"mode":"`+c.mode+`"}`)
		if got := fmt.Sprint(render(t, in).Launch.Args); got != c.want {
			t.Errorf("%+v: %s", c, got)
		}
	}
}

func TestJ27OnlyForPeople(t *testing.T) {
	for _, c := range []struct {
		extra   string
		unmodel agent.Answer
		chosen  bool
		linked  bool
	}{
		{``, agent.No, false, true},
		{`{"license":"MIT"}`, agent.No, false, true},
		{`{"disable-model-invocation":false}`, agent.No, false, true},
		{`{"disable-model-invocation":"no"}`, agent.No, false, true},
		{`{"disable-model-invocation":true}`, agent.Yes, false, true},
		{`{"disable-model-invocation":true}`, agent.No, true, true},
		{`{"disable-model-invocation":true}`, agent.No, false, false},
		{`{"disable-model-invocation":true}`, agent.Unknown, false, false},
		{`{"disable-model-invocation":true}`, "", false, false},
		{`{"Disable-Model-Invocation":"yes"}`, agent.No, false, false},
		{`{"disable-model-invocation":1}`, agent.No, false, false},
	} {
		s := named("a")
		s.Extra = json.RawMessage(c.extra)
		in := input(s)
		in.Agent.Unmodel = c.unmodel
		if c.chosen {
			in.Selected = "a"
		}
		r := render(t, in)
		said := slices.ContainsFunc(r.Diagnostics, func(d diag.Diagnostic) bool {
			return d.Code == diag.SkillUndeliverable && engine.IsAbout(d, s)
		})
		if got := len(r.Links) == 1; got != c.linked || said == c.linked {
			t.Errorf("%+v: linked %v, said %v", c, got, said)
		}
	}
}

func TestA24AChangedNameMattersWhereTheDirectoryGivesIt(t *testing.T) {
	for nameOf, want := range map[string]diag.Severity{"frontmatter": diag.Info, "directory": diag.Warning, "": diag.Warning} {
		in := input(named("two words"))
		in.Agent.NameOf = nameOf
		r := render(t, in)
		if len(r.Diagnostics) != 1 || r.Diagnostics[0].Code != diag.NameForm || r.Diagnostics[0].Severity != want {
			t.Errorf("name from %q: %v", nameOf, r.Diagnostics)
		}
	}
}

func TestA9WithoutAPlaceEverySkillIsNamed(t *testing.T) {
	in := input(named("a"), named("b"))
	in.Place = engine.Place{}
	r := render(t, in)
	if len(r.Links) != 0 || r.Diagnostics.Err() == nil || len(r.Diagnostics) != 3 {
		t.Errorf("got %+v", r)
	}
}
