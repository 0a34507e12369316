package engine

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/promptc/promptc/engine/agent"
	"github.com/promptc/promptc/engine/diag"
	"github.com/promptc/promptc/engine/skill"
)

// Env is what LoadSpec and Load may know of the machine around them.
type Env struct {
	Dir    string // the working directory, absolute
	Home   string // the user's home directory; "" where there is none
	Lookup func(key string) (string, bool)
}

// SystemEnv is the environment of this process.
func SystemEnv() (Env, error) {
	dir, err := os.Getwd()
	if err != nil {
		return Env{}, fmt.Errorf("find the working directory: %w", err)
	}
	home, err := os.UserHomeDir()
	if err != nil {
		home = "" // then ~ is an error where it is used
	}
	return Env{Dir: dir, Home: home, Lookup: os.LookupEnv}, nil
}

func (e Env) forAgent(workspace string) agent.Env {
	lookup := e.Lookup
	if lookup == nil {
		lookup = func(string) (string, bool) { return "", false }
	}
	return agent.Env{Workspace: workspace, Home: e.Home, Lookup: lookup, Exists: exists}
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

// LoadSpec reads the spec file at path; "" gives an empty spec, to be filled by
// flags or by a host. What is wrong in the file is in the error, for diag.Of.
func LoadSpec(path string, env Env) (*Spec, error) {
	if path == "" {
		return &Spec{Env: env}, nil
	}
	if !filepath.IsAbs(path) {
		path = filepath.Join(env.Dir, path)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, diag.List{diag.New(diag.FileUnreadable, diag.At(path), "cannot read the spec: %v", reason(err))}.Err()
	}
	spec, err := DecodeSpec(path, data)
	if err != nil {
		return nil, err
	}
	spec.Env = env
	if err := spec.anchor(filepath.Dir(path)); err != nil {
		return nil, err
	}
	return spec, nil
}

// anchor makes the paths that stand in the file absolute: they are relative to
// the spec's directory, roots to the workspace.
func (s *Spec) anchor(dir string) error {
	var found diag.List
	resolve := func(path, at string) string {
		full, err := s.path(path, dir)
		if err != nil {
			found.Add(diag.New(diag.UnsetVariable, s.At(at), "%s: %v", at, err))
		}
		return full
	}
	if s.Workspace.Dir == "" {
		s.Workspace.Dir = dir
	} else {
		s.Workspace.Dir = resolve(s.Workspace.Dir, "workspace.dir")
	}
	for name, file := range s.Templates {
		s.Templates[name] = resolve(file, "templates")
	}
	for i, target := range s.AllowTargets {
		s.AllowTargets[i] = resolve(target, fmt.Sprintf("allow_targets.%d", i))
	}
	return found.Err()
}

// path expands ~ and variables and makes the result absolute.
func (s *Spec) path(path, base string) (string, error) {
	full, err := agent.Expand(path, s.Env.forAgent(s.Workspace.Dir))
	if err != nil {
		return "", err
	}
	if !filepath.IsAbs(full) {
		full = filepath.Join(base, full)
	}
	return filepath.Clean(full), nil
}

// Distrust makes s the spec of a file that was found rather than named: it is
// project content, so what could reach outside of the project is ignored, each
// with a diagnostic. Bundled are the strategies that it may still name.
func (s *Spec) Distrust(bundled []string) {
	s.Found = true
	dir := filepath.Dir(s.Path)
	ignore := func(at, why string) {
		s.Diagnostics.Add(diag.New(diag.SpecUntrustedKey, s.At(at), "%s is ignored: %s", at, why))
	}
	if s.Trust.Project != nil && *s.Trust.Project {
		ignore("trust.project", "a project cannot trust itself")
	}
	if s.Trust.Project == nil || *s.Trust.Project {
		s.Trust.Project = nil
	}
	if s.Session != "" {
		ignore("session", "it could name the view of another session")
		s.Session = ""
	}
	if s.Workspace.Temporary {
		ignore("workspace.temporary", "links would be made in the directory that it names")
		s.Workspace.Temporary = false
	}
	if s.Workspace.Into {
		ignore("workspace.into", "links would be made in the directory that it names")
		s.Workspace.Into = false
	}
	if s.Workspace.AllowOutside {
		ignore("workspace.allow_outside", "it would let file tools leave the workspace")
		s.Workspace.AllowOutside = false
	}
	if s.Workspace.Dir != dir && !within(dir, s.Workspace.Dir) {
		ignore("workspace.dir", "it leads out of the spec's own directory")
		s.Workspace.Dir = dir
	}
	if len(s.Templates) > 0 {
		ignore("templates", "they would put words of the project around every skill")
		s.Templates = nil
	}
	if len(s.AllowTargets) > 0 {
		ignore("allow_targets", "links could lead anywhere")
		s.AllowTargets = nil
	}
	if s.Strategy.Name != "" && s.Strategy.Name != "auto" && !slices.Contains(bundled, s.Strategy.Name) {
		ignore("strategy.name", fmt.Sprintf("%q is not a bundled strategy", s.Strategy.Name))
		s.Strategy = StrategySpec{Fallback: s.Strategy.Fallback}
	}
	s.Strategy.Fallback = slices.DeleteFunc(s.Strategy.Fallback, func(name string) bool {
		if slices.Contains(bundled, name) {
			return false
		}
		ignore("strategy.fallback", fmt.Sprintf("%q is not a bundled strategy", name))
		return true
	})
	s.Roots = s.distrustRoots(s.Roots, "roots", dir, ignore)
	s.ExtraRoots = s.distrustRoots(s.ExtraRoots, "extra_roots", dir, ignore)
}

func (s *Spec) distrustRoots(roots []RootSpec, key, dir string, ignore func(at, why string)) []RootSpec {
	var kept []RootSpec
	for i, r := range roots {
		at := fmt.Sprintf("%s.%d", key, i)
		full, err := s.path(r.Dir, s.Workspace.Dir)
		if err == nil && full != dir && !within(dir, full) {
			ignore(at, fmt.Sprintf("%s is outside of the spec's own directory", full))
			continue
		}
		if r.Scope != "" && r.Scope != string(skill.Project) {
			ignore(at+".scope", "what a project brings is of project scope")
			r.Scope = string(skill.Project)
		}
		kept = append(kept, r)
	}
	return kept
}

// within says whether path lies below dir, by names and after resolving links.
func within(dir, path string) bool {
	below := func(dir, path string) bool {
		rel, err := filepath.Rel(dir, path)
		return err == nil && filepath.IsLocal(rel)
	}
	if !below(dir, path) {
		return false
	}
	realDir, err := filepath.EvalSymlinks(dir)
	if err != nil {
		return true
	}
	realPath, err := filepath.EvalSymlinks(path)
	return err != nil || below(realDir, realPath)
}

// Load reads what the spec names: the agent's facts, the templates and the
// catalogue of skills. It reads once and writes nothing. What is wrong with the
// spec's values is in the error, for diag.Of; what is wrong with skills and roots
// is in Job.Catalog.
func Load(ctx context.Context, spec *Spec) (*Job, error) {
	s := *spec
	if s.Env.Lookup == nil {
		env, err := SystemEnv()
		if err != nil {
			return nil, err
		}
		s.Env = env
	}
	if s.Workspace.Dir == "" {
		s.Workspace.Dir = s.Env.Dir
	}
	if !filepath.IsAbs(s.Workspace.Dir) {
		s.Workspace.Dir = filepath.Join(s.Env.Dir, s.Workspace.Dir)
	}
	l := loader{spec: &s, job: &Job{Spec: &s, Diagnostics: slices.Clone(s.Diagnostics)}}
	l.values()
	l.agent()
	l.templates()
	if err := l.found.Err(); err != nil {
		return nil, err
	}
	roots := l.roots()
	catalog, err := skill.Discover(ctx, roots)
	if err != nil {
		return nil, fmt.Errorf("look for skills: %w", err)
	}
	l.job.Catalog = catalog
	l.job.Diagnostics.Add(l.found...)
	return l.job, nil
}

type loader struct {
	spec  *Spec
	job   *Job
	found diag.List
}

// values checks the words that have a fixed vocabulary.
func (l *loader) values() {
	s := l.spec
	word := func(at, value string, allowed ...string) {
		if value == "" || slices.Contains(allowed, value) {
			return
		}
		d := diag.New(diag.SpecValue, s.At(at), "%s: %q is not one of %s", at, value, strings.Join(allowed, ", "))
		if near := diag.Nearest(value, allowed); near != "" {
			d = d.WithHint("did you mean %q?", near)
		}
		l.found.Add(d)
	}
	word("place", s.Place, "system", "first_message")
	word("language", s.Language, Languages()...)
	word("rank", s.Rank, "listed", "text")
	for _, list := range []struct {
		key   string
		roots []RootSpec
	}{{"roots", s.Roots}, {"extra_roots", s.ExtraRoots}} {
		for i, r := range list.roots {
			at := fmt.Sprintf("%s.%d", list.key, i)
			word(at+".scope", r.Scope, "project", "user", "shared", "builtin")
			if r.Depth < 0 || r.Depth > 6 {
				l.found.Add(diag.New(diag.SpecValue, s.At(at+".depth"), "%s.depth: %d is not between 1 and 6", at, r.Depth))
			}
		}
	}
	if _, err := s.Layout.order(NoBodies); err != nil {
		l.found.Add(layoutDiagnostic(s, err))
	}
	if fi, err := os.Stat(s.Workspace.Dir); err != nil || !fi.IsDir() {
		l.found.Add(diag.New(diag.SpecValue, s.At("workspace.dir"), "the workspace %s is not a directory", s.Workspace.Dir))
	}
	_, found := s.messages()
	l.found.Add(found...)
}

func (l *loader) agent() {
	id := l.spec.Agent
	if id == "" {
		id = "generic"
	}
	facts, ok := agent.Lookup(id)
	if !ok {
		d := diag.New(diag.UnknownAgent, l.spec.At("agent"), "no agent %q is known", id)
		if near := diag.Nearest(id, agent.IDs()); near != "" {
			d = d.WithHint("did you mean %q? `promptc agents` lists all", near)
		}
		l.found.Add(d)
		return
	}
	plain, found := facts.At(l.spec.AgentVersion, l.spec.Headless)
	for i := range found {
		if at := l.spec.At("agent_version"); found[i].File == "" {
			found[i].File, found[i].Line, found[i].Column = at.File, at.Line, at.Column
		}
	}
	l.job.Facts, l.job.Agent = facts, plain
	l.job.Diagnostics.Add(found...)
}

func (l *loader) templates() {
	for name, file := range l.spec.Templates {
		data, err := os.ReadFile(file)
		if err != nil {
			l.found.Add(diag.New(diag.FileUnreadable, l.spec.At("templates."+name), "cannot read the template %s: %v", file, reason(err)))
			continue
		}
		if l.job.Templates == nil {
			l.job.Templates = map[string]string{}
		}
		l.job.Templates[name] = string(data)
	}
}

// roots gives the directories in the order in which they win (J1).
func (l *loader) roots() []skill.Root {
	s := l.spec
	trusted := s.Path != "" && !s.Found
	if s.Trust.Project != nil {
		trusted = *s.Trust.Project
	}
	own := l.job.Facts.Roots(s.Env.forAgent(s.Workspace.Dir))
	var roots []skill.Root
	if len(s.Roots) == 0 {
		roots = own
	} else {
		roots = l.named(s.Roots, "roots", own)
	}
	roots = append(roots, l.named(s.ExtraRoots, "extra_roots", own)...)
	for i := range roots {
		roots[i].Trusted = roots[i].Scope != skill.Project || trusted
		roots[i].Targets = s.AllowTargets
		roots[i].Home = s.Env.Home
		if s.Depth > 0 {
			roots[i].Depth = s.Depth
		}
	}
	if len(roots) == 0 {
		l.found.Add(diag.New(diag.NoRoots, s.At("roots"), "there is no directory to look for skills in: %s has none of its own", l.job.Agent.ID))
	}
	return roots
}

func (l *loader) named(list []RootSpec, key string, own []skill.Root) []skill.Root {
	var roots []skill.Root
	for i, r := range list {
		at := l.spec.At(fmt.Sprintf("%s.%d", key, i))
		if strings.TrimSpace(r.Dir) == "" {
			l.found.Add(diag.New(diag.RootBlank, at, "the root number %d of %s has no directory", i+1, key))
			continue
		}
		dir, err := l.spec.path(r.Dir, l.spec.Workspace.Dir)
		if err != nil {
			l.found.Add(diag.New(diag.RootBlank, at, "the root %s was left out: %v", r.Dir, err))
			continue
		}
		scope, source := skill.Project, "spec"
		if r.Flag {
			scope, source = skill.User, "flag"
		}
		scope, _ = scopeOf(r.Scope, scope)
		root := skill.Root{Dir: dir, Scope: scope, Source: source, Depth: r.Depth, Hidden: l.job.Agent.ScansHidden}
		if i := slices.IndexFunc(own, func(o skill.Root) bool { return o.Dir == dir }); i >= 0 {
			root.Native = own[i].Native
		}
		roots = append(roots, root)
	}
	return roots
}

// reason is the plain reason of a file error, without the path that the message
// has already.
func reason(err error) error {
	if pe, ok := errors.AsType[*fs.PathError](err); ok {
		return pe.Err
	}
	return err
}
