package strategytest

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/promptc/promptc/engine"
	"github.com/promptc/promptc/engine/agent"
	"github.com/promptc/promptc/engine/diag"
	"github.com/promptc/promptc/engine/skill"
)

func (u *suite) checkOrder() {
	for _, skills := range [][]skill.Skill{four(), backwards(four())} {
		r, ok := u.render(u.input(skills))
		if !ok {
			return
		}
		var sections, tools strings.Builder
		for _, s := range r.Sections {
			sections.WriteString(s.Text + "\n")
		}
		for _, t := range r.Tools {
			tools.WriteString(t.Description + "\n")
		}
		u.ordered("the sections", skills, func(s skill.Skill) int { return strings.Index(sections.String(), s.Name) })
		u.ordered("the tools' descriptions", skills, func(s skill.Skill) int { return strings.Index(tools.String(), s.Name) })
		for _, t := range r.Tools {
			u.ordered("the schema of "+t.Name, skills, func(s skill.Skill) int { return bytes.Index(t.Parameters, []byte(`"`+s.Name+`"`)) })
		}
		u.ordered("the tools", skills, func(s skill.Skill) int {
			return slices.IndexFunc(r.Tools, func(t engine.Tool) bool { return t.Asks.Skill == s.Name })
		})
		u.ordered("the links", skills, func(s skill.Skill) int {
			return slices.IndexFunc(r.Links, func(l engine.Link) bool { return l.Target == s.Dir })
		})
	}
}

// ordered reports skills whose places do not rise; -1 is no place.
func (u *suite) ordered(where string, skills []skill.Skill, place func(skill.Skill) int) {
	last, before := -1, ""
	for _, s := range skills {
		at := place(s)
		if at < 0 {
			continue
		}
		if at < last {
			u.report("%s have %q before %q, against the order of the session", where, s.Name, before)
			return
		}
		last, before = at, s.Name
	}
}

func (u *suite) checkGrowth() {
	all := four()
	for _, selected := range []string{"", all[3].Name} {
		whole, ok := u.render(u.input(all, selecting(selected)))
		if !ok {
			return
		}
		less := func(what string, skills []skill.Skill) {
			r, ok := u.render(u.input(skills, selecting(selected)))
			if ok && toolShape(r) == toolShape(whole) && size(r) > size(whole) {
				u.report("%s gives %d bytes in place of %d", what, size(r), size(whole))
			}
		}
		for i := range all[:3] {
			less("leaving out "+all[i].Name, slices.Delete(slices.Clone(all), i, i+1))
		}
		less("leaving out all but one", all[3:])
		for i := range all {
			shorter := slices.Clone(all)
			shorter[i].Description = shorter[i].Description[:len(shorter[i].Description)/2]
			less("a shorter description of "+all[i].Name, shorter)
			shorter = slices.Clone(all)
			shorter[i].Body = shorter[i].Body[:len(shorter[i].Body)/2]
			less("a shorter body of "+all[i].Name, shorter)
		}
	}
}

// size is the bytes that the model gets.
func size(r *engine.Rendering) int {
	n := 0
	for _, s := range r.Sections {
		n += len(s.Text)
	}
	for _, t := range r.Tools {
		n += len(t.Name) + len(t.Description) + len(t.Parameters)
	}
	return n
}

// toolShape is what kinds of tools there are: their schemas without words.
func toolShape(r *engine.Rendering) string {
	var shapes []string
	for _, t := range r.Tools {
		var schema any
		if json.Unmarshal(t.Parameters, &schema) != nil {
			continue
		}
		if s := fmt.Sprint(bare(schema)); !slices.Contains(shapes, s) {
			shapes = append(shapes, s)
		}
	}
	slices.Sort(shapes)
	return strings.Join(shapes, "\n")
}

func bare(v any) any {
	m, ok := v.(map[string]any)
	if !ok {
		return v
	}
	for k := range m {
		switch k {
		case "description", "enum":
			m[k] = ""
		default:
			m[k] = bare(m[k])
		}
	}
	return m
}

func (u *suite) checkReachable() {
	inputs := u.variants()
	for _, s := range four() {
		inputs = append(inputs, u.input(four(), selecting(s.Name)))
	}
	inputs = append(inputs, u.input(four(), placed(engine.Place{})), u.input(hostile()))
	for _, in := range inputs {
		if r, ok := u.render(in); ok {
			u.reaches(in, r)
		}
	}
}

