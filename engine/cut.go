package engine

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// CutText shortens Markdown to at most limit tokens by count, its note included,
// whatever the text and the limit are (D9). A text within the limit is returned as
// it is, byte for byte, and cut is false.
//
// About three quarters of what is kept are the head, the rest is the tail. note is
// given how many tokens were left out, and what it returns stands between them, as
// a paragraph of its own. The cut is at the end of a paragraph, else between the
// rows of a list or a table, else between lines, else after a sentence or a word,
// and only in a text that has none of those between two characters; it is never
// inside of a row, a rune or a fence: a fence is closed before the note and opened
// again after it, with its own character and length. All else in head and tail is
// the text's own bytes. Where the limit does not even hold the note, what is left
// is "…", or "" where that is too long too.
//
// count is asked once for the whole text, and then some twenty times for pieces of
// about limit tokens.
func CutText(text string, limit int, count func(string) int, note func(left int) string) (out string, cut bool) {
	return newCutter(text, count, note).cut(limit)
}

// cutter cuts one text to any number of limits; the text is counted and read only
// once. It is not for parallel use.
type cutter struct {
	text   string
	total  int
	count  func(string) int
	note   func(int) string
	lines  []cutLine // every line that is not blank, in order; nil before scan
	fences []fence
	unfin  int // the fence that is open at the end, or -1
}

func newCutter(text string, count func(string) int, note func(left int) string) *cutter {
	return &cutter{text: text, total: count(text), count: count, note: note}
}

// cut is CutText for one limit.
func (c *cutter) cut(limit int) (string, bool) {
	if c.total <= limit {
		return c.text, false
	}
	if limit <= 0 {
		return "", true
	}
	alone := c.note(c.total)
	room := limit - c.count("\n\n"+alone+"\n\n")
	if room > 0 && c.lines == nil {
		c.scan()
	}
	for step := 1; room > 0; step *= 2 {
		out := c.keep(room)
		over := c.count(out) - limit
		if over <= 0 {
			return out, true
		}
		room -= max(over, step)
	}
	return shortest(limit, c.count, alone), true
}

// shortest is the first of texts that fits, else a mark that something is gone.
func shortest(limit int, count func(string) int, texts ...string) string {
	for _, t := range append(texts, "…") {
		if count(t) <= limit {
			return t
		}
	}
	return ""
}

// cutLine is a line before which the text may be cut.
type cutLine struct {
	start int
	level cutLevel
	fence int  // index of the fence that is open before this line, or -1
	whole bool // never cut inside of it
}

// cutLevel says how good a place is for a cut; smaller is better.
type cutLevel uint8

const (
	atParagraph cutLevel = iota // between paragraphs, sections, code blocks
	atRow                       // between list items, rows of a table, paragraphs of an item
	atLine                      // between lines of a paragraph or of a code block, after a heading
	nowhere
)

// scan finds the lines.
func (c *cutter) scan() {
	var b blocks
	c.unfin = -1
	c.lines = make([]cutLine, 0, strings.Count(c.text, "\n")+1)
	start, gap, before := 0, false, lineBlank
	for line := range strings.Lines(c.text) {
		open := b.fence.mark != ""
		kind := b.line(strings.TrimRight(line, "\r\n"))
		blank := kind == lineBlank || kind == lineFenceBody && strings.TrimSpace(line) == ""
		if kind != lineFenceBody && kind != lineFenceClose {
			open = false // the list item that held it may be over
			c.unfin = -1
		}
		if !blank {
			l := cutLine{start: start, level: nowhere, fence: c.unfin}
			top := len(b.open) == 0 && line[0] != ' ' && line[0] != '\t'
			switch {
			case open && (kind == lineFenceClose || before == lineFenceOpen):
			case open:
				l.level = atLine
			case kind == lineUnderline:
			case before == lineHeading, before == lineUnderline:
				l.level = atLine
			case top && (gap || kind == lineHeading || before == lineFenceClose):
				l.level = atParagraph
			case gap, kind == lineItem, kind == lineHeading, kind == lineFenceOpen, before == lineFenceClose:
				l.level = atRow
			case kind == lineRow && before != lineTableHead:
				l.level = atRow
			case kind == lineMore && !b.inList(), kind == lineText:
				l.level = atLine
			}
			switch kind {
			case lineFenceBody:
				l.whole = b.fence.depth > 0 // the second half would stand outside of its list
			case lineText, lineMore:
				l.whole = b.inList()
			default:
				l.whole = true
			}
			if kind == lineTableHead {
				c.lines[len(c.lines)-1].whole = true // it is the table's first row
			}
			c.lines = append(c.lines, l)
			before = kind
		}
		gap = blank
		switch kind {
		case lineFenceOpen:
			c.fences = append(c.fences, b.fence)
			c.unfin = len(c.fences) - 1
		case lineFenceClose:
			c.unfin = -1
		}
		start += len(line)
	}
}

// spot is a place for a cut, inside of a fence or not.
type spot struct{ at, fence int }

