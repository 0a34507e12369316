// Package agent holds what is known about agents: where they look for skills,
// what they make of a file, and what their own list costs.
//
// Lookup gives the Facts of an agent, each with its source, version and date;
// Facts.At gives the plain values of one version as an Agent, which is all that
// a strategy sees.
package agent

// Need is something that a strategy cannot do without.
type Need string

const (
	NeedRead   Need = "read"   // the model can read a file
	NeedTools  Need = "tools"  // the host can offer a tool
	NeedNative Need = "native" // the agent loads skills from a directory by itself
	NeedLinks  Need = "links"  // and skills can be put there: Agent.Links says how
)

// Answer is what the facts say to a yes-or-no question.
type Answer string

const (
	Yes     Answer = "yes"
	No      Answer = "no"
	Unknown Answer = "unknown"
)

// Tool names a tool of the agent's own and its parameter that takes a path.
type Tool struct {
	Name string `json:"name" yaml:"name"`
	Path string `json:"path" yaml:"path"`
}

// Launch is what a command line of the agent needs: arguments and environment.
// In both, {dir} stands for the directory that is handed over.
type Launch struct {
	Args []string          `json:"args" yaml:"args"`
	Env  map[string]string `json:"env" yaml:"env"`
}

// Empty says that nothing is needed, or that nothing is known.
func (l Launch) Empty() bool { return len(l.Args) == 0 && len(l.Env) == 0 }

// Agent is the plain values of one version of an agent; the zero value is an
// agent of which nothing is known.
type Agent struct {
	ID      string          `json:"id"`
	Name    string          `json:"name"`
	Version string          `json:"version"` // "" where no version was measured
	Has     map[Need]Answer `json:"has"`     // a missing key is Unknown

	Read        Tool `json:"read"`         // its tool for reading a file; zero: unknown
	ScansHidden bool `json:"scans_hidden"` // first-level directories that begin with a dot are looked at too

	Skills string `json:"skills"` // its skills directory inside of a workspace or view, slash-separated; "" none
	Links  string `json:"links"`  // follow | copy | whole | unknown: what a link to a skill must be

	View     Launch `json:"view"`     // hands a view over ({dir}: the view); Empty: it cannot
	ReadDir  Launch `json:"read_dir"` // makes a directory readable ({dir}), repeated for each
	Headless Launch `json:"headless"` // lets skills work when nobody can be asked

	Invoke    string    `json:"invoke"`     // what a user types to call a skill: "/{name} {args}"; "" unknown
	Wrapper   [2]string `json:"wrapper"`    // what surrounds a body that it loads by itself
	NameOf    string    `json:"name_of"`    // frontmatter | directory: where it takes a skill's name from; "" unknown
	Unmodel   Answer    `json:"unmodel"`    // does it respect disable-model-invocation
	Encoding  string    `json:"encoding"`   // o200k_base, claude, gemini ...: family of its models' tokenizer, or unknown
	ReadsLink Answer    `json:"reads_link"` // may it read a skill's files behind an outside link without ReadDir
}

// Offers says what the facts answer for need.
func (a Agent) Offers(need Need) Answer {
	if v, ok := a.Has[need]; ok {
		return v
	}
	return Unknown
}
