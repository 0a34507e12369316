package agent

import (
	"fmt"
	"path/filepath"
	"strings"
)

// Env is what expanding and walking need to know of the machine around. This
// package asks through it and touches nothing itself.
type Env struct {
	Workspace string                          // absolute
	Home      string                          // the user's home directory; "" where there is none
	Lookup    func(key string) (string, bool) // an environment variable; nil: there are none
	Exists    func(path string) bool          // is there anything at path; nil: no
}

func (e Env) lookup(key string) string {
	if e.Lookup == nil {
		return ""
	}
	v, _ := e.Lookup(key)
	return v
}

// Expand replaces a ~ at the beginning of path, and each ${VAR} and
// ${VAR:-default}; a default may hold the same. What a variable holds is not
// looked at again. A variable that is empty counts as one that is not set, because
// a path without its beginning is another path. The error names a variable that is
// not set and has no default.
func Expand(path string, env Env) (string, error) {
	out, err := expand(path, env)
	if err != nil {
		return "", fmt.Errorf("expand %q: %w", path, err)
	}
	return out, nil
}

func expand(path string, env Env) (string, error) {
	var b strings.Builder
	if rest, ok := strings.CutPrefix(path, "~"); ok && (rest == "" || rest[0] == '/' || rest[0] == filepath.Separator) {
		if env.Home == "" {
			return "", fmt.Errorf("the home directory is not known")
		}
		b.WriteString(env.Home)
		path = rest
	}
	for {
		before, rest, ok := strings.Cut(path, "${")
		b.WriteString(before)
		if !ok {
			return b.String(), nil
		}
		end := closing(rest)
		if end < 0 {
			return "", fmt.Errorf("a ${ has no }")
		}
		value, err := variable(rest[:end], env)
		if err != nil {
			return "", err
		}
		b.WriteString(value)
		path = rest[end+1:]
	}
}

// closing is where the brace that ends a variable stands, or -1.
func closing(text string) int {
	depth := 0
	for i := range len(text) {
		switch text[i] {
		case '{':
			depth++
		case '}':
			if depth == 0 {
				return i
			}
			depth--
		}
	}
	return -1
}

func variable(text string, env Env) (string, error) {
	name, fallback, hasFallback := strings.Cut(text, ":-")
	if !isName(name) {
		return "", fmt.Errorf("${%s} is not the name of a variable", text)
	}
	if value := env.lookup(name); value != "" {
		return value, nil
	}
	if hasFallback {
		return expand(fallback, env)
	}
	return "", fmt.Errorf("the variable %s is not set; give a default with ${%s:-default}", name, name)
}

func isName(name string) bool {
	for i, r := range name {
		letter := r == '_' || 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z'
		if !letter && (i == 0 || r < '0' || r > '9') {
			return false
		}
	}
	return name != ""
}
