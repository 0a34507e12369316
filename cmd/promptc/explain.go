package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/promptc/promptc/engine"
	"github.com/promptc/promptc/engine/diag"
	"github.com/promptc/promptc/engine/format"
	"github.com/promptc/promptc/engine/skill"
)

// codePrefix says that a code is meant, whatever skill has that name.
const codePrefix = "code:"

// explanation is what `explain NAME --json` prints: the skill that the name means,
// and the others that have it.
type explanation struct {
	engine.Explanation
	Others []engine.Explanation `json:"others"`
}

func (a *app) explainCommand() *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use:   "explain NAME | CODE",
		Short: "Say why the model sees a skill or does not, or what a code means",
		Long: "Say step by step why the model sees a skill or does not under a spec, with what to do about the first step that fails;\n" +
			"or say what a diagnostic code means. A skill of that name goes before a code; " + codePrefix + "CODE is always the code.",
		Example: `  promptc explain release-notes --spec examples/specs/index.yaml
  promptc explain skill-shadowed`,
		Args:      cobra.ExactArgs(1),
		ValidArgs: diag.Codes(),
	}
	f := a.specFlags(c)
	c.Flags().BoolVar(&asJSON, "json", false, "for programs")
	c.RunE = func(c *cobra.Command, args []string) error {
		name := args[0]
		if code, ok := strings.CutPrefix(name, codePrefix); ok {
			row, ok := diag.Lookup(diag.Code(code))
			if !ok {
				return noCode(c, code)
			}
			return a.explainCode(row, asJSON)
		}
		row, isCode := diag.Lookup(diag.Code(name))
		job, err := a.explainJob(c, f)
		if isCode && (err != nil || !has(job.Catalog, name)) {
			return a.explainCode(row, asJSON)
		}
		if err != nil {
			return err
		}
		if isCode {
			a.note("%s is the name of a skill and a code; `promptc explain %s%s` explains the code", name, codePrefix, name)
		}
		return a.explainSkill(c, job, name, asJSON)
	}
	return c
}

func (a *app) explainJob(c *cobra.Command, f *specFlags) (*engine.Job, error) {
	spec, err := a.loadSpec(f)
	if err != nil {
		return nil, err
	}
	return a.job(c.Context(), f, spec)
}

func has(catalog *skill.Catalog, name string) bool {
	return slices.ContainsFunc(catalog.Found, func(f *skill.Found) bool { return skill.Key(f.Name) == skill.Key(name) })
}

func noCode(c *cobra.Command, code string) error {
	if near := diag.Nearest(code, diag.Codes()); near != "" {
		return usage(c, "no code %q; did you mean %q?", code, near)
	}
	return usage(c, "no code %q; codes are %s", code, strings.Join(diag.Codes(), ", "))
}

func (a *app) explainSkill(c *cobra.Command, job *engine.Job, name string, asJSON bool) error {
	ctx := c.Context()
	prompt, err := engine.Build(ctx, job)
	if err != nil {
		return err
	}
	e := &engine.Evidence{Prompt: prompt}
	e.Missed, e.Problems = job.Catalog.Search(ctx)
	if !has(job.Catalog, name) {
		if e.Strays, err = a.strays(ctx, job); err != nil {
			return err
		}
		e.Problems.Add(bare(job.Catalog, name)...)
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	list, known := engine.Explain(job, e, name)
	if asJSON {
		err = format.Encode(a.out, explanation{list[0], listed(list[1:])})
	} else {
		a.printExplanations(list, known, job, prompt)
	}
	if err != nil {
		return err
	}
	if !known {
		return a.unknown(unknownName(list[0], name))
	}
	return a.finish(prompt.Diagnostics.Errors())
}

// unknownName is the diagnostic for a name that neither a skill nor a code has.
func unknownName(e engine.Explanation, name string) diag.Diagnostic {
	d := diag.New(diag.UnknownSkill, diag.Pos{}, "no skill is named %q", name)
	if near := diag.Nearest(name, diag.Codes()); near != "" && len(e.Near)+len(e.Files) == 0 {
		return d.WithHint("did you mean %q? that is a code", near)
	}
	return d.WithHint("%s", e.Steps[0].Fix)
}

func (a *app) printExplanations(list []engine.Explanation, known bool, job *engine.Job, p *engine.Prompt) {
	style := a.style()
	under := "for " + job.Agent.ID
	if p.Strategy != "" {
		under = p.Strategy + " for " + job.Agent.ID
	}
	for i, e := range list {
		if i > 0 {
			fmt.Fprintln(a.out)
		}
		switch {
		case !known:
			fmt.Fprintf(a.out, "%s: no skill has this name\n", style.Bold(format.Visible(e.Name)))
		case e.Seen:
			fmt.Fprintf(a.out, "%s: %s %s\n", style.Bold(format.Visible(e.Name)), style.Good("the model sees it"), style.Dim("("+under+")"))
		default:
			first := e.Steps[slices.IndexFunc(e.Steps, func(s engine.Step) bool { return !s.OK })]
			fmt.Fprintf(a.out, "%s: %s %s\n", style.Bold(format.Visible(e.Name)), style.Bad("the model does not see it, because of: "+first.Step), style.Dim("("+under+")"))
		}
		if e.Path != "" {
			fmt.Fprintf(a.out, "%s\n", style.Dim(format.Visible(e.Path)))
		}
		a.printSteps(e.Steps)
		a.printAlike(e)
	}
}

// printSteps writes a line for each step; the first one that failed is pointed at.
func (a *app) printSteps(steps []engine.Step) {
	style := a.style()
	const label = 11
	const left = 4 + label + 2 // arrow, mark, label
	failed := false
	for _, s := range steps {
		mark := style.Good("✓")
		arrow := "  "
		if !s.OK {
			mark = style.Bad("✗")
			if !failed {
				arrow = style.Bad("▶ ")
			}
			failed = true
		}
		fmt.Fprintf(a.out, "%s%s %s  %s\n", arrow, mark, pad(s.Step, label), hang(s.Detail, left, a.width()))
		if s.Fix != "" {
			fmt.Fprintf(a.out, "%s→ %s\n", strings.Repeat(" ", left), hang(s.Fix, left+2, a.width()))
		}
	}
}

func (a *app) printAlike(e engine.Explanation) {
	if len(e.Near) > 1 {
		fmt.Fprintf(a.out, "\nnear to it: %s\n", format.Visible(strings.Join(e.Near, ", ")))
	}
	if len(e.Files) == 0 {
		return
	}
	fmt.Fprintln(a.out, "\non disk, and no skill here:")
	for _, f := range e.Files {
		fmt.Fprintf(a.out, "  %s\n    %s\n", format.Visible(f.Path), hang(f.Reason, 4, a.width()))
	}
}

func (a *app) explainCode(row diag.Row, asJSON bool) error {
	if asJSON {
		return format.Encode(a.out, map[string]any{
			"code": row.Code, "severity": row.Severity, "summary": row.Summary, "text": row.Text, "hint": row.Hint,
		})
	}
	style := a.style()
	_, err := fmt.Fprintf(a.out, "%s  %s\n\n%s.\n\n%s\n\nWhat to do: %s.\n",
		style.Bold(string(row.Code)), style.Dim("("+row.Severity.String()+")"), upper(row.Summary), hang(row.Text, 0, 78), row.Hint)
	return err
}

func upper(s string) string { return strings.ToUpper(s[:1]) + s[1:] }
