package main

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/promptc/promptc/engine/agent"
	"github.com/promptc/promptc/engine/diag"
	"github.com/promptc/promptc/engine/format"
)

func (a *app) agentsCommand() *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use:   "agents [ID]",
		Short: "List the known agents, or the facts about one with their sources",
		Args:  cobra.MaximumNArgs(1),
	}
	c.Flags().BoolVar(&asJSON, "json", false, "for programs")
	c.RunE = func(c *cobra.Command, args []string) error {
		if len(args) == 0 {
			return a.printAgents(asJSON)
		}
		facts, ok := agent.Lookup(args[0])
		if !ok {
			if near := diag.Nearest(args[0], agent.IDs()); near != "" {
				return usage(c, "no agent %q; did you mean %q?", args[0], near)
			}
			return usage(c, "no agent %q; `promptc agents` lists all", args[0])
		}
		return a.printAgent(facts, asJSON)
	}
	return c
}

func (a *app) printAgents(asJSON bool) error {
	var plain []agent.Agent
	for _, f := range agent.All() {
		p, _ := f.At("", false)
		plain = append(plain, p)
	}
	if asJSON {
		return format.Encode(a.out, map[string]any{"agents": plain})
	}
	rows := [][]string{{"agent", "version", "skills go into", "links", "name"}}
	for _, p := range plain {
		rows = append(rows, []string{p.ID, cmp.Or(p.Version, "-"), cmp.Or(p.Skills, "-"), p.Links, p.Name})
	}
	a.table(rows)
	return nil
}

// table writes rows in columns; the first row is their heads.
func (a *app) table(rows [][]string) {
	style := a.style()
	widths := make([]int, len(rows[0]))
	for _, r := range rows {
		for i, cell := range r {
			widths[i] = max(widths[i], columns(cell))
		}
	}
	for i, r := range rows {
		var b strings.Builder
		for j, cell := range r {
			padded := cell
			if j < len(r)-1 {
				padded = pad(cell, widths[j]+2)
			}
			if i > 0 && j == 0 {
				padded = style.Bold(padded)
			}
			b.WriteString(padded)
		}
		line := b.String()
		if i == 0 {
			line = style.Dim(line)
		}
		fmt.Fprintln(a.out, line)
	}
}

// printAgent writes every fact under its topic, with the number of its source.
func (a *app) printAgent(f agent.Facts, asJSON bool) error {
	plain, _ := f.At("", false)
	rows := f.Describe()
	if asJSON {
		return format.Encode(a.out, map[string]any{"agent": plain, "facts": rows})
	}
	style := a.style()
	fmt.Fprintf(a.out, "%s  %s %s\n", style.Bold(plain.ID), plain.Name, plain.Version)
	label := 0
	for _, r := range rows {
		label = max(label, columns(r.Fact))
	}
	var sources []string
	topic := ""
	for _, r := range rows {
		if r.Topic != topic {
			topic = r.Topic
			fmt.Fprintf(a.out, "\n%s\n", style.Bold(topic))
		}
		value := r.Value
		if r.Source != "" {
			at := ""
			if r.Version != "" && r.Version != "undated" {
				at = " at " + r.Version
			}
			source := fmt.Sprintf("%s %s%s: %s", r.How, r.Date, at, r.Source)
			n := slices.Index(sources, source)
			if n < 0 {
				n = len(sources)
				sources = append(sources, source)
			}
			value += fmt.Sprintf(" [%d]", n+1)
		}
		fmt.Fprintf(a.out, "  %s  %s\n", pad(r.Fact, label), hang(value, label+4, a.width()))
	}
	fmt.Fprintf(a.out, "\n%s\n", style.Bold("sources"))
	for i, s := range sources {
		mark := fmt.Sprintf("  [%d] ", i+1)
		fmt.Fprintf(a.out, "%s%s\n", mark, hang(s, len(mark), a.width()))
	}
	return nil
}
