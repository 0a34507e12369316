package agent

import (
	"fmt"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/promptc/promptc/engine/diag"
	"github.com/promptc/promptc/engine/skill"
)

// judge finds out about one skill.
type judge struct {
	facts  *Facts
	found  *skill.Found
	form   *regexp.Regexp // of names that the agent takes; nil: any
	mapped *regexp.Regexp // of what it replaces in a name; nil: nothing
	out    Fate
	spoils bool
	done   bool     // nothing more can be said
	notes  []string // what is odd and does no harm
	source *Source
}

func (j *judge) fate() Fate {
	s := j.found
	j.out = Fate{Agent: j.facts.ID, Version: j.facts.Version, Skill: s.Name, Path: s.Path, Outcome: FateLoads, Listed: true, ListedDescription: s.Description}
	for _, step := range []func(){j.place, j.file, j.name, j.description, j.model} {
		if step(); j.done {
			break
		}
	}
	if j.source != nil {
		j.out.Source, j.out.Date = j.source.From, j.source.Date
		if j.source.Version != "" {
			j.out.Version = j.source.Version
		}
	}
	if j.out.Outcome.Lives() {
		j.out.Reason = strings.Join(j.notes, "; ")
	}
	return j.out
}

// end is the last word about a skill that does not load.
func (j *judge) end(o Outcome, why *Source, format string, args ...any) {
	j.out.drop(o, fmt.Sprintf(format, args...))
	j.source, j.done = why, true
}

// note remembers something odd that does no harm.
func (j *judge) note(why *Source, format string, args ...any) {
	j.notes = append(j.notes, fmt.Sprintf(format, args...))
	if j.source == nil {
		j.source = why
	}
}

// seen ends the matter where the agent does not look at what has the property.
func (j *judge) seen(has bool, fact Fact[Answer], what string) {
	switch {
	case !has || j.done || Is(fact, Yes):
	case !fact.Known():
		j.end(FateUnknown, nil, "it is not known whether %s looks at %s", j.facts.ID, what)
	default:
		j.end(FateSilent, fact.Source, "%s does not look at %s", j.facts.ID, what)
	}
}

// place asks whether the agent finds the file where it lies.
func (j *judge) place() {
	form, finds, links := &j.found.Form, &j.facts.Finds, &j.facts.Links
	if form.FileName != "" && form.FileName != "SKILL.md" {
		j.seen(true, finds.AnyCase, "a file named "+form.FileName)
		if j.done {
			return
		}
		if !strings.EqualFold(form.FileName, "SKILL.md") {
			j.end(FateSilent, finds.AnyCase.Source, "%s does not look at a file named %s", j.facts.ID, form.FileName)
			return
		}
	}
	j.seen(form.Hidden, finds.Hidden, "hidden directories")
	j.seen(form.InModules, finds.Modules, "node_modules")
	j.seen(form.InSkill, finds.Inside, "the inside of another skill")
	j.depth()
	j.seen(form.LinkedDir && form.Depth > 1, links.Group, "a skill behind a linked directory of skills")
	j.seen(form.LinkedDir && form.Depth <= 1, links.Skill, "a skill directory that is a link")
	j.seen(form.LinkedFile, links.File, "a SKILL.md that is a link")
}

func (j *judge) depth() {
	form, depth := &j.found.Form, j.facts.Finds.Depth
	switch {
	case j.done || form.Depth <= 1 || depth.Known() && (depth.Value == AnyDepth || form.Depth <= int(depth.Value)):
	case !depth.Known():
		j.end(FateUnknown, nil, "it is not known whether %s looks %d levels deep", j.facts.ID, form.Depth)
	default:
		j.end(FateSilent, depth.Source, "it lies %d levels deep, and %s looks at %s", form.Depth, j.facts.ID, levels(int(depth.Value)))
	}
}

func levels(n int) string {
	if n == 1 {
		return "the first level only"
	}
	return fmt.Sprintf("%d levels", n)
}

