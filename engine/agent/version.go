package agent

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/promptc/promptc/engine/diag"
)

// Of gives the facts as they are for a version; "" is the newest known one.
func (f Facts) Of(version string) Facts {
	g, err := f.of(version)
	if err != nil {
		panic("agents.yaml: " + f.ID + ": " + err.Error()) // a test asks at every border
	}
	return g
}

// of merges what was stated for a version. A statement for some versions goes
// before one for all.
func (f Facts) of(version string) (Facts, error) {
	out := Facts{ID: f.ID, Name: f.Name, Version: f.Version, stated: f.stated}
	for _, r := range table() {
		var from *Source
		for i := range f.stated {
			s := &f.stated[i]
			said := r.get(s.said)
			if said.origin() == nil || !s.holds(version) {
				continue
			}
			switch {
			case from == nil || !from.bounded() && s.bounded():
				r.get(&out).take(said)
				from = &s.Source
			case from.bounded() == s.bounded():
				return out, fmt.Errorf("%s.%s is stated by %s and by %s", r.topic, r.key, from.From, s.From)
			}
		}
	}
	return out, nil
}

func (s *Source) bounded() bool { return s.Since != "" || s.Before != "" }

// holds says whether a source speaks of a version; "" is the newest.
func (s *Source) holds(version string) bool {
	if version == "" {
		return s.Before == ""
	}
	return (s.Since == "" || compareVersions(version, s.Since) >= 0) &&
		(s.Before == "" || compareVersions(version, s.Before) < 0)
}

// compareVersions compares dotted numbers; what is no number is compared as text,
// and what stands behind a hyphen or a plus does not count.
func compareVersions(a, b string) int {
	parts := func(v string) []string {
		v, _, _ = strings.Cut(strings.TrimPrefix(v, "v"), "-")
		v, _, _ = strings.Cut(v, "+")
		return strings.Split(v, ".")
	}
	as, bs := parts(a), parts(b)
	for i := range max(len(as), len(bs)) {
		x, y := "0", "0"
		if i < len(as) {
			x = as[i]
		}
		if i < len(bs) {
			y = bs[i]
		}
		m, errM := strconv.Atoi(x)
		n, errN := strconv.Atoi(y)
		c := cmp.Compare(x, y)
		if errM == nil && errN == nil {
			c = cmp.Compare(m, n)
		}
		if c != 0 {
			return c
		}
	}
	return 0
}

// At gives the plain values of a version; "" is the newest known one. For a version
// at which nothing was measured the newest known facts are used, except those that
// are known to begin or end with a version, and a diagnostic says so.
func (f Facts) At(version string, headless bool) (Agent, diag.List) {
	var found diag.List
	if version != "" && version != f.Version {
		text := fmt.Sprintf("the facts about %s were measured at %s; for %s they may differ", f.ID, f.Version, version)
		if f.Version == "" {
			text = fmt.Sprintf("nothing was measured about %s; what is known of any version is used for %s", f.ID, version)
		}
		found.Add(diag.New(diag.UnknownVersion, diag.Pos{}, "%s", text))
	}
	g := f.Of(version)
	return g.plain(headless), found
}

func (f Facts) plain(headless bool) Agent {
	a := Agent{
		ID: f.ID, Name: f.Name, Version: f.Version,
		Has: map[Need]Answer{
			NeedRead: answer(f.Use.Reads), NeedTools: answer(f.Use.Tools),
			NeedNative: answer(f.Use.Native), NeedLinks: f.takesLinks(),
		},
		Read: f.Use.Read.Value, ScansHidden: Is(f.Finds.Hidden, Yes),
		Skills: f.Where.Into.Value, Links: f.linksAs(),
		View: f.Runs.View.Value.clone(), ReadDir: f.Runs.ReadDir.Value.clone(),
		Invoke: f.Use.Invoke.Value, Wrapper: f.Use.Wrapper.Value, NameOf: f.Front.NameFrom.Value,
		Unmodel: answer(f.Front.Unmodel), Encoding: string(Unknown), ReadsLink: answer(f.Links.Reads),
	}
	if f.Use.Encoding.Known() {
		a.Encoding = f.Use.Encoding.Value
	}
	if headless {
		a.Headless = f.Runs.Headless.Value.clone()
		if !Is(f.Use.Prompted, Yes) {
			a.Invoke = "" // nobody knows whether it is more than text there
		}
	}
	return a
}

// linksAs says what a link to a skill must be.
func (f Facts) linksAs() string {
	switch {
	case f.Links.Best.Known():
		return f.Links.Best.Value
	case Is(f.Links.Skill, Yes):
		return "follow"
	case Is(f.Links.Skill, No):
		return "copy"
	}
	return string(Unknown)
}

// takesLinks says whether skills can be put into a directory for the agent, as
// links or, where it does not follow those, as copies.
func (f Facts) takesLinks() Answer {
	switch {
	case Is(f.Use.Native, No) || f.Where.Into.Known() && f.Where.Into.Value == "":
		return No
	case !f.Where.Into.Known() || f.linksAs() == string(Unknown):
		return Unknown
	}
	return Yes
}

func (l Launch) clone() Launch {
	return Launch{Args: slices.Clone(l.Args), Env: maps.Clone(l.Env)}
}

// String writes l as a shell would have it.
func (l Launch) String() string {
	if l.Empty() {
		return "nothing"
	}
	var parts []string
	for _, k := range slices.Sorted(maps.Keys(l.Env)) {
		parts = append(parts, k+"="+l.Env[k])
	}
	return strings.Join(append(parts, l.Args...), " ")
}

func (t Tool) String() string { return fmt.Sprintf("%s{%s}", t.Name, t.Path) }
