package main

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/promptc/promptc/engine"
	"github.com/promptc/promptc/engine/agent"
	"github.com/promptc/promptc/engine/diag"
	"github.com/promptc/promptc/engine/skill"
)

// strayDepth is how deep the workspace is looked through for skills outside of all
// roots; Discover's own bound ends the look in a large one.
const strayDepth = 6

// strays looks for skills outside of the job's roots: in the directories of every
// known agent, and in the workspace. It is for explaining, never for rendering.
func (a *app) strays(ctx context.Context, job *engine.Job) ([]engine.Stray, error) {
	own := make([]string, 0, len(job.Catalog.Roots))
	for _, r := range job.Catalog.Roots {
		own = append(own, r.Dir)
	}
	roots, whose := a.otherRoots(job, own)
	catalog, err := skill.Discover(ctx, roots)
	if err != nil {
		return nil, err
	}
	var out []engine.Stray
	for _, f := range catalog.Found {
		if slices.ContainsFunc(own, func(dir string) bool { return inside(f.Path, dir) }) ||
			slices.ContainsFunc(out, func(s engine.Stray) bool { return s.Path == f.Path }) {
			continue
		}
		out = append(out, engine.Stray{Found: f, Whose: whose[catalog.Roots[f.Root].Dir]})
	}
	return out, nil
}

// otherRoots are the directories in which agents look, without those in own, and the
// workspace. Whose says which agents look into each.
func (a *app) otherRoots(job *engine.Job, own []string) (roots []skill.Root, whose map[string]string) {
	env := agent.Env{Workspace: job.Spec.Workspace.Dir, Home: a.env.Home, Lookup: a.env.Lookup, Exists: exists}
	whose = map[string]string{}
	names := map[string][]string{}
	for _, facts := range agent.All() {
		for _, r := range facts.Roots(env) {
			if slices.Contains(own, r.Dir) || !exists(r.Dir) {
				continue
			}
			if names[r.Dir] == nil {
				r.Trusted = true
				roots = append(roots, r)
			}
			names[r.Dir] = append(names[r.Dir], facts.ID)
		}
	}
	for dir, ids := range names {
		what := "a directory of " + strings.Join(ids[:min(len(ids), 3)], ", ")
		if len(ids) > 3 {
			what += " and others"
		}
		whose[dir] = what
	}
	if dir := job.Spec.Workspace.Dir; !slices.Contains(own, dir) {
		roots = append(roots, skill.Root{Dir: dir, Scope: skill.Project, Depth: strayDepth, Trusted: true, Home: a.env.Home})
	}
	return roots, whose
}

// bare names the directories of that name that a root has and that hold no skill
// file at all.
func bare(catalog *skill.Catalog, name string) (out diag.List) {
	if !filepath.IsLocal(name) {
		return nil
	}
	for _, r := range catalog.Roots {
		dir := filepath.Join(r.Dir, name)
		if list, err := os.ReadDir(dir); err == nil && r.Real != "" {
			out.Add(diag.New(diag.WrongFileName, diag.At(dir), "the directory %s is there and holds no %s", dir, lacking(list)))
		}
	}
	return out
}

// lacking says what a directory has in place of a SKILL.md.
func lacking(list []os.DirEntry) string {
	var names []string
	for _, e := range list[:min(len(list), 5)] {
		names = append(names, e.Name())
	}
	if len(list) > 5 {
		names = append(names, "…")
	}
	if len(names) == 0 {
		return "SKILL.md: it is empty"
	}
	return "SKILL.md, but " + strings.Join(names, ", ")
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

func inside(path, dir string) bool {
	rel, err := filepath.Rel(dir, path)
	return err == nil && filepath.IsLocal(rel)
}
