package main

import (
	"cmp"
	"context"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"

	"github.com/promptc/promptc/engine"
	"github.com/promptc/promptc/engine/diag"
	"github.com/promptc/promptc/engine/link"
	"github.com/promptc/promptc/engine/token"
	"github.com/promptc/promptc/strategies"
)

// specFile is the name under which a spec is looked for in the working directory.
const specFile = "promptc.yaml"

// loadSpec reads the spec that was named, or the one that lies in the working
// directory, and lays the flags over it.
func (a *app) loadSpec(f *specFlags) (*engine.Spec, error) {
	path, found := f.spec, false
	if path == "" {
		here := filepath.Join(a.env.Dir, specFile)
		if _, err := os.Stat(here); err == nil {
			path, found = here, true
		}
	}
	spec, err := engine.LoadSpec(path, a.env)
	if err != nil {
		if f.spec != "" && os.IsNotExist(statError(path)) {
			return nil, usageError{"there is no spec file " + path}
		}
		return nil, err
	}
	if found {
		spec.Distrust(bundledNames())
	}
	if err := f.apply(a, spec); err != nil {
		return nil, err
	}
	if err := a.installed(spec, f); err != nil {
		return nil, err
	}
	return spec, nil
}

func statError(path string) error {
	_, err := os.Stat(path)
	return err
}

func bundledNames() []string {
	var names []string
	for _, s := range strategies.Bundled() {
		names = append(names, s.Info().Name)
	}
	return names
}

// job loads spec and gives it strategies, a counter and a view.
func (a *app) job(ctx context.Context, f *specFlags, spec *engine.Spec) (*engine.Job, error) {
	counter, err := token.Pick(spec.Model, f.tokenizer)
	if err != nil {
		return nil, usageError{err.Error()}
	}
	job, err := engine.Load(ctx, spec)
	if err != nil {
		return nil, err
	}
	job.Strategies = strategies.Bundled()
	if err := templatesOf(job); err != nil {
		return nil, err
	}
	job.Counter, job.ModelOwn = counter, counter.Own()
	job.PathBase = f.pathBase
	view, err := a.viewDir(job)
	if err != nil {
		return nil, placed(err, spec.At("session"))
	}
	job.View = view
	return job, nil
}

// templatesOf refuses words for a strategy that is none of the candidates: nobody
// would read them.
func templatesOf(job *engine.Job) error {
	var names []string
	for _, s := range job.Strategies {
		names = append(names, s.Info().Name)
	}
	var found diag.List
	for _, name := range slices.Sorted(maps.Keys(job.Templates)) {
		if slices.Contains(names, name) {
			continue
		}
		d := diag.New(diag.UnknownStrategy, job.Spec.At("templates."+name), "a template is given for %q, and no strategy has that name", name)
		if near := diag.Nearest(name, names); near != "" {
			d = d.WithHint("did you mean %q?", near)
		}
		found.Add(d)
	}
	return found.Err()
}

// placed gives the diagnostics of err the place of the value that is at fault.
func placed(err error, at diag.Pos) error {
	list := slices.Clone(diag.Of(err))
	for i := range list {
		list[i].File, list[i].Line, list[i].Column = at.File, at.Line, at.Column
	}
	return cmp.Or(list.Err(), err)
}

// viewDir is the directory of promptc's own in which this session's links would
// stand; it is only named here, never made.
func (a *app) viewDir(job *engine.Job) (string, error) {
	state, err := a.stateDir()
	if err != nil || state == "" {
		return "", nil // no home: then there is no view, and choose says so
	}
	return link.ViewDir(state, a.session(job))
}

func (a *app) session(job *engine.Job) string {
	if job.Spec.Session != "" {
		return job.Spec.Session
	}
	return link.DefaultSession(job.Agent.ID, job.Spec.Workspace.Dir, job.Spec.Path)
}

func (a *app) stateDir() (string, error) {
	return link.StateDir(runtime.GOOS, a.env.Lookup, a.env.Home)
}

// build loads and builds in one go.
func (a *app) build(ctx context.Context, f *specFlags, inspect bool) (*engine.Job, *engine.Prompt, error) {
	spec, err := a.loadSpec(f)
	if err != nil {
		return nil, nil, err
	}
	job, err := a.job(ctx, f, spec)
	if err != nil {
		return nil, nil, err
	}
	job.Inspect = inspect
	p, err := engine.Build(ctx, job)
	if err != nil {
		return nil, nil, err
	}
	return job, p, nil
}
