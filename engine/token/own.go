package token

import (
	_ "embed"
	"strings"
	"sync"
	"unicode/utf8"
)

//go:embed o200k_base.ranks
var o200kRanks string

//go:embed cl100k_base.ranks
var cl100kRanks string

var (
	o200k  = sync.OnceValue(func() *bpe { return newBPE(scanO200k, o200kRanks) })
	cl100k = sync.OnceValue(func() *bpe { return newBPE(scanCl100k, cl100kRanks) })
)

// ownEncodings lists the encodings that this package cuts and merges by itself.
func ownEncodings() []encoding {
	return []encoding{{"o200k_base", true, o200k()}, {"cl100k_base", true, cl100k()}}
}

// bpe is an encoding: a scanner that cuts text into pieces, and a table of ranks to merge pieces by.
type bpe struct {
	next    scanner
	table   *table
	mergers sync.Pool
}

func newBPE(next scanner, ranks string) *bpe {
	b := &bpe{next: next, table: openTable(ranks)}
	b.mergers.New = func() any { return &merger{t: b.table} }
	return b
}

func (b *bpe) count(text string, limit int) int {
	if n := len(text) / b.table.longest; n > limit {
		return n
	}
	text = valid(text)
	m := b.merger()
	defer b.done(m)
	n := 0
	for i := 0; i < len(text) && n <= limit; {
		end := b.next(text, i)
		n += m.count(text, i, end)
		i = end
	}
	return n
}

func (b *bpe) encode(text string) []int {
	text = valid(text)
	m := b.merger()
	defer b.done(m)
	ranks := make([]int, 0, len(text)/4+1)
	for i := 0; i < len(text); {
		end := b.next(text, i)
		if r := b.table.rank(text, i, end); r != noRank {
			ranks = append(ranks, int(r))
		} else {
			m.merge(text[i:], end-i)
			for from, to := range m.tokens() {
				ranks = append(ranks, int(b.table.rank(text, i+from, i+to)))
			}
		}
		i = end
	}
	return ranks
}

func (b *bpe) merger() *merger { return b.mergers.Get().(*merger) }

// done hands a merger back. What a very long piece made it grow to is not kept.
func (b *bpe) done(m *merger) {
	if cap(m.units) > 1<<18 {
		m.units, m.long = nil, heap{}
	}
	b.mergers.Put(m)
}

// valid returns the text with U+FFFD for each byte that is not UTF-8.
func valid(text string) string {
	if utf8.ValidString(text) {
		return text
	}
	var b strings.Builder
	for _, r := range text {
		b.WriteRune(r)
	}
	return b.String()
}
