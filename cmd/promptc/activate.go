package main

import (
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"github.com/promptc/promptc/engine"
	"github.com/promptc/promptc/engine/diag"
	"github.com/promptc/promptc/engine/format"
)

func (a *app) activateCommand() *cobra.Command {
	var asJSON bool
	var file string
	c := &cobra.Command{
		Use:   "activate NAME",
		Short: "Print what the conversation gains when a skill is loaded",
		Args:  cobra.ExactArgs(1),
	}
	f := a.specFlags(c)
	c.Flags().StringVar(&file, "file", "", "a `FILE` of the skill, relative to its directory, instead of its body")
	c.Flags().BoolVar(&asJSON, "json", false, "for programs")
	c.RunE = func(c *cobra.Command, args []string) error {
		spec, err := a.loadSpec(f)
		if err != nil {
			return err
		}
		job, err := a.job(c.Context(), f, spec)
		if err != nil {
			return err
		}
		got, err := engine.Activate(c.Context(), job, engine.Ask{Skill: args[0], File: file, Args: spec.Select.Args, By: engine.ByUser})
		if err != nil {
			return err
		}
		if i := slices.IndexFunc(got.Diagnostics, func(d diag.Diagnostic) bool { return d.Code == diag.UnknownSkill && d.File == "" }); i >= 0 {
			return a.unknown(got.Diagnostics[i])
		}
		if err := a.finish(got.Diagnostics); err != nil {
			return err
		}
		tokens := job.Counter.Count(got.Text)
		if asJSON {
			return format.Encode(a.out, map[string]any{
				"skill": got.Skill, "file": file, "strategy": got.Strategy, "text": got.Text,
				"args_used": got.ArgsUsed, "tokens": tokens, "tokenizer": job.Counter.Name(), "exact": job.Counter.Exact(),
				"diagnostics": listed(got.Diagnostics),
			})
		}
		text := got.Text
		if a.terminal {
			text = format.Visible(text)
		}
		fmt.Fprintln(a.out, text)
		a.note("%s tokens (%s)", format.Number(tokens), job.Counter.Name())
		return nil
	}
	return c
}

// note prints a line for people on stderr, unless --quiet.
func (a *app) note(format string, args ...any) {
	if !a.quiet {
		fmt.Fprintf(a.err, format+"\n", args...)
	}
}

// listed is s, or an empty list where there is none.
func listed[T any](s []T) []T {
	if s == nil {
		return []T{}
	}
	return s
}
