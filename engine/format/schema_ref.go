package format

import (
	"slices"
	"strings"
)

// target is the schema that a local $ref leads to; nil where there is none.
func (a *adapter) target(ref string) *node {
	rest, ok := strings.CutPrefix(ref, "#")
	if !ok {
		return nil
	}
	n := a.root
	if rest == "" {
		return n
	}
	rest, ok = strings.CutPrefix(rest, "/")
	if !ok {
		return nil
	}
	for key := range strings.SplitSeq(rest, "/") {
		n = n.get(strings.NewReplacer("~1", "/", "~0", "~").Replace(key))
	}
	return n
}

// resolve puts what a $ref leads to in its place; what stands beside the $ref wins.
// refs are those on the way here: one that comes again ends the chain.
func (a *adapter) resolve(n *node, refs []string) *node {
	for {
		ref, ok := n.get("$ref").text()
		target := a.target(ref)
		if !ok || !target.isObject() || slices.Contains(refs, ref) {
			return n
		}
		refs = append(slices.Clip(refs), ref)
		out := n.copied()
		out.remove("$ref")
		a.merge(out, target, false)
		n = out
	}
}

// merge adds what other has to n. What n has already stays; properties and required
// names of both are kept where both is true.
func (a *adapter) merge(n, other *node, both bool) {
	if !other.isObject() {
		return
	}
	for _, key := range other.keys {
		v := other.fields[key]
		own := n.get(key)
		switch {
		case own == nil:
			n.set(key, v)
		case both && key == "properties" && own.isObject() && v.isObject():
			all := own.copied()
			for _, name := range v.keys {
				if all.get(name) == nil {
					all.set(name, v.fields[name])
				}
			}
			n.set(key, all)
		case both && key == "required" && own.isList() && v.isList():
			n.set(key, listOf(slices.Concat(own.list, v.list)...))
		}
	}
}

// flatten puts alternatives on the top level into one set of properties, where the
// provider takes no others: needed is what all alternatives need.
func (a *adapter) flatten(n *node) *node {
	n = n.copied()
	if !a.flatTop {
		return n
	}
	if all := n.get("allOf"); all.isList() {
		n.remove("allOf")
		for _, sub := range all.list {
			a.merge(n, a.resolve(sub, nil), true)
		}
		a.reworded = append(a.reworded, "allOf")
	}
	for _, key := range []string{"anyOf", "oneOf"} {
		any := n.get(key)
		if !any.isList() {
			continue
		}
		n.remove(key)
		var needed []string
		for i, sub := range any.list {
			sub = a.resolve(sub, nil).copied()
			names := textsOf(sub.get("required"))
			sub.remove("required")
			a.merge(n, sub, true)
			if i == 0 {
				needed = names
			} else {
				needed = slices.DeleteFunc(needed, func(s string) bool { return !slices.Contains(names, s) })
			}
		}
		required := listOf(n.get("required").listOf()...)
		for _, name := range needed {
			required.list = append(required.list, value(name))
		}
		if len(required.list) > 0 {
			n.set("required", required)
		}
		a.reworded = append(a.reworded, key)
	}
	for _, key := range []string{"enum", "not", "const"} {
		if n.get(key) != nil {
			n.remove(key)
			a.gone = append(a.gone, key)
		}
	}
	return n
}

func textsOf(n *node) []string {
	var out []string
	for _, v := range n.listOf() {
		if s, ok := v.text(); ok {
			out = append(out, s)
		}
	}
	return out
}
