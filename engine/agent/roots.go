package agent

import (
	"path/filepath"

	"github.com/promptc/promptc/engine/skill"
)

// maxDepth is the most that a skill.Root looks at, and stands for any depth.
const maxDepth = 6

// Roots gives the agent's own directories of skills, absolute, the one that wins
// first: project directories in the workspace and, where the agent looks there,
// above it up to the root of the repository, the nearest first. A directory whose
// path cannot be expanded (no home directory) is left out.
func (f Facts) Roots(env Env) []skill.Root {
	levels := f.levels(env)
	depth := 1
	if f.Finds.Depth.Known() {
		if depth = int(f.Finds.Depth.Value); depth == int(AnyDepth) || depth > maxDepth {
			depth = maxDepth
		}
	}
	var out []skill.Root
	add := func(base string, d Dir) {
		path, err := Expand(d.Path, env)
		if err != nil {
			return
		}
		path = filepath.FromSlash(path)
		if !filepath.IsAbs(path) {
			path = filepath.Join(base, path)
		}
		out = append(out, skill.Root{
			Dir: filepath.Clean(path), Scope: d.Scope, Source: "default", Depth: depth,
			Hidden: Is(f.Finds.Hidden, Yes), Native: true,
		})
	}
	dirs := f.Where.Dirs.Value
	for i := 0; i < len(dirs); {
		if dirs[i].Scope != skill.Project {
			add(env.Workspace, dirs[i])
			i++
			continue
		}
		next := i
		for next < len(dirs) && dirs[next].Scope == skill.Project {
			next++
		}
		for _, level := range levels {
			for _, d := range dirs[i:next] {
				add(level, d)
			}
		}
		i = next
	}
	return out
}

// levels are the directories in which project directories are looked for.
func (f Facts) levels(env Env) []string {
	walk := f.Where.Walks.Value
	if !f.Where.Walks.Known() || walk == WalkNone || env.Exists == nil {
		return []string{env.Workspace}
	}
	var up []string
	for dir := env.Workspace; ; {
		up = append(up, dir)
		if env.Exists(filepath.Join(dir, ".git")) {
			break
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return []string{env.Workspace} // in no repository
		}
		dir = parent
	}
	top := up[len(up)-1]
	switch {
	case walk == WalkRoot || len(up) == 1:
		return []string{top}
	case walk == WalkEnds:
		return []string{env.Workspace, top}
	}
	return up
}
