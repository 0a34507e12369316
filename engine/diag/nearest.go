package diag

import (
	"slices"
	"strings"
)

// Nearest returns the member of known that a writer of name most likely meant:
// at most a third of its length away by edits, case ignored; "" where none is.
// Equal distances are decided by the order of the alphabet.
func Nearest(name string, known []string) string {
	if all := NearestN(name, known, 1); len(all) > 0 {
		return all[0]
	}
	return ""
}

// NearestN returns up to n such members, nearest first. A member that begins
// with name, or holds it, counts as near.
func NearestN(name string, known []string, n int) []string {
	type scored struct {
		name string
		dist int
	}
	want := []rune(strings.ToLower(name))
	var near []scored
	for _, k := range known {
		have := []rune(strings.ToLower(k))
		limit := max(1, min(len(want), len(have))/3)
		d := distance(want, have, limit)
		if d > limit && len(want) >= 3 && strings.Contains(string(have), string(want)) {
			d = limit
		}
		if d <= limit {
			near = append(near, scored{k, d})
		}
	}
	slices.SortFunc(near, func(a, b scored) int {
		if a.dist != b.dist {
			return a.dist - b.dist
		}
		return strings.Compare(a.name, b.name)
	})
	var out []string
	for _, s := range near {
		if len(out) < n && !slices.Contains(out, s.name) {
			out = append(out, s.name)
		}
	}
	return out
}

// distance counts insertions, deletions, substitutions and swaps of
// neighbours; it gives up with limit+1 where the lengths already differ by more.
func distance(a, b []rune, limit int) int {
	if len(a)-len(b) > limit || len(b)-len(a) > limit {
		return limit + 1
	}
	before, last, row := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range last {
		last[j] = j
	}
	for i := 1; i <= len(a); i++ {
		row[0] = i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			row[j] = min(last[j]+1, row[j-1]+1, last[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
		before, last, row = last, row, before
	}
	return last[len(b)]
}
