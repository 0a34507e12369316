package skill

import (
	"bytes"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"
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
// `key: text` or `key: "text"` that any YAML reader reads in only one way, or opens
// a block scalar, a map or a list of such lines, each indented alike. It says false
// as soon as a line is anything else; then the block is YAML's. That it gives what
// YAML gives is kept by FuzzPlainIsYAML.
func plainEntries(block []byte, into []entry) ([]entry, bool) {
	if len(block) > maxBlock {
		return nil, false
	}
	p := plainReader{rest: block}
	for len(p.rest) > 0 {
		e, ok := p.entry()
		if !ok {
			return nil, false
		}
		into = append(into, e)
	}
	return into, true
}

// plainReader goes through a block line by line.
type plainReader struct {
	rest []byte
	n    int // the number of the line that next gave, from 1
}

func (p *plainReader) peek() []byte {
	if i := bytes.IndexByte(p.rest, '\n'); i >= 0 {
		return p.rest[:i]
	}
	return p.rest
}

func (p *plainReader) next() []byte {
	l := p.peek()
	p.rest = p.rest[min(len(p.rest), len(l)+1):]
	p.n++
	return l
}

func (p *plainReader) entry() (e entry, ok bool) {
	l := p.next()
	key, v := plainKey(l)
	if key == 0 {
		return e, false
	}
	e = entry{key: keyString(l[:key]), line: p.n, at: p.n, col: v + 1, lines: 1}
	switch value := bytes.TrimRight(l[v:], " "); string(value) {
	case "":
		e.style, e.col, e.extra.plain = Plain, key+2, true
		return e, p.collection(&e)
	case "|", "|-", ">", ">-":
		return e, p.blockScalar(&e, value)
	default:
		if e.text, e.style, ok = plainScalar(value); !ok {
			return e, false
		}
	}
	e.extra = extra{text: e.text, plain: e.style == Plain}
	return e, true
}

// blockScalar reads the lines of a literal or folded text that are all indented
// alike, none of them blank.
func (p *plainReader) blockScalar(e *entry, header []byte) bool {
	indent := leadingSpaces(p.peek())
	if indent == 0 {
		return false
	}
	join := byte('\n')
	e.style = Literal
	if header[0] == '>' {
		join, e.style = ' ', Folded
	}
	var text []byte
	for e.lines = 0; ; e.lines++ {
		l := p.peek()
		if n := leadingSpaces(l); n == 0 && len(l) > 0 || len(p.rest) == 0 {
			break
		} else if n != indent || n == len(l) || !printing(l) {
			return false
		}
		if e.lines > 0 {
			text = append(text, join)
		}
		text = append(text, p.next()[indent:]...)
	}
	if len(header) == 1 {
		text = append(text, '\n')
	}
	e.text = string(text)
	e.extra.text = e.text
	return true
}

// collection reads the map or list below a key without a value, where there is one.
func (p *plainReader) collection(e *entry) bool {
	l := p.peek()
	indent := leadingSpaces(l)
	list := bytes.HasPrefix(l[indent:], []byte("- "))
	if indent == 0 && !list {
		return true // nothing, or the next key
	}
	n := &yaml.Node{Kind: yaml.MappingNode}
	if list {
		n.Kind = yaml.SequenceNode
	}
	at := p.n + 1
	for ; len(p.rest) > 0; p.next() {
		l := p.peek()
		if leadingSpaces(l) != indent || list != bytes.HasPrefix(l[indent:], []byte("- ")) {
			break
		}
		l = l[indent:]
		v := 2
		if !list {
			key := 0
			if key, v = plainKey(l); key == 0 {
				break
			}
			n.Content = append(n.Content, &yaml.Node{Kind: yaml.ScalarNode, Value: string(l[:key])})
		}
		item, ok := plainItem(bytes.TrimLeft(bytes.TrimRight(l[v:], " "), " "))
		if !ok {
			return false
		}
		n.Content = append(n.Content, item)
	}
	if len(n.Content) == 0 {
		return false
	}
	e.at, e.col, e.lines, e.style = at, indent+1, p.n-at+1, Other
	e.extra = extra{node: n}
	return true
}

func plainItem(value []byte) (*yaml.Node, bool) {
	n := &yaml.Node{Kind: yaml.ScalarNode}
	if len(value) == 0 {
		return n, true
	}
	text, style, ok := plainScalar(value)
	if n.Value = text; style == Quoted {
		n.Style = yaml.DoubleQuotedStyle
	}
	return n, ok
}

// plainKey is the length of the key at the beginning of a line, and where its value
// begins; 0 where there is none.
func plainKey(l []byte) (key, value int) {
	for key < len(l) && isKeyByte(l[key], key == 0) {
		key++
	}
	if key == 0 || key > maxKey || key == len(l) || l[key] != ':' {
		return 0, 0
	}
	value = key + 1
	for value < len(l) && l[value] == ' ' {
		value++
	}
	if value == key+1 && value < len(l) {
		return 0, 0 // no blank after the colon
	}
	return key, value
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

// keyString spares an allocation for the keys that many blocks have.
func keyString(k []byte) string {
	for _, known := range knownKeys {
		if string(k) == known {
			return known
		}
	}
	return string(k)
}

// plainScalar reads a value that is quoted or plain and needs nothing undone.
func plainScalar(value []byte) (text string, style Style, ok bool) {
	if c := value[0]; c == '"' || c == '\'' {
		n := len(value) - 1
		if n < 1 || value[n] != c {
			return "", "", false
		}
		inner := value[1:n]
		if bytes.IndexByte(inner, c) >= 0 || c == '"' && bytes.IndexByte(inner, '\\') >= 0 || !printing(inner) {
			return "", "", false
		}
		return string(inner), Quoted, true
	}
	if !safeText(value) {
		return "", "", false
	}
	return string(value), Plain, true
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

func leadingSpaces(l []byte) int {
	n := 0
	for n < len(l) && l[n] == ' ' {
		n++
	}
	return n
}
