package engine

import (
	"bytes"
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/promptc/promptc/engine/diag"
)

// toolNameForm is what every provider accepts as a tool's name (P10). It is read by
// hand: as a compiled pattern it would cost every start of a program.
const toolNameForm = `^[a-zA-Z0-9_-]{1,64}$`

func isToolName(name string) bool {
	for i := range len(name) {
		switch c := name[i]; {
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9', c == '_', c == '-':
		default:
			return false
		}
	}
	return 1 <= len(name) && len(name) <= 64
}

// checkRendering looks at what a strategy returned before any of it is used:
// bundled or stranger's, it is held to the same rules.
func checkRendering(name string, in *Input, r *Rendering, reserved []string) diag.List {
	c := checker{strategy: name}
	dirs := map[string]bool{}
	for _, s := range in.Skills {
		dirs[s.Dir] = true
	}
	ids := map[string]bool{}
	for _, s := range r.Sections {
		if s.ID != partSkills && !strings.HasPrefix(s.ID, partSkills+"/") {
			c.refuse("a section has the id %q; ids are skills or skills/NAME", s.ID)
		}
		if ids[s.ID] {
			c.refuse("the section %q stands twice", s.ID)
		}
		ids[s.ID] = true
		c.text("the section "+s.ID, s.Text)
	}
	c.tools(r.Tools, reserved)
	for _, l := range r.Links {
		if !filepath.IsLocal(filepath.FromSlash(l.Path)) || strings.Contains(l.Path, `\`) {
			c.refuse("a link has the path %q, which is not a local one", l.Path)
		}
		if !dirs[l.Target] {
			c.refuse("a link leads to %q, which is no directory of a skill", l.Target)
		}
		if in.Place.Dir == "" {
			c.refuse("a link %q is asked for where there is no place for links", l.Path)
		}
	}
	for _, root := range r.ReadRoots {
		if !dirs[root] {
			c.refuse("the read root %q is no directory of a skill", root)
		}
	}
	for i, a := range r.Launch.Args {
		c.text(fmt.Sprintf("launch argument %d", i+1), a)
	}
	return c.found
}

type checker struct {
	strategy string
	found    diag.List
}

func (c *checker) refuse(format string, args ...any) {
	c.found.Add(diag.New(diag.RenderingRefused, diag.Pos{}, "strategy %q: %s", c.strategy, fmt.Sprintf(format, args...)))
}

func (c *checker) text(what, s string) {
	if !utf8.ValidString(s) {
		c.refuse("%s is not valid UTF-8", what)
	}
}

func (c *checker) tools(tools []Tool, reserved []string) {
	seen := map[string]bool{}
	for _, t := range tools {
		if !isToolName(t.Name) {
			c.refuse("the tool name %q has not the form %s", t.Name, toolNameForm)
		}
		if slices.Contains(reserved, t.Name) {
			c.found.Add(diag.New(diag.ToolClash, diag.Pos{}, "the tool name %q is reserved by the host", t.Name))
		}
		if seen[t.Name] {
			c.found.Add(diag.New(diag.ToolClash, diag.Pos{}, "two tools have the name %q", t.Name))
		}
		seen[t.Name] = true
		c.text("the description of "+t.Name, t.Description)
		var schema struct {
			Type       string                     `json:"type"`
			Properties map[string]json.RawMessage `json:"properties"`
		}
		if err := json.Unmarshal(t.Parameters, &schema); err != nil || schema.Type != "object" || schema.Properties == nil || !utf8.Valid(t.Parameters) {
			c.refuse("the parameters of %q are not a JSON Schema of an object with properties: %s", t.Name, bytes.TrimSpace(t.Parameters))
			continue
		}
		for _, p := range []string{t.Asks.SkillParam, t.Asks.FileParam, t.Asks.ArgsParam} {
			if _, ok := schema.Properties[p]; p != "" && !ok {
				c.refuse("the tool %q says that %q asks for a skill, and has no such parameter", t.Name, p)
			}
		}
	}
}
