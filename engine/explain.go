package engine

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/promptc/promptc/engine/diag"
	"github.com/promptc/promptc/engine/skill"
)

// Explanation says step by step why a model sees a skill under a spec, or why it
// does not.
type Explanation struct {
	Name  string `json:"name"` // as the skill has it; where nobody has the name, as it was asked for
	Path  string `json:"path"` // its skill file; "" where nobody has the name
	Seen  bool   `json:"seen"` // every step is OK
	Steps []Step `json:"steps"`

	Near  []string `json:"near"`  // where nobody has the name: the nearest ones, the best first
	Files []Alike  `json:"files"` // and what lies on disk that may be meant
}

// Step is one question on the way from the disk to the model. The first one that
// is not OK is why the skill is not seen.
type Step struct {
	Step   string `json:"step"`   // root, depth, file-name ...
	OK     bool   `json:"ok"`     // false: this keeps the skill from the model
	Detail string `json:"detail"` // what is so
	Fix    string `json:"fix"`    // what to do about it; where OK, what would be better, or ""
}

// Alike is a place on disk that somebody who asked for a name may mean.
type Alike struct {
	Name   string `json:"name"`
	Path   string `json:"path"`
	Reason string `json:"reason"` // why it is no skill here
}

// The steps, in their order.
const (
	StepRoot        = "root"
	StepDepth       = "depth"
	StepFile        = "file-name"
	StepParsed      = "parsed"
	StepName        = "name"
	StepDescription = "description"
	StepShadowing   = "shadowing"
	StepTrust       = "trust"
	StepEnabled     = "enabled"
	StepVisible     = "visible"
	StepStrategy    = "strategy"
	StepBudget      = "budget"
	StepAgent       = "agent"
)

// Evidence is what Explain goes by besides the job. It was all gathered before:
// Explain reads nothing.
type Evidence struct {
	Prompt   *Prompt        // what Build made of the job
	Missed   []*skill.Found // below a root and not loaded, from Catalog.Search
	Strays   []Stray        // in none of the roots
	Problems diag.List      // what was said while Missed and Strays were looked for
}

// Stray is a skill outside of all roots.
type Stray struct {
	*skill.Found
	Whose string // who looks there, as "a directory of gemini-cli"; "" nobody is known to
}

// Explain says of every skill that has the name what became of it, the one that the
// name means first. A skill's directory counts as its name where no skill has that.
// Where there is none either, found is false, and the only Explanation says what is
// near.
func Explain(job *Job, e *Evidence, name string) (out []Explanation, found bool) {
	x := explainer{job: job, Evidence: e}
	for _, named := range []func(*skill.Found) string{
		func(f *skill.Found) string { return f.Name },
		func(f *skill.Found) string { return filepath.Base(f.Dir) },
	} {
		is := func(f *skill.Found) bool { return skill.Key(named(f)) == skill.Key(name) }
		for _, f := range job.Catalog.Found {
			if is(f) {
				out = append(out, x.explain(f, ""))
			}
		}
		// The one that the name means is the one that is used.
		slices.SortStableFunc(out, func(a, b Explanation) int { return cmp.Compare(x.rank(a.Path), x.rank(b.Path)) })
		for _, f := range e.Missed {
			if is(f) {
				out = append(out, x.explain(f, ""))
			}
		}
		for _, s := range e.Strays {
			if len(out) == 0 && is(s.Found) {
				out = append(out, x.explain(s.Found, cmp.Or(s.Whose, "no agent's directory")))
			}
		}
		if len(out) > 0 {
			return out, true
		}
	}
	return []Explanation{x.unknown(name)}, false
}

type explainer struct {
	*Evidence
	job *Job

	found *skill.Found // the skill that is being explained
	out   Explanation
}

func (x *explainer) rank(path string) int {
	i := slices.IndexFunc(x.job.Catalog.Found, func(f *skill.Found) bool { return f.Path == path && f.Status == skill.Loaded })
	if i >= 0 {
		return 0
	}
	return 1
}

func (x *explainer) ok(step, format string, args ...any) *Step {
	return x.add(step, true, fmt.Sprintf(format, args...))
}

func (x *explainer) fail(step, format string, args ...any) *Step {
	return x.add(step, false, fmt.Sprintf(format, args...))
}

