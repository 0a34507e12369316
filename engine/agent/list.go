package agent

import (
	"cmp"
	"encoding/json"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/promptc/promptc/engine/skill"
)

// Listing is the list of skills that an agent makes by itself. What it costs is
// Tokens and the tokens of Text, and for its tool the same.
type Listing struct {
	Known  bool   // false: nobody has seen its list, and all else means nothing
	Place  string // system | developer | user | tool
	Text   string // what it says of the set, as the model sees it
	Tokens int    // of its own words and of its own skills around that, in o200k_base
	Tool   ToolListing
	Hidden []Hidden // what the budget keeps from the model
	Source *Source  // of the shape
}

// ToolListing is the tool by which the agent's model loads a skill.
type ToolListing struct {
	Name   string // "" where there is none
	Text   string // what it says of the set
	Tokens int    // of its own words and schema, in o200k_base
	Asked  bool   // it is offered only where somebody can be asked, or where all is allowed
}

// Hidden is one skill of which the model does not see all.
type Hidden struct {
	Name string
	Path string
	What string // skill | description | end (of the description)
}

// List builds the list that the agent would make of set in a window of so many
// tokens (0: unknown), in the shape that was measured and with what its budget
// leaves out. The skills are those that load, in the order of the agent's
// directories; their paths are those that the agent sees, so the path of the link
// where one is linked.
func List(f Facts, set []skill.Skill, window int) Listing {
	if !f.Index.Shape.Known() || !f.Index.Fixed.Known() {
		return Listing{}
	}
	w := writer{facts: &f, shape: f.Index.Shape.Value, budget: f.Index.Budget.Value, window: window}
	w.out = Listing{Known: true, Place: f.Index.Place.Value, Tokens: f.Index.Fixed.Value, Source: f.Index.Shape.Source}
	w.collect(set)
	w.write()
	w.tool()
	return w.out
}

// writer builds one list.
type writer struct {
	facts  *Facts
	shape  Shape
	budget Budget
	window int
	items  []item
	out    Listing
}

// item is a skill as the agent's list has it.
type item struct {
	skill       *skill.Skill
	name        string
	description string // as in the list, before the budget
	file        string // the path behind the alias of its directory
}

func (w *writer) collect(set []skill.Skill) {
	for i := range set {
		s := &set[i]
		it := item{skill: s, name: w.label(s), description: s.Description}
		if when := whenToUse(s); when != "" && w.shape.When != "" {
			it.description += strings.ReplaceAll(w.shape.When, "{when_to_use}", when)
		}
		limit := w.facts.Front.Description.Value
		if w.shape.Fold {
			it.description = fold(it.description)
		}
		if cut := limit.cut(it.description); cut != it.description && limit.Over == "" {
			it.description = cut
			w.hide(&it, "end")
		}
		if !strings.Contains(w.shape.Entry+w.facts.Index.Tool.Value.Entry, "{description}") {
			w.hide(&it, "description")
		}
		w.items = append(w.items, it)
	}
	if w.shape.Sorted {
		slices.SortStableFunc(w.items, func(a, b item) int { return cmp.Compare(a.name, b.name) })
	}
	w.aliases()
}

// label is what the list calls a skill.
func (w *writer) label(s *skill.Skill) string {
	dir := base(s.Dir)
	if !Is(w.facts.Front.NameFrom, "directory") || s.Dir == "" {
		return s.Name
	}
	if s.Name == dir || w.shape.Label == "" {
		return dir
	}
	return strings.NewReplacer("{directory}", dir, "{name}", s.Name).Replace(w.shape.Label)
}

func whenToUse(s *skill.Skill) string {
	var extra struct {
		When string `json:"when_to_use"`
	}
	if len(s.Extra) == 0 || json.Unmarshal(s.Extra, &extra) != nil {
		return ""
	}
	return strings.TrimSpace(extra.When)
}

func fold(text string) string { return strings.Join(strings.Fields(text), " ") }

func (w *writer) hide(it *item, what string) {
	w.out.Hidden = append(w.out.Hidden, Hidden{it.skill.Name, it.skill.Path, what})
}

// aliases names the directories of the skills, where the list has such names.
func (w *writer) aliases() {
	number := map[string]int{}
	for i := range w.items {
		it := &w.items[i]
		dir := path.Dir(path.Dir(slash(it.skill.Path)))
		n, ok := number[dir]
		if !ok {
			n = len(number)
			number[dir] = n
			w.out.Text += strings.NewReplacer("{alias}", alias(n), "{path}", dir).Replace(w.shape.Roots)
		}
		it.file = alias(n) + strings.TrimPrefix(slash(it.skill.Path), strings.TrimSuffix(dir, "/"))
	}
}

// alias is the name of a directory; r0 is that of the agent's own skills.
func alias(n int) string { return "r" + strconv.Itoa(n+1) }

func slash(p string) string { return strings.ReplaceAll(p, `\`, "/") }

// entry writes one skill with a description, which is "" where only the name is left.
func (w *writer) entry(it *item, description string) string {
	shape := w.shape.Entry
	if description == "" && w.shape.Bare != "" {
		shape = w.shape.Bare
	}
	escape, escapePath := w.shape.Escape.fields(), w.shape.Escape.paths()
	return strings.NewReplacer(
		"{name}", escape.Replace(it.name), "{description}", escape.Replace(description),
		"{path}", escapePath.Replace(slash(it.skill.Path)), "{file}", escapePath.Replace(it.file),
	).Replace(shape)
}

// write fills Text, within the budget.
func (w *writer) write() {
	entries := make([]string, len(w.items))
	for i := range w.items {
		entries[i] = w.entry(&w.items[i], w.items[i].description)
	}
	entries = w.bound(entries)
	w.out.Text += strings.Join(entries, "")
}

// tool fills Tool.
func (w *writer) tool() {
	shape := w.facts.Index.Tool.Value
	if shape.Name == "" || shape.Unless == UnlessEmpty && len(w.items) == 0 {
		return
	}
	w.out.Tool = ToolListing{Name: shape.Name, Tokens: shape.Fixed, Asked: shape.Unless == UnlessHeadless}
	if shape.Entry == "" {
		return
	}
	var names []string
	for i := range w.items {
		names = append(names, strings.ReplaceAll(shape.Entry, "{name}", w.items[i].name))
	}
	w.out.Tool.Text = strings.Join(names, shape.Join)
}

var (
	escapeNone  = strings.NewReplacer()
	escapeAngle = strings.NewReplacer("<", "&lt;", ">", "&gt;")
	escapeXML   = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;", "'", "&apos;")
)

func (e Escape) fields() *strings.Replacer {
	switch e {
	case EscapeAngle:
		return escapeAngle
	case EscapeXML:
		return escapeXML
	}
	return escapeNone
}

func (e Escape) paths() *strings.Replacer {
	if e == EscapePath {
		return escapeXML
	}
	return e.fields()
}
