package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/promptc/promptc/engine"
	"github.com/promptc/promptc/engine/agent"
	"github.com/promptc/promptc/engine/link"
	"github.com/promptc/promptc/engine/skill"
)

// maxChecked is how many files of a skill are looked at one by one.
const maxChecked = 200

// question reads what link.Check judges: what lies behind the links, and what the
// agent has by itself.
// Whole is for --check: it looks at everything that might matter, and else at what
// lies behind the links only.
func (a *app) question(ctx context.Context, job *engine.Job, p *engine.Prompt, set link.Set, results []link.Result, whole bool) (link.Question, error) {
	q := link.Question{
		Facts: job.Facts.Of(job.Spec.AgentVersion), Headless: job.Spec.Headless,
		Workspace: job.Spec.Workspace.Dir, Place: p.Place, Launch: p.Launch,
		Wants: set.Wants, Results: results, Sources: map[string]link.Source{}, Command: callOf(os.Args),
	}
	var nested []*skill.Found
	if whole {
		nested, _ = job.Catalog.Search(ctx)
	}
	for _, w := range set.Wants {
		i := slices.IndexFunc(job.Catalog.Found, func(f *skill.Found) bool { return f.Dir == w.Target })
		if i < 0 {
			continue
		}
		src, err := sourceOf(ctx, job.Catalog.Found[i], q.Workspace)
		if err != nil {
			return q, err
		}
		for _, n := range nested {
			if n.Form.InSkill && strings.HasPrefix(n.Path, w.Target+string(filepath.Separator)) {
				src.Nested = append(src.Nested, *n)
			}
		}
		q.Sources[w.Target] = src
	}
	if !whole {
		return q, nil
	}
	own, err := a.own(ctx, job, q.Facts, results)
	q.Own = own
	return q, err
}

func sourceOf(ctx context.Context, f *skill.Found, workspace string) (link.Source, error) {
	src := link.Source{Found: *f, Inside: reallyInside(workspace, f.Dir)}
	files, _, err := f.Files(ctx, maxChecked)
	if err != nil && ctx.Err() != nil {
		return src, err
	}
	for _, file := range files {
		src.Files = append(src.Files, file.Path)
	}
	leading, err := f.Links(ctx)
	if err != nil && ctx.Err() != nil {
		return src, err
	}
	for _, d := range leading {
		rel, err := filepath.Rel(f.Dir, d.File)
		if err != nil {
			continue
		}
		rel = filepath.ToSlash(rel)
		src.Outside = append(src.Outside, rel)
		if !slices.Contains(src.Files, rel) {
			src.Files = append(src.Files, rel)
		}
	}
	slices.Sort(src.Files)
	return src, nil
}

// reallyInside says whether dir lies in the workspace once links are followed.
func reallyInside(workspace, dir string) bool {
	w, err := filepath.EvalSymlinks(workspace)
	if err != nil {
		return false
	}
	d, err := filepath.EvalSymlinks(dir)
	if err != nil {
		return false
	}
	return inside(d, w)
}

// own are the skills in the agent's own directories that promptc did not put there.
func (a *app) own(ctx context.Context, job *engine.Job, facts agent.Facts, results []link.Result) ([]skill.Found, error) {
	roots := facts.Roots(agent.Env{Workspace: job.Spec.Workspace.Dir, Home: a.env.Home, Lookup: a.env.Lookup, Exists: func(p string) bool {
		_, err := os.Lstat(p)
		return err == nil
	}})
	for i := range roots {
		roots[i].Trusted, roots[i].Home = true, a.env.Home
	}
	catalog, err := skill.Discover(ctx, roots)
	if err != nil {
		return nil, err
	}
	var out []skill.Found
	for _, f := range catalog.Found {
		if f.Form.Depth > 0 && !slices.ContainsFunc(results, func(r link.Result) bool { return r.Path == f.Dir && r.Outcome != link.Conflict }) {
			out = append(out, *f)
		}
	}
	return out, nil
}

// callOf is a call of link with its flags, without those that only say what is done
// or shown.
func callOf(args []string) string {
	words := []string{"promptc", "link"}
	for _, arg := range args[min(2, len(args)):] {
		switch arg {
		case "--check", "--verify", "--dry-run", "--json", "--apply", "--quiet", "--verbose":
		default:
			words = append(words, engine.ShellWord(arg))
		}
	}
	return strings.Join(words, " ")
}

// printAnswer writes one row a skill, then what stands in the way.
func (a *app) printAnswer(x link.Answer) {
	version := x.Version
	if version == "" {
		version = "no version was measured"
	}
	mode := "somebody can be asked"
	if x.Headless {
		mode = "headless"
	}
	fmt.Fprintf(a.out, "check of %s (%s, %s)\n", x.Agent, version, mode)
	longest := len("skill")
	for _, s := range x.Skills {
		longest = max(longest, columns(s.Name))
	}
	pad := func(s string) string { return s + strings.Repeat(" ", max(0, longest-columns(s))) }
	fmt.Fprintf(a.out, "  %s  listed   activated  files\n", pad("skill"))
	for _, s := range x.Skills {
		fmt.Fprintf(a.out, "  %s  %-7s  %-9s  %s\n", pad(s.Name), s.Listed, s.Activated, s.Readable)
	}
	said := map[string]bool{}
	for _, s := range x.Skills {
		for _, step := range s.Steps {
			line := fmt.Sprintf("  %s: %s: %s", step.OK, step.Step, step.Detail)
			if step.OK == agent.Yes || said[line] {
				continue
			}
			said[line] = true
			fmt.Fprintf(a.out, "%s\n", line)
			if step.Fix != "" {
				fmt.Fprintf(a.out, "      → %s\n", step.Fix)
			}
		}
	}
	for _, e := range x.Extras {
		fmt.Fprintf(a.out, "  also there: %s: %s\n      → %s\n", e.Name, e.Reason, e.Fix)
	}
}
