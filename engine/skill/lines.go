package skill

import (
	"slices"
	"strings"
)

// chunk is a key at the left margin of a block with all that belongs to it.
type chunk struct {
	key   string
	line  int // in the block, from 1
	value int // byte offset of the value in its first line
	lines []string
}

// lost is a part of a block that could not be recovered.
type lost struct {
	line int
	what string
}

// lineEntries reads a block that YAML cannot read, key by key (J11): each key with
// what belongs to it is given to YAML alone, then with its value quoted, then
// taken as text. What is none of these is lost, and named.
func lineEntries(block string) (entries []entry, gone []lost) {
	chunks, stray := splitChunks(block)
	for _, s := range stray {
		gone = append(gone, lost{s.line, "line " + quoteLine(s.what) + " is neither a key nor a value"})
	}
	for i, c := range chunks {
		if i >= maxTries {
			gone = append(gone, lost{c.line, "everything from the key " + quoteLine(c.key) + " on: the frontmatter has too many keys"})
			break
		}
		e, ok := c.read()
		if !ok {
			gone = append(gone, lost{c.line, "the key " + quoteLine(c.key)})
			continue
		}
		entries = append(entries, e)
	}
	slices.SortStableFunc(gone, func(a, b lost) int { return a.line - b.line })
	return entries, gone
}

func splitChunks(block string) (chunks []chunk, stray []lost) {
	if block == "" {
		return nil, nil
	}
	for i, l := range strings.Split(strings.TrimSuffix(block, "\n"), "\n") {
		margin := isBlank(l) || l[0] == ' ' || l[0] == '\t'
		indent, value, ok := keyLine(l)
		key := ""
		if ok && indent == 0 {
			key = strings.TrimSpace(l[:strings.IndexByte(l, ':')])
			if n := keyEnd(l); n > 0 {
				key = strings.TrimSpace(l[:n])
			}
		} else if key, value = tightKey(l); key == "" {
			switch {
			case len(chunks) > 0 && (margin || strings.HasPrefix(l, "- ") || l == "-" || l[0] == '#' || l[0] == ']' || l[0] == '}'):
				c := &chunks[len(chunks)-1]
				c.lines = append(c.lines, l)
			case strings.TrimRight(l, " \t") == "...":
				// the end of a document; the keys behind it are read all the same
			case len(chunks) > 0 && chunks[len(chunks)-1].takesText():
				c := &chunks[len(chunks)-1]
				c.lines = append(c.lines, " "+l)
			case !isBlank(l) && strings.TrimLeft(l, " \t")[0] != '#':
				stray = append(stray, lost{i + 1, l})
			}
			continue
		}
		chunks = append(chunks, chunk{key: key, line: i + 1, value: value, lines: []string{l}})
	}
	return chunks, stray
}

// tightKey finds a key that the standard knows with no blank behind its colon.
func tightKey(l string) (key string, value int) {
	key, _, ok := strings.Cut(l, ":")
	if !ok || !slices.Contains(knownKeys, strings.ToLower(key)) {
		return "", 0
	}
	return key, len(key) + 1
}

// takesText reports whether a line at the margin may go on with the chunk's text:
// it is one of the keys that hold text, and no blank line came since.
func (c *chunk) takesText() bool {
	return slices.Contains(textKeys, strings.ToLower(c.key)) && !isBlank(c.lines[len(c.lines)-1]) && strings.TrimSpace(c.lines[0][c.value:]) != ""
}

func (c *chunk) read() (entry, bool) {
	text := strings.Join(c.lines, "\n") + "\n"
	list, err := yamlEntries(text)
	if err != nil && !bounded(err) && !c.mangled() {
		if edits := quoteEdits(text); len(edits) > 0 {
			list, err = yamlEntries(quoted(text, edits))
		}
	}
	if err == nil && len(list) == 1 && list[0].key == c.key {
		e := list[0]
		e.line, e.at = e.line+c.line-1, e.at+c.line-1
		return e, true
	}
	return c.asText()
}

// asText takes the value as it is written, its lines joined. A collection or a
// restriction is not text.
func (c *chunk) asText() (entry, bool) {
	key := strings.ToLower(c.key)
	var parts []string
	for i, l := range c.lines {
		if i == 0 {
			l = l[c.value:]
			if isBlockHeader(l + " ") {
				continue
			}
		}
		if l = strings.TrimSpace(l); l != "" {
			parts = append(parts, l)
		}
	}
	if len(parts) > 1 && !slices.Contains(textKeys, key) || c.mangled() {
		return entry{}, false
	}
	text := unquote(strings.Join(parts, " "))
	if key == "disable-model-invocation" || key == "user-invocable" {
		if _, ok := boolOf(text); !ok {
			return entry{}, false
		}
	}
	col := c.value + 1
	return entry{key: c.key, line: c.line, at: c.line, col: col, text: text, style: Plain, lines: max(1, len(parts)), extra: extra{text: text}}, true
}

// mangled reports whether the chunk is a restriction whose value is more than a
// line of text: what it allows cannot be told from text.
func (c *chunk) mangled() bool {
	first := strings.TrimSpace(c.lines[0][c.value:])
	last := len(c.lines) - 1
	for last > 0 && isBlank(c.lines[last]) {
		last--
	}
	return slices.Contains(restrictions, strings.ToLower(c.key)) && (last > 0 || strings.HasPrefix(first, "[") || strings.HasPrefix(first, "{"))
}

// unquote strips one pair of equal quotes around text.
func unquote(text string) string {
	if n := len(text); n >= 2 && (text[0] == '"' || text[0] == '\'') && text[n-1] == text[0] {
		return text[1 : n-1]
	}
	return text
}

// unreadRestriction is the first line of text that begins with the name of a
// restriction although no entry was read from it, or 0: what it forbids is not
// known, so the skill must not be used (J11-J17).
func unreadRestriction(text string, entries []entry) int {
	line := 0
	for l := range strings.SplitSeq(text, "\n") {
		line++
		if !mentionsRestriction(l) {
			continue
		}
		read := func(e entry) bool {
			return e.line == line || e.at <= line && line < e.at+e.lines && (e.style == Literal || e.style == Folded || e.style == Other)
		}
		if !slices.ContainsFunc(entries, read) {
			return line
		}
	}
	return 0
}

func mentionsRestriction(l string) bool {
	l = strings.ToLower(strings.TrimLeft(l, " \t-\"'?"))
	for _, key := range restrictions {
		if rest, ok := strings.CutPrefix(l, key); ok {
			rest = strings.TrimLeft(rest, "\"' \t")
			return rest == "" || rest[0] == ':' || rest[0] == '=' || !strings.Contains(rest, " ")
		}
	}
	return false
}
