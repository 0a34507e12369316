package engine_test

import (
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/promptc/promptc/engine"
	"github.com/promptc/promptc/engine/diag"
)

type node struct {
	Properties map[string]node `json:"properties"`
	Items      *node           `json:"items"`
	OneOf      []node          `json:"oneOf"`
}

func compareSchema(t *testing.T) {
	t.Helper()
	var schema node
	if err := json.Unmarshal(engine.SpecSchema(), &schema); err != nil {
		t.Fatal(err)
	}
	compare(t, "", reflect.TypeFor[engine.Spec](), schema)
}

func compare(t *testing.T, path string, typ reflect.Type, n node) {
	t.Helper()
	for typ.Kind() == reflect.Pointer || typ.Kind() == reflect.Slice {
		if typ.Kind() == reflect.Slice && n.Items != nil {
			n = *n.Items
		}
		typ = typ.Elem()
	}
	if typ.Kind() != reflect.Struct || typ == reflect.TypeFor[engine.Layout]() {
		return
	}
	for _, o := range n.OneOf {
		if o.Properties != nil {
			n = o
		}
	}
	var keys []string
	for i := range typ.NumField() {
		key := typ.Field(i).Tag.Get("yaml")
		if key == "" || key == "-" {
			continue
		}
		keys = append(keys, key)
		sub, ok := n.Properties[key]
		if !ok {
			t.Errorf("the schema lacks %s%s", path, key)
			continue
		}
		compare(t, path+key+".", typ.Field(i).Type, sub)
	}
	for key := range n.Properties {
		if !slices.Contains(keys, key) {
			t.Errorf("the schema has %s%s, the spec does not", path, key)
		}
	}
}

func TestSpecIsReadStrictly(t *testing.T) {
	for _, c := range []struct{ text, where, message string }{
		{"agent: x\nstratgey: y", "/s.yaml:2:1", `unknown key "stratgey"`},
		{"workspace:\n  dri: x", "/s.yaml:2:3", `unknown key "dri" in "workspace"`},
		{"headless: maybe", "/s.yaml:1:11", "headless must be true or false"},
		{"budget: {prompt: -1}", "/s.yaml:1:18", "budget.prompt must be a whole number"},
		{"roots: here", "/s.yaml:1:8", "roots must be a list"},
		{"agent: [a]", "/s.yaml:1:8", "agent must be text"},
		{"agent: a\nagent: b", "/s.yaml:2:1", `the key "agent" stands twice`},
		{"- a", "/s.yaml:1:1", "the spec must be a map"},
		{"a: &x 1\nb: *x", "/s.yaml:1:1", `unknown key "a"`},
		{"agent: \"x", "/s.yaml", "end of stream"},
		{"agent: b: c", "/s.yaml:1", "mapping values"},
		{"agent: a\nmodel: \"é\xff\"", "/s.yaml:2:10", "the byte 0xff is not UTF-8"},
		{"agent: a\nmodel: \"\x01\"", "/s.yaml:2:9", "the control character U+0001"},
		{"agent: a\n---\nagent: b", "/s.yaml", "more than one"},
	} {
		_, err := engine.DecodeSpec("/s.yaml", []byte(c.text))
		list := diag.Of(err)
		if len(list) == 0 || !strings.HasPrefix(list[0].Where(), c.where) || !strings.Contains(list[0].Message, c.message) {
			t.Errorf("%q: %v", c.text, list)
		}
	}
}

func TestSpecForms(t *testing.T) {
	s, err := engine.DecodeSpec("/s.yaml", []byte("\ufeff{strategy: inject, layout: cache, agent_version: 2.0, skills: {auto: []}}"))
	if err != nil || s.Strategy.Name != "inject" || s.Layout.Preset != "cache" || s.AgentVersion != "2.0" || s.Skills.Auto == nil {
		t.Fatalf("%+v, %v", s, err)
	}
	s, err = engine.DecodeSpec("/s.yaml", []byte("strategy: {name: tool, options: {name: load, n: 3}, fallback: index}\nlayout: [skills, system]"))
	if err != nil || s.Strategy.Options["name"] != "load" || !slices.Equal(s.Strategy.Fallback, engine.Names{"index"}) || len(s.Layout.Order) != 2 {
		t.Fatalf("%+v, %v", s, err)
	}
	if _, err = engine.DecodeSpec("/s.yaml", nil); err != nil {
		t.Fatalf("an empty file is an empty spec: %v", err)
	}
}

func FuzzDecodeSpec(f *testing.F) {
	for _, s := range []string{"agent: x", "roots: [{dir: a, depth: 2}]", "a: &a [*a]", "strategy: {fallback: [a, b]}", "history: [{role: user, text: |\n  x\n}]", "\x00", "layout: {a: b}", "vars: {a: {b: [1, 2.5, null]}}"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		spec, err := engine.DecodeSpec("/s.yaml", data)
		if err != nil && len(diag.Of(err)) == 0 {
			t.Fatalf("an error without a diagnostic: %v", err)
		}
		if err == nil && spec == nil {
			t.Fatal("neither a spec nor an error")
		}
	})
}
