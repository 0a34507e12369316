package skill

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/adrg/frontmatter"
	"go.yaml.in/yaml/v3"
)

// yamlError is what a YAML reader says of a block.
type yamlError struct {
	line int // in the block, from 1; 0 where it is not known
	text string
}

func (e *yamlError) Error() string { return e.text }

// yamlEntries reads a block as YAML. The error is a *yamlError where the block is
// not a YAML map, or errDepth or errNodes where it is bounded.
func yamlEntries(block string) ([]entry, error) {
	if err := checkNesting(block); err != nil {
		return nil, err
	}
	root, err := readYAML(block)
	if err != nil {
		return nil, err
	}
	if root.Kind == 0 {
		return nil, nil // nothing but blanks and comments
	}
	top := root.Content[0]
	if top.Kind == yaml.ScalarNode && isPlain(top) && isNull(top.Value) {
		return nil, nil
	}
	if top.Kind != yaml.MappingNode {
		return nil, &yamlError{top.Line, "the frontmatter is not a map of keys to values"}
	}
	return mapEntries(top, block), nil
}

// readYAML hands exactly this block to adrg/frontmatter, which decodes it into a
// node: nothing is expanded. Its own fences are chosen so that no line of the
// block is taken for one.
func readYAML(block string) (root *yaml.Node, err error) {
	defer func() {
		if r := recover(); r != nil {
			root, err = nil, &yamlError{0, fmt.Sprint(r)}
		}
	}()
	if at := secondDocument(block); at > 0 {
		return nil, &yamlError{at, "a second YAML document begins inside of the frontmatter"}
	}
	fence := "---"
	for hasLine(block, fence) {
		fence += "-"
	}
	if block != "" && !strings.HasSuffix(block, "\n") {
		block += "\n"
	}
	root = &yaml.Node{}
	_, err = frontmatter.MustParse(strings.NewReader(fence+"\n"+block+fence+"\n"), root, frontmatter.NewFormat(fence, fence, yaml.Unmarshal))
	if err != nil {
		return nil, asYAMLError(err)
	}
	return root, nil
}

func asYAMLError(err error) *yamlError {
	text := strings.TrimPrefix(err.Error(), "yaml: ")
	if rest, ok := strings.CutPrefix(text, "line "); ok {
		if n, rest, ok := strings.Cut(rest, ": "); ok {
			if line, err := strconv.Atoi(n); err == nil {
				return &yamlError{line, rest}
			}
		}
	}
	return &yamlError{0, text}
}

// secondDocument is the line at which a document marker inside of the block would
// make a YAML reader stop or start anew, or 0.
func secondDocument(block string) int {
	line, ended := 1, 0
	for l := range strings.SplitSeq(block, "\n") {
		text := strings.TrimRight(l, " \t")
		switch {
		case ended > 0 && text != "" && !strings.HasPrefix(text, "#"):
			return ended
		case text == "..." || strings.HasPrefix(l, "... "):
			ended = line
		case strings.HasPrefix(l, "--- ") || strings.HasPrefix(l, "---\t"):
			return line
		}
		line++
	}
	return 0
}

func hasLine(block, line string) bool {
	for l := range strings.SplitSeq(block, "\n") {
		if strings.TrimSpace(l) == line {
			return true
		}
	}
	return false
}

// checkNesting bounds brackets in each other before a reader has to follow them.
// Brackets in prose that nobody closes count too; none has 64 of them.
func checkNesting(block string) error {
	if len(block) > maxBlock {
		return fmt.Errorf("the frontmatter is larger than %d KiB", maxBlock>>10)
	}
	depth := 0
	for i := range len(block) {
		switch block[i] {
		case '[', '{':
			if depth++; depth > maxDepth {
				return errDepth
			}
		case ']', '}':
			depth = max(0, depth-1)
		}
	}
	for l := range strings.SplitSeq(block, "\n") {
		if strings.Count(l, "- ")+strings.Count(l, "? ") <= maxDepth {
			continue
		}
		if rest := strings.TrimLeft(l, "-? "); len(l)-len(rest) > 2*maxDepth {
			return errDepth
		}
	}
	return nil
}

// bounded reports whether err says that a block was refused for its size.
func bounded(err error) bool {
	if err == nil {
		return false
	}
	_, syntax := errors.AsType[*yamlError](err)
	return !syntax
}

// mapEntries lists the keys of a map as they stand in the block.
func mapEntries(m *yaml.Node, block string) []entry {
	lines := strings.Split(block, "\n")
	var out, merged []entry
	for i := 0; i+1 < len(m.Content); i += 2 {
		k, v := m.Content[i], m.Content[i+1]
		for k.Kind == yaml.AliasNode {
			k = k.Alias
		}
		if k.Kind != yaml.ScalarNode {
			continue
		}
		target := v
		for target.Kind == yaml.AliasNode {
			target = target.Alias
		}
		if k.Value == "<<" && isPlain(k) && target.Kind == yaml.MappingNode && target != m {
			merged = append(merged, mapEntries(target, block)...)
			continue
		}
		e := entry{key: k.Value, line: k.Line, at: v.Line, col: v.Column}
		end := len(lines)
		if i+2 < len(m.Content) {
			end = m.Content[i+2].Line - 1
		}
		e.setValue(target, lines, end)
		if e.at == 0 {
			e.at = e.line
		}
		if e.at <= len(lines) {
			e.col = runeColumn(lines[e.at-1], e.col)
		}
		out = append(out, e)
	}
	return append(out, merged...)
}

// setValue fills what a node gives; end is the last line that can belong to it.
func (e *entry) setValue(n *yaml.Node, lines []string, end int) {
	e.style = Other
	if n.Kind == yaml.ScalarNode {
		e.text = n.Value
		e.extra = extra{text: n.Value, plain: isPlain(n)}
		e.style = scalarStyle(n)
	} else {
		e.extra = extra{node: n}
	}
	first := e.at
	if e.style == Literal || e.style == Folded {
		first++
	}
	last := min(end, len(lines))
	for last >= first && (isBlank(lines[last-1]) || e.style == Plain && strings.HasPrefix(strings.TrimLeft(lines[last-1], " "), "#")) {
		last--
	}
	e.lines = max(1, last-first+1)
}

func scalarStyle(n *yaml.Node) Style {
	switch {
	case n.Style&yaml.LiteralStyle != 0:
		return Literal
	case n.Style&yaml.FoldedStyle != 0:
		return Folded
	case n.Style&(yaml.DoubleQuotedStyle|yaml.SingleQuotedStyle) != 0:
		return Quoted
	}
	return Plain
}

// runeColumn makes the column of a YAML reader, which counts runes as well but
// from the start of the line's bytes for odd input, one that exists in line.
func runeColumn(line string, col int) int {
	return max(1, min(col, utf8.RuneCountInString(line)+1))
}
