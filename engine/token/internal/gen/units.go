package main

import (
	"math"
	"unicode/utf8"
)

// What merging has to know of a code point to begin with it as one unit instead of its bytes.
const (
	unit       = 1 << iota // its bytes become one token, and no token that contains it forms before that
	barsAfter              // some token ends with it and a part of the code point after it
	barsBefore             // some token begins with a part of a code point, and then it or a part of it
)

// A code point may be a unit where it has the bit unit, the one before it lacks barsAfter and the one after it
// lacks barsBefore. No token then holds only a part of it and anything outside, so its bytes merge among
// themselves whatever stands around; and since every token that holds all of it and more has a higher rank than
// any merge on the way to it, no other merge comes earlier or later than it would have.

// runeBits returns four bits for each code point below 0x10000, the lower half of a byte for the even one.
func runeBits(ranks map[string]int) []byte {
	within := map[rune]int{}         // lowest rank of a token that contains the code point and more
	bits := make([]byte, 0x10000)    // by code point
	partial := map[string]struct{}{} // proper beginnings of code points that follow a part of another
	for token, rank := range ranks {
		start := 0
		for start < len(token) && !utf8.RuneStart(token[start]) {
			start++
		}
		last := rune(-1)
		for i := start; i < len(token); {
			r, size := utf8.DecodeRuneInString(token[i:])
			if r == utf8.RuneError {
				if i == start && start > 0 {
					partial[token[i:]] = struct{}{}
				}
				if last >= 0 && last < 0x10000 {
					bits[last] |= barsAfter
				}
				break // a beginning, with which tokens end
			}
			if r < 0x10000 {
				if i == start && start > 0 {
					bits[r] |= barsBefore
				}
				if low, ok := within[r]; (!ok || rank < low) && size < len(token) {
					within[r] = rank
				}
			}
			last = r
			i += size
		}
	}
	packed := make([]byte, len(bits)/2)
	for r := range rune(len(bits)) {
		s := string(r)
		isPart := false
		for i := 1; i < len(s); i++ {
			if _, ok := partial[s[:i]]; ok {
				isPart = true
			}
		}
		low, ok := within[r]
		if isPart {
			bits[r] |= barsBefore
		} else if highest, whole := steps(s, ranks); whole && utf8.ValidRune(r) && (!ok || highest < low) {
			bits[r] |= unit
		}
		packed[r/2] |= bits[r] << (4 * (r % 2))
	}
	return packed
}

// steps merges bytes by themselves, and returns the highest rank on the way and whether they became one token.
func steps(bytes string, ranks map[string]int) (highest int, whole bool) {
	parts := make([]string, len(bytes))
	for i := range parts {
		parts[i] = bytes[i : i+1]
	}
	for len(parts) > 1 {
		at, lowest := -1, math.MaxInt
		for i := range len(parts) - 1 {
			if r, ok := ranks[parts[i]+parts[i+1]]; ok && r < lowest {
				at, lowest = i, r
			}
		}
		if at < 0 {
			return highest, false
		}
		highest = max(highest, lowest)
		parts[at] += parts[at+1]
		parts = append(parts[:at+1], parts[at+2:]...)
	}
	return highest, true
}
