// Package link makes links to skills where an agent finds them, and removes them
// again. It is the only package that writes a link; which links are wanted is the
// strategy's decision.
//
// Of turns an assembled prompt into a Set. Plan compares a Set with the disk and
// changes nothing, Apply makes the place hold exactly the Set, Remove undoes what
// was made. All three answer with a Report, which has one Result for every link.
//
// What promptc makes is announced first, in a manifest in its own state
// directory. Only what a manifest lists, and what still is as it was made, is
// ever replaced or removed; the target of a link never is. A run that ends in the
// middle leaves a manifest from which Apply and Remove both finish.
package link

import (
	"path"
	"path/filepath"

	"github.com/promptc/promptc/engine"
	"github.com/promptc/promptc/engine/diag"
)

// Set is what one session wants in one place.
type Set struct {
	State   string // promptc's state directory, see StateDir
	Home    string // the user's home directory, which is refused as a place; "" unknown
	Agent   string // its id, for lists
	Session string // see DefaultSession
	Place   engine.Place
	Into    bool // the place is the user's own workspace: keep the links out of its commits
	Fresh   bool // the directory of the place was made for this session; Remove takes it away once it is empty
	Wants   []Want
}

// Want is a link and the name of the skill that it leads to.
type Want struct {
	Skill string
	engine.Link
}

// Of returns the set that p asks for. The caller adds State, Home, Session, Into
// and Fresh.
func Of(p *engine.Prompt) Set {
	names := make(map[string]string, len(p.Skills))
	for _, s := range p.Skills {
		names[filepath.Dir(s.Path)] = s.Name
	}
	set := Set{Agent: p.Agent, Place: p.Place}
	for _, l := range p.Links {
		name, ok := names[l.Target]
		if !ok {
			name = path.Base(l.Path)
		}
		set.Wants = append(set.Wants, Want{Skill: name, Link: l})
	}
	return set
}

// Outcome is what became of a link, or in a plan what would.
type Outcome string

const (
	Linked   Outcome = "linked"   // made
	Copied   Outcome = "copied"   // made as a copy, or a copy was refreshed
	Kept     Outcome = "kept"     // it was right already, or was left because it is another's
	Repaired Outcome = "repaired" // ours, and it led elsewhere
	Removed  Outcome = "removed"
	Conflict Outcome = "conflict" // something that promptc may not touch is in the way
	Failed   Outcome = "failed"   // the system, or the source, did not allow it
)

// Result is what became of one link.
type Result struct {
	Name    string  `json:"name"` // the skill's
	Outcome Outcome `json:"outcome"`
	Reason  string  `json:"reason"` // one clause; "" where the outcome says all
	Path    string  `json:"path"`   // absolute
	Target  string  `json:"target"` // the skill's directory, absolute
	Cause   Cause   `json:"-"`      // the kind of Reason
}

// Report has a Result for every wanted link in the order of the set, then one for
// every link that is no longer wanted, by path.
type Report struct {
	Place   engine.Place
	Results []Result

	// Diagnostics holds link-conflict and link-failed for the results of these
	// outcomes, and what was found about commits. A caller need not derive any.
	Diagnostics diag.List
}

// Changed says whether anything was made, replaced or removed.
func (r *Report) Changed() bool {
	for _, x := range r.Results {
		switch x.Outcome {
		case Linked, Copied, Repaired, Removed:
			return true
		}
	}
	return false
}

func (r *Report) add(x Result) {
	r.Results = append(r.Results, x)
	switch x.Outcome {
	case Conflict:
		r.Diagnostics.Add(diag.New(diag.LinkConflict, diag.At(x.Path), "the link to the skill %q: %s", x.Name, x.Reason).WithHint("%s", x.Cause.hint()))
	case Failed:
		r.Diagnostics.Add(diag.New(diag.LinkFailed, diag.At(x.Path), "the link to the skill %q: %s", x.Name, x.Reason).WithHint("%s", x.Cause.hint()))
	}
}
