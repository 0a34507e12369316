package token

import (
	"slices"
	"strings"
	"testing"
)

func TestLinesAddUpToTheCount(t *testing.T) {
	texts := append([]string{"", "\n", "\n\n\n", "one", "one\n", "one\n\n\ntwo  \n   three", "a\xff\nb\r\nc\xe4\n", strings.Repeat("=", 200) + "\n\n" + strings.Repeat("ab", 99)}, fragments...)
	for _, c := range everyCounter(t) {
		for _, text := range texts {
			lines := c.Lines(text)
			sum := 0
			for _, n := range lines {
				sum += n
			}
			if sum != c.Count(text) {
				t.Errorf("%s: the lines of %q add up to %d, it counts %d", c.Name(), text, sum, c.Count(text))
			}
			if want := len(slices.Collect(strings.Lines(text))); len(lines) != want {
				t.Errorf("%s: %q has %d lines, want %d", c.Name(), text, len(lines), want)
			}
		}
	}
}

func TestATokenBelongsToTheLineWhereItBegins(t *testing.T) {
	c := ForModel("")
	for text, want := range map[string][]int{
		"hello world\nhello\n": {3, 2},
		"a\n\n\nb":             {2, 0, 0, 1}, // three newlines are one token
		"x\n    y\n":           {2, 3},
	} {
		if got := c.Lines(text); !slices.Equal(got, want) {
			t.Errorf("Lines(%q) = %v, want %v", text, got, want)
		}
	}
}