// handled applies what the agent does with a file that is odd in one way. It
// reports how that goes on.
func (j *judge) handled(fact Fact[Handling], what string) Handling {
	if j.done {
		return ""
	}
	if !fact.Known() {
		j.end(FateUnknown, nil, "it is not known what %s makes of a skill file with %s", j.facts.ID, what)
		return ""
	}
	switch h := fact.Value; h {
	case Refused:
		j.end(FateDropped, fact.Source, "%s drops a skill file with %s, and says so", j.facts.ID, what)
	case Silent:
		j.end(FateSilent, fact.Source, "%s drops a skill file with %s", j.facts.ID, what)
	case Unlisted:
		j.end(FateSilent, fact.Source, "%s keeps a skill with %s out of its list", j.facts.ID, what)
	case Spoils:
		j.end(FateDropped, fact.Source, "a skill file with %s makes %s lose all skills", what, j.facts.ID)
		j.spoils = true
	default:
		return h
	}
	return ""
}

// odd is handled, and notes what does no harm.
func (j *judge) odd(fact Fact[Handling], what string) {
	switch h := j.handled(fact, what); h {
	case "", Takes:
	case ReadsOn:
		j.note(fact.Source, "%s reads what follows as frontmatter too, and drops the file where that is no YAML", j.facts.ID)
		j.out.ListedName, j.out.ListedDescription, j.done = j.found.Name, "", true
	case ByLines:
		j.note(fact.Source, "%s reads a file with %s line by line, so that values may differ", j.facts.ID, what)
	case Bare:
		j.out.Outcome = FateBare
		j.note(fact.Source, "%s loads a file with %s without its metadata", j.facts.ID, what)
	default:
		j.note(fact.Source, "%s: %s", what, h)
	}
}

// file asks what the agent makes of the file as a whole.
func (j *judge) file() {
	form, front := &j.found.Form, &j.facts.Front
	if strings.HasPrefix(form.Encoding, "utf-16") {
		j.odd(front.UTF16, "UTF-16 in place of UTF-8")
	} else if form.BOM {
		j.odd(front.BOM, "a byte order mark")
	}
	if form.Encoding == "invalid" {
		j.odd(front.BadBytes, "bytes that are not UTF-8")
	}
	if form.Newline == "crlf" || form.Newline == "mixed" {
		j.odd(front.CRLF, "CRLF line ends")
	}
	switch {
	case !form.Fence:
		j.odd(front.NoFrontmatter, "no frontmatter")
	case !form.Closed && front.Unclosed.Known():
		j.odd(front.Unclosed, "frontmatter that nothing closes")
	case !form.Closed:
		j.odd(front.NoFrontmatter, "frontmatter that nothing closes, which is none,")
	case form.FenceLine > 1:
		j.odd(front.Late, "blank lines before its frontmatter")
	}
	if slices.ContainsFunc(j.found.Problems, func(d diag.Diagnostic) bool { return d.Code == diag.KeyDuplicate }) {
		j.odd(front.KeyTwice, "one key twice")
	}
	if form.YAML == skill.RepairedYAML || form.YAML == skill.LinesYAML {
		if form.Colon {
			j.odd(front.Colon, "an unquoted colon in a value")
		} else {
			j.odd(front.InvalidYAML, "invalid YAML")
		}
	}
}

// name asks what the agent calls it.
func (j *judge) name() {
	s, front := j.found, &j.facts.Front
	dir := base(s.Dir)
	own := s.Form.NameFrom == skill.FromFrontmatter && s.Name != ""
	j.out.ListedName = dir
	if j.out.Outcome == FateBare || Is(front.NameFrom, "directory") {
		if own && s.Name != dir && Is(front.NameFrom, "directory") {
			j.note(front.NameFrom.Source, "%s calls it by its directory, %q", j.facts.ID, dir)
		}
		return
	}
	if !own {
		switch j.handled(front.NoName, "no name") {
		case FromDirectory:
			j.note(front.NoName.Source, "%s calls it by its directory, %q", j.facts.ID, dir)
		case FromHeading:
			j.out.ListedName = s.Name
			j.note(front.NoName.Source, "%s takes its name from the heading, else from its directory", j.facts.ID)
		}
		return
	}
	j.out.ListedName = s.Name
	if j.form != nil && !j.form.MatchString(s.Name) {
		j.odd(Fact[Handling]{front.NameForm.Value.Else, front.NameForm.Source}, fmt.Sprintf("the name %q", s.Name))
	}
	if j.mapped != nil && !j.done {
		if name := j.mapped.ReplaceAllString(s.Name, front.NameMap.Value.To); name != s.Name {
			j.out.ListedName = name
			j.note(front.NameMap.Source, "%s calls it %q", j.facts.ID, name)
		}
	}
	if s.Form.Depth > 0 && !strings.EqualFold(s.Name, dir) {
		j.odd(front.NameDiffers, "a name that is not its directory's")
	}
}

