package strategytest

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/promptc/promptc/engine"
	"github.com/promptc/promptc/engine/agent"
	"github.com/promptc/promptc/engine/skill"
)

// message is what the user says in every input; telling are words of it that no
// skill has.
const message = "Zeppelin-4711, please fold the quartz umbrella"

var telling = []string{"zeppelin-4711", "quartz", "umbrella"}

// nonce stands in the isolation lines of every input.
const nonce = "271828182845904523"

// able is an agent that can do everything.
func able() agent.Agent {
	return agent.Agent{
		ID: "able", Name: "Able", Version: "1.0.0",
		Has: map[agent.Need]agent.Answer{
			agent.NeedRead: agent.Yes, agent.NeedTools: agent.Yes, agent.NeedNative: agent.Yes, agent.NeedLinks: agent.Yes,
		},
		Read:   agent.Tool{Name: "read_file", Path: "path"},
		Skills: ".able/skills", Links: "follow",
		View:    agent.Launch{Args: []string{"--add-dir", "{dir}"}, Env: map[string]string{"ABLE_VIEW": "{dir}"}},
		ReadDir: agent.Launch{Args: []string{"--add-dir", "{dir}"}},
		Invoke:  "/{name} {args}", NameOf: "frontmatter",
		Unmodel: agent.Yes, Encoding: "o200k_base", ReadsLink: agent.No,
	}
}

// four are plain skills in an order that no sorting gives, not even backwards.
// No name or description is part of another one.
func four() []skill.Skill {
	var out []skill.Skill
	for _, name := range []string{"moor-delta", "keel-alpha", "sail-charlie", "helm-bravo"} {
		out = append(out, plain(name))
	}
	return out
}

func plain(name string) skill.Skill {
	dir := "/skills/" + name
	return skill.Skill{
		Name:        name,
		Description: "Knows how to " + strings.ReplaceAll(name, "-", " the ") + ". Use it when a boat is involved.",
		Dir:         dir, Path: dir + "/SKILL.md",
		Body:  "# Work of " + name + "\n\n" + strings.Repeat("Step by step, as "+name+" does it.\n", 12) + "\nThe end of " + name + ".",
		Extra: json.RawMessage(`{"license":"MIT"}`),
	}
}

// many are n plain skills.
func many(n int) []skill.Skill {
	out := make([]skill.Skill, n)
	for i := range out {
		out[i] = plain(fmt.Sprintf("boat-%04d-x", i))
	}
	return out
}

// input is a new input with these skills, as the engine would make it: bodies are
// there as far as the strategy asks for them. Nothing in it is shared with
// another input.
func (u *suite) input(skills []skill.Skill, change ...func(*engine.Input)) *engine.Input {
	a := u.agent
	a.Has = maps.Clone(a.Has)
	a.View, a.ReadDir, a.Headless = cloned(a.View), cloned(a.ReadDir), cloned(a.Headless)
	in := &engine.Input{
		Agent: a, Workspace: "/work", Place: engine.Place{Dir: "/place"},
		Language: "en", Message: message,
		Skills:    slices.Clone(skills),
		Options:   slices.Clone(u.options),
		Isolation: engine.Isolation{Nonce: nonce, Language: "en"},
	}
	for _, c := range change {
		c(in)
	}
	in.Isolation.Language = in.Language
	for i := range in.Skills {
		s := &in.Skills[i]
		s.Extra = slices.Clone(s.Extra)
		switch {
		case u.info.Bodies == engine.AllBodies:
		case u.info.Bodies == engine.SelectedBodies && (in.Selected == "" || in.Selected == s.Name):
		default:
			s.Body = ""
		}
	}
	return in
}

// activating is an input as Activate gets it: without bodies.
func (u *suite) activating(skills []skill.Skill) *engine.Input {
	in := u.input(skills)
	for i := range in.Skills {
		in.Skills[i].Body = ""
	}
	return in
}

func cloned(l agent.Launch) agent.Launch {
	return agent.Launch{Args: slices.Clone(l.Args), Env: maps.Clone(l.Env)}
}

func selecting(name string) func(*engine.Input) {
	return func(in *engine.Input) { in.Selected = name }
}

func speaking(language string) func(*engine.Input) {
	return func(in *engine.Input) { in.Language = language }
}

func placed(p engine.Place) func(*engine.Input) {
	return func(in *engine.Input) { in.Place = p }
}

// variants are inputs of the four skills in the situations that a session knows.
func (u *suite) variants() []*engine.Input {
	all := four()
	return []*engine.Input{
		u.input(all),
		u.input(all[:1]),
		u.input(all, selecting(all[2].Name)),
		u.input(all, speaking("zh")),
		u.input(all, placed(engine.Place{Dir: "/view", View: true})),
		u.input(all, func(in *engine.Input) { in.Agent = agent.Agent{ID: "blank", Skills: ".blank/skills"} }),
	}
}

// label says in which situation an input is.
func label(in *engine.Input) string {
	what := fmt.Sprintf("%d skills", len(in.Skills))
	if in.Selected != "" {
		what += fmt.Sprintf(", %q selected", in.Selected)
	}
	if in.Language != "en" {
		what += ", language " + in.Language
	}
	switch {
	case in.Place.View:
		what += ", a view"
	case in.Place.Dir == "":
		what += ", no place"
	}
	return what
}
