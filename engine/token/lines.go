package token

import "strings"

// Lines returns the tokens of each line of text, a line ending with its \n. A token that reaches over the end of
// a line belongs to the line where it begins, so that the lines add up to Count(text).
func (c *Counter) Lines(text string) []int {
	lines := c.lines(text)
	if c.calibration.Factor == 1 {
		return lines
	}
	sum, scaled := 0, 0
	for i, n := range lines {
		sum += n
		upTo := c.scaled(sum)
		lines[i], scaled = upTo-scaled, upTo
	}
	return lines
}

// lineCount distributes tokens over the lines of a text.
type lineCount struct {
	rest   string // from the current line's beginning on
	begin  int    // where that is
	end    int    // where it ends
	tokens []int
}

func newLineCount(text string) *lineCount {
	l := &lineCount{rest: text, tokens: make([]int, 0, strings.Count(text, "\n")+1)}
	l.open()
	return l
}

// open begins the line that rest starts with, if it starts one.
func (l *lineCount) open() {
	if l.rest == "" {
		return
	}
	n := strings.IndexByte(l.rest, '\n') + 1
	if n == 0 {
		n = len(l.rest)
	}
	l.end = l.begin + n
	l.tokens = append(l.tokens, 0)
}

// add counts a token that begins at that offset, which never goes back.
func (l *lineCount) add(at int) {
	l.to(at)
	l.tokens[len(l.tokens)-1]++
}

// to makes the line of that offset the current one.
func (l *lineCount) to(at int) {
	for l.end <= at && l.end-l.begin < len(l.rest) {
		l.rest, l.begin = l.rest[l.end-l.begin:], l.end
		l.open()
	}
}

// done returns the tokens of all lines.
func (l *lineCount) done() []int {
	l.to(l.begin + len(l.rest))
	return l.tokens
}

func (b *bpe) lines(text string) []int {
	text = valid(text)
	lines := newLineCount(text)
	m := b.merger()
	defer b.done(m)
	for i := 0; i < len(text); {
		end := b.next(text, i)
		if b.table.rank(text, i, end) != noRank {
			lines.add(i)
		} else {
			m.merge(text[i:], end-i)
			for begin := range m.tokens() {
				lines.add(i + begin)
			}
		}
		i = end
	}
	return lines.done()
}

func (bytes4) lines(text string) []int {
	lines := newLineCount(text)
	for i := 0; i < len(text); i += 4 {
		lines.add(i)
	}
	return lines.done()
}
