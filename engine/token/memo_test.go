package token

import (
	"fmt"
	"strings"
	"sync"
	"testing"
)

func TestMemoCountsAsItsCounterAndForgetsInTime(t *testing.T) {
	c := ForModel("claude-sonnet-4")
	m := Memo(c, 4096)
	if m.Name() != c.Name() || m.Exact() != c.Exact() || m.Own() != c.Own() || m.Frame() != c.Frame() {
		t.Error("a memo is another counter than the one in it")
	}
	for round := range 3 {
		for i := range 200 {
			text := strings.Repeat(fmt.Sprintf("text %d ", i), 1+i%9)
			if got, want := m.Count(text), c.Count(text); got != want {
				t.Fatalf("round %d: %q counts %d, want %d", round, text, got, want)
			}
			if m.size > 2048 || held(m) > 4096 {
				t.Fatalf("the memo holds %d bytes of at most 4096", held(m))
			}
		}
	}
	huge := strings.Repeat("word ", 1000)
	if m.Count(huge) != c.Count(huge) {
		t.Error("a huge text counts differently")
	}
	if _, ok := m.known(huge); ok {
		t.Error("a text larger than half of the memo is kept")
	}
}

// held is what the memo keeps.
func held(m *MemoCounter) (n int) {
	for _, generation := range []map[string]int{m.young, m.old} {
		for text := range generation {
			n += len(text) + entryBytes
		}
	}
	return n
}

func TestMemoKeepsWhatIsAskedForAgain(t *testing.T) {
	m := Memo(ForModel(""), 2*(4+entryBytes)*2) // two texts of four bytes in a generation
	m.Count("kept")
	for _, other := range []string{"one1", "two2", "thr3", "fou4", "fiv5", "six6"} {
		m.Count(other)
		if _, ok := m.known("kept"); !ok {
			t.Fatalf("forgotten after %q though asked for each time", other)
		}
	}
	if _, ok := m.known("one1"); ok {
		t.Error("what nobody asked for is still there")
	}
}

func TestMemoIsSafeForParallelUse(t *testing.T) {
	m, want := Memo(ForModel(""), 1000), ForModel("")
	var group sync.WaitGroup
	for g := range 4 {
		group.Go(func() {
			for i := range 300 {
				text := fmt.Sprintf("shared %d %d", i%40, g/2)
				if m.Count(text) != want.Count(text) || m.Within(text, 1) != want.Within(text, 1) {
					t.Errorf("%q counts differently", text)
					return
				}
			}
		})
	}
	group.Wait()
}