// keep gives head, note and tail, of which head and tail are about room tokens.
func (c *cutter) keep(room int) string {
	tail := c.tail(room)
	head := c.head(room-c.count(c.text[tail.at:]), tail.at)
	left := c.total - c.count(c.text[:head.at]) - c.count(c.text[tail.at:])

	var out strings.Builder
	if kept := c.text[:head.at]; head.fence >= 0 {
		out.WriteString(strings.TrimRight(kept, "\n"))
		out.WriteByte('\n')
		out.WriteString(c.fences[head.fence].closer())
		out.WriteString("\n\n")
	} else if kept = strings.TrimRight(kept, " \t\r\n"); kept != "" {
		out.WriteString(kept)
		out.WriteString("\n\n")
	}
	out.WriteString(c.note(max(left, 1)))
	if tail.at == len(c.text) {
		return out.String()
	}
	out.WriteString("\n\n")
	if tail.fence >= 0 {
		out.WriteString(c.fences[tail.fence].opener())
		out.WriteByte('\n')
	}
	out.WriteString(c.text[tail.at:])
	if c.unfin >= 0 {
		if !strings.HasSuffix(c.text, "\n") {
			out.WriteByte('\n')
		}
		out.WriteString(c.fences[c.unfin].closer())
	}
	return out.String()
}

// tail finds where the tail begins: a quarter of room, or up to a half where the
// last paragraph needs it.
func (c *cutter) tail(room int) spot {
	end := len(c.text)
	from := c.suffix(room / 4)
	first, _ := slices.BinarySearchFunc(c.lines, from, func(l cutLine, at int) int { return l.start - at })
	latest := end - (end-from)/2 // a tail that begins later wastes too much
	for level := atParagraph; level < atLine; level++ {
		if l, ok := c.firstAt(first, latest, level); ok {
			return l
		}
	}
	half := c.suffix(room / 2)
	for i := first - 1; i >= 0 && c.lines[i].start >= half; i-- {
		if c.lines[i].level < atLine {
			return c.spotAt(i)
		}
	}
	if l, ok := c.firstAt(first, latest, atLine); ok {
		return l
	}
	if first > 0 && from < end && !c.lines[first-1].whole {
		stop := end
		if first < len(c.lines) {
			stop = c.lines[first].start
		}
		line := c.lines[first-1]
		// A line that is cut has its own start before, so it stands in what was open there.
		if at := breakAfter(c.text, from, min(latest, stop)); at < stop {
			return spot{at, line.fence}
		}
	}
	if l, ok := c.firstAt(first, end, atLine); ok {
		return l
	}
	return spot{end, -1}
}

func (c *cutter) firstAt(first, latest int, level cutLevel) (spot, bool) {
	for i := first; i < len(c.lines) && c.lines[i].start <= latest; i++ {
		if c.lines[i].level <= level && c.lines[i].start > 0 {
			return c.spotAt(i), true
		}
	}
	return spot{}, false
}

// head finds where the head ends: within share tokens and before end.
func (c *cutter) head(share, end int) spot {
	to := min(c.prefix(share), end-1)
	if to <= 0 {
		return spot{0, -1}
	}
	last, found := slices.BinarySearchFunc(c.lines, to, func(l cutLine, at int) int { return l.start - at })
	if !found {
		last--
	}
	for level := atParagraph; level <= atLine; level++ {
		if l, ok := c.lastAt(last, to/2, level); ok {
			return l
		}
	}
	if last >= 0 && !c.lines[last].whole && c.lines[last].start < to {
		line := c.lines[last]
		if at := breakBefore(c.text, max(line.start, to/2), to); at > line.start {
			return spot{at, line.fence}
		}
	}
	if l, ok := c.lastAt(last, 1, atLine); ok {
		return l
	}
	return spot{0, -1}
}

func (c *cutter) lastAt(last, earliest int, level cutLevel) (spot, bool) {
	for i := last; i >= 0 && c.lines[i].start >= max(earliest, 1); i-- {
		if c.lines[i].level <= level {
			return c.spotAt(i), true
		}
	}
	return spot{}, false
}

func (c *cutter) spotAt(i int) spot { return spot{c.lines[i].start, c.lines[i].fence} }

// prefix gives the length of about the longest prefix of share tokens at most.
func (c *cutter) prefix(share int) int {
	return c.search(share, func(n int) string { return c.text[:runeStart(c.text, n)] })
}

// suffix gives the start of about the longest suffix of share tokens at most.
func (c *cutter) suffix(share int) int {
	end := len(c.text)
	n := c.search(share, func(n int) string { return c.text[runeEnd(c.text, end-n):] })
	return runeEnd(c.text, end-n)
}

// search finds the largest n for which part(n), about n bytes, has share tokens at
// most: by proportion, for tokens are spread evenly, and by halves where they are not.
func (c *cutter) search(share int, part func(n int) string) int {
	if share <= 0 {
		return 0
	}
	low, high := 0, len(c.text)
	lowTokens, highTokens := 0, c.total
	for step := 0; high-low > 8 && share-lowTokens > share/100; step++ {
		try := low + (high-low)/2
		if wide := highTokens - lowTokens; wide > 0 && step%3 < 2 {
			try = low + int(float64(high-low)*float64(share-lowTokens)/float64(wide))
		}
		// Away from both ends, so that each step tells something.
		margin := max(1, (high-low)/32)
		try = min(max(try, low+margin), high-margin)
		if tokens := c.count(part(try)); tokens <= share {
			low, lowTokens = try, tokens
		} else {
			high, highTokens = try, tokens
		}
	}
	return len(part(low))
}

// runeStart is the start of the rune that byte n of text belongs to.
func runeStart(text string, n int) int {
	for n > 0 && n < len(text) && !utf8.RuneStart(text[n]) {
		n--
	}
	return n
}

// runeEnd is n, or the end of the rune that n is inside of.
func runeEnd(text string, n int) int {
	for n < len(text) && !utf8.RuneStart(text[n]) {
		n++
	}
	return n
}
