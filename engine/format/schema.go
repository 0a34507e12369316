package format

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/promptc/promptc/engine"
)

// dialect is the part of JSON Schema that a provider takes: an allow-list of
// keywords for every level, and what else it insists on.
type dialect struct {
	allow    []string
	refs     bool                  // $ref to a definition of the same schema
	flatTop  bool                  // no anyOf, oneOf, allOf, enum, not beside the properties
	proto    bool                  // one type of the provider's own a level: no lists of types, no null, enums of text only
	items    bool                  // a list says what it is of
	property func() *regexp.Regexp // what a parameter's name may be; nil: anything
}

// schemaNote is what was changed.
type schemaNote struct {
	text    string
	refused bool
}

// structure says how the value of a keyword holds further schemas.
var structure = map[string]byte{
	"properties": 'm', "$defs": 'm', "definitions": 'm', "patternProperties": 'm', "dependentSchemas": 'm',
	"items": 's', "additionalProperties": 's', "not": 's', "contains": 's', "propertyNames": 's',
	"if": 's', "then": 's', "else": 's', "unevaluatedProperties": 's', "unevaluatedItems": 's',
	"anyOf": 'l', "oneOf": 'l', "allOf": 'l', "prefixItems": 'l',
}

// silent are keywords that say nothing to a model.
var silent = []string{"$schema", "$id", "id", "$comment", "$anchor", "$vocabulary", "additionalProperties"}

// shortValue is the longest value, in bytes, that is said in a description.
const shortValue = 120

// adapt gives the schema of a tool's arguments as the provider takes it, always an
// object with properties (e11), and says what became of each keyword that is not on
// the list (e08): what a model can use goes into the description of its level.
func (d dialect) adapt(params json.RawMessage) (*node, []schemaNote) {
	a := &adapter{dialect: d}
	root, err := parseNode(params)
	if err != nil || !root.isObject() {
		if err == nil {
			err = fmt.Errorf("it is no object")
		}
		a.notes = append(a.notes, schemaNote{fmt.Sprintf("its schema cannot be read: %v", err), true})
		root = newObject()
	}
	a.root = root
	top := a.resolve(root, nil)
	top = a.flatten(top)
	if ref, ok := top.get("$ref").text(); ok { // it leads nowhere, or back to itself
		top.remove("$ref")
		a.gone = append(a.gone, "$ref "+ref)
	}
	top.set("type", value("object"))
	if !top.get("properties").isObject() {
		top.set("properties", newObject())
	}
	out := a.level(top, "", nil, 0)
	return out, a.summary()
}

type adapter struct {
	dialect
	root                 *node
	gone, said, reworded []string
	notes                []schemaNote
}

func (a *adapter) summary() []schemaNote {
	var parts []string
	for _, p := range []struct {
		verb string
		list []string
	}{{"left out of its schema", a.gone}, {"said in a description instead", a.said}, {"written in another way", a.reworded}} {
		if len(p.list) > 0 {
			list := slices.Compact(slices.Sorted(slices.Values(p.list)))
			if more := len(list) - 6; more > 0 {
				list = append(list[:6:6], fmt.Sprintf("%d more", more))
			}
			parts = append(parts, p.verb+": "+strings.Join(list, ", "))
		}
	}
	if len(parts) == 0 {
		return a.notes
	}
	return append(a.notes, schemaNote{strings.Join(parts, "; "), false})
}

func at(path, key string) string {
	if path == "" {
		return key
	}
	return key + " (" + strings.TrimPrefix(path, "/") + ")"
}

// level adapts one schema and all below it.
func (a *adapter) level(n *node, path string, refs []string, depth int) *node {
	if !n.isObject() {
		// true and false are schemas: anything, and nothing.
		if n.is("false") {
			a.gone = append(a.gone, at(path, "false"))
		}
		n = newObject()
	}
	if depth > maxDepth {
		a.gone = append(a.gone, at(path, "what is nested deeper"))
		n = newObject()
	}
	n = n.copied()
	if ref, ok := n.get("$ref").text(); ok && (!a.refs || a.target(ref) == nil) {
		switch {
		case slices.Contains(refs, ref):
			a.reworded = append(a.reworded, at(path, "$ref to itself"))
			n.remove("$ref")
			n.set("type", value("object"))
		case a.target(ref) == nil:
			a.gone = append(a.gone, at(path, "$ref "+ref))
			n.remove("$ref")
		default:
			refs = append(slices.Clip(refs), ref)
			n = a.resolve(n, refs[:len(refs)-1])
		}
	}
	a.reword(n, path)
	if a.proto {
		a.protoTypes(n, path)
	}
	a.limitEnum(n, path)
	out := newObject()
	for _, key := range n.keys {
		v := n.fields[key]
		if !slices.Contains(a.allow, key) {
			a.leave(n, key, v, path)
			continue
		}
		out.set(key, a.below(key, v, path, refs, depth))
	}
	if d := n.get("description"); d != nil && slices.Contains(a.allow, "description") {
		out.set("description", d) // with what was said in it on the way
	}
	a.required(out, path)
	if a.proto {
		a.protoShape(out, path)
	}
	if t, _ := out.get("type").text(); strings.EqualFold(t, "array") && a.items && out.get("items") == nil {
		item := newObject()
		if a.proto {
			item.set("type", value("STRING"))
		}
		out.set("items", item)
		a.reworded = append(a.reworded, at(path, "items"))
	}
	return out
}

