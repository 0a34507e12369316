package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/promptc/promptc/engine"
	"github.com/promptc/promptc/engine/diag"
	"github.com/promptc/promptc/engine/format"
	"github.com/promptc/promptc/engine/link"
)

type linkJSON struct {
	Place   engine.Place  `json:"place"`
	Results []link.Result `json:"results"`
	Launch  engine.Launch `json:"launch"`

	Check       *link.Answer       `json:"check,omitempty"`  // with --check or --verify
	Verify      *link.Verification `json:"verify,omitempty"` // with --verify
	Diagnostics []diag.Diagnostic  `json:"diagnostics"`
}

func (a *app) linkCommand() *cobra.Command {
	var asJSON, dryRun, check, verify bool
	c := &cobra.Command{
		Use:   "link",
		Short: "Make the links that the symlink strategy asks for",
		Long: `link makes the agent's skills directory hold exactly the skills of the set.

--check goes by the facts: for each skill whether this version of the agent will list
it, load it and read its files, why not, and what to do. --verify runs the agent's own
CLI, where it is installed and can list its skills without a model: in the workspace,
with an empty home directory and none of your variables but the path. What that program
writes into the workspace when it starts is its own.`,
		Example: `  promptc link --agent claude-code --root skills --workspace DIR --temporary
  promptc link --agent claude-code --root skills --dry-run
  promptc link --agent gemini-cli --root skills --check`,
	}
	f := a.specFlags(c)
	c.Flags().BoolVar(&dryRun, "dry-run", false, "say what would be done, and do nothing")
	c.Flags().BoolVar(&check, "check", false, "say for each skill whether the agent will list it, load it and read its files; makes no link")
	c.Flags().BoolVar(&verify, "verify", false, "then run the agent's own list of skills in the workspace and compare; with --check it makes no link")
	c.Flags().BoolVar(&asJSON, "json", false, "for programs")
	c.RunE = func(c *cobra.Command, _ []string) error {
		if verify && dryRun {
			return usage(c, "--verify asks the agent what it lists, and --dry-run makes nothing that it could list; use --check --verify for what is there")
		}
		dryRun = dryRun || check
		if err := a.temporaryWorkspace(c, f, !dryRun); err != nil {
			return err
		}
		defer f.clean()
		job, p, err := a.linkPlan(c, f)
		if err != nil {
			return err
		}
		set, err := a.linkSet(job, p, f)
		if err != nil {
			return err
		}
		run := link.Apply
		if dryRun {
			run = link.Plan
		}
		report, err := run(c.Context(), set)
		if report == nil {
			return err
		}
		list := slices.Concat(p.Diagnostics, report.Diagnostics)
		q, qerr := a.question(c.Context(), job, p, set, report.Results, check || verify)
		if qerr != nil {
			return errors.Join(err, qerr)
		}
		answer := link.Check(q)
		list.Add(answer.Diagnostics...)
		out := linkJSON{Place: p.Place, Results: listed(report.Results), Launch: format.Launch(p.Launch)}
		if check || verify {
			out.Check = &answer
		}
		if verify && err == nil {
			v, found := a.verify(c.Context(), q)
			out.Verify = &v
			list.Add(found...)
		}
		if asJSON {
			out.Diagnostics = listed([]diag.Diagnostic(list))
			if err := format.Encode(a.out, out); err != nil {
				return err
			}
		} else {
			a.printResults(report.Results)
			a.printLaunch(p.Launch)
			if check || verify {
				a.printAnswer(answer)
			}
			if out.Verify != nil {
				a.printVerification(*out.Verify)
			}
			if dryRun {
				a.note("nothing was changed: this is what would be done")
			}
		}
		return errors.Join(err, a.finish(list))
	}
	return c
}

// linkPlan builds the prompt of the symlink strategy, whatever the spec says.
func (a *app) linkPlan(c *cobra.Command, f *specFlags) (*engine.Job, *engine.Prompt, error) {
	if f.strategy == "" {
		f.strategy = "symlink"
		if err := c.Flags().Set("strategy", f.strategy); err != nil {
			return nil, nil, err
		}
	}
	job, p, err := a.build(c.Context(), f, false)
	if err != nil {
		return nil, nil, err
	}
	list := slices.Clone(p.Diagnostics)
	if p.Place.Dir == "" && p.Err() == nil {
		d := diag.New(diag.PlaceMissing, job.Spec.At("strategy.name"), "there is nothing to link: %q delivers the skills, and makes no links", p.Strategy)
		list.Add(d.WithHint("use `promptc render`, or allow links with --temporary or --into-workspace and the strategy symlink"))
	}
	if list.Err() != nil {
		return nil, nil, a.finish(list)
	}
	return job, p, nil
}

func (a *app) linkSet(job *engine.Job, p *engine.Prompt, f *specFlags) (link.Set, error) {
	state, err := a.stateDir()
	if err != nil {
		return link.Set{}, err
	}
	set := link.Of(p)
	set.State, set.Home = state, a.env.Home
	set.Session = a.session(job)
	set.Into = job.Spec.Workspace.Into
	set.Fresh = f.fresh
	return set, nil
}

