package link

import (
	"github.com/promptc/promptc/engine"
	"github.com/promptc/promptc/engine/agent"
	"github.com/promptc/promptc/engine/diag"
	"github.com/promptc/promptc/engine/skill"
)

// Question is what Check answers: whether one version of an agent, started in one
// way, will have what a set puts in its place. Everything in it was read before;
// Check itself touches nothing.
type Question struct {
	Facts     agent.Facts // of the version in question
	Headless  bool        // nobody can be asked
	Workspace string      // in which the agent is started
	Place     engine.Place
	Launch    engine.Launch // what its command line will hold
	Wants     []Want
	Results   []Result          // of Plan or Apply, by path; one that is missing counts as made
	Sources   map[string]Source // by target
	Own       []skill.Found     // what lies in the agent's own directories besides; they compete for names
	Command   string            // the call that makes these links; what is to be added to it is a fix
}

// Source is what lies behind a link.
type Source struct {
	Found   skill.Found
	Inside  bool          // its real directory is in the workspace
	Files   []string      // its other files, slash-separated
	Outside []string      // those of Files that are links out of the skill
	Nested  []skill.Found // skill files further down in it
}

// Checked is what will become of one linked skill.
type Checked struct {
	Name       string       `json:"name"`
	Path       string       `json:"path"`        // of the link, slash-separated, relative to the place
	ListedName string       `json:"listed_name"` // what the agent calls it; "" where it does not load
	Listed     agent.Answer `json:"listed"`      // the model sees it in the agent's list
	Activated  agent.Answer `json:"activated"`   // it can be used, by the model or by the user
	Readable   agent.Answer `json:"readable"`    // the model may read all of its files
	Files      []FileCheck  `json:"files"`
	Steps      []Step       `json:"steps"`
}

// FileCheck says whether the model may read one file of a skill.
type FileCheck struct {
	Path     string       `json:"path"`
	Readable agent.Answer `json:"readable"`
	Reason   string       `json:"reason"` // "" where it may
}

// Step is one thing that has to hold, in the order in which it matters.
type Step struct {
	Step   StepName     `json:"step"`
	OK     agent.Answer `json:"ok"`
	Detail string       `json:"detail"`
	Fix    string       `json:"fix"` // a command, or what to change; "" where nothing need be done
	Fact
}

// Fact is the source of what a Step says, "" where it needs none.
type Fact struct {
	Source  string `json:"source"`
	Version string `json:"version"`
	Date    string `json:"date"`
}

// StepName names a Step.
type StepName string

const (
	StepLink     StepName = "link"     // the link is there, and the agent follows it
	StepTrust    StepName = "trust"    // the agent trusts the directory that it works in
	StepSkill    StepName = "skill"    // it takes the file as it is written
	StepCalled   StepName = "name"     // it knows the skill by its name
	StepHeadless StepName = "headless" // skills work when nobody can be asked
	StepFiles    StepName = "files"    // what lies beside the SKILL.md can be read
)

// Extra is a skill that the agent has although the set does not hold it.
type Extra struct {
	Name   string       `json:"name"`
	Path   string       `json:"path"`
	Listed agent.Answer `json:"listed"`
	Reason string       `json:"reason"`
	Fix    string       `json:"fix"`
}

// Answer is what Check found, in the order of the wants.
type Answer struct {
	Agent    string    `json:"agent"`
	Version  string    `json:"version"` // of the facts
	Headless bool      `json:"headless"`
	Skills   []Checked `json:"skills"`
	Extras   []Extra   `json:"extras"`

	Diagnostics diag.List `json:"-"` // skill-undeliverable for each no
}
