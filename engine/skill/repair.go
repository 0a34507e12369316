package skill

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// edit is a value of a block that must be quoted for YAML to read it.
type edit struct {
	from, to  int  // byte range in the block
	line, col int  // in the block, from 1; col in runes
	lines     int  // how many lines it spans
	colon     bool // only because the plain value holds a colon and a blank
}

// maxTries bounds how many values of one block are tried by themselves, and
// tryBytes how much of it together, as a multiple of its size.
const (
	maxTries = 400
	tryBytes = 8
)

// quoteEdits finds the values that no YAML reader can read where they stand, but
// can once they are quoted. It finds none where the block holds more lines that
// are odd than a header ever has.
func quoteEdits(block string) []edit {
	s := quoteScan{block: block}
	at := 0
	for l := range strings.SplitSeq(strings.TrimSuffix(block, "\n"), "\n") {
		s.lines = append(s.lines, l)
		s.starts = append(s.starts, at)
		at += len(l) + 1
	}
	s.left = tryBytes*len(block) + 4096
	for i := 0; i < len(s.lines); {
		if s.tries > maxTries || s.left < 0 {
			return nil
		}
		i = s.step(i)
	}
	return s.edits
}

// quoted is block with every edit applied.
func quoted(block string, edits []edit) string {
	var b strings.Builder
	at := 0
	for _, e := range edits {
		b.WriteString(block[at:e.from])
		b.WriteString(quote(block[e.from:e.to]))
		at = e.to
	}
	b.WriteString(block[at:])
	return b.String()
}

// quote writes a plain value as a quoted one that reads the same: in double
// quotes, or in single ones where it holds a sign that those would undo.
func quote(value string) string {
	if strings.ContainsAny(value, "\"\\") {
		return "'" + strings.ReplaceAll(value, "'", "''") + "'"
	}
	return `"` + value + `"`
}

type quoteScan struct {
	block  string
	lines  []string
	starts []int // byte offset of each line
	edits  []edit
	tries  int
	left   int // bytes that may still be tried
}

// step looks at the key or list item on line i and returns the line to go on with.
func (s *quoteScan) step(i int) int {
	indent, value, ok := keyLine(s.lines[i])
	if !ok {
		if indent, value, ok = itemLine(s.lines[i]); !ok {
			return i + 1
		}
	}
	end, last := s.extent(i, indent)
	text := strings.TrimRight(s.lines[i][value:], " \t")
	switch {
	case text == "" || text[0] == '#':
		first := i + 1
		for first < end && isBlank(s.lines[first]) {
			first++
		}
		if first == end || !s.isScalar(first) {
			return i + 1 // what it holds is looked at line by line
		}
		if !s.reads(i, last, indent) {
			line := s.lines[first]
			s.add(first, len(line)-len(strings.TrimLeft(line, " \t")), last)
		}
		return end
	case isBlockHeader(text):
		return end
	case last == i && safeText([]byte(text)):
		return end
	case !s.reads(i, last, indent):
		s.add(i, value, last)
	}
	return end
}

// extent is the line behind all that belongs to the key on line i, and the last
// line of it that is not blank.
func (s *quoteScan) extent(i, indent int) (end, last int) {
	end, last = i+1, i
	for ; end < len(s.lines); end++ {
		l := s.lines[end]
		if isBlank(l) {
			continue
		}
		rest := strings.TrimLeft(l, " \t")
		if len(l)-len(rest) <= indent && rest[0] != ']' && rest[0] != '}' {
			break
		}
		last = end
	}
	return last + 1, last
}

// isScalar reports whether line i begins a scalar rather than keys or items.
func (s *quoteScan) isScalar(i int) bool {
	if _, _, ok := keyLine(s.lines[i]); ok {
		return false
	}
	rest := strings.TrimLeft(s.lines[i], " \t")
	return rest != "-" && !strings.HasPrefix(rest, "- ") && !strings.ContainsRune("#[{\"'", rune(rest[0]))
}

