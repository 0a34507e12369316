package agent

import (
	"fmt"
	"reflect"
	"strings"

	"go.yaml.in/yaml/v3"
)

// Source says where facts are known from.
type Source struct {
	From    string `yaml:"from"`    // a URL, or owner/repository:path
	How     How    `yaml:"how"`     //
	Version string `yaml:"version"` // of the agent, of the repository, or of the page
	Date    string `yaml:"date"`    // when it was measured or read, as YYYY-MM-DD
	Since   string `yaml:"since"`   // the first version that it holds for; "" all before
	Note    string `yaml:"note"`    // how exactly
	Before  string `yaml:"before"`  // the first version that it no longer holds for; "" none
}

// How says how somebody came to know a fact.
type How string

const (
	Measured   How = "measured"   // the agent was run and its requests were recorded
	Read       How = "source"     // its source was read
	Documented How = "documented" // its makers say so
	Reported   How = "reported"   // others say so
	Decided    How = "decided"    // promptc's own choice
)

// Fact is one thing that is known about an agent, or not.
type Fact[T any] struct {
	Value  T
	Source *Source // nil: it is unknown, and Value means nothing
}

// Known says whether Value means something.
func (f Fact[T]) Known() bool { return f.Source != nil }

// Is says whether the fact is known to be value.
func Is[T comparable](f Fact[T], value T) bool { return f.Known() && f.Value == value }

// answer is what a fact says to a yes-or-no question.
func answer(f Fact[Answer]) Answer {
	if !f.Known() {
		return Unknown
	}
	return f.Value
}

// a fact of any type, for what is done to all of them.
type anyFact interface {
	origin() *Source
	text() string
	read(n *yaml.Node, from *Source) error
	take(other anyFact)
}

func (f *Fact[T]) origin() *Source { return f.Source }

// take replaces f by other where other is known.
func (f *Fact[T]) take(other anyFact) {
	if o, ok := other.(*Fact[T]); ok && o.Source != nil {
		*f = *o
	}
}

// read takes the value of a node. The word unknown leaves the fact unknown.
func (f *Fact[T]) read(n *yaml.Node, from *Source) error {
	if n.Kind == yaml.ScalarNode && n.Value == string(Unknown) {
		return nil
	}
	if err := decode(n, &f.Value); err != nil {
		return err
	}
	if v, ok := any(f.Value).(interface{ valid() error }); ok {
		if err := v.valid(); err != nil {
			return fmt.Errorf("line %d: %w", n.Line, err)
		}
	}
	f.Source = from
	return nil
}

// decode is strict: a key that the type does not have is an error, which the
// Decode of a node would pass over.
func decode(n *yaml.Node, into any) error {
	if err := known(n, reflect.TypeOf(into).Elem()); err != nil {
		return err
	}
	return n.Decode(into)
}

// known reports a key of n for which t has no field.
func known(n *yaml.Node, t reflect.Type) error {
	switch {
	case n.Kind == yaml.SequenceNode && t.Kind() == reflect.Slice:
		for _, e := range n.Content {
			if err := known(e, t.Elem()); err != nil {
				return err
			}
		}
	case n.Kind == yaml.MappingNode && t.Kind() == reflect.Struct:
		for key, value := range pairs(n) {
			field, ok := fieldOf(t, key.Value)
			if !ok {
				return fmt.Errorf("line %d: there is no %s here", key.Line, key.Value)
			}
			if err := known(value, field); err != nil {
				return err
			}
		}
	}
	return nil
}

func fieldOf(t reflect.Type, key string) (reflect.Type, bool) {
	for i := range t.NumField() {
		if f := t.Field(i); f.Tag.Get("yaml") == key {
			return f.Type, true
		}
	}
	return nil, false
}

func (f *Fact[T]) text() string {
	if f.Source == nil {
		return string(Unknown)
	}
	switch v := any(f.Value).(type) {
	case string:
		if v == "" {
			return "none"
		}
		return v
	case [2]string:
		return fmt.Sprintf("%q and %q", v[0], v[1])
	}
	v := reflect.ValueOf(f.Value)
	switch {
	case v.Kind() != reflect.Slice:
		return fmt.Sprint(f.Value)
	case v.Len() == 0:
		return "none"
	}
	parts := make([]string, v.Len())
	for i := range parts {
		parts[i] = fmt.Sprint(v.Index(i))
	}
	return strings.Join(parts, "; ")
}
