package main

import (
	"fmt"
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
	style := a.style()
	longest := 0
	for _, p := range plain {
		longest = max(longest, len(p.ID))
	}
	for _, p := range plain {
		version := p.Version
		if version == "" {
			version = "-"
		}
		dir := p.Skills
		if dir == "" {
			dir = "-"
		}
		fmt.Fprintf(a.out, "%s  %-12s %-20s links: %-8s %s\n", style.Bold(fmt.Sprintf("%-*s", longest, p.ID)), clip(version, 12), dir, p.Links, style.Dim(p.Name))
	}
	return nil
}

func (a *app) printAgent(f agent.Facts, asJSON bool) error {
	plain, _ := f.At("", false)
	rows := f.Describe()
	if asJSON {
		return format.Encode(a.out, map[string]any{"agent": plain, "facts": rows})
	}
	style := a.style()
	fmt.Fprintf(a.out, "%s  %s\n", style.Bold(plain.ID), plain.Name)
	topic := ""
	for _, r := range rows {
		if r.Topic != topic {
			topic = r.Topic
			fmt.Fprintf(a.out, "\n%s\n", style.Bold(topic))
		}
		var source []string
		for _, s := range []string{r.Source, r.Version, r.Date} {
			if s != "" {
				source = append(source, s)
			}
		}
		fmt.Fprintf(a.out, "  %-26s %s", r.Fact, r.Value)
		if len(source) > 0 {
			fmt.Fprintf(a.out, "  %s", style.Dim("("+strings.Join(source, ", ")+")"))
		}
		fmt.Fprintln(a.out)
	}
	return nil
}
