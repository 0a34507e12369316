package format

import (
	"fmt"
	"strings"
	"unicode"

	"github.com/promptc/promptc/engine"
)

// Visible makes s safe to show on a terminal: control characters other than line
// breaks and tabs, and characters that hide or turn text around, stand as their
// code point. What a model gets never goes through it.
func Visible(s string) string {
	if isPlain(s) {
		return s
	}
	unsafe := func(r rune) bool {
		return unicode.IsControl(r) && r != '\n' && r != '\t' || engine.Invisible(r)
	}
	if strings.IndexFunc(s, unsafe) < 0 {
		return s
	}
	var b strings.Builder
	for _, r := range s {
		if unsafe(r) {
			fmt.Fprintf(&b, "\\u{%x}", r)
			continue
		}
		b.WriteRune(r)
	}
	return b.String()
}

// isPlain says whether s is ASCII without control characters, as nearly all text is.
func isPlain(s string) bool {
	for i := range len(s) {
		if c := s[i]; c >= 0x7f || c < ' ' && c != '\n' && c != '\t' {
			return false
		}
	}
	return true
}
