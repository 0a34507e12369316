package engine

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/promptc/promptc/engine/diag"
	"github.com/promptc/promptc/engine/skill"
)

// Spec says what a prompt is to be made of. It is the spec file decoded, or
// filled in by a host; the zero value is a prompt for the generic agent with the
// index strategy. Paths in it are absolute once LoadSpec has returned it, except
// Roots and ExtraRoots, which Load resolves against the workspace.
type Spec struct {
	Agent        string        `yaml:"agent"`
	AgentVersion string        `yaml:"agent_version"`
	Headless     bool          `yaml:"headless"`
	Model        string        `yaml:"model"`
	Strategy     StrategySpec  `yaml:"strategy"`
	Session      string        `yaml:"session"`
	Workspace    WorkspaceSpec `yaml:"workspace"`
	Roots        []RootSpec    `yaml:"roots"`
	ExtraRoots   []RootSpec    `yaml:"extra_roots"`
	AllowTargets []string      `yaml:"allow_targets"`
	Skills       SkillsSpec    `yaml:"skills"`
	Select       SelectSpec    `yaml:"select"`
	System       string        `yaml:"system"`
	Knowledge    string        `yaml:"knowledge"`
	Message      string        `yaml:"message"`
	History      []MessageSpec `yaml:"history"`
	// Vars makes System a text/template; without vars it is taken as it stands.
	Vars          map[string]any    `yaml:"vars"`
	Layout        Layout            `yaml:"layout"`
	Place         string            `yaml:"place"`    // system | first_message
	Language      string            `yaml:"language"` // en | zh
	Rank          string            `yaml:"rank"`     // listed | text
	Budget        BudgetSpec        `yaml:"budget"`
	Trust         TrustSpec         `yaml:"trust"`
	Strict        bool              `yaml:"strict"`
	Templates     map[string]string `yaml:"templates"` // strategy -> file
	ReservedTools []string          `yaml:"reserved_tools"`

	// Earlier is a history that is there as Messages already, for example out of a
	// provider's form; it comes before History.
	Earlier     []Message `yaml:"-"`
	Path        string    `yaml:"-"` // the file, absolute; "" where there is none
	Found       bool      `yaml:"-"` // found in the working directory rather than named: project content
	Depth       int       `yaml:"-"` // where set, of every root
	Env         Env       `yaml:"-"`
	Diagnostics diag.List `yaml:"-"` // keys that were ignored

	at map[string]diag.Pos // where each value stands, by path: "select.skill", "skills.enable.0"
}

// StrategySpec names a strategy, its options, and what is taken where its needs
// are not met. In a file it is a name, or a map.
type StrategySpec struct {
	Name     string         `yaml:"name"`
	Options  map[string]any `yaml:"options"`
	Fallback Names          `yaml:"fallback"`
}

// Names is a list of names; in a file one name stands for a list of one.
type Names []string

// WorkspaceSpec is the directory in which the agent works.
type WorkspaceSpec struct {
	Dir          string `yaml:"dir"`
	Temporary    bool   `yaml:"temporary"`     // it is thrown away afterwards: links may be made in it
	Into         bool   `yaml:"into"`          // links may be made in it although it is the user's own
	AllowOutside bool   `yaml:"allow_outside"` // the host's file tools may leave it
}

// RootSpec is a directory in which skills are looked for.
type RootSpec struct {
	Dir   string `yaml:"dir"`
	Scope string `yaml:"scope"` // project | user | shared | builtin
	Depth int    `yaml:"depth"` // 1 to 6; 0: 1
	Flag  bool   `yaml:"-"`     // named on the command line, which is trust
}

// SkillsSpec picks the set of a session. Auto nil is every visible skill.
type SkillsSpec struct {
	Enable  []string  `yaml:"enable"`
	Disable []string  `yaml:"disable"`
	Auto    *[]string `yaml:"auto"`
	Pin     []string  `yaml:"pin"`
}

// SelectSpec is the skill that the user chose, with what was typed behind it.
type SelectSpec struct {
	Skill  string `yaml:"skill"`
	Args   string `yaml:"args"`
	Sticky bool   `yaml:"sticky"` // it lasts longer than one user message
}

// MessageSpec is a message of the history.
type MessageSpec struct {
	Role       string         `yaml:"role" json:"role"`
	Text       string         `yaml:"text" json:"text"`
	ToolCalls  []ToolCallSpec `yaml:"tool_calls" json:"tool_calls"`
	ToolCallID string         `yaml:"tool_call_id" json:"tool_call_id"`
	Failed     bool           `yaml:"failed" json:"failed"`
}

