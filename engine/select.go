package engine

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/promptc/promptc/engine/diag"
	"github.com/promptc/promptc/engine/skill"
)

// State is what a found skill is in this session.
type State string

const (
	StateVisible   State = "visible"   // the model may have it
	StateHidden    State = "hidden"    // for people only: the model gets it when the user selects it
	StateDisabled  State = "disabled"  // not in the set of the session
	StateShadowed  State = "shadowed"  // another skill has its name
	StateUntrusted State = "untrusted" // the project is not trusted
	StateBroken    State = "broken"    // it cannot be loaded
)

// Standing is a found skill with its State and the reason of it.
type Standing struct {
	*skill.Found
	State  State
	Reason string // a sentence, or "" where the skill is visible
}

// Selection is what every found skill is in a session, and what was asked for by
// name.
type Selection struct {
	All      []Standing // in the order of the catalogue
	Set      []Standing // those the model may have, in session order (A21, A23)
	Selected *Standing  // the one that the user chose, or nil; it is in Set
	Pinned   map[string]bool

	Diagnostics diag.List
}

// Select says what each found skill is under spec. Names that do not exist, that
// contradict each other or that cannot be used are diagnostics of severity error.
func Select(spec *Spec, found []*skill.Found) *Selection {
	s := selector{spec: spec, found: found, byKey: map[string][]*skill.Found{}, out: &Selection{Pinned: map[string]bool{}}}
	for _, f := range found {
		key := skill.Key(f.Name)
		s.byKey[key] = append(s.byKey[key], f)
	}
	s.run()
	return s.out
}

type selector struct {
	spec  *Spec
	found []*skill.Found
	byKey map[string][]*skill.Found
	out   *Selection
}

func (s *selector) run() {
	spec := s.spec
	enable := s.names("skills.enable", spec.Skills.Enable, true)
	disable := s.names("skills.disable", spec.Skills.Disable, false)
	pin := s.names("skills.pin", spec.Skills.Pin, true)
	var auto []string
	if spec.Skills.Auto != nil {
		auto = s.names("skills.auto", *spec.Skills.Auto, true)
	}
	for i, name := range spec.Skills.Enable {
		if slices.Contains(disable, skill.Key(name)) {
			s.out.Diagnostics.Add(diag.New(diag.SkillConflict, s.spec.At(fmt.Sprintf("skills.enable.%d", i)), "%q is both enabled and disabled", name))
		}
	}
	selected := s.selected(disable)

	everything := spec.Skills.Auto == nil && len(spec.Skills.Enable) == 0
	inSet := func(key string) bool {
		return slices.Contains(enable, key) || !slices.Contains(disable, key) && (everything || slices.Contains(auto, key))
	}
	for _, f := range s.found {
		key := skill.Key(f.Name)
		st := Standing{Found: f, State: StateVisible}
		switch {
		case f.Status == skill.Broken:
			st.State, st.Reason = StateBroken, f.Reason
		case f.Status == skill.Shadowed:
			st.State, st.Reason = StateShadowed, "shadowed by "+f.Winner
		case f.Status == skill.Untrusted:
			st.State, st.Reason = StateUntrusted, "a skill of the project, which is not trusted"
		case f == selected:
		case !inSet(key):
			st.State, st.Reason = StateDisabled, "not in the set of this session"
			if slices.Contains(disable, key) {
				st.Reason = "disabled by name"
			}
		case f.Form.Unmodelled:
			st.State, st.Reason = StateHidden, "it says disable-model-invocation"
		}
		s.out.All = append(s.out.All, st)
		if st.State == StateVisible {
			s.out.Set = append(s.out.Set, st)
		}
		if st.State == StateHidden {
			s.out.Diagnostics.Add(diag.New(diag.SkillHidden, diag.At(f.Path), "%q is not shown to the model: %s", f.Name, st.Reason))
		}
	}
	s.order(slices.Concat(auto, enable))
	for i := range s.out.Set {
		if s.out.Set[i].Found == selected {
			s.out.Selected = &s.out.Set[i]
		}
	}
	for _, key := range pin {
		s.out.Pinned[key] = true
	}
}

