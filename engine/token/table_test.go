package token

import (
	"testing"

	loader "github.com/pkoukk/tiktoken-go-loader"
)

// vocabulary returns the ranks that tiktoken-go's loader carries.
func vocabulary(t testing.TB, name string) map[string]int {
	t.Helper()
	ranks, err := loader.NewOfflineLoader().LoadTiktokenBpe(name + ".tiktoken")
	if err != nil {
		t.Fatal(err)
	}
	return ranks
}

func ownTables() map[string]*table {
	return map[string]*table{"o200k_base": o200k().table, "cl100k_base": cl100k().table}
}

func TestTablesHoldExactlyTheRanksOfTheVocabularies(t *testing.T) {
	for name, tab := range ownTables() {
		ranks := vocabulary(t, name)
		for token, want := range ranks {
			// Alone, and with text after it: the two ways to load the end.
			for _, s := range []string{token, token + "12345678"} {
				if got := tab.rank(s, 0, len(token)); got != uint32(want) {
					t.Fatalf("%s: rank of %q = %d, want %d", name, token, got, want)
				}
			}
			for _, other := range []string{token + "\x00", token + "e", token[:len(token)-1] + "\x00", "\x00" + token[1:], token + token} {
				if _, ok := ranks[other]; !ok && tab.rank(other, 0, len(other)) != noRank {
					t.Fatalf("%s: %q has rank %d and is no token", name, other, tab.rank(other, 0, len(other)))
				}
			}
		}
		if n := tab.filled(); n != len(ranks) {
			t.Errorf("%s: %d tokens in the table, %d in the vocabulary", name, n, len(ranks))
		}
	}
}

// filled counts the tokens in a table.
func (t *table) filled() int {
	n := 0
	count := func(data string, size, at int) {
		for i := 0; i < len(data); i += size {
			if load32(data, i+at) != noRank {
				n++
			}
		}
	}
	count(t.singles, 4, 0)
	count(t.pairs, 4, 0)
	count(t.short.slots, 12, 8)
	count(t.middle.slots, 20, 16)
	count(t.large.slots, 8, 4)
	return n
}

func TestNumbersAreReadLowestByteFirstOnEveryMachine(t *testing.T) {
	const s = "\x01\x02\x03\x04\x05\x06\x07\x88\x09"
	if got := load32(s, 1); got != 0x05040302 {
		t.Errorf("load32 = %#x", got)
	}
	if got := load64(s, 0); got != 0x8807060504030201 {
		t.Errorf("load64 = %#x", got)
	}
	if got := load64(s, 1); got != 0x0988070605040302 {
		t.Errorf("load64 at 1 = %#x", got)
	}
	for n, want := range []uint64{1: 0x09, 2: 0x0988, 3: 0x098807} {
		if n == 0 {
			continue
		}
		i := len(s) - n
		var swapped uint64
		for k := range n {
			swapped |= uint64(s[i+k]) << (8 * k)
		}
		if got := loadUpTo8(s, i, n); got != swapped {
			t.Errorf("loadUpTo8 of %d bytes at the end = %#x, want %#x (read the other way round: %#x)", n, got, swapped, want)
		}
	}
	if got := loadUpTo8(s, 0, 3); got != 0x030201 {
		t.Errorf("loadUpTo8 of 3 bytes with more after = %#x", got)
	}
	// The table itself, laid out by the generator: "!" is token 0 and '"' token 1 of both vocabularies.
	for name, tab := range ownTables() {
		if got := tab.singles[4*'"' : 4*'"'+4]; got != "\x01\x00\x00\x00" {
			t.Errorf("%s: the rank of a quote is laid out as % x", name, got)
		}
	}
}

func TestOpeningSomethingElseThanATablePanics(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("no panic")
		}
	}()
	openTable("not a table, whatever follows")
}
