package main

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/promptc/promptc/engine"
	"github.com/promptc/promptc/engine/skill"
)

// matching ranks for a host's suggestion list: prefix, then the beginning of a
// word, then the letters in order; equal ranks by name, then by path.
func matching(list []engine.Standing, text string) []engine.Standing {
	want := skill.Key(strings.TrimPrefix(text, "/"))
	type ranked struct {
		engine.Standing
		rank int
	}
	var out []ranked
	for _, st := range list {
		if st.State != engine.StateVisible && st.State != engine.StateHidden || st.Form.NotForUsers {
			continue
		}
		if r := matchRank(skill.Key(st.Name), want); r >= 0 {
			out = append(out, ranked{st, r})
		}
	}
	slices.SortStableFunc(out, func(a, b ranked) int {
		if a.rank != b.rank {
			return a.rank - b.rank
		}
		if c := strings.Compare(skill.Key(a.Name), skill.Key(b.Name)); c != 0 {
			return c
		}
		return strings.Compare(a.Path, b.Path)
	})
	var plain []engine.Standing
	for _, r := range out {
		plain = append(plain, r.Standing)
	}
	return plain
}

func matchRank(name, want string) int {
	if strings.HasPrefix(name, want) {
		return 0
	}
	for word := range strings.FieldsFuncSeq(name, func(r rune) bool { return strings.ContainsRune("-_ .:/", r) }) {
		if strings.HasPrefix(word, want) {
			return 1
		}
	}
	rest := name
	for _, r := range want {
		i := strings.IndexRune(rest, r)
		if i < 0 {
			return -1
		}
		rest = rest[i+utf8.RuneLen(r):]
	}
	return 2
}