// ToolCallSpec is a call in a message of the history.
type ToolCallSpec struct {
	ID        string         `yaml:"id" json:"id"`
	Name      string         `yaml:"name" json:"name"`
	Arguments map[string]any `yaml:"arguments" json:"arguments"`
}

// BudgetSpec holds limits in tokens; 0 is no limit.
type BudgetSpec struct {
	Prompt      int `yaml:"prompt"`
	Skill       int `yaml:"skill"`
	Description int `yaml:"description"`
}

// TrustSpec says whether skills of project scope are used. Nil: only where the
// spec file was named.
type TrustSpec struct {
	Project *bool `yaml:"project"`
}

// At says where the value at path stands; a zero Pos where that is unknown.
func (s *Spec) At(path string) diag.Pos {
	if p, ok := s.at[path]; ok {
		return p
	}
	return diag.Pos{File: s.Path}
}

// SetAt records where a value came from, for example the flag that gave it.
func (s *Spec) SetAt(path string, at diag.Pos) {
	if s.at == nil {
		s.at = map[string]diag.Pos{}
	}
	s.at[path] = at
}

// DecodeSpec reads a spec file's bytes: unknown keys and values of a wrong type
// are errors with line and column, which diag.Of gives.
func DecodeSpec(path string, data []byte) (*Spec, error) {
	spec := &Spec{Path: path, at: map[string]diag.Pos{}}
	data = bytes.TrimPrefix(data, []byte("\ufeff"))
	dec := yaml.NewDecoder(bytes.NewReader(data))
	var doc yaml.Node
	if err := dec.Decode(&doc); err != nil {
		if errors.Is(err, io.EOF) {
			return spec, nil
		}
		return nil, diag.List{yamlDiagnostic(path, data, err)}.Err()
	}
	if err := dec.Decode(new(yaml.Node)); !errors.Is(err, io.EOF) {
		return nil, diag.List{diag.New(diag.SpecSyntax, diag.At(path), "more than one YAML document in the spec")}.Err()
	}
	r := specReader{spec: spec}
	r.value(doc.Content[0], reflect.ValueOf(spec).Elem(), "")
	if err := r.found.Err(); err != nil {
		return nil, err
	}
	return spec, nil
}

// specReader walks the YAML beside the Go types, so that every complaint has a
// place and every value a position.
type specReader struct {
	spec  *Spec
	found diag.List
}

func (r *specReader) pos(n *yaml.Node) diag.Pos {
	return diag.Pos{File: r.spec.Path, Line: n.Line, Column: n.Column}
}

func (r *specReader) value(n *yaml.Node, v reflect.Value, path string) {
	if n.Kind == yaml.AliasNode {
		r.found.Add(diag.New(diag.SpecValue, r.pos(n), "%s: a spec may not hold YAML aliases", path))
		return
	}
	r.spec.at[path] = r.pos(n)
	if n.Kind == yaml.ScalarNode && n.Tag == "!!null" {
		return
	}
	switch t := v.Interface().(type) {
	case StrategySpec:
		if n.Kind == yaml.ScalarNode {
			r.spec.at["strategy.name"] = r.pos(n)
			v.Field(0).SetString(n.Value)
			return
		}
	case Names:
		if n.Kind == yaml.ScalarNode {
			r.spec.at[path+".0"] = r.pos(n)
			v.Set(reflect.ValueOf(Names{n.Value}))
			return
		}
	case Layout:
		if n.Kind == yaml.ScalarNode {
			t.Preset = n.Value
			v.Set(reflect.ValueOf(t))
			return
		}
		r.value(n, v.FieldByName("Order"), path)
		return
	}
	switch v.Kind() {
	case reflect.Pointer:
		p := reflect.New(v.Type().Elem())
		r.value(n, p.Elem(), path)
		v.Set(p)
	case reflect.Struct:
		r.structure(n, v, path)
	case reflect.Slice:
		if n.Kind != yaml.SequenceNode {
			r.wrong(n, path, "a list")
			return
		}
		list := reflect.MakeSlice(v.Type(), len(n.Content), len(n.Content))
		for i, item := range n.Content {
			r.value(item, list.Index(i), fmt.Sprintf("%s.%d", path, i))
		}
		v.Set(list)
	case reflect.Map, reflect.Interface:
		if v.Kind() == reflect.Map && n.Kind != yaml.MappingNode {
			r.wrong(n, path, "a map")
			return
		}
		for i := 0; v.Kind() == reflect.Map && i+1 < len(n.Content); i += 2 {
			r.spec.at[path+"."+n.Content[i].Value] = r.pos(n.Content[i+1])
		}
		if err := n.Decode(v.Addr().Interface()); err != nil {
			r.found.Add(diag.New(diag.SpecValue, r.pos(n), "%s: %v", path, err))
		}
	case reflect.String:
		// A number or a date is what was written, not what YAML makes of it.
		if n.Kind != yaml.ScalarNode {
			r.wrong(n, path, "text")
			return
		}
		v.SetString(n.Value)
	case reflect.Bool:
		if n.Kind != yaml.ScalarNode || n.Tag != "!!bool" {
			r.wrong(n, path, "true or false")
			return
		}
		v.SetBool(strings.EqualFold(n.Value, "true"))
	case reflect.Int:
		var i int64
		if n.Kind != yaml.ScalarNode || n.Tag != "!!int" || n.Decode(&i) != nil || i < 0 {
			r.wrong(n, path, "a whole number, 0 or more")
			return
		}
		v.SetInt(i)
	}
}

