package engine

import "strings"

// markerScanner finds [LOAD_SKILL: name] in text that comes in chunks (A15-A17), for
// models without tools. Case is ignored, and a marker may be split anywhere; one in a
// code span or a code fence is an example and not a request. Which names come out,
// and their order, depend on the text alone, not on where it was split.
//
// A marker is given as soon as it is certain that it stands in no code: at its closing
// bracket, or at the end of the paragraph where a backtick before it may still find
// its partner. What is kept is bounded: the first 4 KiB of a line that may be a fence,
// a marker of 512 bytes, 256 backtick runs and markers of a paragraph, 1024 names.
// Beyond that a line is judged by its start, a marker is none, the first backtick
// counts as plain text, and no more names are returned.
//
// A scanner is made with newMarkerScanner and serves one answer of a model.
type markerScanner struct {
	key    func(string) string
	seen   map[string]bool
	blocks blocks
	line   string     // what was not yet looked at of the line that is read
	begun  bool       // what kind of line it is has been found out
	code   bool       // it belongs to a fence
	ticks  int        // backticks that were just read
	slash  bool       // an odd number of backslashes was just read
	escape bool       // and stands before the backticks
	spans  []spanPart // from the first backtick run on that may begin a code span
	out    []string
}

const (
	maxLineStart = 4096
	maxMarker    = 512
	maxSpanParts = 256
	maxNames     = 1024
)

// spanPart is what matters in a paragraph: a backtick run or a marker.
type spanPart struct {
	open, close int    // lengths of the run as the start and as the end of a code span; 0, 0: a marker
	name        string // the marker's
}

// newMarkerScanner takes the function by which two names are the same.
func newMarkerScanner(key func(string) string) *markerScanner {
	return &markerScanner{key: key, seen: map[string]bool{}}
}

// Feed takes the next chunk and returns the names, as written, that have become
// certain and were not returned before. last says that the text ends here; the
// scanner is then ready for another text, and remembers the names it has returned.
func (m *markerScanner) Feed(chunk string, last bool) []string {
	m.out = nil
	for {
		line, rest, ended := strings.Cut(chunk, "\n")
		m.add(line)
		if !ended {
			break
		}
		m.endLine()
		chunk = rest
	}
	if last {
		m.endLine()
		m.endParagraph()
		m.blocks = blocks{}
	}
	return m.out
}

// add takes a part of the line.
func (m *markerScanner) add(part string) {
	for part != "" {
		n := min(len(part), maxLineStart-len(m.line))
		m.line, part = m.line+part[:n], part[n:]
		if !m.begun {
			if start := m.start(); start > 0 {
				m.begin(m.line[:start])
			} else if len(m.line) == maxLineStart {
				m.begin(m.line)
			}
		}
		if m.begun {
			m.inline(false)
		}
	}
}

func (m *markerScanner) endLine() {
	if !m.begun {
		m.begin(m.line)
	}
	m.inline(true)
	m.endRun()
	m.line, m.begun, m.slash = "", false, false
}

// start is how much of the line shows what it is, whatever follows: up to its first
// character that begins no list, quotation, heading or fence. 0: not to be seen yet.
func (m *markerScanner) start() int {
	if m.blocks.fence.mark != "" {
		return 0 // only the whole line shows whether it closes the fence
	}
	rest := strings.TrimLeft(m.line, " \t\r>*+-_=#|:.)0123456789")
	n := len(m.line) - len(rest)
	if rest != "" && (rest[0] == '`' || rest[0] == '~') {
		after := strings.TrimLeft(rest, rest[:1])
		if run := len(rest) - len(after); run < 3 {
			rest, n = after, n+run
		} else {
			rest = ""
		}
	}
	if rest == "" {
		return 0
	}
	return n + 1
}

// begin finds out what the line is by its start.
func (m *markerScanner) begin(start string) {
	m.begun = true
	kind := m.blocks.line(start)
	m.code = kind == lineFenceOpen || kind == lineFenceBody || kind == lineFenceClose
	if kind != lineMore && kind != lineUnderline {
		m.endParagraph()
	}
}

// inline looks at what is there of the line; what may still become a marker is kept.
func (m *markerScanner) inline(whole bool) {
	if m.code {
		m.line = ""
		return
	}
	for m.line != "" {
		switch c := m.line[0]; c {
		case '`':
			if m.ticks == 0 {
				m.escape = m.slash
			}
			m.ticks++
			m.slash = false
		case '[':
			m.endRun()
			name, size, more := loadMarker(m.line)
			if more && !whole {
				return
			}
			if size > 0 {
				m.part(spanPart{name: name})
				m.line = m.line[size-1:]
			}
			m.slash = false
		default:
			m.endRun()
			m.slash = c == '\\' && !m.slash
		}
		m.line = m.line[1:]
	}
}

// endRun takes the backticks that were just read. One that is escaped begins no code
// span, but ends one, for in code a backslash is only itself.
func (m *markerScanner) endRun() {
	if m.ticks == 0 {
		return
	}
	run := spanPart{open: m.ticks, close: m.ticks}
	if m.escape {
		run.open--
	}
	m.ticks = 0
	m.part(run)
}

func (m *markerScanner) part(p spanPart) {
	switch {
	case len(m.spans) > 0 && p.close == m.spans[0].open:
		m.spans = nil // a code span: what stood in it was no request
	case len(m.spans) > 0:
		if m.spans = append(m.spans, p); len(m.spans) > maxSpanParts {
			m.unopen()
		}
	case p.open > 0:
		m.spans = append(m.spans, p)
	case p.close == 0:
		m.name(p.name)
	}
}

// unopen is for a backtick run that found no partner: it is text, and what stood
// behind it is looked at again.
func (m *markerScanner) unopen() {
	parts := m.spans[1:]
	m.spans = nil
	for _, p := range parts {
		m.part(p)
	}
}

func (m *markerScanner) endParagraph() {
	for len(m.spans) > 0 {
		m.unopen()
	}
}

func (m *markerScanner) name(name string) {
	key := m.key(name)
	if !m.seen[key] && len(m.seen) < maxNames {
		m.seen[key] = true
		m.out = append(m.out, name)
	}
}

// loadMarker reads a marker at the start of s: the name and the marker's length, 0
// where there is none. more: s may be the beginning of one.
func loadMarker(s string) (name string, size int, more bool) {
	const word = "LOAD_SKILL"
	end := strings.IndexAny(s[1:], "[]`") + 1
	if end > 0 && s[end] != ']' || end >= maxMarker || end == 0 && len(s) >= maxMarker {
		return "", 0, false
	}
	inner := s[1:]
	if end > 0 {
		inner = s[1:end]
	}
	inner = strings.TrimLeft(inner, blanks)
	n := min(len(inner), len(word))
	if !strings.EqualFold(inner[:n], word[:n]) {
		return "", 0, false
	}
	inner = strings.TrimLeft(inner[n:], blanks)
	if inner != "" && inner[0] != ':' || n < len(word) && inner != "" {
		return "", 0, false
	}
	if end == 0 {
		return "", 0, true
	}
	if name = strings.TrimSpace(strings.TrimPrefix(inner, ":")); name == "" {
		return "", 0, false
	}
	return name, end + 1, false
}

const blanks = " \t"
