package strategytest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/promptc/promptc/engine"
	"github.com/promptc/promptc/engine/skill"
)

// toolName is what every provider takes (P10).
var toolName = regexp.MustCompile(`^[a-zA-Z0-9_-]{1,64}$`)

func (u *suite) checkTools() {
	for _, skills := range [][]skill.Skill{four(), four()[:1], hostile(), many(100), many(101), many(300)} {
		in := u.input(skills)
		r, ok := u.render(in)
		if !ok {
			continue
		}
		if len(r.Tools) > 128 {
			u.report("%d tools: providers take 128", len(r.Tools))
		}
		seen := map[string]bool{}
		for _, t := range r.Tools {
			if !toolName.MatchString(t.Name) || seen[t.Name] {
				u.report("the tool name %q does not match %s, or stands twice", t.Name, toolName)
			}
			seen[t.Name] = true
			if strings.TrimSpace(t.Description) == "" || !utf8.ValidString(t.Description) {
				u.report("the tool %q has no description in UTF-8", t.Name)
			}
			if err := schemaErr(t.Parameters); err != nil {
				u.report("the schema of %q (%s): %v", t.Name, label(in), err)
			}
		}
	}
}

// schemaErr says what a provider would refuse in the parameters of a tool.
func schemaErr(schema json.RawMessage) error {
	if !utf8.Valid(schema) {
		return fmt.Errorf("not UTF-8")
	}
	if err := unique(json.NewDecoder(bytes.NewReader(schema))); err != nil {
		return err
	}
	var s struct {
		Type       string
		Properties map[string]map[string]any
		Required   []string
	}
	if err := json.Unmarshal(schema, &s); err != nil {
		return err
	}
	if s.Type != "object" || s.Properties == nil {
		return fmt.Errorf("the type is %q; it must be object, with properties", s.Type)
	}
	for i, name := range s.Required {
		if s.Properties[name] == nil || slices.Contains(s.Required[:i], name) {
			return fmt.Errorf("%q is required and not a property, or stands twice", name)
		}
	}
	var any map[string]any
	if err := json.Unmarshal(schema, &any); err != nil {
		return err
	}
	return keywords(any)
}

// allowed are the keywords that OpenAI, Anthropic and Gemini all take.
var allowed = []string{"type", "properties", "required", "description", "enum", "items"}

func keywords(schema map[string]any) error {
	for k, v := range schema {
		switch k {
		case "properties":
			properties, _ := v.(map[string]any)
			for name, p := range properties {
				if !toolName.MatchString(name) {
					return fmt.Errorf("the parameter name %q does not match %s", name, toolName)
				}
				inner, ok := p.(map[string]any)
				if !ok {
					return fmt.Errorf("the parameter %q has no schema", name)
				}
				if err := keywords(inner); err != nil {
					return err
				}
			}
		case "items":
			if inner, ok := v.(map[string]any); ok {
				if err := keywords(inner); err != nil {
					return err
				}
			}
		case "enum":
			if err := enumErr(v); err != nil {
				return err
			}
		default:
			if !slices.Contains(allowed, k) {
				return fmt.Errorf("the keyword %q is not taken by every provider", k)
			}
		}
	}
	if _, ok := schema["type"].(string); !ok {
		return fmt.Errorf("a schema without a type")
	}
	return nil
}

func enumErr(v any) error {
	list, _ := v.([]any)
	if len(list) == 0 || len(list) > engine.MaxEnum {
		return fmt.Errorf("an enum of %d values; 1 to %d are taken", len(list), engine.MaxEnum)
	}
	for i, e := range list {
		if s, ok := e.(string); !ok || s == "" || slices.Contains(list[:i], e) {
			return fmt.Errorf("the enum value %v is no text, empty, or stands twice", e)
		}
	}
	return nil
}

// unique reports an object with two equal keys, which readers take differently.
func unique(d *json.Decoder) error {
	var open []map[string]bool // a nil map is a list
	key := false
	for {
		t, err := d.Token()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		inObject := len(open) > 0 && open[len(open)-1] != nil
		switch t {
		case json.Delim('{'):
			open = append(open, map[string]bool{})
			key = true
			continue
		case json.Delim('['):
			open = append(open, nil)
			key = false
			continue
		case json.Delim('}'), json.Delim(']'):
			open = open[:len(open)-1]
			key = len(open) > 0 && open[len(open)-1] != nil
			continue
		}
		if !inObject {
			continue
		}
		if name, ok := t.(string); ok && key {
			if open[len(open)-1][name] {
				return fmt.Errorf("the key %q stands twice", name)
			}
			open[len(open)-1][name] = true
		}
		key = !key
	}
}

func (u *suite) checkAsks() {
	for _, skills := range [][]skill.Skill{four(), hostile(), many(150)} {
		in := u.input(skills)
		r, ok := u.render(in)
		if !ok {
			continue
		}
		for _, t := range r.Tools {
			u.asks(in, t)
		}
	}
}

func (u *suite) asks(in *engine.Input, t engine.Tool) {
	var s struct {
		Properties map[string]json.RawMessage
		Required   []string
	}
	if json.Unmarshal(t.Parameters, &s) != nil {
		return
	}
	a := t.Asks
	switch {
	case a.Skill == "" && a.SkillParam == "" || a.Skill != "" && a.SkillParam != "":
		u.report("the tool %q must ask for one skill or have a parameter for it", t.Name)
	case a.Skill != "" && !slices.ContainsFunc(in.Skills, func(k skill.Skill) bool { return k.Name == a.Skill }):
		u.report("the tool %q asks for %q, which is not there", t.Name, a.Skill)
	case a.SkillParam != "" && !slices.Contains(s.Required, a.SkillParam):
		u.report("the tool %q does not require its parameter %q for the skill", t.Name, a.SkillParam)
	}
	used := map[string]bool{}
	for _, p := range []string{a.SkillParam, a.FileParam, a.ArgsParam} {
		if p == "" {
			continue
		}
		if s.Properties[p] == nil || used[p] {
			u.report("the tool %q asks by %q, which is no parameter of its schema, or twice", t.Name, p)
		}
		used[p] = true
	}
	for _, name := range values(t.Parameters, a.SkillParam) {
		if _, ok := in.Skill(name); !ok {
			u.report("the tool %q offers %q, which is no skill's name", t.Name, name)
		}
	}
}
