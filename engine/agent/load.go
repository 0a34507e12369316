package agent

import (
	_ "embed"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"go.yaml.in/yaml/v3"
)

//go:embed agents.yaml
var agentsYAML string

// entry is one agent in agents.yaml.
type entry struct {
	ID    string      `yaml:"id"`
	Name  string      `yaml:"name"`
	Known []statement `yaml:"known"`
}

// statement is what one source says, for the versions that the source names.
type statement struct {
	Source `yaml:",inline"`
	Facts  yaml.Node `yaml:"facts"`

	said *Facts // Facts, decoded
}

// catalog finds entries without decoding them all: a single agent is all that most
// calls are for.
type catalog struct {
	ids    []string
	decode []func() (Facts, error)
}

const entryMark = "- id: "

var loaded = sync.OnceValue(func() *catalog { return split(agentsYAML) })

// split cuts the file at the lines that begin an entry; the first line begins none.
func split(text string) *catalog {
	c := &catalog{}
	for {
		_, rest, ok := strings.Cut(text, "\n"+entryMark)
		if !ok {
			return c
		}
		end := strings.Index(rest, "\n"+entryMark)
		if end < 0 {
			end = len(rest)
		}
		chunk := entryMark + rest[:end]
		id, _, _ := strings.Cut(rest, "\n")
		c.ids = append(c.ids, strings.TrimSpace(id))
		c.decode = append(c.decode, sync.OnceValues(func() (Facts, error) { return decodeEntry(chunk) }))
		text = rest[end:]
	}
}

// IDs lists the agents in the order of agents.yaml.
func IDs() []string { return slices.Clone(loaded().ids) }

// All gives the facts of all agents in the order of agents.yaml, each of its newest
// known version.
func All() []Facts {
	out := make([]Facts, len(loaded().ids))
	for i := range out {
		out[i] = loaded().facts(i)
	}
	return out
}

// Lookup gives the facts of one agent, of its newest known version.
func Lookup(id string) (Facts, bool) {
	i := slices.Index(loaded().ids, id)
	if i < 0 {
		return Facts{}, false
	}
	return loaded().facts(i), true
}

// facts panics where the embedded file is wrong: a test decodes all of it.
func (c *catalog) facts(i int) Facts {
	f, err := c.decode[i]()
	if err != nil {
		panic(fmt.Sprintf("agents.yaml: %s: %v", c.ids[i], err))
	}
	return f
}

func decodeEntry(text string) (Facts, error) {
	var list []entry
	d := yaml.NewDecoder(strings.NewReader(text))
	d.KnownFields(true)
	if err := d.Decode(&list); err != nil {
		return Facts{}, err
	}
	if len(list) != 1 || list[0].ID == "" || list[0].Name == "" {
		return Facts{}, errors.New("an entry needs an id and a name")
	}
	e := list[0]
	f := Facts{ID: e.ID, Name: e.Name, stated: e.Known}
	for i := range f.stated {
		s := &f.stated[i]
		if err := s.read(); err != nil {
			return Facts{}, fmt.Errorf("source %q: %w", s.From, err)
		}
		if s.How == Measured && s.Since == "" && s.Before == "" {
			f.Version = s.Version
		}
	}
	return f.of("")
}

// read decodes the facts of a statement.
func (s *statement) read() error {
	if s.From == "" || s.Version == "" {
		return errors.New("a source needs from, how, version and date")
	}
	if err := oneOf(s.How, Measured, Read, Documented, Reported, Decided); err != nil {
		return err
	}
	if _, err := time.Parse(time.DateOnly, s.Date); err != nil {
		return err
	}
	s.said = &Facts{}
	rows := table()
	for topic, facts := range pairs(&s.Facts) {
		if facts.Kind != yaml.MappingNode {
			return fmt.Errorf("line %d: %s is not a map of facts", facts.Line, topic.Value)
		}
		for key, value := range pairs(facts) {
			i := slices.IndexFunc(rows, func(r row) bool { return r.topic == topic.Value && r.key == key.Value })
			if i < 0 {
				return fmt.Errorf("line %d: there is no fact %s.%s", key.Line, topic.Value, key.Value)
			}
			if err := rows[i].get(s.said).read(value, &s.Source); err != nil {
				return fmt.Errorf("%s.%s: %w", topic.Value, key.Value, err)
			}
		}
	}
	return nil
}

// pairs goes through a mapping.
func pairs(n *yaml.Node) func(yield func(key, value *yaml.Node) bool) {
	return func(yield func(key, value *yaml.Node) bool) {
		for i := 0; i+1 < len(n.Content); i += 2 {
			if !yield(n.Content[i], n.Content[i+1]) {
				return
			}
		}
	}
}
