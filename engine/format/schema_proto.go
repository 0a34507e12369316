package format

import (
	"encoding/json"
	"slices"
	"strings"
)

// protoFormats are the formats that Gemini's Schema knows, by type.
var protoFormats = map[string][]string{
	"string": {"date-time", "enum"}, "number": {"float", "double"}, "integer": {"int32", "int64"},
}

// protoTypes gives a level one type, and what else hangs on it in Gemini's Schema:
// null is a mark beside the type, an enum is of texts, a bound includes its value.
func (a *adapter) protoTypes(n *node, path string) {
	a.protoAny(n, path)
	if t := n.get("type"); t.isList() {
		var kinds []*node
		for _, k := range t.list {
			if k.is(`"null"`) {
				n.set("nullable", value(true))
			} else {
				kinds = append(kinds, k)
			}
		}
		n.remove("type")
		switch len(kinds) {
		case 0:
		case 1:
			n.set("type", kinds[0])
		default:
			alternatives := listOf()
			for _, k := range kinds {
				one := newObject()
				one.set("type", k)
				if k.is(`"array"`) && n.get("items") != nil {
					one.set("items", n.get("items"))
				}
				alternatives.list = append(alternatives.list, one)
			}
			n.remove("items")
			n.set("anyOf", alternatives)
		}
		a.reworded = append(a.reworded, at(path, "type"))
	}
	kind, _ := n.get("type").text()
	kind = strings.ToLower(kind)
	if e := n.get("enum"); e.isList() {
		texts := slices.DeleteFunc(slices.Clone(e.list), func(v *node) bool { return v.is("null") })
		if len(texts) < len(e.list) {
			n.set("nullable", value(true))
		}
		isText := !slices.ContainsFunc(texts, func(v *node) bool { _, ok := v.text(); return !ok })
		if isText && len(texts) > 0 && (kind == "" || kind == "string") {
			n.set("enum", listOf(texts...))
			kind = "string"
		} else {
			a.leave(n, "enum", e, path)
			n.remove("enum")
			if kind == "" && len(texts) > 0 {
				kind = typeOf(texts[0])
			}
		}
	}
	if kind == "" && n.get("anyOf") == nil {
		switch {
		case n.get("properties") != nil:
			kind = "object"
		case n.get("items") != nil:
			kind = "array"
		default:
			kind = "string"
			a.reworded = append(a.reworded, at(path, "any type"))
		}
	}
	if kind == "null" {
		kind = "string"
		n.set("nullable", value(true))
	}
	if kind != "" {
		n.set("type", value(strings.ToUpper(kind)))
	}
	wholeBound(n, "exclusiveMinimum", "minimum", 1)
	wholeBound(n, "exclusiveMaximum", "maximum", -1)
	if f, ok := n.get("format").text(); ok && !slices.Contains(protoFormats[kind], f) {
		a.leave(n, "format", n.get("format"), path)
		n.remove("format")
	}
}

func typeOf(v *node) string {
	switch {
	case v.is("true"), v.is("false"):
		return "boolean"
	case v.isObject():
		return "object"
	case v.isList():
		return "array"
	}
	if _, ok := v.text(); ok {
		return "string"
	}
	if strings.ContainsAny(string(v.raw), ".eE") {
		return "number"
	}
	return "integer"
}

// protoAny takes null out of the alternatives, and a single one out of its list.
func (a *adapter) protoAny(n *node, path string) {
	any := n.get("anyOf")
	if !any.isList() {
		return
	}
	kept := slices.DeleteFunc(slices.Clone(any.list), func(v *node) bool { return v.get("type").is(`"null"`) || v.is("false") })
	if len(kept) < len(any.list) {
		n.set("nullable", value(true))
		a.reworded = append(a.reworded, at(path, "null"))
	}
	switch len(kept) {
	case 0:
		n.remove("anyOf")
	case 1:
		n.remove("anyOf")
		a.merge(n, a.resolve(kept[0], nil), true)
	default:
		if n.get("properties") != nil {
			// Alternatives of one object: all of their parameters, none needed.
			n.remove("anyOf")
			for _, v := range kept {
				v = a.resolve(v, nil).copied()
				v.remove("required")
				a.merge(n, v, true)
			}
			a.reworded = append(a.reworded, at(path, "anyOf"))
			return
		}
		if t := n.get("type"); t != nil {
			for i, v := range kept {
				if v.isObject() && v.get("type") == nil && v.get("$ref") == nil {
					kept[i] = v.copied()
					kept[i].set("type", t)
				}
			}
			n.remove("type")
		}
		n.set("anyOf", listOf(kept...))
	}
}

// protoShape lets alternatives stand alone, as Gemini wants them: what stood beside
// them goes into each.
func (a *adapter) protoShape(n *node, path string) {
	any := n.get("anyOf")
	if !any.isList() {
		return
	}
	description := n.get("description")
	nullable := n.get("nullable")
	for i, v := range any.list {
		v = v.copied()
		if description != nil && v.get("description") == nil {
			v.set("description", description)
		}
		if nullable.is("true") {
			v.set("nullable", nullable)
		}
		any.list[i] = v
	}
	for _, key := range slices.Clone(n.keys) {
		switch key {
		case "anyOf":
		case "description", "nullable", "title":
			n.remove(key)
		default:
			n.remove(key)
			a.gone = append(a.gone, at(path, key+" beside anyOf"))
		}
	}
}

// wholeBound writes a bound of whole numbers that excludes its value as one that
// includes it.
func wholeBound(n *node, exclusive, inclusive string, step int64) {
	var v int64
	x := n.get(exclusive)
	if t, _ := n.get("type").text(); x == nil || !strings.EqualFold(t, "integer") || json.Unmarshal(x.raw, &v) != nil || n.get(inclusive) != nil {
		return
	}
	n.remove(exclusive)
	n.set(inclusive, value(v+step))
}
