package engine

import (
	"fmt"
	"path/filepath"
	"strings"
	"unicode"
	"unicode/utf8"
)

// EscapeXML makes s safe as the text of an element: & < > are escaped, quotes
// stay (outside of an attribute they can do nothing and escaping them costs
// tokens), and everything that breaks or hides a line is folded into one blank.
func EscapeXML(s string) string {
	return xmlText.Replace(Fold(s))
}

var xmlText = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;")

// EscapeLine makes s safe inside of one line of Markdown: one line, no control
// or direction characters, nothing that opens a tag, no code span or fence that
// stays open. What can do no harm stays as it is written: a < before a blank or
// a digit, code spans that are closed.
func EscapeLine(s string) string {
	s = Fold(s)
	spans := closedSpans(s)
	if spans && strings.IndexByte(s, '<') < 0 {
		return s
	}
	var b strings.Builder
	b.Grow(len(s) + 8)
	slashes := 0 // backslashes right before
	for i := 0; i < len(s); i++ {
		c := s[i]
		switch {
		case c == '<' && i+1 < len(s) && opensTag(s[i+1]):
			b.WriteString("&lt;")
		case c == '`' && !spans:
			// A backslash before would undo the one that is put in: double the run.
			for range slashes {
				b.WriteByte('\\')
			}
			b.WriteString("\\`")
		default:
			b.WriteByte(c)
		}
		if c == '\\' {
			slashes++
		} else {
			slashes = 0
		}
	}
	return b.String()
}

// opensTag says whether a < before c begins a tag, a comment or an autolink.
func opensTag(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || c == '/' || c == '!' || c == '?'
}

// closedSpans says whether the backquotes of s are single ones and even in
// number: then each code span ends where its line does at the latest.
func closedSpans(s string) bool {
	n := strings.Count(s, "`")
	return n == 0 || n%2 == 0 && !strings.Contains(s, "``") && !strings.Contains(s, "\\`")
}

// EscapeName makes a skill's name safe inside of an isolation line, where it
// stands between backquotes: only letters, marks, numbers, blanks and a few
// signs stay, everything else becomes its code point in braces, and so does the
// third of three dashes. Different names stay different, as far as Fold lets them.
func EscapeName(name string) string {
	var b strings.Builder
	dashes := 0
	for _, r := range Fold(name) {
		if r == '-' {
			dashes++
		} else {
			dashes = 0
		}
		switch {
		case dashes == 3:
			dashes = 0
			fmt.Fprintf(&b, "{U+%04X}", r)
		case unicode.IsLetter(r), unicode.IsMark(r), unicode.IsNumber(r), r == ' ', strings.ContainsRune("-_.:/()@+&,'", r):
			b.WriteRune(r)
		default:
			fmt.Fprintf(&b, "{U+%04X}", r)
		}
	}
	return b.String()
}

// Fold turns every run of white space, line breaks and control characters into
// one blank, and drops characters that are not seen. Of the joiners U+200C and
// U+200D, which scripts and emoji need, one stays after each character outside
// of ASCII. Bytes that are not UTF-8 become U+FFFD.
func Fold(s string) string {
	if isPlain(s) {
		return s
	}
	return fold(s)
}

func fold(s string) string {
	var b strings.Builder
	b.Grow(len(s))
	blank := false
	last := rune(0)
	for _, r := range s {
		switch {
		case unicode.IsSpace(r), unicode.IsControl(r), r == '\u2028', r == '\u2029':
			blank = true
			continue
		case Invisible(r), isJoiner(r) && (last < 0x80 || isJoiner(last) || blank):
			continue
		}
		if blank && b.Len() > 0 {
			b.WriteByte(' ')
		}
		blank = false
		b.WriteRune(r)
		last = r
	}
	return b.String()
}

// isPlain says that Fold leaves s alone. Most text is so, and is looked at once
// and not copied.
func isPlain(s string) bool {
	blank := true // at the beginning, and after a blank
	for i, r := range s {
		switch {
		case r == ' ':
			if blank {
				return false
			}
			blank = true
			continue
		case r < ' ', r == 0x7f:
			return false
		case r < 0x7f, 0x3041 <= r && r <= 0x3096, 0x4e00 <= r && r <= 0x9fff:
		case r == utf8.RuneError && !strings.HasPrefix(s[i:], "\ufffd"),
			unicode.IsSpace(r), unicode.IsControl(r), isJoiner(r), Invisible(r), r == '\u2028', r == '\u2029':
			return false
		}
		blank = false
	}
	return !blank || s == ""
}

func isJoiner(r rune) bool { return r == '\u200c' || r == '\u200d' }

// Invisible says whether r shows nothing and can hide text or turn it around:
// zero-width characters other than the joiners, direction marks, the byte order
// mark, soft hyphen, fillers, tag characters, and the variation selectors that
// no emoji needs.
func Invisible(r rune) bool {
	switch {
	case isJoiner(r):
		return false
	case r == '\u00ad', r == '\u034f', r == '\u061c', r == '\u115f', r == '\u1160', r == '\u17b4', r == '\u17b5',
		r == '\u180e', r == '\u3164', r == '\ufeff', r == '\uffa0',
		r >= '\u200b' && r <= '\u200f', r >= '\u202a' && r <= '\u202e',
		r >= '\u2060' && r <= '\u206f', r >= '\ufe00' && r <= '\ufe0d', r >= 0xfff9 && r <= 0xfffb,
		r >= 0xe0000 && r <= 0xe007f, r >= 0xe0100 && r <= 0xe01ef:
		return true
	}
	return false
}

// Slash is how a path stands in text that a model reads: with forward slashes.
func Slash(path string) string { return filepath.ToSlash(path) }

// ShellWord is a word as a POSIX shell takes it, quoted where that is needed.
func ShellWord(word string) string {
	plain := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("_@%+=:,./-", r)
	}
	if word != "" && strings.IndexFunc(word, func(r rune) bool { return !plain(r) }) < 0 {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}