func (x *explainer) add(step string, ok bool, detail string) *Step {
	x.out.Steps = append(x.out.Steps, Step{Step: step, OK: ok, Detail: detail})
	return &x.out.Steps[len(x.out.Steps)-1]
}

func (s *Step) fix(format string, args ...any) { s.Fix = fmt.Sprintf(format, args...) }

// explain goes through the steps. What hangs on a step that failed is left out.
// Stray is whose directory the skill lies in where that is no root, else "".
func (x *explainer) explain(f *skill.Found, stray string) Explanation {
	x.found = f
	x.out = Explanation{Name: f.Name, Path: f.Path, Near: []string{}, Files: []Alike{}}
	if stray != "" {
		holder := filepath.Dir(f.Dir)
		x.fail(StepRoot, "it lies in %s (%s), which is not among the roots: %s", holder, stray, x.roots()).
			fix("add --extra-root %s, or extra_roots in the spec", ShellWord(holder))
		x.file()
	} else {
		root := x.job.Catalog.Roots[f.Root]
		x.ok(StepRoot, "%s (%s, %s) is a root", root.Dir, root.Scope, root.Source)
		x.depth(root)
		x.file()
	}
	x.parsed()
	x.named()
	if stray == "" {
		x.selected()
		x.agent()
	}
	x.out.Seen = !slices.ContainsFunc(x.out.Steps, func(s Step) bool { return !s.OK })
	return x.out
}

// roots lists the roots with their states.
func (x *explainer) roots() string {
	var list []string
	for _, r := range x.job.Catalog.Roots {
		state := string(r.State)
		if r.State == skill.RootOK {
			state = counted(r.Skills, "skill")
		}
		list = append(list, fmt.Sprintf("%s (%s)", r.Dir, state))
	}
	if len(list) == 0 {
		return "there are none"
	}
	return strings.Join(list, ", ")
}

func counted(n int, one string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %ss", n, one)
}

func (x *explainer) depth(root skill.RootReport) {
	f, limit := x.found, max(1, root.Depth)
	target := filepath.Join(root.Dir, filepath.Base(f.Dir))
	switch {
	case f.Status != skill.Missed && f.Form.Depth == 0:
		x.ok(StepDepth, "the root is the skill itself")
	case f.Status != skill.Missed:
		x.ok(StepDepth, "depth %d, the limit is %d", f.Form.Depth, limit)
	case f.Form.InSkill:
		x.fail(StepDepth, "%s; what lies inside of a skill is a file of it", f.Reason).fix("mv %s %s", ShellWord(f.Dir), ShellWord(target))
	case f.Form.Depth > limit:
		step := x.fail(StepDepth, "%s", f.Reason)
		if f.Form.Depth > 6 {
			step.fix("mv %s %s", ShellWord(f.Dir), ShellWord(target))
		} else {
			step.fix("add --depth %d, or depth: %d to the root in the spec, or mv %s %s", f.Form.Depth, f.Form.Depth, ShellWord(f.Dir), ShellWord(target))
		}
	case exactName(f):
		x.fail(StepDepth, "%s", f.Reason).fix("name a more precise root: --root %s", ShellWord(filepath.Dir(f.Dir)))
	default:
		x.ok(StepDepth, "depth %d, the limit is %d", f.Form.Depth, limit)
	}
}

func exactName(f *skill.Found) bool {
	return f.Form.FileName == "SKILL.md" || f.Form.FileName == "skill.md"
}

func (x *explainer) file() {
	f := x.found
	right := filepath.Join(f.Dir, "SKILL.md")
	switch {
	case !exactName(f):
		x.fail(StepFile, "%s is named %s; only SKILL.md is looked for", f.Path, f.Form.FileName).fix("mv %s %s", ShellWord(f.Path), ShellWord(right))
	case f.Form.FileName != "SKILL.md":
		x.ok(StepFile, "%s, which is read as well; most agents look for SKILL.md only", f.Form.FileName).fix("mv %s %s", ShellWord(f.Path), ShellWord(right))
	case f.Form.LinkedFile:
		x.ok(StepFile, "SKILL.md, a link into %s", cmp.Or(f.Form.Target, "nowhere"))
	case f.Form.LinkedDir:
		x.ok(StepFile, "SKILL.md, behind a link to %s", f.Form.Target)
	default:
		x.ok(StepFile, "SKILL.md")
	}
}

