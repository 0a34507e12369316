package agent

import "fmt"

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

func (s Shape) String() string { return s.Entry }

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
	Unless string `yaml:"unless"` // when it is not offered at all: empty (no skills) | headless
}

func (t ToolShape) String() string {
	if t.Name == "" {
		return "none"
	}
	return fmt.Sprintf("%s, %d tokens and %q a skill", t.Name, t.Fixed, t.Entry)
}

// Budget is what an agent leaves out of a list that is too long.
type Budget struct {
	Chars   int     `yaml:"chars"`   // characters; where the window is not known, if Percent is given
	Percent float64 `yaml:"percent"` // of the window in tokens, times four: characters
	Then    Over    `yaml:"then"`
	Own     int     `yaml:"own"`   // characters of its own entries, which count against it
	Names   int     `yaml:"names"` // how many of them are names and paths, which always stay
	Yields  []Yield `yaml:"yields"`
	Fixed   int     `yaml:"fixed"` // tokens that are left of Index.Fixed where the list is over the budget
	Rest    string  `yaml:"rest"`  // the line that names the rest: {names}
}

// Yield is the description of one of the agent's own skills, which the budget
// leaves out like a user's, after those.
type Yield struct {
	Chars  int `yaml:"chars"`
	Tokens int `yaml:"tokens"`
}

// Over is what happens to a list that is over its budget.
type Over string

const (
	OverNone     Over = ""
	OverBare     Over = "descriptions" // a description that does not fit is left out, its name stays
	OverShortens Over = "shorten"      // all are cut to about one length, then left out, then skills are
	OverNames    Over = "rest"         // what does not fit is named in one line
)

func (b Budget) String() string {
	switch {
	case b.Percent > 0:
		return fmt.Sprintf("%g %% of the window, then %s", b.Percent, b.Then)
	case b.Chars > 0:
		return fmt.Sprintf("%d characters, then %s", b.Chars, b.Then)
	}
	return "none"
}

func (b Budget) valid() error { return oneOf(b.Then, OverNone, OverBare, OverShortens, OverNames) }
