package main

import (
	"encoding/binary"
	"errors"
	"fmt"
	"maps"
	"math/bits"
	"slices"
)

// The table of an encoding, as engine/token/table.go reads it. All numbers are little-endian.
//
//	"promptc1"                         what it is
//	count, longest                     uint32 each: tokens, bytes of the longest one
//	3 x (buckets, slots)               uint32 each: the sections
//	ranks of single bytes              256 x uint32
//	ranks of pairs of bytes            65536 x uint32, absent where there is none
//	bits of code points                32768 bytes, two code points each: see runeBits
//	section of tokens of 3 to 8 bytes  buckets x uint16, slots x (key uint64, value uint32)
//	section of 9 to 16 bytes           buckets x uint16, slots x (first 8, last 8 uint64, value uint32)
//	section of more                    buckets x uint16, slots x (offset uint32, value uint32)
//	the bytes of the tokens of more
//
// A value is rank<<8 | length, or absent for an empty slot. A section is a perfect hash: the bucket of a key
// gives the seed under which every key of the bucket has a slot of its own.
const (
	magic  = "promptc1"
	absent = 0xFFFFFFFF

	k1 = 0x9E3779B97F4A7C15
	k2 = 0xD6E8FEB86659FD93
	k3 = 0xA0761D6478BD642F
	k4 = 0xE7037ED1A0B428DB
)

// load returns up to eight bytes as a number, the first one lowest.
func load(b string) uint64 {
	var eight [8]byte
	copy(eight[:], b)
	return binary.LittleEndian.Uint64(eight[:])
}

// hash is the hash of table.go.
func hash(token string) uint64 {
	n := len(token)
	h := uint64(n) * k1
	switch {
	case n <= 8:
		h = (h ^ load(token)) * k2
	case n <= 16:
		h = bits.RotateLeft64((h^load(token[:8]))*k2, 32)
		h = (h ^ load(token[n-8:])) * k3
	default:
		for i := 0; i+8 < n; i += 8 {
			h = bits.RotateLeft64((h^load(token[i:i+8]))*k2, 32)
		}
		h = (h ^ load(token[n-8:])) * k3
	}
	return h ^ h>>32
}

func reduce(h uint32, n int) int { return int(uint64(h) * uint64(n) >> 32) }

func slotOf(h uint64, seed uint16, slots int) int {
	return reduce(uint32((h^uint64(seed)*k3)*k4>>32), slots)
}

type section struct {
	buckets, slots int
	seeds          []uint16
	tokens         []string // by slot; "" is empty
}

// place finds the seeds of a perfect hash of the tokens: fullest buckets first, the lowest seed that fits.
func place(tokens []string) (*section, error) {
	s := &section{buckets: max(1, len(tokens)/4), slots: max(1, len(tokens)*100/97)}
	s.seeds, s.tokens = make([]uint16, s.buckets), make([]string, s.slots)
	buckets := make([][]string, s.buckets)
	for _, t := range tokens {
		b := reduce(uint32(hash(t)), s.buckets)
		buckets[b] = append(buckets[b], t)
	}
	order := make([]int, s.buckets)
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return len(buckets[b]) - len(buckets[a]) })
	for _, b := range order {
		seed, ok := s.fit(buckets[b])
		if !ok {
			return nil, fmt.Errorf("no seed for a bucket of %d tokens", len(buckets[b]))
		}
		s.seeds[b] = seed
	}
	return s, nil
}

// fit puts the tokens of one bucket into free slots and returns the seed.
func (s *section) fit(tokens []string) (uint16, bool) {
	for seed := range 1 << 16 {
		var taken []int
		for _, t := range tokens {
			slot := slotOf(hash(t), uint16(seed), s.slots)
			if s.tokens[slot] != "" || slices.Contains(taken, slot) {
				break
			}
			taken = append(taken, slot)
		}
		if len(taken) == len(tokens) {
			for i, slot := range taken {
				s.tokens[slot] = tokens[i]
			}
			return uint16(seed), true
		}
	}
	return 0, false
}

// build returns the table of a vocabulary.
func build(ranks map[string]int) ([]byte, error) {
	singles, pairs := slices.Repeat([]uint32{absent}, 256), slices.Repeat([]uint32{absent}, 1<<16)
	var short, middle, long []string
	longest := 0
	for _, t := range slices.Sorted(maps.Keys(ranks)) {
		longest = max(longest, len(t))
		switch n := len(t); {
		case n == 0 || n > 255 || ranks[t] >= 1<<24-1:
			return nil, fmt.Errorf("token %q of rank %d does not fit the table", t, ranks[t])
		case n == 1:
			singles[t[0]] = uint32(ranks[t])
		case n == 2:
			pairs[int(t[0])|int(t[1])<<8] = uint32(ranks[t])
		case n <= 8:
			short = append(short, t)
		case n <= 16:
			middle = append(middle, t)
		default:
			long = append(long, t)
		}
	}
	if slices.Contains(singles, absent) {
		return nil, errors.New("not every byte is a token")
	}

	le := binary.LittleEndian
	b := le.AppendUint32(le.AppendUint32([]byte(magic), uint32(len(ranks))), uint32(longest))
	var sections []*section
	for _, tokens := range [][]string{short, middle, long} {
		s, err := place(tokens)
		if err != nil {
			return nil, err
		}
		sections = append(sections, s)
		b = le.AppendUint32(le.AppendUint32(b, uint32(s.buckets)), uint32(s.slots))
	}
	for _, r := range slices.Concat(singles, pairs) {
		b = le.AppendUint32(b, r)
	}
	b = append(b, runeBits(ranks)...)
	var blob []byte
	for i, s := range sections {
		for _, seed := range s.seeds {
			b = le.AppendUint16(b, seed)
		}
		for _, t := range s.tokens {
			switch i {
			case 0:
				b = le.AppendUint64(b, load(t))
			case 1:
				b = le.AppendUint64(b, load(t[:min(len(t), 8)]))
				b = le.AppendUint64(b, load(t[max(0, len(t)-8):]))
			case 2:
				b = le.AppendUint32(b, uint32(len(blob)))
				blob = append(blob, t...)
			}
			if t == "" {
				b = le.AppendUint32(b, absent)
			} else {
				b = le.AppendUint32(b, uint32(ranks[t])<<8|uint32(len(t)))
			}
		}
	}
	return append(b, blob...), nil
}