// order puts the skills that the spec names first, in its order; the others
// follow in that of the roots.
func (s *selector) order(named []string) {
	place := func(st Standing) int {
		if i := slices.Index(named, skill.Key(st.Name)); i >= 0 {
			return i
		}
		return len(named)
	}
	slices.SortStableFunc(s.out.Set, func(a, b Standing) int { return cmp.Compare(place(a), place(b)) })
}

// names looks the names of a list up and returns their keys. With use, each must
// be a skill that can be used.
func (s *selector) names(path string, list []string, use bool) []string {
	var keys []string
	for i, name := range list {
		at := s.spec.At(fmt.Sprintf("%s.%d", path, i))
		f, d, ok := s.lookup(name, at)
		switch {
		case !ok:
			s.out.Diagnostics.Add(d)
			continue
		case use && f.Status != skill.Loaded:
			s.out.Diagnostics.Add(s.unavailable(f, at))
		}
		keys = append(keys, skill.Key(name))
	}
	return keys
}

// lookup finds the skill that a name means: the loaded one where there is one.
func (s *selector) lookup(name string, at diag.Pos) (*skill.Found, diag.Diagnostic, bool) {
	list := s.byKey[skill.Key(name)]
	if len(list) == 0 {
		return nil, NoSuchSkill(s.found, name, at), false
	}
	if i := slices.IndexFunc(list, func(f *skill.Found) bool { return f.Status == skill.Loaded }); i >= 0 {
		return list[i], diag.Diagnostic{}, true
	}
	return list[0], diag.Diagnostic{}, true
}

func (s *selector) unavailable(f *skill.Found, at diag.Pos) diag.Diagnostic {
	why := cmp.Or(f.Reason, "it is "+string(f.Status))
	d := diag.New(diag.SkillUnavailable, at, "%q cannot be used: %s (%s)", f.Name, why, f.Path)
	switch f.Status {
	case skill.Untrusted:
		d = diag.New(diag.SkillUnavailable, at, "%q cannot be used: it is a skill of the project, which is not trusted (%s)", f.Name, f.Path).
			WithHint("look at it, then use --trust")
	case skill.Broken:
		d = d.WithHint("`promptc explain %s` shows what is wrong", f.Name)
	}
	return d
}

// selected finds the skill that the user chose (D5, J27).
func (s *selector) selected(disable []string) *skill.Found {
	name := s.spec.Select.Skill
	if name == "" {
		return nil
	}
	at := s.spec.At("select.skill")
	f, d, ok := s.lookup(name, at)
	switch {
	case !ok:
		s.out.Diagnostics.Add(d)
		return nil
	case f.Status != skill.Loaded:
		s.out.Diagnostics.Add(s.unavailable(f, at))
		return nil
	case slices.Contains(disable, skill.Key(name)):
		s.out.Diagnostics.Add(diag.New(diag.SkillUnavailable, at, "%q is selected and disabled", f.Name).WithHint("remove it from disable"))
		return nil
	case f.Form.NotForUsers:
		s.out.Diagnostics.Add(diag.New(diag.SkillUnavailable, at, "%q says user-invocable: false, so a user cannot select it", f.Name).WithHint("leave it to the model, or change the skill"))
		return nil
	}
	return f
}

// withHidden puts the skills that are for people only back into the set, for a
// strategy that hands them to an agent which keeps them from its model by itself.
func (s *Selection) withHidden() {
	in := map[*skill.Found]bool{}
	for _, st := range s.Set {
		in[st.Found] = true
	}
	for i, st := range s.All {
		if st.State == StateHidden && !in[st.Found] {
			s.All[i].State = StateVisible
			s.Set = append(s.Set, s.All[i])
		}
	}
}

// dropped lists the skills that are out of the model's reach, in the order of
// the catalogue.
func (s *Selection) dropped() []Dropped {
	var out []Dropped
	for _, st := range s.All {
		if st.State != StateVisible {
			out = append(out, Dropped{Name: st.Name, Reason: Drop(st.State), Path: st.Path})
		}
	}
	return out
}
