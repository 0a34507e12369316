package format

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"slices"
)

// node is a JSON value whose objects keep the order of their keys: a model reads
// parameters in the order in which they stand.
type node struct {
	keys   []string
	fields map[string]*node // of an object
	list   []*node          // of a list
	raw    json.RawMessage  // of anything else
	kind   byte             // '{', '[' or 0
}

// maxDepth bounds what is read: deeper than this no provider takes a schema.
const maxDepth = 48

var errDepth = errors.New("the schema is nested too deeply")

func parseNode(raw json.RawMessage) (*node, error) {
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.UseNumber()
	n, err := readNode(dec, 0)
	if err != nil {
		return nil, err
	}
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		return nil, errors.New("more than one value")
	}
	return n, nil
}

func readNode(dec *json.Decoder, depth int) (*node, error) {
	if depth > maxDepth {
		return nil, errDepth
	}
	tok, err := dec.Token()
	if err != nil {
		return nil, err
	}
	switch tok {
	case json.Delim('{'):
		n := newObject()
		for dec.More() {
			key, err := dec.Token()
			if err != nil {
				return nil, err
			}
			v, err := readNode(dec, depth+1)
			if err != nil {
				return nil, err
			}
			n.set(key.(string), v)
		}
		_, err := dec.Token()
		return n, err
	case json.Delim('['):
		n := &node{kind: '['}
		for dec.More() {
			v, err := readNode(dec, depth+1)
			if err != nil {
				return nil, err
			}
			n.list = append(n.list, v)
		}
		_, err := dec.Token()
		return n, err
	}
	return &node{raw: marshal(tok)}, nil
}

func newObject() *node { return &node{kind: '{', fields: map[string]*node{}} }

func value(v any) *node { return &node{raw: marshal(v)} }

func listOf(items ...*node) *node { return &node{kind: '[', list: items} }

func (n *node) isObject() bool { return n != nil && n.kind == '{' }

func (n *node) isList() bool { return n != nil && n.kind == '[' }

// get is nil where n is no object or has no such key.
func (n *node) get(key string) *node {
	if n == nil {
		return nil
	}
	return n.fields[key]
}

func (n *node) set(key string, v *node) {
	if _, ok := n.fields[key]; !ok {
		n.keys = append(n.keys, key)
	}
	n.fields[key] = v
}

func (n *node) remove(key string) {
	if _, ok := n.fields[key]; ok {
		delete(n.fields, key)
		n.keys = slices.DeleteFunc(n.keys, func(k string) bool { return k == key })
	}
}

// copied is n with a map and lists of its own on the first level.
func (n *node) copied() *node {
	c := &node{keys: slices.Clone(n.keys), list: slices.Clone(n.list), raw: n.raw, kind: n.kind}
	if n.fields != nil {
		c.fields = map[string]*node{}
		for k, v := range n.fields {
			c.fields[k] = v
		}
	}
	return c
}

// text is n as a string; ok is false where it is none.
func (n *node) text() (s string, ok bool) {
	if n == nil || n.kind != 0 {
		return "", false
	}
	return s, len(n.raw) > 0 && n.raw[0] == '"' && json.Unmarshal(n.raw, &s) == nil
}

func (n *node) is(literal string) bool { return n != nil && n.kind == 0 && string(n.raw) == literal }

// empty says whether n is a schema of an object without parameters.
func (n *node) empty() bool { return len(n.get("properties").keysOf()) == 0 }

func (n *node) keysOf() []string {
	if n == nil {
		return nil
	}
	return n.keys
}

func (n *node) bytes() json.RawMessage {
	var b bytes.Buffer
	n.write(&b)
	return b.Bytes()
}

func (n *node) write(b *bytes.Buffer) {
	switch n.kind {
	case '{':
		b.WriteByte('{')
		for i, k := range n.keys {
			if i > 0 {
				b.WriteByte(',')
			}
			b.Write(marshal(k))
			b.WriteByte(':')
			n.fields[k].write(b)
		}
		b.WriteByte('}')
	case '[':
		b.WriteByte('[')
		for i, v := range n.list {
			if i > 0 {
				b.WriteByte(',')
			}
			v.write(b)
		}
		b.WriteByte(']')
	default:
		b.Write(n.raw)
	}
}
