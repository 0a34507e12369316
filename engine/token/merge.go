package token

import (
	"iter"
	"math"
	"unicode/utf8"
)

// Byte pair encoding: a piece begins as its bytes, and of all neighbours whose bytes together are a token, the
// pair of the lowest rank, leftmost first, becomes that token, until no pair is one. Where it is known what the
// bytes of a code point will become, merging begins with the code point.

// shortPiece is how many units a piece may have to be merged by looking through all pairs for the lowest.
// Longer ones use a heap, so that the time does not grow with the square of the length.
const shortPiece = 64

// merger holds the arrays that merging works on, to be used again.
type merger struct {
	t     *table
	units []int32 // where the units of the piece begin, and where the last one ends
	pair  [shortPiece]uint32
	next  [shortPiece]uint8
	prev  [shortPiece + 1]uint8
	long  heap

	repeats *repeats
}

// noPair is the lowest key of no pair.
const noPair = noRank << 8 & math.MaxUint32

// merge merges the piece s[:size] and returns how many tokens it is. Afterwards tokens lists them. The text may
// go on: what follows the piece is not looked at, but makes it quicker to load the end of the piece.
func (m *merger) merge(s string, size int) int {
	m.cut(s, size)
	n := len(m.units) - 1
	if n > shortPiece {
		return m.long.merge(m.t, s, m.units)
	}
	pair := &m.pair
	for k := n; k&7 != 0; k++ {
		pair[k] = noPair
	}
	for k := range n {
		m.next[k], m.prev[k+1] = uint8(k+1), uint8(k)
		pair[k] = noPair
		if k+2 <= n {
			pair[k] = m.key(s, k, k+2)
		}
	}
	for tokens := n; ; tokens-- {
		lowest := uint32(noPair)
		for k := 0; k < n; k += 8 {
			p := (*[8]uint32)(m.pair[k:])
			lowest = min(lowest, p[0], p[1], p[2], p[3], p[4], p[5], p[6], p[7])
		}
		if lowest >= noPair {
			return tokens
		}
		// The pair of k and its right neighbour r becomes one token, which ends where q begins.
		k := int(lowest & 0xFF)
		r := int(m.next[k])
		q := int(m.next[r])
		m.next[k], m.prev[q] = uint8(q), uint8(k)
		pair[r], pair[k] = noPair, noPair
		if q < n {
			pair[k] = m.key(s, k, int(m.next[q]))
		}
		if k > 0 {
			p := int(m.prev[k])
			pair[p] = m.key(s, p, q)
		}
	}
}

// key returns the rank of the units from k up to end above the number k: at least noPair where that is no token.
func (m *merger) key(s string, k, end int) uint32 {
	return m.t.rank(s, int(m.units[k]), int(m.units[end]))<<8 | uint32(k)
}

// cut lists the units of s[:size].
func (m *merger) cut(s string, size int) {
	units := m.units[:0]
	barred := false // by the code point before
	for i := 0; i < size; {
		if s[i] < utf8.RuneSelf {
			units = append(units, int32(i))
			i++
			continue
		}
		if i > 0 && s[i-1] < utf8.RuneSelf {
			before, _ := m.t.runeBits(s, i-1)
			barred = before&barsAfter != 0
		}
		set, length := m.t.runeBits(s, i)
		end := i + length
		whole := set&isUnit != 0 && !barred
		if whole && end < size {
			after, _ := m.t.runeBits(s, end)
			whole = after&barsBefore == 0
		}
		units = append(units, int32(i))
		for i++; i < end; i++ {
			if !whole {
				units = append(units, int32(i))
			}
		}
		barred = set&barsAfter != 0
	}
	m.units = append(units, int32(size))
}

// tokens lists where the tokens that merge just made begin and end.
func (m *merger) tokens() iter.Seq2[int, int] {
	return func(yield func(int, int) bool) {
		n := len(m.units) - 1
		for k := 0; k < n; {
			next := 0
			if n > shortPiece {
				next = int(m.long.next[k])
			} else {
				next = int(m.next[k])
			}
			if !yield(int(m.units[k]), int(m.units[next])) {
				return
			}
			k = next
		}
	}
}
