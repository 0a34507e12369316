// Package lint checks skills against the open standard and against what went wrong
// in the field.
//
// Check reads what a catalogue found and returns a Report; Fix writes the repairs
// that skill.Fix proposes. A rule is a row in rules.go, a check beside it, and a row
// in the table of diag, which says what the rule is for and how severe it is: what
// keeps a skill from loading is an error, what the standard forbids a warning, what
// is a matter of style an info.
package lint

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"slices"

	"github.com/promptc/promptc/engine/agent"
	"github.com/promptc/promptc/engine/diag"
	"github.com/promptc/promptc/engine/skill"
)

// Options say what to check and how.
type Options struct {
	Count  func(text string) int // tokens of a text; nil: they are not counted
	Off    []diag.Code           // rules that are switched off
	Strict bool                  // warnings become errors
	Agents []agent.Facts         // whose fates are wanted
	Window int                   // tokens that their models hold, for their lists' budgets; 0: DefaultWindow
	Linked []string              // roots that are links to directories, by their Dir
}

// Report is what Check found. Its lists are never nil.
type Report struct {
	Files       []File            `json:"files"`
	Diagnostics []diag.Diagnostic `json:"diagnostics"`
	Fates       []agent.Fate      `json:"fates"` // skill by skill, in the order of Options.Agents
}

// File is one skill file that was checked.
type File struct {
	Path     string       `json:"path"` // absolute
	Name     string       `json:"name"` // of the skill, by promptc's reading
	Status   skill.Status `json:"status"`
	Lines    int          `json:"lines"`  // of the body
	Tokens   int          `json:"tokens"` // of the body; 0 where they are not counted
	Errors   int          `json:"errors"`
	Warnings int          `json:"warnings"`
	Infos    int          `json:"infos"`
	Fixed    []Change     `json:"fixed"` // by --fix, or what it would do
}

// Change is one place that a fix rewrites.
type Change struct {
	Line   int    `json:"line"`
	Column int    `json:"column"` // in runes
	Old    string `json:"old"`
	New    string `json:"new"`
}

// Check looks at every skill file of c, also at those that lie or are named so that
// no root loads them. One file never costs another; the error is that of ctx.
func Check(ctx context.Context, c *skill.Catalog, opts Options) (*Report, error) {
	missed, problems := c.Search(ctx)
	r := &Report{Files: []File{}, Diagnostics: []diag.Diagnostic{}, Fates: []agent.Fate{}}
	var out diag.List
	out.Add(c.Diagnostics...)
	out.Add(problems...)
	out.Add(empty(c, missed)...)
	all := unique(append(slices.Clone(c.Found), missed...))
	for _, f := range all {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		p := newPage(ctx, f, opts.Count)
		p.check(ctx)
		out.Add(p.out...)
		r.Files = append(r.Files, File{Path: f.Path, Name: f.Name, Status: f.Status, Lines: p.bodyLines(), Tokens: p.tokens, Fixed: []Change{}})
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	out.Add(r.fates(c, all, opts)...)
	r.Diagnostics = settle(out, opts)
	r.count()
	return r, nil
}

// unique keeps one of the finds of a file that was reached in two ways, and sorts
// by path.
func unique(found []*skill.Found) []*skill.Found {
	slices.SortStableFunc(found, func(a, b *skill.Found) int { return cmp.Compare(a.Path, b.Path) })
	return slices.CompactFunc(found, func(a, b *skill.Found) bool { return a.Path == b.Path })
}

// empty says below which roots there is nothing to check.
func empty(c *skill.Catalog, missed []*skill.Found) (out diag.List) {
	for i, r := range c.Roots {
		if r.State == skill.RootEmpty && !slices.ContainsFunc(missed, func(f *skill.Found) bool { return f.Root == i }) {
			out.Add(diag.New(diag.NoSkills, diag.At(r.Dir), "there is no skill file below %s", r.Dir))
		}
	}
	return out
}

// settle gives each diagnostic its severity, drops what is switched off and what is
// said twice, and sorts by place.
func settle(found diag.List, opts Options) []diag.Diagnostic {
	out := []diag.Diagnostic{}
	for _, d := range found {
		if slices.Contains(opts.Off, d.Code) {
			continue
		}
		if slices.Contains(raised, d.Code) && d.Severity == diag.Warning || opts.Strict && d.Severity == diag.Warning {
			d.Severity = diag.Error
		}
		out = append(out, d)
	}
	slices.SortStableFunc(out, func(a, b diag.Diagnostic) int {
		return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column), cmp.Compare(a.Code, b.Code), cmp.Compare(a.Message, b.Message))
	})
	return slices.Compact(out)
}

// count adds up the diagnostics of each file: those in other files of a skill too.
func (r *Report) count() {
	for i := range r.Files {
		f := &r.Files[i]
		dir := filepath.Dir(f.Path) + string(filepath.Separator)
		for _, d := range r.Diagnostics {
			if d.File != f.Path && (len(d.File) <= len(dir) || d.File[:len(dir)] != dir || r.nearer(d.File, dir)) {
				continue
			}
			switch d.Severity {
			case diag.Error:
				f.Errors++
			case diag.Warning:
				f.Warnings++
			default:
				f.Infos++
			}
		}
	}
}

// nearer reports whether path lies in a skill below dir.
func (r *Report) nearer(path, dir string) bool {
	return slices.ContainsFunc(r.Files, func(f File) bool {
		d := filepath.Dir(f.Path) + string(filepath.Separator)
		return len(d) > len(dir) && len(path) > len(d) && path[:len(d)] == d
	})
}

// Err is nil unless the report holds a diagnostic of severity error.
func (r *Report) Err() error { return diag.List(r.Diagnostics).Err() }

// Summary counts the findings in words.
func (r *Report) Summary() string {
	n := map[diag.Severity]int{}
	for _, d := range r.Diagnostics {
		n[d.Severity]++
	}
	return fmt.Sprintf("%s, %s, %s in %s", counted(n[diag.Error], "error"), counted(n[diag.Warning], "warning"), counted(n[diag.Info], "note"), counted(len(r.Files), "skill file"))
}

func counted(n int, one string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %ss", n, one)
}
