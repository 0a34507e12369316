// Command host is a small program that uses promptc as a library: it builds a
// prompt for a spec and prints what a host would send and do.
//
//	go run ./examples/host examples/specs/tool.yaml
package main

import (
	"context"
	"fmt"
	"io"
	"os"

	"github.com/promptc/promptc/engine"
	"github.com/promptc/promptc/engine/token"
	"github.com/promptc/promptc/strategies"
)

func main() {
	path := "examples/specs/index.yaml"
	if len(os.Args) > 1 {
		path = os.Args[1]
	}
	if err := run(context.Background(), os.Stdout, path); err != nil {
		fmt.Fprintln(os.Stderr, "host:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, w io.Writer, path string) error {
	env, err := engine.SystemEnv()
	if err != nil {
		return err
	}
	spec, err := engine.LoadSpec(path, env)
	if err != nil {
		return err
	}
	job, err := engine.Load(ctx, spec)
	if err != nil {
		return err
	}
	job.Strategies = strategies.Bundled()
	job.Counter = token.ForModel(spec.Model)
	prompt, err := engine.Build(ctx, job)
	if err != nil {
		return err
	}
	// What is wrong with the user's files is not an error of ours: show it, and
	// send only what is fit to send.
	for _, d := range prompt.Diagnostics {
		fmt.Fprintln(os.Stderr, d)
	}
	if err := prompt.Err(); err != nil {
		return fmt.Errorf("the prompt is not fit to send")
	}
	fmt.Fprintf(w, "strategy %s: %d tokens in %d system sections, %d messages, %d tools\n",
		prompt.Strategy, prompt.Usage.Total, len(prompt.System), len(prompt.Messages), len(prompt.Tools))
	for _, s := range prompt.Skills {
		granted, err := engine.Activate(ctx, job, engine.Ask{Skill: s.Name, By: engine.ByModel})
		if err != nil {
			return err
		}
		fmt.Fprintf(w, "  %s would add %d tokens\n", s.Name, job.Counter.Count(granted.Text))
	}
	return nil
}
