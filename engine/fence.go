package engine

import "strings"

// blocks reads Markdown line by line and says what each line is, as far as cutting
// and scanning have to know: where code fences open and close, and where list
// items, headings and paragraphs begin. It follows CommonMark, with the fences in
// lists and quotations; HTML blocks are read as ordinary text, because a fence in
// one is a fence to everybody who reads the source. The zero value stands before
// the first line. It holds no text but the open fence's first line.
type blocks struct {
	open  []container
	fence fence // the one that is open; its mark is "" where none is
	para  bool  // the line before belongs to a paragraph that can go on
	table bool  // the line before belongs to a table
	last  string
}

// container is a quotation, or a list item whose text begins width columns to the right.
type container struct {
	quote bool
	width int
}

// maxContainers bounds what nested quotations and lists cost.
const maxContainers = 64

// fence is a code fence that is open.
type fence struct {
	mark   string // its backticks or tildes, three or more
	prefix string // what stands before it inside of lists and quotations
	info   string // the rest of its first line
	depth  int    // containers around it
}

// opener is the line that opens the fence again, closer the one that closes it.
func (f fence) opener() string { return f.prefix + f.mark + f.info }
func (f fence) closer() string { return f.prefix + f.mark }

type lineKind uint8

const (
	lineBlank      lineKind = iota
	lineText                // the first line of a paragraph, or indented code
	lineMore                // a further line of a paragraph
	lineUnderline           // makes the paragraph before it a heading
	lineItem                // the first line of a list item
	lineHeading             // # ..., or a thematic break
	lineRow                 // of a table
	lineTableHead           // the line of dashes below a table's first row
	lineFenceOpen           // opens a code fence
	lineFenceBody           // stands in one
	lineFenceClose          // closes it
)

// line reads the next line, without its line break.
func (b *blocks) line(s string) lineKind {
	last := b.last
	b.last = ""
	c := cursor{text: s}
	if len(b.open) == 0 && s != "" && isLetter(s[0]) { // what most lines are, said at once
		if b.fence.mark != "" {
			return lineFenceBody
		}
		return b.text(c, lineText, 0, last, false)
	}
	matched := b.match(&c)
	if b.fence.mark != "" {
		if matched >= b.fence.depth {
			if b.closes(c) {
				b.fence = fence{}
				return lineFenceClose
			}
			return lineFenceBody
		}
		b.fence = fence{} // its list item or quotation ended, and it with them
	}
	if c.blank() {
		b.open = b.open[:matched]
		b.para, b.table = false, false
		return lineBlank
	}
	kind, fresh := lineText, false
	for {
		indent := c.indent()
		if indent >= 4 || len(b.open) >= maxContainers {
			break
		}
		at := c
		at.skip(indent)
		if at.starts('>') {
			b.enter(matched, container{quote: true})
			at.next()
			at.skip(min(at.indent(), 1))
			c, matched, fresh = at, matched+1, true
			continue
		}
		if isBreak(at.rest()) && !(b.para && !fresh && matched == len(b.open) && isSetext(at.rest())) {
			kind = lineHeading
			break
		}
		if width := marker(at.rest(), b.para && !fresh && matched == len(b.open)); width > 0 {
			kind = lineItem
			at.advance(width)
			switch n := at.indent(); {
			case at.blank():
				width++
			case n > 4:
				width++
				at.skip(1)
			default:
				width += n
				at.skip(n)
			}
			b.enter(matched, container{width: indent + width})
			c, matched, fresh = at, matched+1, true
			if c.blank() {
				b.para = false
				return kind
			}
			continue
		}
		if isHeading(at.rest()) {
			if kind != lineItem {
				kind = lineHeading
			}
			b.open, b.para, b.table = b.open[:matched], false, false
			return kind
		}
		if f, ok := fenceIn(at.rest()); ok {
			b.open, b.para, b.table = b.open[:matched], false, false
			f.depth = matched
			f.prefix = b.prefix() + strings.Repeat(" ", indent)
			b.fence = f
			return lineFenceOpen
		}
		break
	}
	if kind == lineHeading {
		b.open, b.para, b.table = b.open[:matched], false, false
		return kind
	}
	return b.text(c, kind, matched, last, fresh)
}

// text is the end of line where the rest is words.
func (b *blocks) text(c cursor, kind lineKind, matched int, last string, fresh bool) lineKind {
	going := b.para && !fresh // a lazy line keeps its containers
	if !going {
		b.open = b.open[:matched]
		b.table = false
		b.para = c.indent() < 4
	}
	rest := strings.TrimSpace(c.rest())
	b.last = rest
	switch {
	case kind == lineItem:
		return kind
	case going && isSetext(rest) && matched == len(b.open):
		b.para = false
		return lineUnderline
	case b.table:
		return lineRow
	case going && isDelimiterRow(rest) && strings.Contains(last, "|"):
		b.table = true
		return lineTableHead
	case strings.HasPrefix(rest, "|"):
		return lineRow
	case going:
		return lineMore
	}
	return lineText
}

// inList says whether the line that was read last belongs to a list item.
func (b *blocks) inList() bool {
	for _, k := range b.open {
		if !k.quote {
			return true
		}
	}
	return false
}

