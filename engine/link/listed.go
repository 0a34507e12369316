package link

import (
	"bytes"
	"encoding/json"
	"iter"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/promptc/promptc/engine/agent"
)

// Shown is a skill in the list that an agent itself prints.
type Shown struct {
	Name string `json:"name"`
	Dir  string `json:"dir"` // absolute, slash-separated; "" where the list says no path
}

// ReadList reads what an agent's command for listing its skills printed. It knows
// the three forms that were seen: a JSON list of objects with a name and a path or
// location, JSON of a request whose text has lines "- name: … (file: alias/path)",
// and lines with a name that are followed by "Location: path". ok is false where
// the output has none of them.
func ReadList(out []byte) (list []Shown, ok bool) {
	for at := range documents(out) {
		var v any
		if json.NewDecoder(bytes.NewReader(at)).Decode(&v) != nil {
			continue
		}
		if list, ok = objects(v); ok {
			return list, true
		}
		for text := range texts(v) {
			if list, ok = promptLines(text); ok {
				return list, true
			}
		}
	}
	return locations(string(out))
}

// maxDocuments bounds how often a beginning of JSON is tried.
const maxDocuments = 20

// documents are the rests of out that begin at a line with [ or {, so that lines of
// a log before the list do no harm.
func documents(out []byte) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		tried := 0
		for i := 0; i >= 0 && i < len(out); {
			if out[i] == '[' || out[i] == '{' {
				if tried++; tried > maxDocuments || !yield(out[i:]) {
					return
				}
			}
			next := bytes.IndexByte(out[i:], '\n')
			if next < 0 {
				return
			}
			i += next + 1
		}
	}
}

// objects reads a list, or an object that holds one under skills.
func objects(v any) ([]Shown, bool) {
	if m, ok := v.(map[string]any); ok {
		v = m["skills"]
	}
	items, ok := v.([]any)
	if !ok {
		return nil, false
	}
	list := []Shown{}
	for _, item := range items {
		m, ok := item.(map[string]any)
		name, named := m["name"].(string)
		if !ok || !named {
			return nil, false
		}
		s := Shown{Name: name}
		for _, key := range []string{"path", "location", "baseDir", "dir"} {
			if p, ok := m[key].(string); ok {
				s.Dir = dirOf(p)
				break
			}
		}
		list = append(list, s)
	}
	return list, true
}

// texts are all strings in v, in the order of lists and of keys.
func texts(v any) iter.Seq[string] {
	var walk func(any, func(string) bool) bool
	walk = func(v any, yield func(string) bool) bool {
		switch x := v.(type) {
		case string:
			return yield(x)
		case []any:
			for _, item := range x {
				if !walk(item, yield) {
					return false
				}
			}
		case map[string]any:
			for _, k := range slices.Sorted(maps.Keys(x)) {
				if !walk(x[k], yield) {
					return false
				}
			}
		}
		return true
	}
	return func(yield func(string) bool) { walk(v, yield) }
}

var (
	aliasLine = regexp.MustCompile("^- `([^`]+)` = `([^`]+)`$")
	entryLine = regexp.MustCompile(`^- (.+?): .*\(file: ([^()]+)\)$`)
)

// promptLines reads the list that is part of a prompt.
func promptLines(text string) ([]Shown, bool) {
	if !strings.Contains(text, "\n### Available skills") {
		return nil, false
	}
	alias := map[string]string{}
	list := []Shown{}
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\r\n")
		if m := aliasLine.FindStringSubmatch(line); m != nil {
			alias[m[1]] = m[2]
		} else if m := entryLine.FindStringSubmatch(line); m != nil {
			file := m[2]
			if first, rest, ok := strings.Cut(file, "/"); ok && alias[first] != "" {
				file = alias[first] + "/" + rest
			}
			list = append(list, Shown{m[1], dirOf(file)})
		}
	}
	return list, true
}

var marks = regexp.MustCompile(`( \[[A-Za-z-]+\])+$`)

// locations reads blocks of lines: the name at the beginning of a line, and below
// it an indented Location.
func locations(text string) ([]Shown, bool) {
	list := []Shown{}
	name := ""
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\r\n")
		switch rest, ok := strings.CutPrefix(strings.TrimSpace(line), "Location:"); {
		case ok && name != "" && line != strings.TrimSpace(line):
			list = append(list, Shown{name, dirOf(strings.TrimSpace(rest))})
			name = ""
		case line != "" && line == strings.TrimLeft(line, " \t"):
			name = marks.ReplaceAllString(line, "")
		}
	}
	return list, len(list) > 0 || strings.Contains(text, "No skills")
}

// dirOf is the directory of a skill by its own path or by that of its SKILL.md.
func dirOf(p string) string {
	p = strings.ReplaceAll(p, `\`, "/")
	if strings.EqualFold(path.Base(p), "skill.md") {
		p = path.Dir(p)
	}
	if !path.IsAbs(p) && !windowsAbs(p) {
		return "" // <built-in>, or a word
	}
	return path.Clean(p)
}

func windowsAbs(p string) bool { return len(p) > 2 && p[1] == ':' && p[2] == '/' }

// Verification is the agent's own list held against what Check says.
type Verification struct {
	Ran        bool     `json:"ran"` // false: there is no list; Reason says why
	Reason     string   `json:"reason"`
	Command    []string `json:"command"`
	Listed     []Shown  `json:"listed"`     // of the linked skills
	Missing    []string `json:"missing"`    // linked skills that it should list and does not
	Unexpected []Shown  `json:"unexpected"` // what it lists out of the place and nobody linked
	Surprising []string `json:"surprising"` // linked skills that it lists although the facts say no
}

// Names says by which directories, slash-separated, a linked skill may be known: as
// linked, with every link resolved, and as it lies where it came from.
type Names map[string][]string // path of the link -> directories

// Compare holds a list against an answer. Below are the directories, slash-separated,
// that hold the links, by every name.
func Compare(x Answer, list []Shown, names Names, below []string) Verification {
	v := Verification{Ran: true, Listed: []Shown{}, Missing: []string{}, Unexpected: []Shown{}, Surprising: []string{}}
	taken := make([]bool, len(list))
	for _, s := range x.Skills {
		found := false
		for i, l := range list {
			if slices.Contains(names[s.Path], l.Dir) || l.Dir == "" && l.Name == s.ListedName && s.ListedName != "" {
				taken[i], found = true, true
				v.Listed = append(v.Listed, l)
			}
		}
		switch {
		case !found && s.Listed == agent.Yes:
			v.Missing = append(v.Missing, s.Name)
		case found && s.Listed == agent.No:
			v.Surprising = append(v.Surprising, s.Name)
		}
	}
	for i, l := range list {
		inPlace := slices.ContainsFunc(below, func(dir string) bool { return strings.HasPrefix(l.Dir, dir+"/") })
		known := slices.ContainsFunc(x.Extras, func(e Extra) bool { return e.Name == l.Name })
		if inPlace && !taken[i] && !known {
			v.Unexpected = append(v.Unexpected, l)
		}
	}
	return v
}