// below adapts what a keyword holds.
func (a *adapter) below(key string, v *node, path string, refs []string, depth int) *node {
	switch structure[key] {
	case 's':
		if !v.isObject() && (key == "additionalProperties" || key == "unevaluatedProperties" || key == "unevaluatedItems") {
			return v
		}
		return a.level(v, path+"/"+key, refs, depth+1)
	case 'l':
		out := listOf()
		for _, item := range v.listOf() {
			out.list = append(out.list, a.level(item, path+"/"+key, refs, depth+1))
		}
		return out
	case 'm':
		out := newObject()
		for _, name := range v.keysOf() {
			if key == "properties" && a.property != nil && !a.property().MatchString(name) {
				a.notes = append(a.notes, schemaNote{fmt.Sprintf("the parameter %q has not the form %s", name, a.property()), true})
			}
			out.set(name, a.level(v.fields[name], path+"/"+name, refs, depth+1))
		}
		return out
	}
	return v
}

func (n *node) listOf() []*node {
	if n == nil {
		return nil
	}
	return n.list
}

// leave says what a keyword outside of the list says, where it is short enough.
func (a *adapter) leave(n *node, key string, v *node, path string) {
	raw := v.bytes()
	if slices.Contains(silent, key) || structure[key] != 0 || strings.HasPrefix(key, "x-") || len(raw) > shortValue || !slices.Contains(a.allow, "description") {
		a.gone = append(a.gone, at(path, key))
		return
	}
	a.say(n, key+": "+string(raw))
	a.said = append(a.said, at(path, key))
}

// say adds words to the description of a level.
func (a *adapter) say(n *node, words string) {
	text, _ := n.get("description").text()
	if text != "" {
		text += " "
	}
	n.set("description", value(text+"("+words+")"))
}

// reword writes what the provider has another form for.
func (a *adapter) reword(n *node, path string) {
	allowed := func(key string) bool { return slices.Contains(a.allow, key) }
	if all := n.get("allOf"); all.isList() && !allowed("allOf") {
		n.remove("allOf")
		for _, sub := range all.list {
			a.merge(n, a.resolve(sub, nil), true)
		}
		a.reworded = append(a.reworded, at(path, "allOf"))
	}
	if one := n.get("oneOf"); one.isList() && !allowed("oneOf") && n.get("anyOf") == nil {
		n.remove("oneOf")
		n.set("anyOf", one)
		a.reworded = append(a.reworded, at(path, "oneOf"))
	}
	if c := n.get("const"); c != nil && !allowed("const") {
		n.remove("const")
		n.set("enum", listOf(c))
		a.reworded = append(a.reworded, at(path, "const"))
	}
	if items := n.get("items"); items.isList() { // the form of older drafts
		n.remove("items")
		if allowed("prefixItems") {
			n.set("prefixItems", items)
		}
		a.reworded = append(a.reworded, at(path, "items"))
	}
	for _, b := range [][2]string{{"exclusiveMinimum", "minimum"}, {"exclusiveMaximum", "maximum"}} {
		switch x := n.get(b[0]); {
		case x.is("false"):
			n.remove(b[0])
		case x.is("true") && n.get(b[1]) != nil: // the form of older drafts
			n.set(b[0], n.get(b[1]))
			n.remove(b[1])
		}
	}
	if n.get("nullable").is("true") && !allowed("nullable") {
		n.remove("nullable")
		if t := n.get("type"); t != nil && !t.isList() {
			n.set("type", listOf(t, value("null")))
		}
		a.reworded = append(a.reworded, at(path, "nullable"))
	}
}

// limitEnum makes a long list of values a plain text: providers refuse or charge
// for it, and the values are checked when the tool is called (e13, e14).
func (a *adapter) limitEnum(n *node, path string) {
	if e := n.get("enum"); e.isList() && len(e.list) > engine.MaxEnum {
		n.remove("enum")
		a.gone = append(a.gone, at(path, fmt.Sprintf("an enum of %d values", len(e.list))))
	}
}

// required keeps to the properties that are there.
func (a *adapter) required(n *node, path string) {
	r := n.get("required")
	if r == nil || n.get("properties") == nil {
		return
	}
	out := listOf()
	for _, v := range r.listOf() {
		if name, ok := v.text(); ok && n.get("properties").get(name) != nil {
			out.list = append(out.list, v)
		} else {
			a.gone = append(a.gone, at(path, "required "+string(v.bytes())))
		}
	}
	if n.set("required", out); a.proto && len(out.list) == 0 {
		n.remove("required")
	}
}
