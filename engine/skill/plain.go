package skill

import (
	"bytes"
	"unicode/utf8"
)

// entry is one top-level key of a frontmatter block with its value.
type entry struct {
	key   string // as written
	line  int    // of the key, in the block, from 1
	at    int    // line of the value in the block
	col   int    // column of the value, in runes
	text  string // a scalar as text; a collection has none
	style Style
	lines int // that the value is written on

	extra extra // the value for Skill.Extra
}

// plainEntries reads the plainest blocks without a YAML reader: every line is
// `key: text` or `key: "text"` that any YAML reader reads in only one way. It
// says false as soon as a line is anything else; then the block is YAML's. That
// it gives what YAML gives is kept by FuzzPlainIsYAML.
func plainEntries(block []byte, into []entry) ([]entry, bool) {
	if len(block) > maxBlock {
		return nil, false
	}
	for line := 1; len(block) > 0; line++ {
		l := block
		if i := bytes.IndexByte(block, '\n'); i >= 0 {
			l, block = block[:i], block[i+1:]
		} else {
			block = nil
		}
		e, ok := plainLine(l)
		if !ok {
			return nil, false
		}
		e.line, e.at = line, line
		into = append(into, e)
	}
	return into, true
}

// plainLine reads one line without its end.
func plainLine(l []byte) (entry, bool) {
	n := 0
	for n < len(l) && isKeyByte(l[n], n == 0) {
		n++
	}
	if n == 0 || n > 100 || n == len(l) || l[n] != ':' {
		return entry{}, false
	}
	v := n + 1
	for v < len(l) && l[v] == ' ' {
		v++
	}
	if v == n+1 && v < len(l) {
		return entry{}, false // no blank after the colon
	}
	value := bytes.TrimRight(l[v:], " ")
	e := entry{key: keyString(l[:n]), col: v + 1, lines: 1}
	if len(value) == 0 {
		e.style, e.col, e.extra = Plain, n+2, extra{plain: true}
		return e, true
	}
	switch c := value[0]; {
	case c == '"' || c == '\'':
		inner, ok := plainQuoted(value, c)
		if !ok {
			return entry{}, false
		}
		e.text, e.style = string(inner), Quoted
	case safeText(value):
		e.text, e.style, e.extra.plain = string(value), Plain, true
	default:
		return entry{}, false
	}
	e.extra.text = e.text
	return e, true
}

// keyString spares an allocation for the keys that nearly every block has.
func keyString(k []byte) string {
	switch string(k) {
	case "name":
		return "name"
	case "description":
		return "description"
	case "license":
		return "license"
	case "argument-hint":
		return "argument-hint"
	case "allowed-tools":
		return "allowed-tools"
	}
	return string(k)
}

func isKeyByte(c byte, first bool) bool {
	switch {
	case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z':
		return true
	case '0' <= c && c <= '9', c == '-', c == '_':
		return !first
	}
	return false
}

// plainQuoted is the text of a quoted value that needs nothing undone.
func plainQuoted(value []byte, quote byte) ([]byte, bool) {
	n := len(value) - 1
	if n < 1 || value[n] != quote {
		return nil, false
	}
	inner := value[1:n]
	if bytes.IndexByte(inner, quote) >= 0 || quote == '"' && bytes.IndexByte(inner, '\\') >= 0 || !printing(inner) {
		return nil, false
	}
	return inner, true
}

// safeText reports whether value, which has no blank at either end, is a plain
// scalar whatever stands around it.
func safeText(value []byte) bool {
	if bytes.IndexByte([]byte("-?:,[]{}#&*!|>'\"%@`"), value[0]) >= 0 {
		return false
	}
	for i, c := range value {
		if c == ':' && (i+1 == len(value) || value[i+1] == ' ') || c == '#' && value[i-1] == ' ' {
			return false
		}
	}
	return printing(value)
}

// printing reports whether text is UTF-8 that YAML takes as it stands and never
// as the end of a line.
func printing(text []byte) bool {
	for i := 0; i < len(text); {
		if c := text[i]; c < utf8.RuneSelf {
			if c < ' ' || c == 0x7F {
				return false
			}
			i++
			continue
		}
		r, size := utf8.DecodeRune(text[i:])
		if size == 1 || r < 0xA0 || r == 0x2028 || r == 0x2029 || r == 0xFEFF || r == 0xFFFE || r == 0xFFFF {
			return false
		}
		i += size
	}
	return true
}
