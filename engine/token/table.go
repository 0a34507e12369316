package token

import "math/bits"

// table is the ranks of an encoding, read in place from the bytes that internal/gen laid out (its ranks.go
// describes them): opening one reads a dozen numbers, and memory is the file's own pages as they are touched.
type table struct {
	longest              int    // bytes of the longest token
	singles, pairs       string // what is looked up without a hash
	runes                string
	short, middle, large section
	bytes                string // of the tokens in large
}

// section is a perfect hash: the seeds of its buckets, and its slots.
type section struct {
	buckets, count uint32
	seeds, slots   string
}

const (
	tableMagic = "promptc1"
	noRank     = 0xFFFFFFFF

	k1 = 0x9E3779B97F4A7C15
	k2 = 0xD6E8FEB86659FD93
	k3 = 0xA0761D6478BD642F
	k4 = 0xE7037ED1A0B428DB
)

// openTable returns the table in data.
func openTable(data string) *table {
	if data[:len(tableMagic)] != tableMagic {
		panic("token: an embedded table is not one: run go generate")
	}
	t := &table{longest: int(load32(data, 12))}
	at := 40
	t.singles, at = data[at:at+256*4], at+256*4
	t.pairs, at = data[at:at+1<<16*4], at+1<<16*4
	t.runes, at = data[at:at+1<<16/2], at+1<<16/2
	for i, s := range []*section{&t.short, &t.middle, &t.large} {
		s.buckets, s.count = load32(data, 16+8*i), load32(data, 20+8*i)
		size := 2 * int(s.buckets)
		s.seeds, at = data[at:at+size], at+size
		size = []int{12, 20, 8}[i] * int(s.count)
		s.slots, at = data[at:at+size], at+size
	}
	t.bytes = data[at:]
	return t
}

// rank returns the rank of the token s[i:j], or noRank where that is none. i < j. It is quickest where the text
// goes on for eight bytes from i.
func (t *table) rank(s string, i, j int) uint32 {
	n := j - i
	if n > 8 {
		return t.rankOfMany(s, i, j)
	}
	if n <= 2 {
		return t.rankOfFew(s, i, n)
	}
	var key uint64
	if i+8 <= len(s) {
		other := uint(64-8*n) & 63
		key = load64(s, i) << other >> other
	} else {
		key = loadEnd(s, i, n)
	}
	h := (uint64(n)*k1 ^ key) * k2
	slot := t.short.slot(h^h>>32, 12)
	// Most lookups of merging fail, and which ones cannot be foreseen: no branch.
	value := load32(slot, 8)
	rank := value >> 8
	if (load64(slot, 0)^key)|uint64(uint8(value)^uint8(n)) != 0 {
		rank = noRank
	}
	return rank
}

// rankOfFew is rank for one or two bytes.
func (t *table) rankOfFew(s string, i, n int) uint32 {
	if n == 1 {
		return load32(t.singles, 4*int(s[i]))
	}
	return load32(t.pairs, 4*(int(s[i])|int(s[i+1])<<8))
}

// rankOfMany is rank for tokens of more than eight bytes.
func (t *table) rankOfMany(s string, i, j int) uint32 {
	n := j - i
	if n > t.longest {
		return noRank
	}
	h, last := uint64(n)*k1, load64(s, j-8)
	if n <= 16 {
		first := load64(s, i)
		h = (bits.RotateLeft64((h^first)*k2, 32) ^ last) * k3
		slot := t.middle.slot(h^h>>32, 20)
		if value := load32(slot, 16); load64(slot, 0) == first && load64(slot, 8) == last && value&0xFF == uint32(n) {
			return value >> 8
		}
		return noRank
	}
	for k := i; k+8 < j; k += 8 {
		h = bits.RotateLeft64((h^load64(s, k))*k2, 32)
	}
	h = (h ^ last) * k3
	slot := t.large.slot(h^h>>32, 8)
	if value := load32(slot, 4); value&0xFF == uint32(n) && value != noRank {
		if from := int(load32(slot, 0)); t.bytes[from:from+n] == s[i:j] {
			return value >> 8
		}
	}
	return noRank
}

// What merging may begin with, by code point, as internal/gen worked it out (its units.go says why it may).
const (
	isUnit     = 1 << iota // its bytes always become one token before anything else, but for its neighbours:
	barsAfter              // the code point after this one is no unit
	barsBefore             // the code point before this one is no unit
)

// runeBits returns those bits for the code point at i and its length in bytes.
func (t *table) runeBits(s string, i int) (set uint8, size int) {
	var r int
	switch b := int(s[i]); {
	case b < 0x80:
		r, size = b, 1
	case b < 0xE0:
		r, size = b&0x1F<<6|int(s[i+1])&0x3F, 2
	case b < 0xF0:
		r, size = b&0x0F<<12|int(s[i+1])&0x3F<<6|int(s[i+2])&0x3F, 3
	default:
		return barsAfter | barsBefore, 4
	}
	return t.runes[r>>1] >> (r & 1 * 4), size
}

// slot returns the only slot, of that size, in which a key with that hash can be.
func (s *section) slot(h uint64, size int) string {
	seed := uint64(load16(s.seeds, 2*int(uint64(uint32(h))*uint64(s.buckets)>>32)))
	at := size * int(((h^seed*k3)*k4>>32)*uint64(s.count)>>32)
	return s.slots[at : at+size]
}

// loadUpTo8 returns n bytes at i as a number, the first one lowest; n is 1 to 8.
func loadUpTo8(s string, i, n int) uint64 {
	if i+8 <= len(s) {
		other := uint(64-8*n) & 63
		return load64(s, i) << other >> other
	}
	return loadEnd(s, i, n)
}

// loadEnd is loadUpTo8 where the text ends before eight bytes.
func loadEnd(s string, i, n int) (v uint64) {
	for k := n - 1; k >= 0; k-- {
		v = v<<8 | uint64(s[i+k])
	}
	return v
}

// The loads read little-endian numbers, whatever the machine's own order; compilers make one instruction of
// each where they can.

func load16(s string, i int) uint16 {
	b := s[i : i+2]
	return uint16(b[0]) | uint16(b[1])<<8
}

func load32(s string, i int) uint32 {
	b := s[i : i+4]
	return uint32(b[0]) | uint32(b[1])<<8 | uint32(b[2])<<16 | uint32(b[3])<<24
}

func load64(s string, i int) uint64 {
	b := s[i : i+8]
	return uint64(b[0]) | uint64(b[1])<<8 | uint64(b[2])<<16 | uint64(b[3])<<24 |
		uint64(b[4])<<32 | uint64(b[5])<<40 | uint64(b[6])<<48 | uint64(b[7])<<56
}
