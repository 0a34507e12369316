package token

// repeats remembers how many tokens pieces became that were merged before: text repeats itself. It holds whole
// pieces of 2 to 32 bytes, so what it says is exact; a piece takes the place of another one of the same hash. A
// merger gets one with the first text for which that pays.
type repeats [1 << 12]struct {
	a, b, c, d    uint64 // what loadPiece gives
	length, count uint8
}

// count returns how many tokens the piece s[i:j] is.
func (m *merger) count(s string, i, j int) int {
	n := j - i
	if n == 1 || m.t.rank(s, i, j) != noRank {
		return 1
	}
	if n > 32 || m.repeats == nil && len(s) < 1024 {
		return m.merge(s[i:], n)
	}
	if m.repeats == nil {
		m.repeats = new(repeats)
	}
	a, b, c, d := loadPiece(s, i, j)
	h := ((a^uint64(n)*k1)*k2^b)*k3 ^ (c*k4^d)*k1
	e := &m.repeats[(h^h>>32)*k4>>52]
	if e.a != a || e.b != b || e.c != c || e.d != d || e.length != uint8(n) {
		e.a, e.b, e.c, e.d, e.length, e.count = a, b, c, d, uint8(n), uint8(m.merge(s[i:], n))
	}
	return int(e.count)
}

// loadPiece returns the bytes of s[i:j], at most 32, in numbers that overlap where they are not filled: no two
// pieces of one length give the same.
func loadPiece(s string, i, j int) (a, b, c, d uint64) {
	n := j - i
	if n <= 8 {
		return loadUpTo8(s, i, n), 0, 0, 0
	}
	a, b = load64(s, i), load64(s, j-8)
	if n > 16 {
		c, d = load64(s, i+8), load64(s, j-16)
	}
	return a, b, c, d
}
