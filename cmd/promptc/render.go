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
		defer f.clean()
		job, p, err := a.build(c.Context(), f, name == "json")
		if err != nil {
			return err
		}
		var out bytes.Buffer
		out.Grow(2 * len(p.SystemText())) // about what a view takes that shows it once
		found, err := a.write(&out, name, p, format.Options{MaxTokens: maxTokens})
		if err != nil {
			return err
		}
		if err := a.finish(append(a.unseen(name, p), found...)); err != nil {
			return err
		}
		switch {
		case apply && len(p.Links) > 0:
			if err := a.apply(c.Context(), job, p, f); err != nil {
				return err
			}
		case apply:
			a.note("nothing to apply: %s asks for no link here", p.Strategy)
		}
		_, err = out.WriteTo(a.out)
		return err
	}
	return c
}

// unseen are the diagnostics that the output does not show already: the text view
// lists each skill that is kept from the model, with the reason. That an agent's
// own directory is not there matters only where no skill was found at all.
func (a *app) unseen(form string, p *engine.Prompt) diag.List {
	if form != "text" || a.verbose {
		return p.Diagnostics
	}
	some := len(p.Skills)+len(p.Dropped) > 0
	return slices.DeleteFunc(slices.Clone(p.Diagnostics), func(d diag.Diagnostic) bool {
		return d.Code == diag.SkillHidden || some && isOptional(d)
	})
}

// isOptional says that a root is missing which nobody named.
func isOptional(d diag.Diagnostic) bool {
	return d.Code == diag.RootMissing && d.Severity == diag.Info
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
		return usage(c, "--temporary says that --workspace DIR is a temporary one; name it, because this call makes none (`promptc link` and `promptc render --apply` do)")
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

// clean takes a workspace that was made for --temporary away again, where nothing
// was put into it.
func (f *specFlags) clean() {
	if f.fresh {
		_ = os.Remove(f.workspace) // refused where it holds something, which is the point
	}
}
