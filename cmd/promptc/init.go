package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"
	"go.yaml.in/yaml/v3"

	"github.com/promptc/promptc/engine"
	"github.com/promptc/promptc/engine/agent"
	"github.com/promptc/promptc/engine/format"
	"github.com/promptc/promptc/engine/skill"
)

func (a *app) initCommand() *cobra.Command {
	var id string
	var asJSON bool
	c := &cobra.Command{
		Use:   "init",
		Short: "Write a starter " + specFile + " from what is found here",
	}
	c.Flags().StringVar(&id, "agent", "", "the agent's `ID`; default: the first whose skills directory is here")
	c.Flags().BoolVar(&asJSON, "json", false, "for programs")
	c.RunE = func(c *cobra.Command, _ []string) error {
		if id == "" {
			id = a.agentHere()
		}
		spec := &engine.Spec{Agent: id, Env: a.env, Workspace: engine.WorkspaceSpec{Dir: a.env.Dir}}
		spec.SetAt("agent", flagPos("agent"))
		job, err := engine.Load(c.Context(), spec)
		if err != nil {
			return err
		}
		text, err := a.starter(id, job)
		if err != nil {
			return err
		}
		path := filepath.Join(a.env.Dir, specFile)
		if err := writeNew(path, text); err != nil {
			return err
		}
		if asJSON {
			return format.Encode(a.out, map[string]any{"spec": path, "agent": id, "skills": len(job.Catalog.Found)})
		}
		a.note("wrote %s; next: promptc render --spec %s", path, specFile)
		return nil
	}
	return c
}

// writeNew writes a file that must not be there yet.
func writeNew(path string, text []byte) (err error) {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if errors.Is(err, fs.ErrExist) {
		return usageError{path + " is there already; remove it, or edit it"}
	}
	if err != nil {
		return err
	}
	_, err = f.Write(text)
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	if err != nil {
		return errors.Join(err, os.Remove(path)) // nothing half written
	}
	return nil
}

// agentHere is the first agent one of whose project directories exists.
func (a *app) agentHere() string {
	for _, id := range agent.IDs() {
		facts, _ := agent.Lookup(id)
		plain, _ := facts.At("", false)
		if plain.Skills == "" || id == "generic" {
			continue
		}
		if _, err := os.Stat(filepath.Join(a.env.Dir, filepath.FromSlash(plain.Skills))); err == nil {
			return id
		}
	}
	return "generic"
}

// starter writes what was found as a spec with a word to each line.
func (a *app) starter(id string, job *engine.Job) ([]byte, error) {
	var b strings.Builder
	b.WriteString("# A promptc spec. `promptc schema` prints all keys, `promptc render --spec " + specFile + "` the prompt.\n")
	fmt.Fprintf(&b, "agent: %s\n", id)
	b.WriteString("strategy: index      # index | inject | symlink | tool\n")
	var found []string
	for _, r := range job.Catalog.Roots {
		if r.State == skill.RootOK {
			found = append(found, fmt.Sprintf("#   %s (%s, %d)\n", rel(a.env.Dir, r.Root.Dir), r.Root.Scope, r.Skills))
		}
	}
	if dirs := a.looseRoots(job); len(dirs) > 0 {
		line, err := yaml.Marshal(map[string]any{"extra_roots": dirs})
		if err != nil {
			return nil, err
		}
		b.Write(line)
	}
	if len(found) > 0 {
		b.WriteString("# Skills were found in:\n" + strings.Join(found, ""))
	} else {
		b.WriteString("# No skill was found in the agent's own directories.\n")
	}
	b.WriteString("system: You are a careful assistant.\n")
	return []byte(b.String()), nil
}

// looseRoots are directories called skills that no agent reads by itself.
func (a *app) looseRoots(job *engine.Job) []engine.RootSpec {
	var out []engine.RootSpec
	dir := filepath.Join(a.env.Dir, "skills")
	for _, r := range job.Catalog.Roots {
		if r.Root.Dir == dir {
			return nil
		}
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil
	}
	for _, e := range entries {
		if _, err := os.Stat(filepath.Join(dir, e.Name(), "SKILL.md")); err == nil {
			return append(out, engine.RootSpec{Dir: "skills", Scope: string(skill.Project), Depth: 1})
		}
	}
	return out
}

func rel(base, path string) string {
	if r, err := filepath.Rel(base, path); err == nil && filepath.IsLocal(r) {
		return filepath.ToSlash(r)
	}
	return path
}
