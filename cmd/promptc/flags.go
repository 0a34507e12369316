package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"go.yaml.in/yaml/v3"

	"github.com/promptc/promptc/engine"
	"github.com/promptc/promptc/engine/diag"
	"github.com/promptc/promptc/engine/format"
	"github.com/promptc/promptc/engine/skill"
)

// specFlags mirror the spec; those that were given override it.
type specFlags struct {
	command *cobra.Command

	spec, agent, agentVersion, model, strategy, session, workspace string
	headless, temporary, into, allowOutside, sticky, trust, strict bool

	fallback, option, root, extraRoot, allowTarget      []string
	enable, disable, auto, pin, vars, template, reserve []string

	selected, args, system, knowledge, message string
	history, historyFormat                     string
	layout, place, language, rank              string

	depth, budget, skillBudget, descriptionBudget int

	tokenizer, pathBase string

	target string // the request format that is asked for, or ""
	fresh  bool   // the workspace was made just now, for --temporary
}

func (a *app) specFlags(c *cobra.Command) *specFlags {
	f := &specFlags{command: c}
	s := c.Flags()
	s.SortFlags = false
	list := func(p *[]string, name, what string) { s.Var((*listFlag)(p), name, what+" (repeatable)") }
	s.StringVar(&f.spec, "spec", "", "the spec `FILE`; without it "+specFile+" of the working directory, if it is there")
	s.StringVar(&f.agent, "agent", "", "the agent's `ID`; see `promptc agents`")
	s.StringVar(&f.agentVersion, "agent-version", "", "its version; default: the newest that the facts know")
	s.BoolVar(&f.headless, "headless", false, "the agent runs with nobody to ask")
	s.StringVar(&f.model, "model", "", "the model's `NAME`, which chooses the tokenizer")
	s.StringVar(&f.strategy, "strategy", "", "index, inject, symlink, tool or auto")
	list(&f.fallback, "fallback", "the `STRATEGY` that is taken where the needs are not met")
	list(&f.option, "option", "an option of the strategy, as `KEY=VALUE`")
	s.StringVar(&f.session, "session", "", "the `ID` of the session that a view belongs to")
	s.StringVar(&f.workspace, "workspace", "", "the `DIR` in which the agent works")
	s.BoolVar(&f.temporary, "temporary", false, "the workspace is a temporary one, so links may be made in it")
	s.BoolVar(&f.into, "into-workspace", false, "links may be made in the user's own workspace")
	s.BoolVar(&f.allowOutside, "allow-outside", false, "the host's file tools may leave the workspace")
	list(&f.root, "root", "look for skills in `[SCOPE:]DIR` instead of the agent's own directories")
	list(&f.extraRoot, "extra-root", "look for skills in `[SCOPE:]DIR` too")
	list(&f.allowTarget, "allow-target", "a `DIR` to which links inside of skills may lead")
	s.IntVar(&f.depth, "depth", 0, "look `N` levels deep in every root, 1 to 6")
	list(&f.enable, "enable", "put the skill `NAME` into the set")
	list(&f.disable, "disable", "take the skill `NAME` out of the set")
	list(&f.auto, "auto", "the set is this skill `NAME` and no other; an empty name: none")
	list(&f.pin, "pin", "never drop the skill `NAME` for the budget")
	s.StringVar(&f.selected, "select", "", "the skill `NAME` that the user chose")
	s.StringVar(&f.args, "args", "", "what the user typed behind it")
	s.BoolVar(&f.sticky, "sticky", false, "the selection lasts longer than one user message")
	s.StringVar(&f.system, "system", "", "the base prompt: `TEXT`, @FILE, @- for stdin, @@ for a literal @")
	s.StringVar(&f.knowledge, "knowledge", "", "retrieved context: `TEXT` or as above")
	s.StringVar(&f.message, "message", "", "the user's message: `TEXT` or as above")
	s.StringVar(&f.history, "history", "", "a `FILE` with earlier messages: a list of {role, text}, or what a provider takes or answers")
	s.StringVar(&f.historyFormat, "history-format", "", "its `FORM`: promptc, "+strings.Join(format.Providers(), ", ")+"; by default what it looks like")
	list(&f.vars, "var", "a variable of the base prompt's template, as `KEY=VALUE`")
	s.StringVar(&f.layout, "layout", "", "the order of the parts, for example knowledge,skills,system, or the preset cache")
	s.StringVar(&f.place, "place", "", "system, or first_message for hosts without a system prompt")
	s.StringVar(&f.language, "language", "", "of promptc's own words: en or zh")
	s.StringVar(&f.rank, "rank", "", "what is cut last: listed (first in the list) or text (fits the message)")
	s.IntVar(&f.budget, "budget", 0, "the prompt's limit in tokens")
	s.IntVar(&f.skillBudget, "skill-budget", 0, "the limit of a skill's body in tokens")
	s.IntVar(&f.descriptionBudget, "description-budget", 0, "the limit of a description in tokens")
	s.StringVar(&f.tokenizer, "tokenizer", "", "count with this encoding instead of the model's")
	s.BoolVar(&f.trust, "trust", false, "use the skills of the project")
	s.BoolVar(&f.strict, "strict", false, "two skills of one name are an error")
	list(&f.template, "template", "own words for a strategy, as `[STRATEGY=]FILE`")
	list(&f.reserve, "reserved-tool", "a tool `NAME` that the host uses already")
	s.StringVar(&f.pathBase, "path-base", "", "paths that the model reads are relative to this `DIR`")
	a.complete(c, f)
	return f
}

