package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/promptc/promptc/engine"
	"github.com/promptc/promptc/engine/format"
	"github.com/promptc/promptc/strategies"
)

func (a *app) strategiesCommand() *cobra.Command {
	var asJSON bool
	c := &cobra.Command{Use: "strategies", Short: "List the ways of delivering skills, what they need and their options"}
	c.Flags().BoolVar(&asJSON, "json", false, "for programs")
	c.RunE = func(*cobra.Command, []string) error {
		var infos []engine.Info
		for _, s := range strategies.Bundled() {
			infos = append(infos, s.Info())
		}
		if asJSON {
			return format.Encode(a.out, map[string]any{"strategies": infos})
		}
		style := a.style()
		for _, info := range infos {
			fmt.Fprintf(a.out, "%s  %s\n", style.Bold(fmt.Sprintf("%-8s", info.Name)), info.Summary)
			var needs []string
			for _, n := range info.Needs {
				needs = append(needs, string(n))
			}
			fmt.Fprintf(a.out, "          needs: %s\n", orNothing(needs))
			for _, line := range optionLines(info.Options) {
				fmt.Fprintf(a.out, "          %s\n", line)
			}
		}
		return nil
	}
	return c
}

func orNothing(list []string) string {
	if len(list) == 0 {
		return "nothing"
	}
	return strings.Join(list, ", ")
}

// optionLines puts a schema's options into a line each.
func optionLines(schema json.RawMessage) []string {
	var s struct {
		Properties map[string]struct {
			Enum        []any  `json:"enum"`
			Type        any    `json:"type"`
			Default     any    `json:"default"`
			Description string `json:"description"`
		} `json:"properties"`
	}
	if json.Unmarshal(schema, &s) != nil {
		return nil
	}
	var lines []string
	for _, name := range slices.Sorted(maps.Keys(s.Properties)) {
		p := s.Properties[name]
		values := fmt.Sprint(p.Type)
		if len(p.Enum) > 0 {
			var words []string
			for _, v := range p.Enum {
				words = append(words, fmt.Sprint(v))
			}
			values = strings.Join(words, "|")
		}
		line := fmt.Sprintf("option %s=%s", name, values)
		if p.Default != nil {
			line += fmt.Sprintf(" (default %v)", p.Default)
		}
		if p.Description != "" {
			line += ": " + p.Description
		}
		lines = append(lines, line)
	}
	return lines
}
