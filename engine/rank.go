package engine

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"unicode"

	"github.com/promptc/promptc/engine/skill"
	"golang.org/x/text/unicode/norm"
)

// importance orders skills by what may be cut last: the selected one, the pinned
// ones, then as they are listed, or with rank "text" by how well name and
// description match text (ties and skills that do not match: as listed). It returns
// indices into skills, each of them once, the most important first. It decides what
// is cut, never the order in which anything is shown.
func importance(skills []skill.Skill, pinned func(name string) bool, selected string, rank, text string) []int {
	var score []float64
	if rank == "text" {
		score = match(skills, text)
	}
	class := make([]int, len(skills))
	order := make([]int, len(skills))
	for i, s := range skills {
		order[i] = i
		switch {
		case selected != "" && skill.Key(s.Name) == skill.Key(selected):
			class[i] = 2
		case pinned != nil && pinned(s.Name):
			class[i] = 1
		}
	}
	slices.SortStableFunc(order, func(a, b int) int {
		if c := cmp.Compare(class[b], class[a]); c != 0 || score == nil {
			return c
		}
		return cmp.Compare(score[b], score[a])
	})
	return order
}

// What BM25 is usually run with; a word of the name counts as three.
const (
	bm25K      = 1.2
	bm25B      = 0.75
	nameWeight = 3
)

// match scores each skill's name and description against text by BM25. Only words
// of text that some skill has take part; 0 is no match.
func match(skills []skill.Skill, text string) []float64 {
	type doc struct {
		times  map[string]int
		length int
	}
	query := slices.Compact(slices.Sorted(slices.Values(terms(text))))
	docs := make([]doc, len(skills))
	having := map[string]int{}
	average := 0.0
	for i, s := range skills {
		d := doc{times: map[string]int{}}
		for _, t := range terms(s.Name) {
			d.times[t] += nameWeight
			d.length += nameWeight
		}
		for _, t := range terms(s.Description) {
			d.times[t]++
			d.length++
		}
		for t := range d.times {
			having[t]++
		}
		docs[i] = d
		average += float64(d.length) / float64(len(skills))
	}
	score := make([]float64, len(skills))
	for _, t := range query { // in sorted order, so that equal input gives equal sums
		n := having[t]
		if n == 0 {
			continue
		}
		rare := math.Log(1 + (float64(len(skills)-n)+0.5)/(float64(n)+0.5))
		for i, d := range docs {
			if f := float64(d.times[t]); f > 0 {
				score[i] += rare * f * (bm25K + 1) / (f + bm25K*(1-bm25B+bm25B*float64(d.length)/average))
			}
		}
	}
	return score
}

// terms are the words of a text in lower case, and for scripts that write no blanks
// between words every two neighbours; a character that stands alone is one term.
func terms(text string) []string {
	var out []string
	var word []rune
	wide := false
	flush := func() {
		switch {
		case len(word) == 0:
		case !wide:
			if w := string(word); !isFiller(w) {
				out = append(out, stem(w))
			}
		case len(word) == 1:
			out = append(out, string(word))
		default:
			for i := range len(word) - 1 {
				out = append(out, string(word[i:i+2]))
			}
		}
		word = word[:0]
	}
	for _, r := range norm.NFKC.String(strings.ToLower(text)) {
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.Is(unicode.M, r) {
			flush()
			continue
		}
		if w := unspaced(r); w != wide {
			flush()
			wide = w
		}
		word = append(word, r)
	}
	flush()
	return out
}

func unspaced(r rune) bool {
	return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar)
}

// stem takes a plural's ending off, no more: "decks" asks for "deck".
func stem(word string) string {
	if n := len(word); n > 3 && word[n-1] == 's' && word[n-2] != 's' && word[n-2] != 'u' && word[n-2] != 'i' {
		return word[:n-1]
	}
	return word
}

// isFiller knows words that say nothing about what is wanted, and stand in nearly
// every description.
func isFiller(word string) bool {
	switch word {
	case "a", "an", "and", "any", "are", "as", "at", "be", "by", "can", "for", "from", "how", "i", "in",
		"is", "it", "me", "my", "of", "on", "or", "please", "skill", "that", "the", "this", "to", "use",
		"user", "want", "when", "with", "you", "your":
		return true
	}
	return false
}
