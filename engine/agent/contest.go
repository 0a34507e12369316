package agent

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/promptc/promptc/engine/skill"
)

// contest decides between skills of one name.
func contest(f *Facts, found []skill.Found, out []Fate) {
	var names []string
	byName := map[string][]int{}
	for i := range out {
		name := out[i].ListedName
		if !out[i].Outcome.Lives() || name == "" {
			continue
		}
		if byName[name] == nil {
			names = append(names, name)
		}
		byName[name] = append(byName[name], i)
	}
	for _, name := range names {
		if group := byName[name]; len(group) > 1 {
			compete(f, found, out, group)
		}
	}
}

// compete decides between the skills of group, which have one name.
func compete(f *Facts, found []skill.Found, out []Fate, group []int) {
	keeps, more := f.Twice.Keeps, ""
	if f.Twice.Note.Known() {
		more = " (" + f.Twice.Note.Value + ")"
	}
	duplicate := func(o Outcome, reason string) {
		for _, i := range group {
			out[i].Outcome, out[i].Reason = o, reason
			out[i].blame(keeps.Source)
		}
	}
	n := len(group)
	switch {
	case !keeps.Known():
		duplicate(FateUnknown, fmt.Sprintf("%d skills have this name, and it is not known which of them %s keeps", n, f.ID))
		return
	case keeps.Value == KeepsAll && !Is(f.Front.NameFrom, "directory"):
		duplicate(FateDuplicates, fmt.Sprintf("%s lists all %d skills of this name", f.ID, n))
		return
	case keeps.Value == KeepsOne:
		duplicate(FateDuplicates, fmt.Sprintf("%s keeps one of the %d skills of this name, and it is not known which", f.ID, n)+more)
		return
	case keeps.Value == KeepsNone:
		for _, i := range group {
			out[i].drop(FateDropped, fmt.Sprintf("%d skills have this name, which makes %s lose all skills", n, f.ID))
			out[i].blame(keeps.Source)
		}
		return
	}
	slices.SortStableFunc(group, func(a, b int) int {
		x, y := &found[a], &found[b]
		byPath := cmp.Compare(x.Path, y.Path)
		if keeps.Value == KeepsLast {
			byPath = -byPath
		}
		return cmp.Or(cmp.Compare(f.rank(x.Scope), f.rank(y.Scope)), cmp.Compare(x.Root, y.Root), byPath)
	})
	lost := FateSilent
	if Is(f.Twice.Says, Yes) {
		lost = FateDropped
	}
	for _, i := range group[1:] {
		out[i].drop(lost, fmt.Sprintf("%s keeps another skill of this name, %s", f.ID, found[group[0]].Path)+more)
		out[i].blame(keeps.Source)
	}
}

// rank orders scopes as the agent's own directories are ordered.
func (f *Facts) rank(s skill.Scope) int {
	dirs := f.Where.Dirs.Value
	if i := slices.IndexFunc(dirs, func(d Dir) bool { return d.Scope == s }); i >= 0 {
		return i
	}
	return len(dirs)
}

func (f *Fate) blame(s *Source) {
	if s != nil {
		f.Source, f.Version, f.Date = s.From, s.Version, s.Date
	}
}
