package engine

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/promptc/promptc/engine/skill"
)

func rankSkills(pairs ...string) []skill.Skill {
	var out []skill.Skill
	for i := 0; i < len(pairs); i += 2 {
		out = append(out, skill.Skill{Name: pairs[i], Description: pairs[i+1]})
	}
	return out
}

func TestImportanceAsListed(t *testing.T) {
	s := rankSkills("tide", "", "rope", "", "sail", "", "berth", "")
	pinned := func(name string) bool { return name == "sail" || name == "berth" }
	for _, c := range []struct {
		selected string
		want     []int
	}{{"", []int{2, 3, 0, 1}}, {"rope", []int{1, 2, 3, 0}}, {"berth", []int{3, 2, 0, 1}}, {"gone", []int{2, 3, 0, 1}}} {
		if got := importance(s, pinned, c.selected, "listed", "tide rope"); !slices.Equal(got, c.want) {
			t.Errorf("selected %q: %v, want %v", c.selected, got, c.want)
		}
	}
	if got := importance(s, nil, "", "", ""); !slices.Equal(got, []int{0, 1, 2, 3}) {
		t.Errorf("without any wish: %v", got)
	}
}

func TestImportanceByText(t *testing.T) {
	s := rankSkills(
		"tide-table", "Looks up high and low water for a harbour. Use when the user asks about tides.",
		"rope-work", "Explains knots and splices. Use when a rope has to be joined.",
		"berth", "Finds a free berth in a harbour.",
		"航海日志", "记录每天的航向、风向和潮汐，整理成日志。",
		"泊位", "查找港口里空闲的泊位。",
		"splicing", "Joins two ends.",
	)
	for _, c := range []struct {
		text  string
		first []int
	}{
		{"How do I join two ropes with a knot?", []int{1}},
		{"when is low water in this harbour", []int{0, 2}},
		{"请帮我写今天的航海日志", []int{3}},
		{"港口还有空闲泊位吗", []int{4}},
		{"SPLICING", []int{5}},
		{"nothing of that", []int{0, 1, 2, 3, 4, 5}},
		{"", []int{0, 1, 2, 3, 4, 5}},
		{"the and of when you use", []int{0, 1, 2, 3, 4, 5}},
	} {
		got := importance(s, nil, "", "text", c.text)
		if !slices.Equal(got[:len(c.first)], c.first) {
			t.Errorf("%q: %v, want %v first", c.text, got, c.first)
		}
	}
	got := importance(s, func(n string) bool { return n == "splicing" }, "泊位", "text", "tide tables")
	if !slices.Equal(got[:3], []int{4, 5, 0}) {
		t.Errorf("selected and pinned come first: %v", got)
	}
}

func TestImportanceIsAPermutationAndTheSameEveryTime(t *testing.T) {
	words := []string{"tide", "rope", "harbour", "sail", "潮汐", "港口", "berths", "use", "when"}
	r := rand.New(rand.NewPCG(8, 8))
	text := func(n int) string {
		s := ""
		for range n {
			s += words[r.IntN(len(words))] + " "
		}
		return s
	}
	for range 50 {
		var s []skill.Skill
		for range r.IntN(30) {
			s = append(s, skill.Skill{Name: text(1 + r.IntN(2)), Description: text(r.IntN(9))})
		}
		query := text(r.IntN(6))
		first := importance(s, nil, "tide", "text", query)
		for range 5 {
			if again := importance(s, nil, "tide", "text", query); !slices.Equal(first, again) {
				t.Fatalf("%v and then %v", first, again)
			}
		}
		for i, n := range slices.Sorted(slices.Values(first)) {
			if i != n {
				t.Fatalf("%v is no permutation", first)
			}
		}
		if len(first) != len(s) {
			t.Fatalf("%d of %d", len(first), len(s))
		}
	}
}
