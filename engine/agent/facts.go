package agent

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/promptc/promptc/engine/skill"
)

// Facts is what is known about an agent, each fact with its source. It is a value
// to read and to copy; the slices in it are shared and stay as they are.
type Facts struct {
	ID      string
	Name    string
	Version string // the newest version that was measured, or ""

	Where Where
	Finds Finds
	Links Links
	Front Front
	Twice Twice
	Index Index
	Use   Use
	Runs  Runs

	stated []statement // all that agents.yaml says, for other versions
}

// Where says in which directories it looks.
type Where struct {
	Dirs   Fact[[]Dir]    // the first one wins
	Into   Fact[string]   // the directory of a workspace or view that links go into; "" none
	Walks  Fact[Walk]     // how far up from the workspace project directories are looked for
	More   Fact[string]   // where else, in words
	Not    Fact[[]string] // directories that one might expect, and that it does not read
	Trusts Fact[string]   // what it wants before it reads a project's skills, in words
}

// Finds says which files in those directories it finds.
type Finds struct {
	Depth   Fact[Depth]  // levels of directories that it looks at
	Inside  Fact[Answer] // skills inside of a skill
	Hidden  Fact[Answer] // directories that begin with a dot
	Modules Fact[Answer] // node_modules
	Ignored Fact[Answer] // what git ignores
	AnyCase Fact[Answer] // a skill.md as well as a SKILL.md
}

// Links says which links it follows.
type Links struct {
	Skill  Fact[Answer] // from the skills directory to a skill's directory outside of the workspace
	Inside Fact[Answer] // the same to one inside of the workspace
	User   Fact[Answer] // the same in the user's own skills directory
	Whole  Fact[Answer] // the skills directory itself
	Group  Fact[Answer] // to a directory that holds skills
	File   Fact[Answer] // a SKILL.md
	Broken Fact[string] // what becomes of one that leads nowhere, in words
	Cycle  Fact[string] // and of one that leads to where it is, in words
	Best   Fact[string] // whole or copy where a link to a skill is followed, but serves it badly
	Reads  Fact[Answer] // may it read a skill's files behind an outside link
	Note   Fact[string] // more about that, in words
}

// Front says what it makes of odd frontmatter.
type Front struct {
	InvalidYAML      Fact[Handling] // the block is not valid YAML
	Colon            Fact[Handling] // only because a plain value holds a colon and a blank
	NoFrontmatter    Fact[Handling]
	Unclosed         Fact[Handling] // the block has no closing fence
	Late             Fact[Handling] // blank lines stand before it
	BOM              Fact[Handling]
	CRLF             Fact[Handling]
	UTF16            Fact[Handling]
	BadBytes         Fact[Handling] // bytes that are not UTF-8
	UnknownKeys      Fact[Handling] // keys that the open standard does not have
	KeyTwice         Fact[Handling] // the same key twice
	NoName           Fact[Handling]
	NameFrom         Fact[string]   // frontmatter | directory
	NameForm         Fact[NameForm] // which names it takes
	NameMap          Fact[NameMap]  // which characters of a name it replaces
	NameDiffers      Fact[Handling] // the name is not the directory's
	NoDescription    Fact[Handling]
	EmptyDescription Fact[Handling]
	Description      Fact[Limit]  // how long one may be
	Block            Fact[string] // what becomes of a description as a | block: whole | first-line
	Unmodel          Fact[Answer] // does it respect disable-model-invocation
}

// Twice says what it does with two skills of one name.
type Twice struct {
	Keeps Fact[Keeps]
	Says  Fact[Answer] // does it say so
	Note  Fact[string] // more, in words
}

// Index says what its own list of skills looks like and costs. Tokens are of
// o200k_base.
type Index struct {
	Place  Fact[string]    // system | developer | user | tool
	At     Fact[string]    // the same in words
	Shape  Fact[Shape]     // how it writes a skill
	Fixed  Fact[int]       // tokens of its own words and own skills in the list, without any of the user's
	Tool   Fact[ToolShape] // the tool that loads a skill
	Budget Fact[Budget]    // what it leaves out of a long list
	Tree   Fact[string]    // where else it lists what lies in the skills directory, in words
	Base   Fact[[]Base]    // the rest of its first request
}

// Use says how a skill is used.
type Use struct {
	Native   Fact[Answer]    // it loads skills from a directory by itself
	Reads    Fact[Answer]    // its model can read a file
	Tools    Fact[Answer]    // it can be given a tool
	Read     Fact[Tool]      // its tool for reading a file
	Activate Fact[string]    // how the model loads a skill, in words
	Result   Fact[string]    // what it gets, in words
	Wrapper  Fact[[2]string] // what stands before and behind the body
	Around   Fact[int]       // tokens around the body
	Invoke   Fact[string]    // what a user types: "/{name} {args}"
	Prompted Fact[Answer]    // does that work in a prompt on the command line
	Encoding Fact[string]    // family of its models' tokenizer
}

// Runs says how it is started.
type Runs struct {
	Program  Fact[string]   // its command
	View     Fact[Launch]   // hands a view over
	ReadDir  Fact[Launch]   // makes a directory readable
	Headless Fact[Launch]   // lets skills work when nobody can be asked
	Trap     Fact[string]   // what goes wrong then, in words
	List     Fact[[]string] // the command line that lists its skills without a model; none: there is none
}

// Dir is one of an agent's directories of skills.
type Dir struct {
	Scope skill.Scope // project or user
	Path  string      // may hold ~, ${VAR} and ${VAR:-default}; a project's is relative to the workspace
}

func (d Dir) String() string { return string(d.Scope) + " " + d.Path }

