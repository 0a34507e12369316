package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/promptc/promptc/engine/agent"
	"github.com/promptc/promptc/engine/diag"
	"github.com/promptc/promptc/engine/format"
	"github.com/promptc/promptc/engine/lint"
	"github.com/promptc/promptc/engine/skill"
	"github.com/promptc/promptc/engine/token"
)

type lintFlags struct {
	fix, diff, agents, strict, asJSON bool
	agent, off, targets               []string
	format, model, tokenizer          string
	depth, window                     int
}

// lintFormats are what --format takes.
var lintFormats = []string{"text", "json", "sarif", "github"}

func (a *app) lintCommand() *cobra.Command {
	f := &lintFlags{}
	c := &cobra.Command{
		Use:   "lint PATH...",
		Short: "Check skills, repair their frontmatter, say what each agent makes of them",
		Long: "Checks each PATH: a SKILL.md, the directory of a skill, or a directory of skills. What keeps a skill from\n" +
			"loading is an error, what the open standard forbids a warning, what is a matter of style a note;\n" +
			"`promptc explain CODE` says more. Rules are switched off with --off or in the user's config:\n\n" +
			"  lint: {off: [description-when]}",
		Args: cobra.MinimumNArgs(1),
	}
	s := c.Flags()
	s.SortFlags = false
	s.BoolVar(&f.fix, "fix", false, "quote the values that YAML cannot read, in place; nothing else is changed")
	s.BoolVar(&f.diff, "diff", false, "print what --fix would change, and write nothing")
	s.BoolVar(&f.agents, "agents", false, "say what becomes of each skill in each agent")
	s.StringArrayVar(&f.agent, "agent", nil, "the same for the agent `ID` alone (repeatable)")
	s.IntVar(&f.window, "window", lint.DefaultWindow, "the model's window in `TOKENS`, which bounds the agents' lists")
	s.StringArrayVar(&f.off, "off", nil, "switch off the rule `CODE` (repeatable)")
	s.BoolVar(&f.strict, "strict", false, "warnings are errors")
	s.IntVar(&f.depth, "depth", 0, "look `N` levels deep in a directory of skills, 1 to 6")
	s.StringArrayVar(&f.targets, "allow-target", nil, "a `DIR` to which links inside of skills may lead (repeatable)")
	s.StringVar(&f.model, "model", "", "the model's `NAME`, which chooses the tokenizer")
	s.StringVar(&f.tokenizer, "tokenizer", "", "count with this encoding instead of the model's")
	s.StringVar(&f.format, "format", "text", strings.Join(lintFormats, ", "))
	s.BoolVar(&f.asJSON, "json", false, "the same as --format json")
	c.RunE = func(c *cobra.Command, args []string) error { return a.lint(c, f, args) }
	return c
}

func (a *app) lint(c *cobra.Command, f *lintFlags, args []string) error {
	if f.asJSON {
		f.format = "json"
	}
	if !slices.Contains(lintFormats, f.format) {
		return usage(c, "--format is one of %s, got %q", strings.Join(lintFormats, ", "), f.format)
	}
	if c.Flags().Changed("depth") && (f.depth < 1 || f.depth > 6) {
		return usage(c, "--depth takes a whole number from 1 to 6")
	}
	if f.window < 1 {
		return usage(c, "--window takes a whole number, 1 or more")
	}
	opts, err := a.lintOptions(c, f)
	if err != nil {
		return err
	}
	roots, found := a.lintRoots(f, args, len(opts.Agents) > 0)
	opts.Linked = linked(roots)
	catalog, err := skill.Discover(c.Context(), roots)
	if err != nil {
		return err
	}
	patches, err := a.lintFix(c.Context(), f, catalog, &found)
	if err != nil {
		return err
	}
	if len(patches) > 0 && !f.diff {
		if catalog, err = skill.Discover(c.Context(), roots); err != nil {
			return err
		}
	}
	report, err := lint.Check(c.Context(), catalog, opts)
	if err != nil {
		return err
	}
	report.Add(found, opts)
	report.Fixed(patches)
	return a.printLint(f, report, patches)
}