// description asks what the agent's list says of it.
func (j *judge) description() {
	s, front := j.found, &j.facts.Front
	switch {
	case j.out.Outcome == FateBare:
		j.out.ListedDescription = s.Form.FirstLine
	case !s.Form.DescKey:
		j.instead(front.NoDescription, "no description")
	case s.Form.DescEmpty:
		j.instead(front.EmptyDescription, "an empty description")
	case s.Form.DescStyle == skill.Literal && s.Form.DescLines > 1 && Is(front.Block, "first-line"):
		j.note(front.Block.Source, "%s keeps only the first line of a description that is written as a | block", j.facts.ID)
	}
	if j.done {
		return
	}
	if when := j.facts.Index.Shape.Value.When; when != "" && s.Form.WhenToUse != "" {
		j.out.ListedDescription += strings.ReplaceAll(when, "{when_to_use}", s.Form.WhenToUse)
	}
	j.limit()
	if shape := j.facts.Index.Shape; !j.done && shape.Known() && !strings.Contains(shape.Value.Entry, "{description}") {
		j.out.ListedDescription = ""
		j.note(shape.Source, "the list of %s has names only", j.facts.ID)
	}
	if j.out.ListedDescription == "" && j.out.Outcome == FateLoads {
		j.out.Outcome = FateNameOnly
	}
}

// instead says what stands in the place of a description.
func (j *judge) instead(fact Fact[Handling], what string) {
	switch h := j.handled(fact, what); h {
	case FromBody:
		j.out.ListedDescription = j.found.Form.FirstLine
		j.note(fact.Source, "%s takes the first line of the body for its description", j.facts.ID)
	case FromParagraph:
		if j.found.Form.DescFrom != skill.FromParagraph {
			j.out.ListedDescription = j.found.Form.FirstLine
		}
		j.note(fact.Source, "%s takes the first paragraph of the body for its description", j.facts.ID)
	case Blank, Takes:
		j.out.ListedDescription = ""
		j.note(fact.Source, "%s lists it with no description", j.facts.ID)
	}
}

// limit applies the longest description that the agent takes.
func (j *judge) limit() {
	limit := j.facts.Front.Description
	n := utf8.RuneCountInString(j.out.ListedDescription)
	if !limit.Known() || limit.Value.Chars == 0 || n <= limit.Value.Chars {
		return
	}
	if h := limit.Value.Over; h != "" {
		j.odd(Fact[Handling]{h, limit.Source}, fmt.Sprintf("a description of %d characters, more than %d,", n, limit.Value.Chars))
		return
	}
	j.out.ListedDescription = limit.Value.cut(j.out.ListedDescription)
	j.note(limit.Source, "%s cuts its description of %d characters to %d", j.facts.ID, n, limit.Value.Chars)
}

// cut shortens a text to the limit.
func (l Limit) cut(text string) string {
	if runes := []rune(text); l.Chars > 0 && len(runes) > l.Chars {
		return string(runes[:l.Chars]) + l.Mark
	}
	return text
}

// model asks what becomes of disable-model-invocation.
func (j *judge) model() {
	unmodel := j.facts.Front.Unmodel
	switch {
	case !j.found.Form.Unmodelled || j.out.Outcome == FateBare:
	case Is(unmodel, Yes):
		j.out.Listed = false
		j.note(unmodel.Source, "it is kept from the model, as it says; the user can still call it")
	case Is(unmodel, No):
		j.note(unmodel.Source, "%s lists it although it says disable-model-invocation", j.facts.ID)
	default:
		j.note(nil, "it is not known whether %s respects disable-model-invocation", j.facts.ID)
	}
}

// base is the last element of a path with either kind of slash.
func base(p string) string { return path.Base(filepath.ToSlash(p)) }
