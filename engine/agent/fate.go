package agent

import (
	"fmt"
	"regexp"

	"github.com/promptc/promptc/engine/skill"
)

// Outcome is what becomes of a skill in an agent.
type Outcome string

const (
	FateLoads      Outcome = "loads"
	FateBare       Outcome = "loads-without-metadata" // its frontmatter is not used
	FateNameOnly   Outcome = "name-only"              // its description is not listed
	FateDropped    Outcome = "dropped"                // and the agent says so
	FateSilent     Outcome = "dropped-silently"
	FateDuplicates Outcome = "duplicates" // one name for several skills, all of them listed or one, unknown which
	FateUnknown    Outcome = "unknown"    // nobody knows what the agent makes of it
)

// Lives says whether the skill can be used at all.
func (o Outcome) Lives() bool {
	return o == FateLoads || o == FateBare || o == FateNameOnly || o == FateDuplicates
}

// Fate is what becomes of one skill in one agent, and why.
type Fate struct {
	Agent   string  `json:"agent"`
	Version string  `json:"version"` // of the agent, of which the deciding fact is known
	Skill   string  `json:"skill"`   // by promptc's reading
	Path    string  `json:"path"`    // of its SKILL.md
	Outcome Outcome `json:"outcome"`
	Reason  string  `json:"reason"` // one sentence; "" where nothing is odd
	Source  string  `json:"source"` // of the deciding fact; "" where no fact was needed
	Date    string  `json:"date"`

	Listed            bool   `json:"listed"`             // the model sees it in the agent's list
	ListedName        string `json:"listed_name"`        // the name that the agent gives it; "" where it does not load
	ListedDescription string `json:"listed_description"` // "" where it shows none
}

// Fates says what becomes of each of found in the agent, in the order of found.
// Skills of one name compete with each other there, so give all that it will see,
// its most important directory first.
func Fates(f Facts, found []skill.Found) []Fate {
	out := make([]Fate, len(found))
	spoiler := -1
	form, mapped := compiled(f.Front.NameForm.Value.Pattern), compiled(f.Front.NameMap.Value.Pattern)
	for i := range found {
		j := judge{facts: &f, found: &found[i], form: form, mapped: mapped}
		out[i] = j.fate()
		if j.spoils && spoiler < 0 {
			spoiler = i
		}
	}
	if spoiler >= 0 {
		spoil(out, spoiler)
		return out
	}
	contest(&f, found, out)
	return out
}

// compiled is nil where there is no pattern. Patterns were checked when they were read.
func compiled(pattern string) *regexp.Regexp {
	if pattern == "" {
		return nil
	}
	return regexp.MustCompile(pattern)
}

// spoil drops every skill because of one.
func spoil(out []Fate, by int) {
	for i := range out {
		if i != by {
			out[i].drop(FateDropped, fmt.Sprintf("no skill loads, because of %s", out[by].Path))
			out[i].Source, out[i].Version, out[i].Date = out[by].Source, out[by].Version, out[by].Date
		}
	}
}

func (f *Fate) drop(o Outcome, reason string) {
	f.Outcome, f.Reason = o, reason
	f.Listed, f.ListedName, f.ListedDescription = false, "", ""
}
