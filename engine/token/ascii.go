package token

import "math/bits"

// Eight bytes at a time: most text is words of ASCII letters, of unpredictable length, and a loop over their
// bytes spends its time on the branch that ends it.

const (
	ones  = 0x0101010101010101
	highs = 0x80 * ones
)

// lowerRun returns the end of the run of a to z at i.
func lowerRun(s string, i int) int {
	for i+8 <= len(s) {
		if other := notLower(load64(s, i)); other != 0 {
			return i + bits.TrailingZeros64(other)/8
		}
		i += 8
	}
	for i < len(s) && 'a' <= s[i] && s[i] <= 'z' {
		i++
	}
	return i
}

// letterRun returns the end of the run of a to z and A to Z at i.
func letterRun(s string, i int) int {
	for i+8 <= len(s) {
		if other := notLower(load64(s, i) | 0x20*ones); other != 0 {
			return i + bits.TrailingZeros64(other)/8
		}
		i += 8
	}
	for i < len(s) && 'a' <= s[i]|0x20 && s[i]|0x20 <= 'z' {
		i++
	}
	return i
}

// notLower returns the high bit of each of eight bytes that is not a to z.
func notLower(eight uint64) uint64 {
	low := eight &^ highs
	fromA, pastZ := low+(0x80-'a')*ones, low+(0x80-'z'-1)*ones
	return ^(fromA &^ pastZ &^ eight) & highs
}
