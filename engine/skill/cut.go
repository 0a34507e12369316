package skill

import "strings"

// cut is a text taken apart at its fences (J10).
type cut struct {
	fence     bool
	fenceLine int // from 1
	closed    bool
	indent    string // of a block that is indented as a whole with its fences
	block     string // the lines between the fences, without that indent
	blockLine int    // the line in the file of the block's first line
	body      string // without leading and trailing blank lines
	bodyLine  int
	unclosed  string // what follows an opening fence that nothing closes, up to a blank line

	late     int    // the line of a block that something stands before, or 0
	lateEnd  int    // the line of its closing fence
	lateText string // the block
}

// cutText never takes a line of the body for a key: without a closing fence
// there is no block, and the whole text is body.
func cutText(text string) cut {
	c := cut{}
	start, line := skipBlank(text)
	first, next := lineAt(text, start)
	indent, ok := fenceLine(first)
	if ok && indent != "" {
		ok = c.cutIndented(text, next, line, indent)
	} else if ok {
		c.fence, c.fenceLine = true, line
		c.findClose(text, next, line+1, "")
	}
	if c.closed {
		return c
	}
	c.setBody(text, 0, 1)
	if ok {
		rest := text[next:]
		if end := strings.Index(rest, "\n\n"); end >= 0 {
			rest = rest[:end]
		}
		c.unclosed = rest
		return c
	}
	c.findLate(text)
	return c
}

// cutIndented takes a block that is indented as a whole: every line of it that
// is not blank begins with the indent of the opening fence.
func (c *cut) cutIndented(text string, next, line int, indent string) bool {
	t := cut{fence: true, fenceLine: line, indent: indent}
	t.findClose(text, next, line+1, indent)
	if !t.closed {
		return false
	}
	lines := strings.Split(strings.TrimSuffix(t.block, "\n"), "\n")
	for i, l := range lines {
		rest, found := strings.CutPrefix(l, indent)
		if !found && !isBlank(l) {
			return false
		}
		lines[i] = rest
		if !found {
			lines[i] = ""
		}
	}
	t.block = strings.Join(lines, "\n")
	if t.block != "" {
		t.block += "\n"
	}
	*c = t
	return true
}

// findClose looks for the closing fence from offset from, which begins line.
func (c *cut) findClose(text string, from, line int, indent string) {
	for at := from; at < len(text); line++ {
		l, next := lineAt(text, at)
		if in, ok := fenceLine(l); ok && in == indent {
			c.closed = true
			c.block, c.blockLine = text[from:at], c.fenceLine+1
			c.setBody(text, next, line+1)
			return
		}
		at = next
	}
}

// setBody takes what begins at offset at, which is the beginning of line.
func (c *cut) setBody(text string, at, line int) {
	rest := text[at:]
	skip, blank := skipBlank(rest)
	c.body = strings.TrimRight(rest[skip:], "\n")
	for {
		i := strings.LastIndexByte(c.body, '\n')
		if !isBlank(c.body[i+1:]) {
			break
		}
		if i < 0 {
			c.body = ""
			break
		}
		c.body = strings.TrimRight(c.body[:i], "\n")
	}
	c.bodyLine = line
	if c.body != "" {
		c.bodyLine = line + blank - 1
	}
}

// lateLines is how far down a block that something stands before is looked for.
const lateLines = 60

// findLate looks for what was meant as frontmatter but has something before it:
// fences around lines of which one names the skill.
func (c *cut) findLate(text string) {
	line, open, from := 1, 0, 0
	for at := 0; at < len(text) && (line <= lateLines || open > 0); line++ {
		l, next := lineAt(text, at)
		if code := strings.TrimLeft(l, " "); strings.HasPrefix(code, "```") || strings.HasPrefix(code, "~~~") {
			return // from here on it may be an example
		}
		if in, ok := fenceLine(l); ok && in == "" {
			if open > 0 && namesSkill(text[from:at]) {
				c.late, c.lateEnd, c.lateText = open, line, text[from:at]
				return
			}
			if line > lateLines {
				return
			}
			open, from = line, next
		} else if open > 0 && line > open+lateLines {
			open = 0
		}
		at = next
	}
}

// namesSkill reports whether block has a name or a description key and no blank
// line in between.
func namesSkill(block string) bool {
	found := false
	for l := range strings.SplitSeq(strings.TrimSuffix(block, "\n"), "\n") {
		if isBlank(l) {
			return false
		}
		key, _, ok := strings.Cut(l, ":")
		key = strings.ToLower(key)
		found = found || ok && (key == "name" || key == "description")
	}
	return found
}

// fenceLine reports whether l is three dashes, blanks after them allowed, and
// what stands before them.
func fenceLine(l string) (indent string, ok bool) {
	i := strings.IndexByte(l, '-')
	if i < 0 || !isBlank(l[:i]) || !strings.HasPrefix(l[i:], "---") || !isBlank(l[i+3:]) {
		return "", false
	}
	return l[:i], true
}

// lineAt is the line that begins at offset at, and where the next one begins.
func lineAt(text string, at int) (line string, next int) {
	if i := strings.IndexByte(text[at:], '\n'); i >= 0 {
		return text[at : at+i], at + i + 1
	}
	return text[at:], len(text)
}

// skipBlank is the offset of the first line that is not blank, and its number.
func skipBlank(text string) (at, line int) {
	line = 1
	for at < len(text) {
		l, next := lineAt(text, at)
		if !isBlank(l) {
			return at, line
		}
		at = next
		line++
	}
	return len(text), line
}

func isBlank(l string) bool {
	for i := range len(l) {
		switch l[i] {
		case ' ', '\t', '\f', '\v':
		default:
			return false
		}
	}
	return true
}