func (r *specReader) structure(n *yaml.Node, v reflect.Value, path string) {
	if n.Kind != yaml.MappingNode {
		r.wrong(n, path, "a map")
		return
	}
	fields := map[string]int{}
	var known []string
	for i := range v.NumField() {
		if key := v.Type().Field(i).Tag.Get("yaml"); key != "-" && key != "" {
			fields[key] = i
			known = append(known, key)
		}
	}
	seen := map[string]bool{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, val := n.Content[i], n.Content[i+1]
		at := strings.TrimPrefix(path+"."+key.Value, ".")
		field, ok := fields[key.Value]
		switch {
		case !ok:
			d := diag.New(diag.UnknownKey, r.pos(key), "unknown key %q%s", key.Value, inside(path))
			if near := diag.Nearest(key.Value, known); near != "" {
				d = d.WithHint("did you mean %q?", near)
			} else {
				d = d.WithHint("known here: %s", strings.Join(known, ", "))
			}
			r.found.Add(d)
		case seen[key.Value]:
			r.found.Add(diag.New(diag.SpecValue, r.pos(key), "the key %q stands twice", at))
		default:
			seen[key.Value] = true
			r.value(val, v.Field(field), at)
		}
	}
}

func (r *specReader) wrong(n *yaml.Node, path, want string) {
	if path == "" {
		path = "the spec"
	}
	r.found.Add(diag.New(diag.SpecValue, r.pos(n), "%s must be %s", path, want))
}

func inside(path string) string {
	if path == "" {
		return ""
	}
	return fmt.Sprintf(" in %q", path)
}

// messages turns the spec's history into Messages.
func (s *Spec) messages() ([]Message, diag.List) {
	out := slices.Clone(s.Earlier)
	var found diag.List
	for i, m := range s.History {
		at := s.At(fmt.Sprintf("history.%d", i))
		if !slices.Contains([]Role{RoleUser, RoleAssistant, RoleTool}, Role(m.Role)) {
			found.Add(diag.New(diag.HistoryInvalid, at, "message %d has the role %q", i+1, m.Role).WithHint("roles are user, assistant and tool"))
			continue
		}
		msg := Message{Role: Role(m.Role), Text: m.Text, Reply: m.ToolCallID, Failed: m.Failed}
		for _, c := range m.ToolCalls {
			args := c.Arguments
			if args == nil {
				args = map[string]any{}
			}
			raw, err := json.Marshal(args)
			if err != nil {
				found.Add(diag.New(diag.HistoryInvalid, at, "the arguments of %q cannot be written as JSON: %v", c.Name, err))
				continue
			}
			msg.Calls = append(msg.Calls, ToolCall{ID: c.ID, Name: c.Name, Arguments: raw})
		}
		out = append(out, msg)
	}
	return out, found
}

// scopeOf reads the word of a RootSpec.
func scopeOf(word string, unset skill.Scope) (skill.Scope, bool) {
	if word == "" {
		return unset, true
	}
	return skill.Scope(word), slices.Contains(skill.Scopes(), skill.Scope(word))
}
