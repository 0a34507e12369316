package skill

import (
	"bytes"
	"encoding/binary"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// decoded is a file's text: UTF-8 with LF, without a byte order mark.
type decoded struct {
	text     string
	bom      bool
	encoding string // as Form.Encoding
	newline  string // as Form.Newline

	bad     int // bytes that were replaced by U+FFFD
	badLine int // the first of them
	badCol  int // in runes
}

var utf8BOM = []byte{0xEF, 0xBB, 0xBF}

// Text is a skill file's bytes as Parse reads them: UTF-8 with LF, without a byte
// order mark. Its lines are the lines of the file.
func Text(raw []byte) string { return decode(raw).text }

// decode never fails: what is not text becomes U+FFFD, and is counted.
func decode(raw []byte) decoded {
	d := decoded{encoding: "utf-8"}
	switch {
	case bytes.HasPrefix(raw, utf8BOM):
		raw, d.bom = raw[len(utf8BOM):], true
	case len(raw) >= 2 && raw[0] == 0xFF && raw[1] == 0xFE:
		d.encoding, d.bom = "utf-16le", true
		raw = d.fromUTF16(raw[2:], binary.LittleEndian)
	case len(raw) >= 2 && raw[0] == 0xFE && raw[1] == 0xFF:
		d.encoding, d.bom = "utf-16be", true
		raw = d.fromUTF16(raw[2:], binary.BigEndian)
	case looksLikeUTF16(raw, 1):
		d.encoding = "utf-16le"
		raw = d.fromUTF16(raw, binary.LittleEndian)
	case looksLikeUTF16(raw, 0):
		d.encoding = "utf-16be"
		raw = d.fromUTF16(raw, binary.BigEndian)
	}
	if !utf8.Valid(raw) || bytes.IndexByte(raw, 0) >= 0 {
		raw = d.replaceBad(raw)
	}
	d.text, d.newline = toLF(raw)
	return d
}

// looksLikeUTF16 reports whether the first four units of two bytes are ASCII
// letters with a zero byte at place zero of each.
func looksLikeUTF16(raw []byte, zero int) bool {
	if len(raw) < 8 {
		return false
	}
	for i := 0; i < 8; i += 2 {
		if raw[i+zero] != 0 || raw[i+1-zero] == 0 || raw[i+1-zero] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

func (d *decoded) fromUTF16(raw []byte, order binary.ByteOrder) []byte {
	units := make([]uint16, 0, len(raw)/2+1)
	for ; len(raw) >= 2; raw = raw[2:] {
		units = append(units, order.Uint16(raw))
	}
	if len(raw) == 1 {
		units = append(units, utf8.RuneError)
	}
	out := make([]byte, 0, len(units)+len(units)/2)
	for _, r := range utf16.Decode(units) {
		out = utf8.AppendRune(out, r)
	}
	return out
}

// replaceBad writes U+FFFD for every byte that is not UTF-8 and for NUL, which
// no Markdown reader keeps.
func (d *decoded) replaceBad(raw []byte) []byte {
	out := make([]byte, 0, len(raw)+16)
	line, col := 1, 1
	for i := 0; i < len(raw); {
		r, size := utf8.DecodeRune(raw[i:])
		if r == 0 || r == utf8.RuneError && size == 1 {
			if d.bad == 0 {
				d.badLine, d.badCol = line, col
			}
			d.bad++
			r = utf8.RuneError
		}
		out = utf8.AppendRune(out, r)
		i += size
		col++
		if r == '\n' || r == '\r' && (i == len(raw) || raw[i] != '\n') {
			line, col = line+1, 1
		}
	}
	if d.encoding == "utf-8" {
		d.encoding = "invalid"
	}
	return out
}

// toLF makes every CRLF and every CR an LF, and says what was there.
func toLF(raw []byte) (text, newline string) {
	lf := bytes.Count(raw, []byte{'\n'})
	if bytes.IndexByte(raw, '\r') < 0 {
		if lf == 0 {
			return string(raw), "none"
		}
		return string(raw), "lf"
	}
	crlf := bytes.Count(raw, []byte("\r\n"))
	cr := bytes.Count(raw, []byte{'\r'}) - crlf
	lf -= crlf
	switch {
	case lf == 0 && cr == 0:
		newline = "crlf"
	case lf == 0 && crlf == 0:
		newline = "cr"
	default:
		newline = "mixed"
	}
	var b strings.Builder
	b.Grow(len(raw))
	for i, c := range raw {
		if c == '\r' {
			if i+1 < len(raw) && raw[i+1] == '\n' {
				continue
			}
			c = '\n'
		}
		b.WriteByte(c)
	}
	return b.String(), newline
}