// match passes the marks of the containers that the line goes on with.
func (b *blocks) match(c *cursor) int {
	for i, k := range b.open {
		switch n := c.indent(); {
		case k.quote:
			at := *c
			at.skip(n)
			if n > 3 || !at.starts('>') {
				return i
			}
			at.next()
			at.skip(min(at.indent(), 1))
			*c = at
		case c.blank():
		case n >= k.width:
			c.skip(k.width)
		default:
			return i
		}
	}
	return len(b.open)
}

func (b *blocks) enter(matched int, k container) {
	b.open = append(b.open[:matched], k)
	b.para, b.table = false, false
}

func (b *blocks) closes(c cursor) bool {
	n := c.indent()
	if n > 3 {
		return false
	}
	c.skip(n)
	rest := strings.TrimRight(c.rest(), " \t\r")
	return len(rest) >= len(b.fence.mark) && strings.Trim(rest, b.fence.mark[:1]) == ""
}

// prefix stands before a line inside of the open containers.
func (b *blocks) prefix() string {
	var p strings.Builder
	for _, k := range b.open {
		if k.quote {
			p.WriteString("> ")
		} else {
			p.WriteString(strings.Repeat(" ", k.width))
		}
	}
	return p.String()
}

// fenceIn reads an opening fence: three backticks or tildes or more, and no
// backtick after backticks.
func fenceIn(s string) (fence, bool) {
	if s == "" || s[0] != '`' && s[0] != '~' {
		return fence{}, false
	}
	info := strings.TrimLeft(s, s[:1])
	mark := s[:len(s)-len(info)]
	if len(mark) < 3 || s[0] == '`' && strings.Contains(info, "`") {
		return fence{}, false
	}
	return fence{mark: mark, info: strings.TrimRight(info, " \t\r")}, true
}

// marker gives the width of a list marker, or 0. Inside of a paragraph only an item
// with text, and of the numbers only 1, begins a list.
func marker(s string, para bool) int {
	n := 0
	switch {
	case s != "" && strings.IndexByte("-*+", s[0]) >= 0:
		n = 1
	default:
		for n < len(s) && n < 9 && s[n] >= '0' && s[n] <= '9' {
			n++
		}
		if n == 0 || n == len(s) || s[n] != '.' && s[n] != ')' || para && s[:n] != "1" {
			return 0
		}
		n++
	}
	if n < len(s) && strings.IndexByte(" \t\r", s[n]) < 0 || para && strings.TrimSpace(s[n:]) == "" {
		return 0
	}
	return n
}

func isHeading(s string) bool {
	rest := strings.TrimLeft(s, "#")
	n := len(s) - len(rest)
	return n >= 1 && n <= 6 && (rest == "" || strings.IndexByte(" \t\r", rest[0]) >= 0)
}

// isBreak knows a thematic break: three or more of one of * - _ and blanks.
func isBreak(s string) bool {
	if s == "" || strings.IndexByte("*-_", s[0]) < 0 {
		return false
	}
	return strings.Trim(s, s[:1]+" \t\r") == "" && strings.Count(s, s[:1]) >= 3
}

// isSetext knows the underline that makes a paragraph a heading.
func isSetext(s string) bool {
	s = strings.TrimRight(s, " \t\r")
	return s != "" && (s[0] == '=' || s[0] == '-') && strings.Trim(s, s[:1]) == ""
}

func isDelimiterRow(s string) bool {
	if s == "" || isLetter(s[0]) {
		return false
	}
	return strings.Contains(s, "-") && strings.Contains(s, "|") && strings.Trim(s, "|:- \t\r") == ""
}

// isLetter knows bytes that begin no mark of Markdown.
func isLetter(b byte) bool { return b|0x20 >= 'a' && b|0x20 <= 'z' || b >= 0x80 }

// cursor stands in a line; a tab reaches to the next column that is a multiple of four.
type cursor struct {
	text     string
	pos, col int
}

func (c *cursor) rest() string { return c.text[c.pos:] }
func (c *cursor) blank() bool  { return strings.Trim(c.text[c.pos:], " \t\r") == "" }
func (c *cursor) next()        { c.advance(1) }

func (c *cursor) starts(b byte) bool { return c.pos < len(c.text) && c.text[c.pos] == b }

// advance passes n bytes, none of them a tab.
func (c *cursor) advance(n int) { c.pos, c.col = c.pos+n, c.col+n }

// indent counts the columns of blanks ahead.
func (c *cursor) indent() int {
	col := c.col
	for _, b := range []byte(c.text[c.pos:]) {
		switch b {
		case ' ':
			col++
		case '\t':
			col += 4 - col%4
		default:
			return col - c.col
		}
	}
	return col - c.col
}

// skip passes n columns of blanks, maybe only a part of a tab.
func (c *cursor) skip(n int) {
	for n > 0 && c.pos < len(c.text) {
		w := 1
		if c.text[c.pos] == '\t' {
			w = 4 - c.col%4
		}
		if w > n {
			c.col += n
			return
		}
		c.pos, c.col, n = c.pos+1, c.col+w, n-w
	}
}
