package engine

import (
	"fmt"
	"html"
	"path/filepath"
	"strings"
	"unicode"
)

// EscapeXML makes s safe as the text of an element: & < > are escaped, quotes
// stay, and everything that breaks or hides a line is folded into one blank.
func EscapeXML(s string) string {
	return xmlText.Replace(Fold(s))
}

// html.EscapeString also escapes quotes, which costs tokens and gains nothing
// outside of attributes; its answers for these three are taken.
var xmlText = strings.NewReplacer(
	"&", html.EscapeString("&"), "<", html.EscapeString("<"), ">", html.EscapeString(">"))

// EscapeLine makes s safe inside of one line of Markdown: one line, no control
// or direction characters, no HTML tag, no code span, no fence.
func EscapeLine(s string) string {
	return lineText.Replace(Fold(s))
}

var lineText = strings.NewReplacer("<", "\\<", "`", "\\`")

// EscapeName makes a skill's name safe inside of an isolation line, where it
// stands between backquotes: only letters, marks, numbers, blanks and a few
// signs stay, everything else becomes its code point in braces.
func EscapeName(name string) string {
	var b strings.Builder
	for _, r := range Fold(name) {
		switch {
		case unicode.IsLetter(r), unicode.IsMark(r), unicode.IsNumber(r), r == ' ', strings.ContainsRune("-_.:/()@+&,'", r):
			b.WriteRune(r)
		default:
			fmt.Fprintf(&b, "{U+%04X}", r)
		}
	}
	// Two dashes and a blank could begin to look like the line's own end.
	return strings.ReplaceAll(b.String(), "---", "-{U+002D}-")
}

// Fold turns every run of white space, line breaks and control characters into
// one blank, and drops characters that are not seen: zero-width ones (but the
// joiners that scripts and emoji need), direction marks, tag characters.
func Fold(s string) string {
	plain := true
	for i := 0; i < len(s); i++ {
		if c := s[i]; c < ' ' || c > '~' || c == ' ' && (i == 0 || i == len(s)-1 || s[i+1] == ' ') {
			plain = false
			break
		}
	}
	if plain {
		return s
	}
	var b strings.Builder
	b.Grow(len(s))
	blank := false
	for _, r := range s {
		switch {
		case unicode.IsSpace(r), unicode.IsControl(r), r == '\u2028', r == '\u2029':
			blank = true
			continue
		case Invisible(r):
			continue
		}
		if blank && b.Len() > 0 {
			b.WriteByte(' ')
		}
		blank = false
		b.WriteRune(r)
	}
	return b.String()
}

// Invisible says whether r shows nothing and can hide or turn text around:
// zero-width characters other than the joiners U+200C and U+200D, direction
// marks, the byte order mark, soft hyphen and the tag characters.
func Invisible(r rune) bool {
	switch {
	case r == '\u200c' || r == '\u200d':
		return false
	case r == '\u00ad', r == '\u061c', r == '\u180e', r == '\ufeff',
		r >= '\u200b' && r <= '\u200f', r >= '\u202a' && r <= '\u202e',
		r >= '\u2060' && r <= '\u206f', r >= 0xfff9 && r <= 0xfffb,
		r >= 0xe0000 && r <= 0xe007f:
		return true
	}
	return false
}

// Slash is how a path stands in text that a model reads: with forward slashes.
func Slash(path string) string { return filepath.ToSlash(path) }
