package main

import (
	"bytes"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/promptc/promptc/engine"
	"github.com/promptc/promptc/engine/diag"
	"github.com/promptc/promptc/engine/format"
)

func (a *app) renderCommand() *cobra.Command {
	var name string
	var asJSON, apply bool
	var maxTokens int
	c := &cobra.Command{
		Use:   "render",
		Short: "Assemble a prompt and say what it costs",
		Example: `  promptc render --strategy inject --spec examples/specs/inject.yaml
  promptc render --root ./skills --message "Summarise the release" --format json
  promptc render --history chat.json --message "And now?" --format anthropic --model claude-sonnet-4-5`,
	}
	f := a.specFlags(c)
	c.Flags().StringVar(&name, "format", "text", "the output's `FORM`: "+strings.Join(format.Names(), ", "))
	c.Flags().IntVar(&maxTokens, "max-tokens", 0, "the longest answer in tokens, for a request to a provider")
	c.Flags().BoolVar(&asJSON, "json", false, "the same as --format json")
	c.Flags().BoolVar(&apply, "apply", false, "make the links that the prompt needs, as `promptc link` does")
	c.RunE = func(c *cobra.Command, _ []string) error {
		if asJSON {
			name = "json"
		}
		if !slices.Contains(format.Names(), name) {
			return usage(c, "no format %q; formats are %s", name, strings.Join(format.Names(), ", "))
		}
		if c.Flags().Changed("max-tokens") && maxTokens < 1 {
			return usage(c, "--max-tokens takes a whole number, 1 or more")
		}
		f.target = name
		if err := a.temporaryWorkspace(c, f, apply); err != nil {
			return err
		}
		job, p, err := a.build(c.Context(), f, name == "json")
		if err != nil {
			return err
		}
		var out bytes.Buffer
		found, err := a.write(&out, name, p, format.Options{MaxTokens: maxTokens})
		if err != nil {
			return err
		}
		if err := a.finish(append(p.Diagnostics, found...)); err != nil {
			return err
		}
		if apply && len(p.Links) > 0 {
			if err := a.apply(c.Context(), job, p, f); err != nil {
				return err
			}
		}
		_, err = out.WriteTo(a.out)
		return err
	}
	return c
}

// write writes p, and says what is to be known of the form; a prompt that is not fit
// to send is not written.
func (a *app) write(out *bytes.Buffer, name string, p *engine.Prompt, o format.Options) (diag.List, error) {
	switch {
	case p.Err() != nil:
		return nil, nil
	case name == "text":
		return nil, format.Text(out, p, a.style())
	case slices.Contains(format.Providers(), name):
		r, err := format.NewRequest(name, p, o)
		if err != nil {
			return nil, err
		}
		_, err = out.Write(r.Body)
		return r.Diagnostics, err
	}
	return nil, format.Write(out, name, p)
}

// style marks words only on a terminal.
func (a *app) style() format.Style {
	if !a.color {
		return format.Plain
	}
	mark := func(code string) func(string) string {
		return func(s string) string { return "\x1b[" + code + "m" + s + "\x1b[0m" }
	}
	return format.Style{Bold: mark("1"), Dim: mark("2"), Good: mark("32"), Bad: mark("31")}
}

// temporaryWorkspace makes a directory for --temporary without --workspace, where
// links are really going to be made, and says which.
func (a *app) temporaryWorkspace(c *cobra.Command, f *specFlags, make bool) error {
	if !f.temporary || f.workspace != "" {
		return nil
	}
	if !make {
		return usage(c, "--temporary says that --workspace DIR is a temporary one; name it, or use `promptc link` or --apply, which make one")
	}
	dir, err := os.MkdirTemp("", "promptc-")
	if err != nil {
		return err
	}
	f.workspace, f.fresh = dir, true
	if err := c.Flags().Set("workspace", dir); err != nil {
		return err
	}
	a.note("workspace: %s", dir)
	return nil
}
