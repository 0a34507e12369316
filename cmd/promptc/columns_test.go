package main

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/promptc/promptc/engine/agent"
)

func TestWrap(t *testing.T) {
	for _, c := range []struct {
		text string
		n    int
		want []string
	}{
		{"", 10, []string{""}},
		{"one two three", 7, []string{"one two", "three"}},
		{"  one\n two\tthree ", 100, []string{"one two three"}},
		{"a /path/that/is/longer/than/that b", 10, []string{"a", "/path/that/is/longer/than/that", "b"}},
		{"潮汐表查询", 6, []string{"潮汐表", "查询"}},
		{"a 潮汐表 b", 6, []string{"a 潮汐", "表 b"}},
	} {
		if got := wrap(c.text, c.n); !slices.Equal(got, c.want) {
			t.Errorf("%q in %d: %q, want %q", c.text, c.n, got, c.want)
		}
	}
}

func TestClipAndPadCountColumns(t *testing.T) {
	if got := clip("潮汐表", 5); got != "潮汐…" || columns(got) > 5 {
		t.Errorf("%q", got)
	}
	if got := pad("潮", 4); got != "潮  " {
		t.Errorf("%q", got)
	}
	if got := clip("short", 5); got != "short" {
		t.Errorf("%q", got)
	}
}

// TestAgentsFitTheWidth: no line is wider than 100 columns but for one long word,
// and every value stands in one column.
func TestAgentsFitTheWidth(t *testing.T) {
	for _, f := range agent.All() {
		var out bytes.Buffer
		a := &app{out: &out}
		if err := a.printAgent(f, false); err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(out.String()) {
			line = strings.TrimRight(line, "\n")
			text := strings.TrimLeft(line, " ")
			if columns(line) > 100 && strings.Contains(text, " ") && !strings.Contains(text, "  ") && !strings.HasPrefix(text, "[") {
				t.Errorf("%s: %d columns: %s", f.ID, columns(line), line)
			}
			if strings.Contains(line, "[{") || strings.Contains(line, "%!") {
				t.Errorf("%s: %s", f.ID, line)
			}
		}
		if !strings.Contains(out.String(), "\nsources\n  [1] ") {
			t.Errorf("%s has no sources", f.ID)
		}
	}
}
