package token

import "math"

// Byte pair encoding: a piece begins as its bytes, and of all neighbours whose bytes together are a token, the
// pair of the lowest rank, leftmost first, becomes that token, until no pair is one.

// shortPiece is the longest piece that is merged by looking through all pairs for the lowest. Longer ones use a
// heap, so that the time does not grow with the square of the length.
const shortPiece = 96

// merger holds the arrays that merging works on, to be used again.
type merger struct {
	t *table

	// For a short piece, by position: the rank of the pair that begins there, above the position itself, and
	// the positions of the neighbours.
	pair [shortPiece + 1]uint32
	next [shortPiece + 2]uint8
	prev [shortPiece + 2]uint8

	large
}

const noPair = math.MaxUint32

// merge merges the piece s[i:j] and returns how many tokens it is. Afterwards emit can list them.
func (m *merger) merge(s string, i, j int) int {
	n := j - i
	if n > shortPiece {
		return m.mergeLarge(s, i, j)
	}
	pair := m.pair[:n]
	for k := range n {
		m.next[k], m.prev[k+1] = uint8(k+1), uint8(k)
	}
	for k := range n - 1 {
		pair[k] = m.key(s, i+k, i+k+2, k)
	}
	pair[n-1] = noPair
	for tokens := n; ; tokens-- {
		lowest := uint32(noPair)
		for _, p := range pair {
			lowest = min(lowest, p)
		}
		if lowest == noPair {
			return tokens
		}
		// The pair of k and its right neighbour r becomes one token, which ends where q begins.
		k := int(lowest & 0xFF)
		r := m.next[k]
		q := m.next[r]
		m.next[k], m.prev[q] = q, uint8(k)
		pair[r], pair[k] = noPair, noPair
		if int(q) < n {
			pair[k] = m.key(s, i+k, i+int(m.next[q]), k)
		}
		if k > 0 {
			p := int(m.prev[k])
			pair[p] = m.key(s, i+p, i+int(q), p)
		}
	}
}

// key returns the rank of s[from:to] above the position k, or noPair where that is no token.
func (m *merger) key(s string, from, to, k int) uint32 {
	if r := m.t.rank(s, from, to); r != noRank {
		return r<<8 | uint32(k)
	}
	return noPair
}

// emit appends the ranks of the tokens that merge made of s[i:j].
func (m *merger) emit(ranks []int, s string, i, j int) []int {
	n := j - i
	for k := 0; k < n; {
		end := 0
		if n > shortPiece {
			end = int(m.large.next[k])
		} else {
			end = int(m.next[k])
		}
		ranks = append(ranks, int(m.t.rank(s, i+k, i+end)))
		k = end
	}
	return ranks
}
