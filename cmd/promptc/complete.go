package main

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/promptc/promptc/engine"
	"github.com/promptc/promptc/engine/agent"
	"github.com/promptc/promptc/engine/diag"
	"github.com/promptc/promptc/engine/format"
	"github.com/promptc/promptc/engine/skill"
	"github.com/promptc/promptc/strategies"
)

// completer offers what may stand at a place of the command line, each with a few
// words behind a tab.
type completer func(c *cobra.Command, args []string, word string) []cobra.Completion

// offer makes a completer one of cobra's: what begins with the word, without the file
// names that a shell would add, and without a blank behind KEY=.
func offer(f completer) cobra.CompletionFunc {
	return func(c *cobra.Command, args []string, word string) ([]cobra.Completion, cobra.ShellCompDirective) {
		directive := cobra.ShellCompDirectiveNoFileComp
		var out []cobra.Completion
		for _, x := range f(c, args, word) {
			if !strings.HasPrefix(x, word) {
				continue
			}
			out = append(out, x)
			if name, _, _ := strings.Cut(x, "\t"); strings.HasSuffix(name, "=") {
				directive |= cobra.ShellCompDirectiveNoSpace
			}
		}
		return out, directive
	}
}

func fixed(words ...string) completer {
	return func(*cobra.Command, []string, string) []cobra.Completion { return words }
}

// once offers for the first argument only.
func once(f completer) completer {
	return func(c *cobra.Command, args []string, word string) []cobra.Completion {
		if len(args) > 0 {
			return nil
		}
		return f(c, args, word)
	}
}

func both(f, g completer) completer {
	return func(c *cobra.Command, args []string, word string) []cobra.Completion {
		return slices.Concat(f(c, args, word), g(c, args, word))
	}
}

// complete lets the shell finish the words of a command that builds from a spec.
func (a *app) complete(c *cobra.Command, f *specFlags) {
	skills := a.skillNames(f)
	for name, f := range map[string]completer{
		"agent": agentIDs, "strategy": strategyNames, "fallback": strategyNames, "option": f.options,
		"select": skills, "enable": skills, "disable": skills, "auto": skills, "pin": skills,
		"layout": fixed(engine.Presets()...), "place": fixed("system", "first_message"), "language": fixed(engine.Languages()...),
		"rank": fixed("listed", "text"), "history-format": fixed(append([]string{format.Own}, format.Providers()...)...),
	} {
		mustRegister(c, name, f)
	}
	switch c.Name() {
	case "skills", "activate":
		c.ValidArgsFunction = offer(once(skills))
	case "explain":
		c.ValidArgsFunction = offer(once(both(skills, codes)))
	}
}

// completeRest does so for what has no spec.
func (a *app) completeRest(root *cobra.Command) {
	for _, c := range root.Commands() {
		if c.Flags().Lookup("format") != nil {
			mustRegister(c, "format", formats)
		}
		switch {
		case c.ValidArgsFunction != nil:
		case c.Name() == "agents":
			c.ValidArgsFunction = offer(once(agentIDs))
		case c.Name() == "explain":
			c.ValidArgsFunction = offer(once(codes))
		}
		if c.ValidArgsFunction != nil {
			c.ValidArgs = nil // cobra would offer nothing else
		}
	}
}

// mustRegister panics on a flag that is not there or is completed already: a mistake
// in this file.
func mustRegister(c *cobra.Command, flag string, f completer) {
	if err := c.RegisterFlagCompletionFunc(flag, offer(f)); err != nil {
		panic("promptc: " + err.Error())
	}
}

func agentIDs(*cobra.Command, []string, string) []cobra.Completion {
	var out []cobra.Completion
	for _, f := range agent.All() {
		plain, _ := f.At("", false)
		out = append(out, cobra.CompletionWithDesc(plain.ID, plain.Name))
	}
	return out
}

func strategyNames(*cobra.Command, []string, string) []cobra.Completion {
	var out []cobra.Completion
	for _, s := range strategies.Bundled() {
		out = append(out, cobra.CompletionWithDesc(s.Info().Name, s.Info().Summary))
	}
	return append(out, cobra.CompletionWithDesc("auto", "the best one that the agent and the place allow"))
}

func formats(*cobra.Command, []string, string) []cobra.Completion {
	var out []cobra.Completion
	for _, name := range format.Names() {
		out = append(out, cobra.CompletionWithDesc(name, format.Summary(name)))
	}
	return out
}

func codes(*cobra.Command, []string, string) []cobra.Completion {
	var out []cobra.Completion
	for _, row := range diag.Table() {
		out = append(out, cobra.CompletionWithDesc(string(row.Code), row.Summary))
	}
	return out
}

// options offers KEY= of the strategy that was named, and its values where they are
// a list.
func (f *specFlags) options(_ *cobra.Command, _ []string, word string) []cobra.Completion {
	name := f.strategy
	if name == "" {
		name = engine.DefaultStrategy
	}
	var schema struct {
		Properties map[string]struct {
			Enum        []string `json:"enum"`
			Description string   `json:"description"`
		} `json:"properties"`
	}
	for _, s := range strategies.Bundled() {
		if s.Info().Name == name && json.Unmarshal(s.Info().Options, &schema) != nil {
			return nil
		}
	}
	key, _, valued := strings.Cut(word, "=")
	var out []cobra.Completion
	for _, k := range slices.Sorted(maps.Keys(schema.Properties)) {
		p := schema.Properties[k]
		if !valued {
			out = append(out, cobra.CompletionWithDesc(k+"=", p.Description))
		} else if k == key {
			for _, v := range p.Enum {
				out = append(out, k+"="+v)
			}
		}
	}
	return out
}

// skillNames offers the skills that the flags before lead to. It prints nothing and
// reads no stdin; what is wrong with the flags is said when the command runs.
func (a *app) skillNames(f *specFlags) completer {
	return func(c *cobra.Command, _ []string, _ string) []cobra.Completion {
		quiet := &app{in: strings.NewReader(""), env: a.env}
		spec, err := quiet.loadSpec(f)
		if err != nil {
			return nil
		}
		job, err := engine.Load(c.Context(), spec)
		if err != nil {
			return nil
		}
		var out []cobra.Completion
		for _, found := range job.Catalog.Found {
			if found.Status == skill.Loaded && !strings.ContainsAny(found.Name, "\t\n\r") {
				description, _, _ := strings.Cut(found.Description, "\n")
				out = append(out, cobra.CompletionWithDesc(found.Name, strings.ReplaceAll(description, "\t", " ")))
			}
		}
		return out
	}
}