// reads reports whether YAML reads the key on line i, with all that belongs to
// it, taken by itself.
func (s *quoteScan) reads(i, last, indent int) bool {
	s.tries++
	var b strings.Builder
	b.WriteString(strings.Repeat(" ", indent))
	b.WriteString(s.lines[i][indent:])
	for _, l := range s.lines[i+1 : last+1] {
		b.WriteString("\n")
		b.WriteString(l)
	}
	text := b.String()
	s.left -= len(text)
	root, err := readYAML(text)
	if err == nil && root.Kind == 0 {
		return true
	}
	if err != nil && strings.HasPrefix(err.Error(), "unknown anchor") {
		name := strings.TrimSuffix(strings.TrimPrefix(err.Error(), "unknown anchor '"), "' referenced")
		return strings.Contains(s.block, "&"+name)
	}
	return err == nil
}

// add notes the value that begins at byte value of line i and ends with line last.
func (s *quoteScan) add(i, value, last int) {
	end := s.starts[last] + len(strings.TrimRight(s.lines[last], " \t"))
	e := edit{
		from: s.starts[i] + value, to: end,
		line: i + 1, col: utf8.RuneCountInString(s.lines[i][:value]) + 1, lines: last - i + 1,
	}
	if e.from >= e.to {
		return
	}
	text := s.block[e.from:e.to]
	e.colon = !strings.ContainsRune("@`%[]{}*&!|>'\",#-?", rune(text[0])) && holdsColon(text)
	s.edits = append(s.edits, e)
}

// mangles reports whether quoting the value makes text of a restriction that was
// meant as a collection. Before is what stands before the value on its line.
func (e *edit) mangles(before, value string) bool {
	return mentionsRestriction(before) && (e.lines > 1 || value[0] == '[' || value[0] == '{')
}

func holdsColon(text string) bool {
	return strings.Contains(text, ": ") || strings.Contains(text, ":\t") || strings.Contains(text, ":\n") || strings.HasSuffix(text, ":")
}

// keyLine finds a plain key: where it begins, which is its indentation (of an
// item's first key the place behind the dash), and where its value begins.
func keyLine(l string) (indent, value int, ok bool) {
	for indent < len(l) && (l[indent] == ' ' || l[indent] == '\t' || l[indent] == '-' && indent+1 < len(l) && l[indent+1] == ' ') {
		indent++
	}
	rest := l[indent:]
	colon := keyEnd(rest)
	if colon <= 0 {
		return 0, 0, false
	}
	value = indent + colon + 1
	for value < len(l) && (l[value] == ' ' || l[value] == '\t') {
		value++
	}
	return indent, value, true
}

// maxKey is how long a key may be, in bytes: longer ones are prose.
const maxKey = 100

// keyEnd is the place of the colon that ends the key at the beginning of rest,
// or -1. A key begins with a letter, a digit or an underscore.
func keyEnd(rest string) int {
	first, _ := utf8.DecodeRuneInString(rest)
	if first != '_' && !unicode.IsLetter(first) && !unicode.IsDigit(first) {
		return -1
	}
	for i := range min(len(rest), maxKey) {
		switch rest[i] {
		case ':':
			if i+1 == len(rest) || rest[i+1] == ' ' || rest[i+1] == '\t' {
				return i
			}
		case '#':
			if rest[i-1] == ' ' {
				return -1
			}
		}
	}
	return -1
}

// itemLine finds a list item that is a scalar.
func itemLine(l string) (indent, value int, ok bool) {
	rest := strings.TrimLeft(l, " \t")
	indent = len(l) - len(rest)
	if !strings.HasPrefix(rest, "- ") {
		return 0, 0, false
	}
	value = len(l) - len(strings.TrimLeft(rest[1:], " \t"))
	return indent, value, value < len(l)
}

// isBlockHeader reports whether a value opens a block scalar.
func isBlockHeader(value string) bool {
	if value[0] != '|' && value[0] != '>' {
		return false
	}
	rest := strings.TrimLeft(value[1:], "+-123456789")
	return rest == "" || strings.HasPrefix(strings.TrimLeft(rest, " \t"), "#") && (rest[0] == ' ' || rest[0] == '\t')
}