func (a *app) lintOptions(c *cobra.Command, f *lintFlags) (lint.Options, error) {
	own, err := a.config()
	if err != nil {
		return lint.Options{}, err
	}
	counter, err := token.Pick(f.model, f.tokenizer)
	if err != nil {
		return lint.Options{}, usage(c, "%v", err)
	}
	opts := lint.Options{Count: counter.Count, Off: own.LintOff, Strict: f.strict, Window: f.window}
	for _, code := range f.off {
		if _, ok := diag.Lookup(diag.Code(code)); !ok {
			return opts, usage(c, "--off: no code %q; %s", code, nearest(code, diag.Codes()))
		}
		opts.Off = append(opts.Off, diag.Code(code))
	}
	if f.agents {
		opts.Agents = agent.All()
	}
	for _, id := range f.agent {
		facts, ok := agent.Lookup(id)
		if !ok {
			return opts, usage(c, "--agent: no agent %q; %s", id, nearest(id, agent.IDs()))
		}
		if !slices.ContainsFunc(opts.Agents, func(o agent.Facts) bool { return o.ID == id }) {
			opts.Agents = append(opts.Agents, facts)
		}
	}
	return opts, nil
}

// lintRoots makes a root of each path: a skill file stands for its directory. A path
// that is no such thing is reported.
func (a *app) lintRoots(f *lintFlags, args []string, hidden bool) (roots []skill.Root, found diag.List) {
	for _, arg := range args {
		path := filepath.Clean(a.abs(arg))
		info, err := os.Stat(path)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			found.Add(diag.New(diag.FileUnreadable, diag.At(path), "there is no %s", path).WithHint("check the path"))
			continue
		case err != nil:
			found.Add(diag.New(diag.FileUnreadable, diag.At(path), "cannot read the path: %v", reason(err)))
			continue
		case !info.IsDir() && !strings.EqualFold(filepath.Base(path), "SKILL.md"):
			found.Add(diag.New(diag.WrongFileName, diag.At(path), "%s is not a skill file: those are named SKILL.md", path).As(diag.Error))
			continue
		case !info.IsDir():
			path = filepath.Dir(path)
		}
		root := skill.Root{Dir: path, Scope: skill.User, Source: "flag", Depth: max(1, f.depth), Hidden: hidden, Trusted: true, Home: a.env.Home}
		for _, t := range f.targets {
			root.Targets = append(root.Targets, a.abs(t))
		}
		if !slices.ContainsFunc(roots, func(r skill.Root) bool { return r.Dir == path }) {
			roots = append(roots, root)
		}
	}
	return roots, found
}

// linked are the roots that are links themselves.
func linked(roots []skill.Root) (out []string) {
	for _, r := range roots {
		if info, err := os.Lstat(r.Dir); err == nil && info.Mode()&fs.ModeSymlink != 0 {
			out = append(out, r.Dir)
		}
	}
	return out
}

// lintFix makes the patches and, with --fix and without --diff, writes them. Only
// what was written, or with --diff would be, is returned; what was refused is found.
func (a *app) lintFix(ctx context.Context, f *lintFlags, catalog *skill.Catalog, found *diag.List) ([]lint.Patch, error) {
	if !f.fix && !f.diff {
		return nil, nil
	}
	patches, err := lint.Patches(ctx, catalog)
	if err != nil || f.diff {
		return patches, err
	}
	var written []lint.Patch
	for _, p := range patches {
		if err := p.Write(); err != nil {
			found.Add(diag.Of(err)...)
			continue
		}
		written = append(written, p)
	}
	return written, nil
}

// printLint writes the report to stdout. With --diff and the text format stdout
// holds the diff alone, so that it can be applied, and the findings go to stderr.
func (a *app) printLint(f *lintFlags, r *lint.Report, patches []lint.Patch) error {
	var err error
	switch f.format {
	case "json":
		err = format.Encode(a.out, r)
	case "sarif":
		err = format.Encode(a.out, r.SARIF(a.env.Dir, readVersion().Version))
	case "github":
		_, err = fmt.Fprint(a.out, r.GitHub(a.env.Dir))
	default:
		if f.diff {
			for _, p := range patches {
				if _, err := fmt.Fprint(a.out, p.Diff(filepath.ToSlash(a.shorter(p.Path)))); err != nil {
					return err
				}
			}
			return a.finish(r.Diagnostics)
		}
		a.lintText(r, patches)
	}
	if err != nil {
		return err
	}
	if r.Err() != nil {
		return diagnosed{exitDiagnostic}
	}
	return nil
}
