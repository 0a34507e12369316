package engine

import (
	"bufio"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"unicode/utf8"
)

// fingerprint covers all that the model gets: system text, messages, tools. It is
// the hash of the three as lines of JSON.
func fingerprint(p *Prompt) string {
	h := sha256.New()
	w := bufio.NewWriter(h)
	// Writing to a hash cannot fail, and the values are plain data.
	jsonText(w, p.SystemText())
	_ = w.WriteByte('\n')
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	_ = enc.Encode(p.Messages)
	_ = enc.Encode(p.Tools)
	_ = w.Flush()
	return "sha256:" + hex.EncodeToString(h.Sum(nil))
}

// jsonText writes s as encoding/json does without escaping for HTML. A system prompt
// may be long, and here it needs no copy.
func jsonText(w *bufio.Writer, s string) {
	_ = w.WriteByte('"')
	start := 0
	escape := func(i, size int, as string) {
		_, _ = w.WriteString(s[start:i])
		_, _ = w.WriteString(as)
		start = i + size
	}
	for i := 0; i < len(s); {
		switch c := s[i]; {
		case c == '\n':
			escape(i, 1, `\n`)
		case c == '"':
			escape(i, 1, `\"`)
		case c == '\\':
			escape(i, 1, `\\`)
		case c < ' ':
			data, _ := json.Marshal(string(rune(c)))
			escape(i, 1, string(data[1:len(data)-1]))
		case c >= utf8.RuneSelf:
			r, size := utf8.DecodeRuneInString(s[i:])
			switch {
			case r == utf8.RuneError && size == 1:
				escape(i, size, `\ufffd`)
			case r == '\u2028':
				escape(i, size, `\u2028`)
			case r == '\u2029':
				escape(i, size, `\u2029`)
			}
			i += size
			continue
		}
		i++
	}
	_, _ = w.WriteString(s[start:])
	_ = w.WriteByte('"')
}