// apply makes the links of a prompt that was rendered.
func (a *app) apply(ctx context.Context, job *engine.Job, p *engine.Prompt, f *specFlags) error {
	set, err := a.linkSet(job, p, f)
	if err != nil {
		return err
	}
	report, err := link.Apply(ctx, set)
	if report == nil {
		return err
	}
	q, qerr := a.question(ctx, job, p, set, report.Results, false)
	if qerr != nil {
		return errors.Join(err, qerr)
	}
	return errors.Join(err, a.finish(slices.Concat(report.Diagnostics, link.Check(q).Diagnostics)))
}

func (a *app) printResults(results []link.Result) {
	longest := 0
	for _, r := range results {
		longest = max(longest, columns(r.Name))
	}
	for _, r := range results {
		line := fmt.Sprintf("%-8s  %s%s  %s", r.Outcome, r.Name, strings.Repeat(" ", longest-columns(r.Name)), r.Path)
		if r.Target != "" {
			line += " → " + r.Target
		}
		if r.Reason != "" {
			line += "  (" + r.Reason + ")"
		}
		fmt.Fprintln(a.out, format.Visible(line))
	}
}

func (a *app) printLaunch(l engine.Launch) {
	if l.Empty() {
		return
	}
	fmt.Fprintln(a.out, "launch the agent with:")
	for _, line := range format.LaunchLines(l) {
		fmt.Fprintf(a.out, "  %s\n", line)
	}
}

func (a *app) unlinkCommand() *cobra.Command {
	var asJSON, dryRun, orphans bool
	var age time.Duration
	c := &cobra.Command{
		Use:   "unlink",
		Short: "Remove the links that promptc made, and nothing else",
		Long:  "unlink --workspace DIR removes what promptc made there for every agent and session;\nunlink --session ID removes that session's; unlink with the flags of link removes what\nthat link made, also where the skills are gone; unlink --orphans removes what belongs to nothing any more.",
	}
	f := a.specFlags(c)
	c.Flags().BoolVar(&orphans, "orphans", false, "remove views that nothing used for --age, and manifests of places that are gone")
	c.Flags().DurationVar(&age, "age", 30*24*time.Hour, "how long a view must be unused to be an orphan")
	c.Flags().BoolVar(&dryRun, "dry-run", false, "say what would be done, and do nothing")
	c.Flags().BoolVar(&asJSON, "json", false, "for programs")
	c.RunE = func(c *cobra.Command, _ []string) error {
		state, err := a.stateDir()
		if err != nil {
			return err
		}
		all, damaged := link.Manifests(state)
		chosen, err := a.manifests(c, f, all, orphans, age)
		if err != nil {
			return err
		}
		out := linkJSON{Results: []link.Result{}, Launch: format.Launch(engine.Launch{}), Diagnostics: []diag.Diagnostic{}}
		run := link.Remove
		if dryRun {
			run = link.PlanRemove
		}
		for _, m := range chosen {
			report, rerr := run(c.Context(), state, m)
			err = errors.Join(err, rerr)
			if report != nil {
				out.Place = report.Place
				out.Results = append(out.Results, report.Results...)
				out.Diagnostics = append(out.Diagnostics, report.Diagnostics...)
			}
		}
		if asJSON {
			if err := format.Encode(a.out, out); err != nil {
				return err
			}
		} else {
			a.printResults(out.Results)
			if len(out.Results) == 0 {
				a.note("there is nothing that promptc made")
			} else if dryRun {
				a.note("nothing was changed: this is what would be done")
			}
		}
		return errors.Join(err, damaged, a.finish(out.Diagnostics))
	}
	return c
}

// manifests picks those that the flags mean.
func (a *app) manifests(c *cobra.Command, f *specFlags, all []*link.Manifest, orphans bool, age time.Duration) ([]*link.Manifest, error) {
	pick := func(keep func(*link.Manifest) bool) []*link.Manifest {
		return slices.DeleteFunc(slices.Clone(all), func(m *link.Manifest) bool { return !keep(m) })
	}
	changed := c.Flags().Changed
	switch {
	case orphans:
		now := time.Now()
		return pick(func(m *link.Manifest) bool { return m.Orphan(now, age) }), nil
	case changed("agent") || changed("spec") || changed("root"):
	case changed("workspace"), changed("session"):
		dir := a.abs(f.workspace)
		return pick(func(m *link.Manifest) bool {
			return (!changed("workspace") || m.In(dir)) && (!changed("session") || m.Session == f.session)
		}), nil
	}
	return a.manifestsOf(c, f, pick)
}

// manifestsOf picks those that `link` with the same flags would write. No prompt
// is built: what was linked may be gone, and is to be unlinked all the same.
func (a *app) manifestsOf(c *cobra.Command, f *specFlags, pick func(func(*link.Manifest) bool) []*link.Manifest) ([]*link.Manifest, error) {
	spec, err := a.loadSpec(f)
	if err != nil {
		return nil, err
	}
	job, err := a.job(c.Context(), f, spec)
	if err != nil {
		return nil, err
	}
	session, workspace := a.session(job), job.Spec.Workspace.Dir
	return pick(func(m *link.Manifest) bool {
		return m.Session == session && (m.In(workspace) || job.View != "" && m.In(job.View))
	}), nil
}
