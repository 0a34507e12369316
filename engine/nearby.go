package engine

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/promptc/promptc/engine/diag"
	"github.com/promptc/promptc/engine/skill"
)

// unknown is the answer for a name that nobody has.
func (x *explainer) unknown(name string) Explanation {
	x.out = Explanation{Name: name, Near: []string{}, Files: []Alike{}}
	var known []string
	for _, f := range x.job.Catalog.Found {
		known = append(known, f.Name)
	}
	x.out.Near = append(x.out.Near, diag.NearestN(name, known, 3)...)
	step := x.fail(StepRoot, "no skill is named %q in the roots: %s", name, x.roots())
	x.alike(name)
	switch {
	case len(x.out.Near) > 0:
		step.fix("did you mean %q? `promptc skills` lists all", x.out.Near[0])
	case len(x.out.Files) > 0:
		step.fix("look at %s: %s", ShellWord(x.out.Files[0].Path), x.out.Files[0].Reason)
	default:
		step.fix("name the directory that holds it with --extra-root; `promptc skills` lists what is there")
	}
	return x.out
}

// mostAlike bounds Explanation.Files.
const mostAlike = 8

// alike gathers the files that may be meant: those near by name or directory, and
// whatever was passed over under such a name.
func (x *explainer) alike(name string) {
	near := func(names ...string) bool { return len(diag.NearestN(skill.Key(name), names, 1)) > 0 }
	add := func(a Alike) {
		known := slices.ContainsFunc(x.out.Files, func(o Alike) bool { return o.Path == a.Path })
		if !known && len(x.out.Files) < mostAlike {
			x.out.Files = append(x.out.Files, a)
		}
	}
	for _, f := range x.Missed {
		if near(skill.Key(f.Name), skill.Key(filepath.Base(f.Dir))) {
			add(Alike{f.Name, f.Path, f.Reason})
		}
	}
	for _, d := range slices.Concat(x.Problems, x.job.Catalog.Diagnostics) {
		if d.File == "" || !passedOver(d.Code) {
			continue
		}
		for _, n := range []string{strings.TrimSuffix(filepath.Base(d.File), filepath.Ext(d.File)), filepath.Base(filepath.Dir(d.File))} {
			if near(skill.Key(n)) {
				add(Alike{n, d.File, d.Message})
			}
		}
	}
	for _, s := range x.Strays {
		if near(skill.Key(s.Name), skill.Key(filepath.Base(s.Dir))) {
			add(Alike{s.Name, s.Path, fmt.Sprintf("it lies in no root (%s)", cmp.Or(s.Whose, "no agent's directory"))})
		}
	}
}

// passedOver says whether a diagnostic of a place means that what lies there was
// not taken for a skill.
func passedOver(c diag.Code) bool {
	return slices.Contains([]diag.Code{diag.WrongFileName, diag.SkippedDirectory, diag.NotALink, diag.LinkLoop, diag.LinkDangling, diag.LinkOutside, diag.ScanBound}, c)
}