// listFlag is a flag that may be given many times, one value each, as it stands.
// pflag's own writes and reads a default as CSV for each flag of each verb, which
// every start of the program would pay for.
type listFlag []string

func (l *listFlag) Set(value string) error { *l = append(*l, value); return nil }
func (l *listFlag) String() string         { return strings.Join(*l, ",") }
func (l *listFlag) Type() string           { return "list" }

// apply lays the flags that were given over spec. A wrong one is a usage error.
func (f *specFlags) apply(a *app, spec *engine.Spec) error {
	o := overlay{f: f, a: a, spec: spec}
	o.plain()
	o.lists()
	o.texts()
	o.roots()
	return o.err
}

// overlay carries the flags into the spec and keeps the first error.
type overlay struct {
	f    *specFlags
	a    *app
	spec *engine.Spec
	err  error

	stdin string // the flag for which stdin was read
}

func (o *overlay) fail(format string, args ...any) {
	if o.err == nil {
		o.err = usage(o.f.command, format, args...)
	}
}

// given says whether the flag was used, and if so that the value at path stems
// from it.
func (o *overlay) given(flag string, paths ...string) bool {
	if !o.f.command.Flags().Changed(flag) {
		return false
	}
	for _, p := range paths {
		o.spec.SetAt(p, diag.At("--"+flag))
	}
	return true
}

func (o *overlay) plain() {
	f, s := o.f, o.spec
	for _, x := range []struct {
		flag, path string
		to         *string
		from       string
	}{
		{"agent", "agent", &s.Agent, f.agent},
		{"agent-version", "agent_version", &s.AgentVersion, f.agentVersion},
		{"model", "model", &s.Model, f.model},
		{"session", "session", &s.Session, f.session},
		{"place", "place", &s.Place, f.place},
		{"language", "language", &s.Language, f.language},
		{"rank", "rank", &s.Rank, f.rank},
		{"select", "select.skill", &s.Select.Skill, f.selected},
		{"args", "select.args", &s.Select.Args, f.args},
		{"workspace", "workspace.dir", &s.Workspace.Dir, o.a.abs(f.workspace)},
	} {
		if o.given(x.flag, x.path) {
			*x.to = x.from
		}
	}
	for _, x := range []struct {
		flag string
		to   *bool
		from bool
	}{
		{"headless", &s.Headless, f.headless},
		{"temporary", &s.Workspace.Temporary, f.temporary},
		{"into-workspace", &s.Workspace.Into, f.into},
		{"allow-outside", &s.Workspace.AllowOutside, f.allowOutside},
		{"sticky", &s.Select.Sticky, f.sticky},
		{"strict", &s.Strict, f.strict},
	} {
		if o.given(x.flag) {
			*x.to = x.from
		}
	}
	for _, x := range []struct {
		flag, path string
		to         *int
		from       int
	}{
		{"budget", "budget.prompt", &s.Budget.Prompt, f.budget},
		{"skill-budget", "budget.skill", &s.Budget.Skill, f.skillBudget},
		{"description-budget", "budget.description", &s.Budget.Description, f.descriptionBudget},
		{"depth", "depth", &s.Depth, f.depth},
	} {
		if o.given(x.flag, x.path) {
			if x.from < 1 {
				o.fail("--%s takes a whole number, 1 or more", x.flag)
			}
			*x.to = x.from
		}
	}
	if o.given("depth") && f.depth > 6 {
		o.fail("--depth is 6 at most")
	}
	if o.given("trust", "trust.project") {
		s.Trust.Project = &f.trust
	}
	if o.given("strategy", "strategy.name") {
		if s.Strategy.Name != f.strategy {
			s.Strategy.Options = nil // they were another strategy's
		}
		s.Strategy.Name = f.strategy
	}
	if f.pathBase != "" {
		f.pathBase = o.a.abs(f.pathBase)
	}
}