// reaches reports the skills of in that r neither shows nor names as kept back.
func (u *suite) reaches(in *engine.Input, r *engine.Rendering) {
	var text strings.Builder
	known := map[string]bool{} // names and directories that r has as data
	for _, s := range r.Sections {
		text.WriteString(s.Text + "\n")
		known[s.Skill] = true
	}
	for _, t := range r.Tools {
		text.WriteString(t.Description + "\n")
		known[t.Asks.Skill] = true
		for _, name := range values(t.Parameters, t.Asks.SkillParam) {
			known[name] = true
		}
	}
	for _, l := range r.Links {
		known[l.Target] = true
	}
	native := slices.Contains(u.info.Needs, agent.NeedNative)
	words, from := text.String(), 0
	for _, s := range in.Skills {
		if known[s.Name] || known[engine.Fold(s.Name)] || known[s.Dir] || native && s.Native {
			continue
		}
		// In session order each name stands behind the one before.
		if at := strings.Index(words[from:], s.Name); at >= 0 {
			from += at
			continue
		}
		if !mentions(words, s.Name) && !keptBack(r.Diagnostics, s) {
			if len(u.found) == maxFindings {
				return
			}
			u.report("the skill %q is not to be reached (%s), and no skill-hidden diagnostic names it", s.Name, label(in))
		}
	}
}

func mentions(text, name string) bool {
	return slices.ContainsFunc([]string{name, engine.EscapeLine(name), engine.EscapeXML(name), engine.EscapeName(name)},
		func(form string) bool { return strings.Contains(text, form) })
}

func keptBack(l diag.List, s skill.Skill) bool {
	return slices.ContainsFunc(l, func(d diag.Diagnostic) bool {
		return (d.Code == diag.SkillHidden || d.Code == diag.SkillUndeliverable) && engine.IsAbout(d, s)
	})
}

// values are the enum of a parameter.
func values(schema json.RawMessage, param string) []string {
	var s struct {
		Properties map[string]struct{ Enum []string }
	}
	if json.Unmarshal(schema, &s) != nil {
		return nil
	}
	return s.Properties[param].Enum
}

func (u *suite) checkSections() {
	for _, in := range u.variants() {
		r, ok := u.render(in)
		if !ok {
			continue
		}
		seen := map[string]bool{}
		for _, s := range r.Sections {
			if s.ID != "skills" && !strings.HasPrefix(s.ID, "skills/") || seen[s.ID] {
				u.report("the section id %q is neither skills nor skills/NAME, or stands twice", s.ID)
			}
			seen[s.ID] = true
			u.bodies(in, s)
		}
	}
}

func (u *suite) bodies(in *engine.Input, s engine.Section) {
	if _, ok := in.Skill(s.Skill); s.Skill != "" && !ok {
		u.report("the section %q names the skill %q, which is not there", s.ID, s.Skill)
	}
	for _, k := range in.Skills {
		if k.Body == "" {
			continue
		}
		switch holds := strings.Contains(s.Text, k.Body); {
		case holds && s.Skill != k.Name:
			u.report("the section %q holds the body of %q and names %q", s.ID, k.Name, s.Skill)
		case !holds && s.Skill == k.Name:
			u.report("the section %q names the skill %q and does not hold its body", s.ID, k.Name)
		}
	}
}

func (u *suite) checkMessage() {
	for _, in := range u.variants() {
		r, ok := u.render(in)
		if !ok {
			continue
		}
		all := print(r)
		for _, t := range r.Tools { // print shows bytes as numbers
			all += string(t.Parameters)
		}
		for _, word := range telling {
			if strings.Contains(strings.ToLower(all), word) {
				u.report("the word %q of the user's message is in the Rendering (%s)", word, label(in))
			}
		}
	}
}

func (u *suite) checkActivate() {
	all := four()
	for _, s := range all {
		for _, req := range []*engine.Request{
			request(s),
			{Skill: s.Name, By: engine.ByUser, Text: "Body of " + s.Name + " with {{.Name}} and $ARGUMENTS.\n\n```sh\nls\n```"},
			{Skill: s.Name, By: engine.ByModel, File: "references/notes.md", Text: "Notes of " + s.Name + "\n"},
		} {
			a, ok := u.activate(u.activating(all), req)
			if !ok {
				continue
			}
			if !strings.Contains(a.Text, req.Text) {
				u.report("Activate(%q, file %q) does not give the text it was given, byte for byte", req.Skill, req.File)
			}
			if a.ArgsUsed && req.Args != "" && !strings.Contains(a.Text, req.Args) {
				u.report("Activate(%q) says that the text holds the arguments, and it does not", req.Skill)
			}
		}
	}
}

func (u *suite) checkUnknown() {
	for _, name := range []string{"no-such-skill", "", "moor"} {
		for _, skills := range [][]skill.Skill{four(), nil} {
			a, err := u.tryActivate(u.ctx, u.activating(skills), &engine.Request{Skill: name, By: engine.ByModel, Text: "Text."})
			if !errors.Is(err, engine.ErrUnknownSkill) {
				u.report("Activate(%q) among %d skills returns %+v and the error %v, which does not wrap ErrUnknownSkill", name, len(skills), a, err)
			}
		}
	}
}
