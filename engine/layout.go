package engine

import (
	"fmt"
	"slices"
	"strings"

	"github.com/promptc/promptc/engine/diag"
)

// Layout is the order of the system prompt's parts: a preset, or the parts
// knowledge, skills and system in any order. The zero value is the strategy's own.
type Layout struct {
	Preset string
	Order  []string
}

// The parts of a system prompt.
const (
	partKnowledge = "knowledge"
	partSkills    = "skills"
	partSystem    = "system"
)

// Separator stands between the parts of the system prompt.
const Separator = "\n\n---\n\n"

// Presets lists the names of layouts.
func Presets() []string { return []string{"cache", "default"} }

// order resolves the layout for a strategy (D3): inject puts the skills before
// the base prompt, every other one behind it. A part that a list leaves out keeps
// its default place at the end: nothing is ever dropped by a layout.
func (l Layout) order(bodies Bodies) ([]string, error) {
	order := []string{partSystem, partSkills, partKnowledge}
	if bodies == SelectedBodies {
		order = []string{partKnowledge, partSkills, partSystem}
	}
	switch l.Preset {
	case "", "default":
	case "cache":
		return []string{partSystem, partSkills, partKnowledge}, nil
	default:
		return nil, fmt.Errorf("no layout %q; presets are %s", l.Preset, strings.Join(Presets(), ", "))
	}
	if l.Order == nil {
		return order, nil
	}
	var out []string
	for _, p := range l.Order {
		if !slices.Contains(order, p) {
			return nil, fmt.Errorf("no part %q; parts are knowledge, skills, system", p)
		}
		if slices.Contains(out, p) {
			return nil, fmt.Errorf("the part %q stands twice", p)
		}
		out = append(out, p)
	}
	for _, p := range order {
		if !slices.Contains(out, p) {
			out = append(out, p)
		}
	}
	return out, nil
}

// arrange puts base prompt, knowledge and the strategy's sections in order.
// Empty parts are left out.
func arrange(order []string, system, knowledge string, skills []Section) []Section {
	var out []Section
	for _, part := range order {
		switch part {
		case partSystem:
			if system != "" {
				out = append(out, Section{ID: partSystem, Text: system})
			}
		case partKnowledge:
			if knowledge != "" {
				out = append(out, Section{ID: partKnowledge, Text: knowledge})
			}
		case partSkills:
			out = append(out, skills...)
		}
	}
	return out
}

// partOf says to which part a section belongs.
func partOf(id string) string {
	part, _, _ := strings.Cut(id, "/")
	return part
}

// SystemText is the system prompt: the parts joined by Separator, the skills
// among themselves by a blank line.
func (p *Prompt) SystemText() string {
	if p.FirstMessage {
		return ""
	}
	return joinSections(p.System)
}

// StableText is SystemText in two: the part that no Select changes, which is where a
// cache breakpoint fits, and the rest. One behind the other they are SystemText.
func (p *Prompt) StableText() (stable, rest string) {
	text := p.SystemText()
	if text == "" {
		return "", ""
	}
	stable = joinSections(p.System[:p.Stable])
	return stable, text[len(stable):]
}

func joinSections(sections []Section) string {
	if len(sections) == 1 {
		return sections[0].Text
	}
	var b strings.Builder
	for i, s := range sections {
		if i > 0 {
			if partOf(s.ID) == partSkills && partOf(sections[i-1].ID) == partSkills {
				b.WriteString("\n\n")
			} else {
				b.WriteString(Separator)
			}
		}
		b.WriteString(s.Text)
	}
	return b.String()
}

// stable counts the leading sections that no Select changes: where the strategy
// renders the selected skill's body, its sections and all that follows change.
func stable(sections []Section, bodies Bodies) int {
	if bodies != SelectedBodies {
		return len(sections)
	}
	for i, s := range sections {
		if partOf(s.ID) == partSkills {
			return i
		}
	}
	return len(sections)
}

// firstMessage is the user's message for a host that cannot set a system prompt
// (A12, A14, P4): the sections and the user's text, each under its own heading.
func firstMessage(language string, sections []Section, text string) string {
	w := words(language)
	var parts []string
	last := ""
	for _, s := range sections {
		if part := partOf(s.ID); part != last {
			parts = append(parts, w.Say("heading-"+part, nil))
			last = part
		}
		parts = append(parts, s.Text)
	}
	if len(parts) > 0 && text != "" {
		parts = append(parts, w.Say("heading-message", nil))
	}
	if text != "" {
		parts = append(parts, text)
	}
	return strings.Join(parts, "\n\n")
}

// layoutDiagnostic is an error of Layout.order at its place in the spec.
func layoutDiagnostic(s *Spec, err error) diag.Diagnostic {
	return diag.New(diag.SpecValue, s.At("layout"), "layout: %v", err)
}
