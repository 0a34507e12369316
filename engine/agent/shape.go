package agent

import (
	"fmt"
	"strconv"
)

// Shape is how an agent writes a skill into its own list. In Entry and Bare stand
// {name}, {description}, {path} and {file} (the path behind the alias of its
// directory).
type Shape struct {
	Entry  string `yaml:"entry"` // one skill
	Bare   string `yaml:"bare"`  // one of which the budget leaves the name
	Join   string `yaml:"join"`  // between two
	Label  string `yaml:"label"` // the name where it takes the directory's and the frontmatter has another: {directory}, {name}
	When   string `yaml:"when"`  // what is added to a description where when_to_use is given: {when_to_use}
	Roots  string `yaml:"roots"` // a line for each directory of skills, in front: {alias}, {path}
	Escape Escape `yaml:"escape"`
	Fold   bool   `yaml:"fold"`   // line ends become blanks
	Sorted bool   `yaml:"sorted"` // by name; else as found
}

func (s Shape) String() string {
	if s.Entry == "" {
		return "not in a list of its own"
	}
	return strconv.Quote(s.Entry)
}

func (s Shape) valid() error { return s.Escape.valid() }

// Escape says what of a field is escaped.
type Escape string

const (
	EscapeNone  Escape = "none"
	EscapeAngle Escape = "angle" // < and >
	EscapeXML   Escape = "xml"   // & < > " '
	EscapePath  Escape = "path"  // as xml, of the path alone
)

func (e Escape) valid() error { return oneOf(e, EscapeNone, EscapeAngle, EscapeXML, EscapePath) }

// ToolShape is what the tool that loads a skill costs.
type ToolShape struct {
	Name   string `yaml:"name"`
	Fixed  int    `yaml:"fixed"` // tokens of its own words and schema
	Entry  string `yaml:"entry"` // what each skill adds: {name}; "" nothing
	Join   string `yaml:"join"`
	Unless Unless `yaml:"unless"` // when it is not offered at all
}

// Unless says when a tool is not offered.
type Unless string

const (
	UnlessNever    Unless = ""
	UnlessEmpty    Unless = "empty"    // there is no skill
	UnlessHeadless Unless = "headless" // nobody can be asked, and not everything is allowed
)

func (t ToolShape) valid() error { return oneOf(t.Unless, UnlessNever, UnlessEmpty, UnlessHeadless) }

func (t ToolShape) String() string {
	if t.Name == "" {
		return "none"
	}
	each := ""
	if t.Entry != "" {
		each = fmt.Sprintf(" and %q a skill", t.Entry)
	}
	return fmt.Sprintf("%s, %d tokens%s", t.Name, t.Fixed, each)
}

// Budget is what an agent leaves out of a list that is too long.
type Budget struct {
	Chars   int     `yaml:"chars"`   // characters; where the window is not known, if Percent is given
	Percent float64 `yaml:"percent"` // of the window in tokens, each of four characters or bytes
	Then    Over    `yaml:"then"`
	Own     []Own   `yaml:"own"`   // the agent's own entries, which count against it
	Fixed   int     `yaml:"fixed"` // tokens that are left of Index.Fixed where the list is over the budget
	Rest    string  `yaml:"rest"`  // the line that names the rest: {names}
}

// Own is an entry of the agent's own, or several of them, in characters and tokens.
type Own struct {
	Least  int `yaml:"least"`  // what always stays
	More   int `yaml:"more"`   // of a description, which may go
	Tokens int `yaml:"tokens"` // of More
}

// Over is what happens to a list that is over its budget.
type Over string

const (
	OverNone     Over = ""
	OverBare     Over = "descriptions" // a description that does not fit is left out, its name stays
	OverShortens Over = "shorten"      // all are cut to about one length, then left out, then skills are
	OverNames    Over = "rest"         // what does not fit is named in one line
)

func (o Over) String() string {
	switch o {
	case OverBare:
		return "descriptions are left out"
	case OverShortens:
		return "descriptions are cut, then left out"
	case OverNames:
		return "the rest is named in one line"
	}
	return "nothing is done"
}

func (b Budget) String() string {
	switch {
	case b.Percent > 0:
		return fmt.Sprintf("%g %% of the window, then %v", b.Percent, b.Then)
	case b.Chars > 0:
		return fmt.Sprintf("%d characters, then %v", b.Chars, b.Then)
	}
	return "none"
}

func (b Budget) valid() error { return oneOf(b.Then, OverNone, OverBare, OverShortens, OverNames) }
