package agent

import (
	"path/filepath"
	"slices"

	"github.com/promptc/promptc/engine/skill"
)

// maxDepth is the most that a skill.Root looks at, and stands for any depth.
const maxDepth = 6

// Roots gives the agent's own directories of skills, absolute, each once, the one
// that wins first: project directories in the workspace and, where the agent looks
// there, above it, the nearest first. A directory whose path cannot be expanded (no
// home directory) is left out. One that is both the project's and the user's is the
// user's.
func (f Facts) Roots(env Env) []skill.Root {
	r := rooter{facts: &f, env: env}
	dirs := f.Where.Dirs.Value
	for i := 0; i < len(dirs); {
		next := i + 1
		if dirs[i].Scope != skill.Project {
			r.add(env.Workspace, dirs[i])
			i = next
			continue
		}
		for next < len(dirs) && dirs[next].Scope == skill.Project {
			next++
		}
		for _, level := range f.levels(env) {
			for _, d := range dirs[i:next] {
				r.addProject(level, d)
			}
		}
		i = next
	}
	return r.out
}

type rooter struct {
	facts *Facts
	env   Env
	out   []skill.Root
}

// level is a directory in which project directories are looked for.
type level struct {
	dir    string
	beyond bool // above the workspace, and in no repository
}

// addProject leaves out directories that are not there where nothing says that
// they are this project's.
func (r *rooter) addProject(l level, d Dir) {
	n := len(r.out)
	r.add(l.dir, d)
	if l.beyond && len(r.out) > n && !r.env.Exists(r.out[n].Dir) {
		r.out = r.out[:n]
	}
}

func (r *rooter) add(from string, d Dir) {
	path, err := Expand(d.Path, r.env)
	if err != nil {
		return
	}
	path = filepath.FromSlash(path)
	if !filepath.IsAbs(path) {
		path = filepath.Join(from, path)
	}
	path = filepath.Clean(path)
	if i := slices.IndexFunc(r.out, func(o skill.Root) bool { return o.Dir == path }); i >= 0 {
		if d.Scope == skill.User {
			r.out[i].Scope = skill.User
		}
		return
	}
	r.out = append(r.out, skill.Root{
		Dir: path, Scope: d.Scope, Source: "default", Depth: r.facts.depth(),
		Hidden: Is(r.facts.Finds.Hidden, Yes), Native: !Is(r.facts.Use.Native, No),
	})
}

// depth is how many levels a skill.Root of the agent has.
func (f *Facts) depth() int {
	switch d := f.Finds.Depth; {
	case !d.Known():
		return 1
	case d.Value == AnyDepth:
		return maxDepth
	default:
		return min(int(d.Value), maxDepth)
	}
}

// levels are the directories in which project directories are looked for, the
// nearest first.
func (f *Facts) levels(env Env) []level {
	here := level{dir: env.Workspace}
	walk := f.Where.Walks.Value
	if !f.Where.Walks.Known() || walk == WalkNone || env.Exists == nil || !filepath.IsAbs(env.Workspace) {
		return []level{here}
	}
	up := []level{here}
	for !env.Exists(filepath.Join(up[len(up)-1].dir, ".git")) {
		dir := up[len(up)-1].dir
		if filepath.Dir(dir) == dir { // in no repository
			if walk != WalkAlways {
				return []level{here}
			}
			for i := range up[1:] {
				up[i+1].beyond = true
			}
			return up
		}
		up = append(up, level{dir: filepath.Dir(dir)})
	}
	switch top := up[len(up)-1]; {
	case walk == WalkRoot:
		return []level{top}
	case walk == WalkEnds && len(up) > 1:
		return []level{here, top}
	}
	return up
}
