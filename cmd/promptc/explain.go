package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/promptc/promptc/engine/diag"
	"github.com/promptc/promptc/engine/format"
)

func (a *app) explainCode(row diag.Row, asJSON bool) error {
	if asJSON {
		return format.Encode(a.out, map[string]any{
			"code": row.Code, "severity": row.Severity, "summary": row.Summary, "text": row.Text, "hint": row.Hint,
		})
	}
	style := a.style()
	_, err := fmt.Fprintf(a.out, "%s  %s\n\n%s.\n\n%s\n\nWhat to do: %s.\n",
		style.Bold(string(row.Code)), style.Dim("("+row.Severity.String()+")"), upper(row.Summary), wrap(row.Text, 78), row.Hint)
	return err
}

func upper(s string) string { return strings.ToUpper(s[:1]) + s[1:] }

// wrap breaks text at blanks so that no line is longer than n runes, where that
// is possible.
func wrap(text string, n int) string {
	var b strings.Builder
	column := 0
	for i, word := range strings.Fields(text) {
		size := len([]rune(word))
		switch {
		case i == 0:
		case column+1+size > n:
			b.WriteByte('\n')
			column = 0
		default:
			b.WriteByte(' ')
			column++
		}
		b.WriteString(word)
		column += size
	}
	return b.String()
}

func (a *app) explainCommand() *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use:   "explain CODE",
		Short: "Say what a code means and what to do",
		Args:  cobra.ExactArgs(1),
	}
	c.Flags().BoolVar(&asJSON, "json", false, "for programs")
	c.ValidArgs = diag.Codes()
	c.RunE = func(c *cobra.Command, args []string) error {
		if row, ok := diag.Lookup(diag.Code(args[0])); ok {
			return a.explainCode(row, asJSON)
		}
		near := diag.Nearest(args[0], diag.Codes())
		if near != "" {
			return usage(c, "no code %q; did you mean %q?", args[0], near)
		}
		return usage(c, "no code %q; codes are %s", args[0], strings.Join(diag.Codes(), ", "))
	}
	return c
}
