package token

// large merges a long piece with a heap of pairs. Pairs that a merge did away with stay in the heap and are
// recognised when they come out: the rank at their position is another one by then.
type large struct {
	heap []uint64 // rank<<32 | position, lowest first
	rank []uint32 // by position: the rank of the pair that begins there, or noRank
	next []int32
	prev []int32
}

func (m *merger) mergeLarge(s string, i, j int) int {
	n := j - i
	l := &m.large
	l.grow(n)
	for k := range n {
		l.next[k], l.prev[k+1] = int32(k+1), int32(k)
		l.rank[k] = noRank
		if k+1 < n {
			l.rank[k] = m.t.rank(s, i+k, i+k+2)
		}
		if l.rank[k] != noRank {
			l.heap = append(l.heap, uint64(l.rank[k])<<32|uint64(k))
		}
	}
	for k := len(l.heap)/2 - 1; k >= 0; k-- {
		l.down(k)
	}
	tokens := n
	for len(l.heap) > 0 {
		top := l.pop()
		k := int32(uint32(top))
		if l.rank[k] != uint32(top>>32) {
			continue
		}
		r := l.next[k]
		q := l.next[r]
		l.next[k], l.prev[q] = q, k
		l.rank[r] = noRank
		tokens--
		l.rank[k] = noRank
		if int(q) < n {
			l.pair(m.t.rank(s, i+int(k), i+int(l.next[q])), k)
		}
		if k > 0 {
			p := l.prev[k]
			l.pair(m.t.rank(s, i+int(p), i+int(q)), p)
		}
	}
	return tokens
}

// grow makes room for a piece of n bytes and empties the heap.
func (l *large) grow(n int) {
	if cap(l.rank) < n+1 {
		l.heap, l.rank = make([]uint64, 0, n+n/2), make([]uint32, n+1)
		l.next, l.prev = make([]int32, n+1), make([]int32, n+1)
	}
	l.heap, l.rank, l.next, l.prev = l.heap[:0], l.rank[:n+1], l.next[:n+1], l.prev[:n+1]
}

// pair notes the rank of the pair that begins at k.
func (l *large) pair(rank uint32, k int32) {
	l.rank[k] = rank
	if rank == noRank {
		return
	}
	l.heap = append(l.heap, uint64(rank)<<32|uint64(uint32(k)))
	for c := len(l.heap) - 1; c > 0; {
		parent := (c - 1) / 2
		if l.heap[parent] <= l.heap[c] {
			break
		}
		l.heap[parent], l.heap[c] = l.heap[c], l.heap[parent]
		c = parent
	}
}

func (l *large) pop() uint64 {
	top, last := l.heap[0], len(l.heap)-1
	l.heap[0] = l.heap[last]
	l.heap = l.heap[:last]
	l.down(0)
	return top
}

// down lets the entry at k sink to its place.
func (l *large) down(k int) {
	for {
		c := 2*k + 1
		if c >= len(l.heap) {
			return
		}
		if c+1 < len(l.heap) && l.heap[c+1] < l.heap[c] {
			c++
		}
		if l.heap[k] <= l.heap[c] {
			return
		}
		l.heap[k], l.heap[c] = l.heap[c], l.heap[k]
		k = c
	}
}