// parsed says as what the file was read, with all that was found in it.
func (x *explainer) parsed() {
	f := x.found
	if d, broken := brokenBy(f); broken {
		reason := d.Message
		if f.Status == skill.Broken {
			reason = f.Reason
		}
		step := x.fail(StepParsed, "%s", notes(reason, f.Problems))
		step.Fix = cmp.Or(d.Hint, "correct "+f.Path)
		if i := slices.IndexFunc(f.Problems, func(d diag.Diagnostic) bool { return d.Code == diag.YAMLLost }); i >= 0 {
			step.fix("correct %s", f.Problems[i].Where())
		}
		return
	}
	form := &f.Form
	how := map[skill.YAML]string{
		skill.ValidYAML:    "frontmatter of valid YAML",
		skill.RepairedYAML: "frontmatter that is YAML after a repair",
		skill.LinesYAML:    "frontmatter that is not YAML, read line by line",
		skill.NoYAML:       "no frontmatter",
	}[form.YAML]
	if form.Fence && !form.Closed {
		how = fmt.Sprintf("no frontmatter: the fence of line %d is never closed", form.FenceLine)
	}
	step := x.ok(StepParsed, "%s", notes(how, f.Problems))
	if i := slices.IndexFunc(f.Problems, aboutParsing); i >= 0 {
		step.Fix = f.Problems[i].Hint
		if form.YAML == skill.RepairedYAML || form.YAML == skill.LinesYAML {
			step.fix("promptc lint --fix %s", ShellWord(f.Path))
		}
	}
}

// brokenBy is the diagnostic that says why a skill cannot be loaded.
func brokenBy(f *skill.Found) (diag.Diagnostic, bool) {
	i := slices.IndexFunc(f.Problems, func(d diag.Diagnostic) bool { return d.Code == diag.SkillBroken || d.Code == diag.NotALink })
	if i < 0 {
		return diag.Diagnostic{}, f.Status == skill.Broken
	}
	return f.Problems[i], true
}

// aboutParsing says whether a diagnostic of a file belongs to its parsing and not
// to a step of its own.
func aboutParsing(d diag.Diagnostic) bool {
	return !slices.Contains([]diag.Code{diag.NameFallback, diag.DescriptionFallback, diag.FileNameCase, diag.WrongFileName, diag.SkillBroken, diag.LinkOutside}, d.Code)
}

// notes adds what was found in a file to a sentence about it, each with its place.
func notes(sentence string, problems diag.List) string {
	parts := []string{sentence}
	for _, d := range problems {
		if !aboutParsing(d) || d.Code == diag.YAMLLost && strings.Contains(d.Message, sentence) {
			continue
		}
		at := ""
		if d.Line > 0 {
			at = fmt.Sprintf("%d:%d: ", d.Line, max(1, d.Column))
		}
		parts = append(parts, fmt.Sprintf("%s%s [%s]", at, d.Message, d.Code))
	}
	return strings.Join(parts, "; ")
}

// named says where name and description come from.
func (x *explainer) named() {
	f := x.found
	from := map[skill.Origin]string{
		skill.FromFrontmatter: "from the frontmatter", skill.FromHeading: "from the first heading, since the frontmatter has none",
		skill.FromParagraph: "from the first paragraph, since the frontmatter has none", skill.FromDirectory: "from the directory",
		skill.FromDefault: "a fixed sentence, since neither frontmatter nor text has one",
	}
	dir := ""
	if base := filepath.Base(f.Dir); skill.Key(base) != skill.Key(f.Name) {
		dir = fmt.Sprintf("; its directory is %q", base)
	}
	name := x.ok(StepName, "%q, %s%s", f.Name, from[f.Form.NameFrom], dir)
	if f.Form.NameFrom != skill.FromFrontmatter {
		name.fix("add name: to the frontmatter of %s", f.Path)
	}
	description := x.ok(StepDescription, "%s, %s", from[f.Form.DescFrom], counted(utf8.RuneCountInString(f.Description), "character"))
	if f.Form.DescFrom != skill.FromFrontmatter {
		description.fix("add description: to the frontmatter of %s, saying what it does and when to use it", f.Path)
	}
}
