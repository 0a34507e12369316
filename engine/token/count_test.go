package token

import (
	"slices"
	"strings"
	"sync"
	"testing"
)

// counter is engine.Counter, which this package does not import.
type counter interface {
	Name() string
	Exact() bool
	Count(text string) int
	Frame() struct {
		Message, Request, Tool, ToolSet int
		Source                          string
	}
}

var (
	_ counter = (*Counter)(nil)
	_ counter = (*MemoCounter)(nil)
)

func TestNamesAreWhatNamedKnows(t *testing.T) {
	names := Names()
	if len(names) < 3 || names[0] != "o200k_base" || names[1] != "cl100k_base" || names[len(names)-1] != "bytes4" {
		t.Errorf("Names() = %v", names)
	}
	for _, name := range names {
		c, err := Named(name)
		if err != nil || c.Name() != name || c.Own() != OwnUnknown || c.Exact() == (name == "bytes4") {
			t.Errorf("Named(%q) = %+v, %v", name, c, err)
		}
	}
	_, err := Named("o200k")
	if err == nil {
		t.Fatal("no error for an unknown name")
	}
	for _, name := range names {
		if !strings.Contains(err.Error(), name) {
			t.Errorf("%q does not name %s", err, name)
		}
	}
}

func TestOlderEncodingsCountAsTiktokenGo(t *testing.T) {
	for _, name := range []string{"p50k_base", "p50k_edit", "r50k_base"} {
		if !slices.Contains(Names(), name) {
			t.Skip("this build is without tiktoken-go")
		}
		for _, text := range fragments {
			compare(t, name, "It's "+text+text)
		}
	}
}

func TestBytes4IsFourBytesToAToken(t *testing.T) {
	c, err := Named("bytes4")
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]int{"": 0, "a": 1, "abcd": 1, "abcde": 2, "技能": 2} {
		if got := c.Count(text); got != want {
			t.Errorf("Count(%q) = %d, want %d", text, got, want)
		}
	}
	if c.Exact() || c.Encode("abcd") != nil {
		t.Error("an estimate says it is exact, or has ranks")
	}
}

// everyCounter returns one of each encoding, and calibrated ones.
func everyCounter(t *testing.T) []*Counter {
	list := []*Counter{ForModel("gemini-3-pro"), ForModel("").Calibrated(0.4, "test")}
	for _, name := range Names() {
		c, err := Named(name)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, c)
	}
	return list
}

func TestWithinIsCountAtMost(t *testing.T) {
	texts := append([]string{"", strings.Repeat("a", 700), strings.Repeat("技能 and words, ", 60), strings.Repeat("\xff", 9), "\ufffd\xff"}, fragments...)
	for _, c := range everyCounter(t) {
		for _, text := range texts {
			n := c.Count(text)
			for _, max := range []int{-1, 0, 1, n - 2, n - 1, n, n + 1, n + 2, len(text), 3*len(text) + 3} {
				if got := c.Within(text, max); got != (n <= max) {
					t.Errorf("%s: Within(%.20q, %d) = %v, Count is %d", c.Name(), text, max, got, n)
				}
			}
		}
	}
}

// A bound must not tokenise: a coder that fails when asked stands in for one that takes long.
func TestWithinAsksForNoCountWhereTheLengthSuffices(t *testing.T) {
	c := &Counter{encoding: encoding{"none", true, unusable{t}}, calibration: Calibration{Factor: 1}}
	if !c.Within("twelve bytes", 12) {
		t.Error("12 bytes are more than 12 tokens")
	}
}

type unusable struct{ t *testing.T }

func (u unusable) count(string, int) int { u.t.Error("counted"); return 0 }
func (u unusable) encode(string) []int   { u.t.Error("encoded"); return nil }
func (u unusable) lines(string) []int    { u.t.Error("split into lines"); return nil }

func TestCountingStopsSoonAfterALimit(t *testing.T) {
	text := strings.Repeat("word ", 1000)
	if n := o200k().count(text, 100); n != 101 {
		t.Errorf("counting up to 100 stops at %d", n)
	}
	if n := o200k().count(strings.Repeat("x", 1<<20), 10); n <= 10 {
		t.Errorf("a text too long for 10 tokens counts %d", n)
	}
}

func TestACounterIsSafeForParallelUse(t *testing.T) {
	text := strings.Repeat("Each goroutine counts the same, it's 技能 getElementById. ", 20)
	want := map[string]int{}
	for _, name := range Names() {
		c, _ := Named(name)
		want[name] = c.Count(text)
	}
	var group sync.WaitGroup
	for range 4 {
		group.Go(func() {
			for name, n := range want {
				if c, err := Named(name); err != nil || c.Count(text) != n {
					t.Errorf("%s counts differently in parallel", name)
				}
			}
		})
	}
	group.Wait()
}

func TestPiecesOfManyUnitsAreMergedAsThoseOfFew(t *testing.T) {
	for _, unit := range []string{"a", "ab", " ", "é", "技", "-=", "\n", "技能k"} {
		for n := shortPiece - 2; n < shortPiece+3; n++ {
			compare(t, "o200k_base", strings.Repeat(unit, n))
			compare(t, "cl100k_base", "x"+strings.Repeat(unit, n/len(unit)))
		}
		m := o200k().merger()
		long := strings.Repeat("ab", shortPiece)
		if m.merge(long, len(long)); len(m.long.next) == 0 {
			t.Fatal("a long piece is merged without the heap: its time grows with the square of its length")
		}
	}
}

func TestAVeryLongPieceLeavesNothingBehind(t *testing.T) {
	b := newBPE(scanO200k, o200kRanks)
	m := b.merger()
	m.count(strings.Repeat("a", 1<<20), 0, 1<<20)
	b.done(m)
	if m.units != nil || m.long.entries != nil {
		t.Errorf("%d units kept", cap(m.units))
	}
}