func (o *overlay) lists() {
	f, s := o.f, o.spec
	for _, x := range []struct {
		flag, path string
		to         *[]string
		from       []string
	}{
		{"fallback", "strategy.fallback", (*[]string)(&s.Strategy.Fallback), f.fallback},
		{"enable", "skills.enable", &s.Skills.Enable, f.enable},
		{"disable", "skills.disable", &s.Skills.Disable, f.disable},
		{"pin", "skills.pin", &s.Skills.Pin, f.pin},
		{"reserved-tool", "reserved_tools", &s.ReservedTools, f.reserve},
	} {
		if o.given(x.flag) {
			for i := range x.from {
				o.given(x.flag, fmt.Sprintf("%s.%d", x.path, i))
			}
			*x.to = x.from
		}
	}
	if o.given("auto") {
		names := slices.DeleteFunc(slices.Clone(f.auto), func(n string) bool { return n == "" })
		for i := range names {
			o.given("auto", fmt.Sprintf("skills.auto.%d", i))
		}
		s.Skills.Auto = &names
	}
	if o.given("option", "strategy.options") && s.Strategy.Options == nil {
		s.Strategy.Options = map[string]any{}
	}
	for _, pair := range f.option {
		if k, v, ok := o.pair("option", pair); ok {
			var value any = v
			if err := yaml.Unmarshal([]byte(v), &value); err != nil || value == nil {
				value = v
			}
			s.Strategy.Options[k] = value
		}
	}
	if o.given("var") && s.Vars == nil {
		s.Vars = map[string]any{}
	}
	for _, pair := range f.vars {
		if k, v, ok := o.pair("var", pair); ok {
			s.Vars[k] = v
		}
	}
	for _, t := range f.template {
		name, file, ok := strings.Cut(t, "=")
		if !ok {
			name, file = s.Strategy.Name, t
			if name == "" {
				name = engine.DefaultStrategy
			}
		}
		if s.Templates == nil {
			s.Templates = map[string]string{}
		}
		o.given("template", "templates."+name)
		s.Templates[name] = o.a.abs(file)
	}
	if o.given("layout", "layout") {
		if slices.Contains(engine.Presets(), f.layout) {
			s.Layout = engine.Layout{Preset: f.layout}
		} else {
			s.Layout = engine.Layout{Order: strings.FieldsFunc(f.layout, func(r rune) bool { return r == ',' || r == ' ' })}
		}
	}
}

func (o *overlay) pair(flag, text string) (key, value string, ok bool) {
	key, value, ok = strings.Cut(text, "=")
	if !ok || key == "" {
		o.fail("--%s takes KEY=VALUE, got %q", flag, text)
	}
	return key, value, ok && key != ""
}

func (o *overlay) roots() {
	f, s := o.f, o.spec
	if o.given("root") {
		s.Roots = o.rootList("root", "roots", f.root)
	}
	if o.given("extra-root") {
		s.ExtraRoots = append(s.ExtraRoots, o.rootList("extra-root", fmt.Sprintf("extra_roots+%d", len(s.ExtraRoots)), f.extraRoot)...)
	}
	for _, t := range f.allowTarget {
		s.AllowTargets = append(s.AllowTargets, o.a.abs(t))
	}
}

// rootList reads [SCOPE:]DIR; only the words of a scope before the colon are one.
func (o *overlay) rootList(flag, path string, values []string) []engine.RootSpec {
	var out []engine.RootSpec
	for i, v := range values {
		r := engine.RootSpec{Dir: v, Flag: true}
		if scope, dir, ok := strings.Cut(v, ":"); ok && slices.Contains(skill.Scopes(), skill.Scope(scope)) {
			r.Scope, r.Dir = scope, dir
		}
		if strings.TrimSpace(r.Dir) != "" {
			r.Dir = o.a.abs(r.Dir)
		}
		o.given(flag, fmt.Sprintf("%s.%d", path, i))
		out = append(out, r)
	}
	return out
}

// abs makes a path of the command line absolute; the shell has expanded it
// already, except a ~ that stands behind a scope.
func (a *app) abs(path string) string {
	if rest, ok := strings.CutPrefix(path, "~"); ok && a.env.Home != "" && (rest == "" || os.IsPathSeparator(rest[0])) {
		path = filepath.Join(a.env.Home, rest)
	}
	if path == "" || filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(a.env.Dir, path)
}

// flagPos is the place of a value that a flag gave.
func flagPos(name string) diag.Pos { return diag.At("--" + name) }