// UnmarshalYAML reads a scope, a blank and a path.
func (d *Dir) UnmarshalYAML(n *yaml.Node) error {
	scope, path, ok := strings.Cut(n.Value, " ")
	*d = Dir{skill.Scope(scope), path}
	if !ok || d.Scope != skill.Project && d.Scope != skill.User || path == "" {
		return fmt.Errorf("line %d: %q is not project or user, and a path", n.Line, n.Value)
	}
	return nil
}

// Walk says where, from the workspace upwards, project directories are looked for.
type Walk string

const (
	WalkNone   Walk = "no"        // in the workspace alone
	WalkEvery  Walk = "yes"       // in each directory up to the repository's root
	WalkAlways Walk = "always"    // the same, and in no repository up to the file system's root
	WalkEnds   Walk = "ends"      // in the workspace, then in the repository's root
	WalkRoot   Walk = "root-only" // in the repository's root alone
)

func (w Walk) valid() error { return oneOf(w, WalkNone, WalkEvery, WalkAlways, WalkEnds, WalkRoot) }

func (a Answer) valid() error { return oneOf(a, Yes, No) }

func oneOf[T ~string](v T, allowed ...T) error {
	if !slices.Contains(allowed, v) {
		return fmt.Errorf("%q is not one of %q", v, allowed)
	}
	return nil
}

// Depth is a number of levels; AnyDepth has no end.
type Depth int

const AnyDepth Depth = 0

func (d Depth) String() string {
	if d == AnyDepth {
		return "any"
	}
	return fmt.Sprint(int(d))
}

// UnmarshalYAML reads a number, or the word any.
func (d *Depth) UnmarshalYAML(n *yaml.Node) error {
	if n.Value == "any" {
		*d = AnyDepth
		return nil
	}
	return n.Decode((*int)(d))
}

// Handling is what an agent does with a file that is not as it should be.
type Handling string

const (
	Takes         Handling = "loads"            // as if nothing were wrong
	ByLines       Handling = "by-lines"         // it reads the frontmatter line by line
	ReadsOn       Handling = "reads-on"         // it reads what follows as frontmatter too, and drops what is no YAML
	Bare          Handling = "without-metadata" // it loads the body and drops the frontmatter
	FromDirectory Handling = "from-directory"   // the directory's name stands in
	FromHeading   Handling = "from-heading"     // the body's first heading, else the directory's name
	FromBody      Handling = "from-body"        // the body's first line stands in
	FromParagraph Handling = "from-paragraph"   // the body's first paragraph stands in
	Blank         Handling = "blank"            // it is listed with nothing there
	Refused       Handling = "dropped"          // and the user is told
	Silent        Handling = "dropped-silently" //
	Unlisted      Handling = "unlisted"         // loaded, and kept out of the list
	Spoils        Handling = "spoils"           // no skill is loaded at all
)

func (h Handling) valid() error {
	return oneOf(h, Takes, ByLines, ReadsOn, Bare, FromDirectory, FromHeading, FromBody, FromParagraph, Blank, Refused, Silent, Unlisted, Spoils)
}

// Keeps says which of two skills of one name in one directory is kept. Between
// directories the order of Where.Dirs decides.
type Keeps string

const (
	KeepsAll   Keeps = "all"
	KeepsFirst Keeps = "first" // by path
	KeepsLast  Keeps = "last"
	KeepsOne   Keeps = "one"  // nobody knows which
	KeepsNone  Keeps = "none" // no skill is loaded at all
)

func (k Keeps) valid() error { return oneOf(k, KeepsAll, KeepsFirst, KeepsLast, KeepsOne, KeepsNone) }

// NameForm says which names an agent takes.
type NameForm struct {
	Pattern string   `yaml:"pattern"` // of the whole name; "" any
	Else    Handling `yaml:"else"`
}

func (f NameForm) String() string {
	if f.Pattern == "" {
		return "any"
	}
	return fmt.Sprintf("%s, else %s", f.Pattern, f.Else)
}

func (f NameForm) valid() error { return validPattern(f.Pattern) }

func validPattern(p string) error {
	_, err := regexp.Compile(p)
	return err
}

// NameMap says which characters of a name an agent replaces.
type NameMap struct {
	Pattern string `yaml:"pattern"`
	To      string `yaml:"to"`
}

func (m NameMap) String() string { return fmt.Sprintf("%s becomes %q", m.Pattern, m.To) }
func (m NameMap) valid() error   { return validPattern(m.Pattern) }

// Limit says how long a description may be.
type Limit struct {
	Chars int      `yaml:"chars"` // 0: any length
	Over  Handling `yaml:"over"`  // what happens to a longer one; "": it is cut
	Mark  string   `yaml:"mark"`  // what stands where it was cut
}

func (l Limit) String() string {
	switch {
	case l.Chars == 0:
		return "none"
	case l.Over != "":
		return fmt.Sprintf("%d characters, then the skill is %s", l.Chars, l.Over)
	}
	return fmt.Sprintf("%d characters, then cut", l.Chars)
}

// Base is the rest of a first request, in tokens of o200k_base.
type Base struct {
	With    string `yaml:"with"`    // the model or the mode, where figures differ; "" any
	System  int    `yaml:"system"`  // the system prompt without the list
	Tools   int    `yaml:"tools"`   // all tools
	Context int    `yaml:"context"` // what it adds to the first user message
}

func (b Base) String() string {
	s := fmt.Sprintf("system %d, tools %d, context %d", b.System, b.Tools, b.Context)
	if b.With != "" {
		s = b.With + ": " + s
	}
	return s
}
