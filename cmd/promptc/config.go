package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/promptc/promptc/engine/agent"
	"github.com/promptc/promptc/engine/diag"
)

// config is the user's own: what no project may decide. The zero value is no config.
type config struct {
	Trusted []string    // directories: project skills of a workspace in one of them are used; absolute
	LintOff []diag.Code // rules that are switched off
}

// config reads the file that PROMPTC_CONFIG names, else promptc/config.yaml below
// $XDG_CONFIG_HOME or ~/.config, where it is there. What is wrong in it is in the
// error, for diag.Of.
func (a *app) config() (config, error) {
	path, named := a.configPath()
	if path == "" {
		return config{}, nil
	}
	data, err := os.ReadFile(path)
	switch {
	case errors.Is(err, fs.ErrNotExist) && !named:
		return config{}, nil
	case err != nil:
		d := diag.New(diag.ConfigInvalid, diag.At(path), "the config cannot be read: %v", reason(err))
		if named {
			d = d.WithHint("PROMPTC_CONFIG names this file")
		}
		return config{}, diag.List{d}.Err()
	}
	r := configReader{path: path, app: a}
	r.read(data)
	return r.out, r.found.Err()
}

// configPath is where the config is looked for, and whether the user named it.
func (a *app) configPath() (path string, named bool) {
	if v, ok := a.env.Lookup("PROMPTC_CONFIG"); ok && v != "" {
		return a.abs(v), true
	}
	base := ""
	if v, ok := a.env.Lookup("XDG_CONFIG_HOME"); ok && filepath.IsAbs(v) {
		base = v
	} else if a.env.Home != "" {
		base = filepath.Join(a.env.Home, ".config")
	}
	if base == "" {
		return "", false
	}
	return filepath.Join(base, "promptc", "config.yaml"), false
}

// trusts reports whether the workspace is, or lies below, a directory that the user
// trusts, after links are resolved.
func (c config) trusts(workspace string) bool {
	real, err := filepath.EvalSymlinks(workspace)
	if err != nil {
		return false
	}
	return slices.ContainsFunc(c.Trusted, func(dir string) bool {
		trusted, err := filepath.EvalSymlinks(dir)
		if err != nil {
			return false
		}
		rel, err := filepath.Rel(trusted, real)
		return err == nil && filepath.IsLocal(rel)
	})
}

// configReader decodes strictly: each key and each value that it does not know is
// found, with its place and the nearest word that it knows.
type configReader struct {
	path  string
	app   *app
	out   config
	found diag.List
}

// section says what to do with each key of a map.
type section map[string]func(n *yaml.Node, at string)

func (r *configReader) read(data []byte) {
	dec := yaml.NewDecoder(bytes.NewReader(bytes.TrimPrefix(data, []byte("\ufeff"))))
	var doc yaml.Node
	if err := dec.Decode(&doc); errors.Is(err, io.EOF) {
		return
	} else if err != nil {
		at := diag.At(r.path)
		text := strings.TrimPrefix(err.Error(), "yaml: ")
		if n, _ := fmt.Sscanf(text, "line %d:", &at.Line); n == 1 {
			_, text, _ = strings.Cut(text, ": ")
		}
		r.found.Add(diag.New(diag.ConfigInvalid, at, "the config is not valid YAML: %s", text))
		return
	}
	r.section(doc.Content[0], "", section{
		"trusted": func(n *yaml.Node, at string) { r.each(n, at, r.trusted) },
		"lint": func(n *yaml.Node, at string) {
			r.section(n, at, section{
				"off": func(n *yaml.Node, at string) { r.each(n, at, r.off) },
			})
		},
	})
}

// fail reports what is wrong at a node; an empty hint is the code's own.
func (r *configReader) fail(n *yaml.Node, hint, format string, args ...any) {
	d := diag.New(diag.ConfigInvalid, diag.Pos{File: r.path, Line: n.Line, Column: n.Column}, format, args...)
	if hint != "" {
		d.Hint = hint
	}
	r.found.Add(d)
}

// nearest is the hint for a word that is not one of known.
func nearest(word string, known []string) string {
	if near := diag.Nearest(word, known); near != "" {
		return fmt.Sprintf("did you mean %q?", near)
	}
	return "known here: " + strings.Join(known, ", ")
}

// section reads a map. A key without a value is left out.
func (r *configReader) section(n *yaml.Node, at string, keys section) {
	if isNull(n) {
		return
	}
	if n.Kind != yaml.MappingNode {
		r.fail(n, "", "%s must be a map", orConfig(at))
		return
	}
	var known, seen []string
	for key := range keys {
		known = append(known, key)
	}
	slices.Sort(known)
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, value := n.Content[i], n.Content[i+1]
		read, ok := keys[key.Value]
		switch {
		case !ok:
			r.fail(key, nearest(key.Value, known), "unknown key %q in %s", key.Value, orConfig(at))
		case slices.Contains(seen, key.Value):
			r.fail(key, "", "the key %q stands twice", key.Value)
		default:
			seen = append(seen, key.Value)
			read(value, strings.TrimPrefix(at+"."+key.Value, "."))
		}
	}
}

// each reads a list of texts; one text stands for a list of one.
func (r *configReader) each(n *yaml.Node, at string, read func(n *yaml.Node)) {
	items := []*yaml.Node{n}
	if n.Kind == yaml.SequenceNode {
		items = n.Content
	} else if isNull(n) {
		return
	}
	for _, item := range items {
		if item.Kind != yaml.ScalarNode || isNull(item) {
			r.fail(item, "", "%s must be a list of texts", at)
			continue
		}
		read(item)
	}
}

func (r *configReader) trusted(n *yaml.Node) {
	env := agent.Env{Home: r.app.env.Home, Lookup: r.app.env.Lookup}
	dir, err := agent.Expand(n.Value, env)
	switch {
	case err != nil:
		r.fail(n, "", "trusted: %v", err)
	case !filepath.IsAbs(dir):
		r.fail(n, "write the whole path; ~ and ${VAR} are expanded", "trusted: %q is not an absolute path", n.Value)
	default:
		r.out.Trusted = append(r.out.Trusted, filepath.Clean(dir))
	}
}

func (r *configReader) off(n *yaml.Node) {
	if _, ok := diag.Lookup(diag.Code(n.Value)); ok {
		r.out.LintOff = append(r.out.LintOff, diag.Code(n.Value))
		return
	}
	r.fail(n, nearest(n.Value, diag.Codes()), "lint.off: no code %q", n.Value)
}

func isNull(n *yaml.Node) bool { return n.Kind == yaml.ScalarNode && n.Tag == "!!null" }

func orConfig(at string) string {
	if at == "" {
		return "the config"
	}
	return at
}
