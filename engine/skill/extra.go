package skill

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

// extra is a frontmatter value on its way into Skill.Extra: a scalar, or a node
// of YAML.
type extra struct {
	text  string
	plain bool // neither quoted nor a block, so it may be a number
	node  *yaml.Node
}

// What a frontmatter block may grow to, however little it is as a file.
const (
	maxBlock = 32 << 10  // bytes of the block
	maxDepth = 64        // levels of collections in each other
	maxNodes = 10_000    // values after aliases are followed
	maxExtra = 256 << 10 // bytes of Skill.Extra
)

var (
	errNodes = errors.New("the frontmatter's aliases expand to too much")
	errDepth = errors.New("the frontmatter is nested too deeply")
)

// extraJSON writes the entries as one object in the order of the file; of equal
// keys the first.
func extraJSON(entries []entry) (json.RawMessage, error) {
	if len(entries) == 0 {
		return nil, nil
	}
	w := extraWriter{out: []byte{'{'}}
	var seen []string
	for _, e := range entries {
		if slices.Contains(seen, e.key) {
			continue
		}
		seen = append(seen, e.key)
		if len(w.out) > 1 {
			w.out = append(w.out, ',')
		}
		w.string(e.key)
		w.out = append(w.out, ':')
		if e.extra.node == nil {
			w.scalar(e.extra.text, e.extra.plain)
		} else if err := w.node(e.extra.node, 0); err != nil {
			return nil, err
		}
	}
	w.out = append(w.out, '}')
	return slices.Clip(w.out), nil
}

type extraWriter struct {
	out   []byte
	nodes int
}

func (w *extraWriter) node(n *yaml.Node, depth int) error {
	if w.nodes++; w.nodes > maxNodes || len(w.out) > maxExtra {
		return errNodes
	}
	if depth > maxDepth {
		return errDepth
	}
	switch n.Kind {
	case yaml.AliasNode:
		return w.node(n.Alias, depth+1)
	case yaml.SequenceNode:
		w.out = append(w.out, '[')
		for i, item := range n.Content {
			if i > 0 {
				w.out = append(w.out, ',')
			}
			if err := w.node(item, depth+1); err != nil {
				return err
			}
		}
		w.out = append(w.out, ']')
	case yaml.MappingNode:
		return w.mapping(n, depth)
	default:
		w.scalar(n.Value, isPlain(n))
	}
	return nil
}

func (w *extraWriter) mapping(n *yaml.Node, depth int) error {
	w.out = append(w.out, '{')
	seen := map[string]bool{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, err := w.key(n.Content[i], depth)
		if err != nil {
			return err
		}
		if seen[key] {
			continue
		}
		if len(seen) > 0 {
			w.out = append(w.out, ',')
		}
		seen[key] = true
		w.string(key)
		w.out = append(w.out, ':')
		if err := w.node(n.Content[i+1], depth+1); err != nil {
			return err
		}
	}
	w.out = append(w.out, '}')
	return nil
}

// key is a key as text; a collection in its place is written as JSON.
func (w *extraWriter) key(n *yaml.Node, depth int) (string, error) {
	for n.Kind == yaml.AliasNode {
		n = n.Alias
	}
	if n.Kind == yaml.ScalarNode {
		return n.Value, nil
	}
	at := len(w.out)
	if err := w.node(n, depth+1); err != nil {
		return "", err
	}
	key := string(w.out[at:])
	w.out = w.out[:at]
	return key, nil
}

// scalar writes null, true, false and numbers that JSON writes alike as what they
// are, digit for digit; everything else as text.
func (w *extraWriter) scalar(text string, plain bool) {
	switch {
	case plain && isNull(text):
		w.out = append(w.out, "null"...)
	case plain && (text == "true" || text == "false"):
		w.out = append(w.out, text...)
	case plain && isNumber(text):
		w.out = append(w.out, text...)
	default:
		w.string(text)
	}
}

func (w *extraWriter) string(text string) {
	quoted, err := json.Marshal(text)
	if err != nil {
		quoted = []byte(`""`) // a string always marshals
	}
	w.out = append(w.out, quoted...)
}

// isNumber reports whether text is a number in JSON's grammar.
func isNumber(text string) bool {
	return len(text) < 40 && strings.Trim(text, "0123456789+-.eE") == "" && json.Valid([]byte(text))
}

func isNull(text string) bool {
	switch text {
	case "", "~", "null", "Null", "NULL":
		return true
	}
	return false
}

func isPlain(n *yaml.Node) bool {
	return n.Kind == yaml.ScalarNode && n.Style&(yaml.DoubleQuotedStyle|yaml.SingleQuotedStyle|yaml.LiteralStyle|yaml.FoldedStyle|yaml.TaggedStyle) == 0
}
