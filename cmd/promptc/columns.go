package main

import (
	"os"
	"strings"

	"golang.org/x/term"
	"golang.org/x/text/width"

	"github.com/promptc/promptc/engine/format"
)

// width is how many columns a line for people may take: those of the terminal, or
// 100 where there is none.
func (a *app) width() int {
	const usual, least = 100, 40
	o, ok := a.out.(*output)
	if !ok {
		return usual
	}
	f, ok := o.w.(*os.File)
	if !ok {
		return usual
	}
	if n, _, err := term.GetSize(int(f.Fd())); err == nil && n >= least {
		return n
	}
	return usual
}

// columns is how wide s is on a terminal: East Asian wide characters take two.
func columns(s string) int {
	n := 0
	for _, r := range s {
		n++
		if isWide(r) {
			n++
		}
	}
	return n
}

func isWide(r rune) bool {
	if r < 0x1100 {
		return false
	}
	k := width.LookupRune(r).Kind()
	return k == width.EastAsianWide || k == width.EastAsianFullwidth
}

// clip cuts s to n columns.
func clip(s string, n int) string {
	if columns(s) <= n {
		return s
	}
	used := 0
	for i, r := range s {
		used += columns(string(r))
		if used > n-1 {
			return s[:i] + "…"
		}
	}
	return s
}

// pad fills s with blanks to n columns.
func pad(s string, n int) string {
	return s + strings.Repeat(" ", max(0, n-columns(s)))
}

// wrap breaks text at blanks, and between wide characters, so that no line is wider
// than n columns where that is possible: a long word stays whole.
func wrap(text string, n int) []string {
	var lines []string
	var line strings.Builder
	at := 0
	put := func(piece string, blank bool) {
		size := columns(piece)
		if blank && at > 0 && at+1+size <= n {
			line.WriteByte(' ')
			at++
		} else if at > 0 && (blank || at+size > n) {
			lines = append(lines, line.String())
			line.Reset()
			at = 0
		}
		line.WriteString(piece)
		at += size
	}
	for _, word := range strings.Fields(text) {
		blank := true
		for _, piece := range pieces(word) {
			put(piece, blank)
			blank = false
		}
	}
	return append(lines, line.String())
}

// pieces cuts a word behind each wide character.
func pieces(word string) []string {
	var out []string
	start := 0
	for i, r := range word {
		if isWide(r) && i > start {
			out = append(out, word[start:i])
			start = i
		}
	}
	return append(out, word[start:])
}

// hang wraps text, made safe for a terminal, so that it stands in a column that
// begins at column left of the line, behind what stands before it.
func hang(text string, left, width int) string {
	return strings.Join(wrap(format.Visible(text), max(24, width-left)), "\n"+strings.Repeat(" ", left))
}
