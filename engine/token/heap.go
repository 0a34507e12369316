package token

// heap merges a long piece. Its entries are pairs, rank<<32 | number of the first unit, lowest first. Pairs that
// a merge did away with stay in it and are recognised when they come out: by then the rank of that unit's pair
// is another one.
type heap struct {
	entries []uint64
	rank    []uint32 // by unit: the rank of the pair with the next one, or noRank
	next    []int32
	prev    []int32
}

// merge merges the units, of which the last entry is the end, and returns how many tokens are left.
func (h *heap) merge(t *table, s string, units []int32) int {
	n := len(units) - 1
	h.grow(n)
	for k := range n {
		h.next[k], h.prev[k+1], h.rank[k] = int32(k+1), int32(k), noRank
		if k+2 <= n {
			h.rank[k] = t.rank(s, int(units[k]), int(units[k+2]))
		}
		if h.rank[k] != noRank {
			h.entries = append(h.entries, uint64(h.rank[k])<<32|uint64(k))
		}
	}
	for k := len(h.entries)/2 - 1; k >= 0; k-- {
		h.down(k)
	}
	tokens := n
	for len(h.entries) > 0 {
		top := h.pop()
		k := int32(uint32(top))
		if h.rank[k] != uint32(top>>32) {
			continue
		}
		// The pair of k and its right neighbour r becomes one token, which ends where q begins.
		r := h.next[k]
		q := h.next[r]
		h.next[k], h.prev[q] = q, k
		h.rank[r], h.rank[k] = noRank, noRank
		tokens--
		if int(q) < n {
			h.push(k, t.rank(s, int(units[k]), int(units[h.next[q]])))
		}
		if k > 0 {
			p := h.prev[k]
			h.push(p, t.rank(s, int(units[p]), int(units[q])))
		}
	}
	return tokens
}

// grow makes room for n units and empties the heap.
func (h *heap) grow(n int) {
	if cap(h.rank) < n+1 {
		h.entries, h.rank = make([]uint64, 0, n+n/2), make([]uint32, n+1)
		h.next, h.prev = make([]int32, n+1), make([]int32, n+1)
	}
	h.entries, h.rank, h.next, h.prev = h.entries[:0], h.rank[:n+1], h.next[:n+1], h.prev[:n+1]
}

// push notes the rank of the pair that begins with unit k.
func (h *heap) push(k int32, rank uint32) {
	h.rank[k] = rank
	if rank == noRank {
		return
	}
	e := append(h.entries, uint64(rank)<<32|uint64(uint32(k)))
	for c := len(e) - 1; c > 0; {
		parent := (c - 1) / 2
		if e[parent] <= e[c] {
			break
		}
		e[parent], e[c] = e[c], e[parent]
		c = parent
	}
	h.entries = e
}

// pop removes the lowest entry.
func (h *heap) pop() uint64 {
	top, last := h.entries[0], len(h.entries)-1
	h.entries[0] = h.entries[last]
	h.entries = h.entries[:last]
	h.down(0)
	return top
}

// down lets the entry at k sink to its place.
func (h *heap) down(k int) {
	e := h.entries
	for c := 2*k + 1; c < len(e); c = 2*k + 1 {
		if c+1 < len(e) && e[c+1] < e[c] {
			c++
		}
		if e[k] <= e[c] {
			return
		}
		e[k], e[c] = e[c], e[k]
		k = c
	}
}
