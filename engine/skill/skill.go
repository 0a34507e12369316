// Package skill knows what lies on disk: it finds skills and reads them.
//
// Discover looks through roots and returns a Catalog of everything that is
// there, whatever became of it; Parse reads one file's bytes; Refresh gives a
// new Catalog that shares what is unchanged. Nothing here decides what a model
// gets to see: that is the engine's.
package skill

import (
	"encoding/json"
	"io/fs"
	"time"

	"github.com/promptc/promptc/engine/diag"
)

// Skill is what may cross to a strategy.
type Skill struct {
	Name         string          `json:"name"`        // never empty; as written, trimmed
	Description  string          `json:"description"` // never empty; one paragraph of text
	ArgumentHint string          `json:"argument_hint"`
	Dir          string          `json:"dir"`  // absolute, as found (not resolved)
	Path         string          `json:"path"` // its SKILL.md, absolute, as found
	Native       bool            `json:"-"`    // in a directory that the agent of this session reads by itself
	Body         string          `json:"-"`    // without frontmatter; "" where it was not asked for
	Extra        json.RawMessage `json:"-"`    // the other frontmatter keys as an object, or nil
}

// Scope says whose skills a root holds.
type Scope string

const (
	Project Scope = "project"
	User    Scope = "user"
	Shared  Scope = "shared"
	Builtin Scope = "builtin"
)

// Scopes lists them.
func Scopes() []Scope { return []Scope{Project, User, Shared, Builtin} }

// Root is one directory in which skills are looked for.
type Root struct {
	Dir     string   // absolute
	Scope   Scope    // whose it is; decides trust
	Source  string   // default | spec | flag | extra: who named it
	Depth   int      // levels of directories below Dir that are looked at; 0 means 1, at most 6
	Hidden  bool     // first-level children that begin with a dot are looked at too
	Trusted bool     // false: what is found is Untrusted and takes no part in the contest of names
	Native  bool     // the agent of this session reads this directory by itself
	Home    string   // the user's home directory, which is refused as a root; "" unknown
	Targets []string // absolute: besides the roots, where links inside of skills may lead
}

// RootState is what became of a Root.
type RootState string

const (
	RootOK         RootState = "ok"
	RootMissing    RootState = "missing"
	RootNotDir     RootState = "not-a-directory"
	RootUnreadable RootState = "unreadable"
	RootEmpty      RootState = "empty"
	RootSame       RootState = "same-as-another" // the same directory under another name; scanned once
	RootRefused    RootState = "refused"         // the file system's root or the home directory
)

// Status is what became of a skill on disk. The engine's selection adds to it.
type Status string

const (
	Loaded    Status = "loaded"
	Shadowed  Status = "shadowed"
	Broken    Status = "broken"
	Untrusted Status = "untrusted"
	Missed    Status = "missed" // only from Search: it lies or is named so that no root loads it
)

// Origin says where a name or a description was taken from.
type Origin string

const (
	FromFrontmatter Origin = "frontmatter"
	FromHeading     Origin = "heading"
	FromParagraph   Origin = "paragraph"
	FromDirectory   Origin = "directory"
	FromDefault     Origin = "default"
)

// YAML says how the frontmatter was read.
type YAML string

const (
	NoYAML       YAML = ""         // there is no frontmatter, or no closing fence
	ValidYAML    YAML = "valid"    // as it stands
	RepairedYAML YAML = "repaired" // after quoting plain values
	LinesYAML    YAML = "lines"    // line by line
)

// Style is how a scalar is written.
type Style string

const (
	Absent  Style = ""
	Plain   Style = "plain"
	Quoted  Style = "quoted" // single or double
	Literal Style = "literal"
	Folded  Style = "folded"
	Other   Style = "other" // not a scalar
)

// Form is how a skill is written and where it lies: what agents' fates hang on.
// Every field is a plain observation of the file; none is a judgement.
type Form struct {
	FileName  string // SKILL.md, skill.md, or another spelling
	Depth     int    // 0: the root itself is the skill, 1: a direct child, ...
	Hidden    bool   // a directory below the root on the way to it begins with a dot
	InModules bool   // it lies in a node_modules below the root
	InSkill   bool   // it lies inside of another skill

	LinkedDir  bool   // a directory on the way from the root to it is a link
	LinkedFile bool   // its SKILL.md is a link
	Target     string // the real directory where LinkedDir or LinkedFile, else ""

	BOM         bool
	Encoding    string // utf-8 | utf-16le | utf-16be | invalid
	Newline     string // lf | crlf | cr | mixed | none
	Fence       bool   // an opening fence is there
	FenceLine   int    // its line, from 1
	Closed      bool   // and a closing one
	YAML        YAML
	Colon       bool   // invalid YAML only because of plain values that hold ": "
	YAMLError   string // what the YAML reader said of the block as it stands, or ""
	YAMLLine    int    // line in the file of that error
	NameKey     bool   // a name key is there, whatever its value
	DescKey     bool   // a description key is there
	DescEmpty   bool   // and its value is empty text
	DescStyle   Style
	DescLines   int    // lines in the written description value (block scalars, several plain lines)
	Unmodelled  bool   // disable-model-invocation: true
	NotForUsers bool   // user-invocable: false
	AllowedKey  bool   // allowed-tools is there
	WhenToUse   string // the when_to_use key, or ""

	NameFrom Origin
	DescFrom Origin

	// What a reader would have who falls back differently from promptc; "" where
	// the file has none. Filled where the frontmatter gives no description, or was
	// not valid as it stands.
	FirstLine string // the first non-blank line of the body, without a heading's marks
}

// Stamp tells whether a file is still the one that was read.
type Stamp struct {
	Size  int64
	Time  time.Time
	Inode uint64 // 0 where the system has none
}

// Found is one skill on disk, whatever became of it. It never crosses to a strategy.
type Found struct {
	Skill
	Root     int // index into Catalog.Roots
	Scope    Scope
	Status   Status
	Reason   string // why it is not loaded, as one sentence; "" where it is
	Winner   string // the path of the skill that shadows it
	Form     Form
	Stamp    Stamp
	FS       fs.FS     // its directory, through os.Root; in memory in tests and benchmarks
	Problems diag.List // what was found while reading the beginning of this file

	key      string // Key(Name)
	head     uint64 // of the bytes that were read
	rootDir  string
	rootReal string
	shared   *shared
}

// File is one more file of a skill.
type File struct {
	Path string `json:"path"` // slash-separated, relative to the skill's directory
	Size int64  `json:"size"` // bytes
}
