package engine

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// CutDescription shortens a description to at most limit tokens by count, marks
// included. A text within the limit is returned as it is; limit 0 gives "".
//
// The sentence that says when to use the skill is kept before any other, because
// that is what a model chooses by: "use when", "used for", 用于, 当……时. What was cut
// is marked with "…". The cut is after a sentence or a word where there is one near,
// and never inside of a rune.
func CutDescription(text string, limit int, count func(string) int) (out string, cut bool) {
	if limit <= 0 {
		return "", text != ""
	}
	total := count(text)
	if total <= limit {
		return text, false
	}
	plain, end := cutTo(text, "", limit, total, count)
	from, to, ok := whenToUse(text)
	if !ok || from == 0 || end >= to {
		return plain, true
	}
	use := text[from:to]
	mark := "…"
	if r, _ := utf8.DecodeRuneInString(use); r < 0x2E80 {
		mark = "… "
	}
	if strings.TrimSpace(text[to:]) != "" {
		use += "…"
	}
	if n := count(mark + use); n > limit {
		use, _ = cutTo(text[from:to], mark, limit, n, count)
		return use, true
	}
	head, _ := cutTo(text[:from], "", limit, total, func(s string) int { return count(s + mark[len("…"):] + use) })
	if head == "" {
		head = "…"
	}
	return shortest(limit, count, head+mark[len("…"):]+use, mark+use), true
}

// cutTo gives before, the beginning of text and "…", within limit tokens, and how
// much of text that is. total is about the tokens of text.
func cutTo(text, before string, limit, total int, count func(string) int) (string, int) {
	c := cutter{text: text, total: total, count: func(s string) int { return count(before + s + "…") }}
	for share, step := limit, 1; share > 0; step *= 2 {
		n := c.prefix(share)
		if n < len(text) {
			n = breakBefore(text, n/2, n)
		}
		kept := strings.TrimRightFunc(text[:n], unicode.IsSpace)
		if kept == "" {
			break
		}
		out := before + kept + "…"
		over := count(out) - limit
		if over <= 0 {
			return out, n
		}
		share -= max(over, step)
	}
	return shortest(limit, count), 0
}

// whenToUse finds the first sentence that says when a skill is to be used.
func whenToUse(text string) (from, to int, ok bool) {
	for from < len(text) {
		to = from + sentenceEnd(text[from:])
		if saysWhen(text[from:to]) {
			return from, from + len(strings.TrimRightFunc(text[from:to], unicode.IsSpace)), true
		}
		from = to
	}
	return 0, 0, false
}

func saysWhen(sentence string) bool {
	s := strings.ToLower(sentence)
	for _, sign := range []string{"use for", "used for", "use this", "use it", "use to ", "use whenever", "use when", "用于", "适用", "使用场景"} {
		if strings.Contains(s, sign) {
			return true
		}
	}
	if strings.Contains(s, "when ") || strings.Contains(s, "whenever ") {
		for _, verb := range []string{"use", "invoke", "trigger", "activate", "apply", "load", "run"} {
			if strings.Contains(s, verb) {
				return true
			}
		}
	}
	for _, pair := range [][2]string{{"当", "时"}, {"當", "時"}, {"在", "时使用"}, {"如果", "使用"}} {
		if _, after, ok := strings.Cut(s, pair[0]); ok && strings.Contains(after, pair[1]) {
			return true
		}
	}
	return false
}

// sentenceEnd is the length of the first sentence with the blanks behind it.
func sentenceEnd(text string) int {
	for i, r := range text {
		if n := i + utf8.RuneLen(r); endsSentence(text, i, r) {
			return n + len(text[n:]) - len(strings.TrimLeftFunc(text[n:], unicode.IsSpace))
		}
	}
	return len(text)
}

// endsSentence says whether the rune r at i closes a sentence.
func endsSentence(text string, i int, r rune) bool {
	switch r {
	case '。', '！', '？', '；', '\n':
		return true
	case '.', '!', '?':
		next, _ := utf8.DecodeRuneInString(text[i+1:])
		if i+1 < len(text) && !unicode.IsSpace(next) {
			return false
		}
		// "e.g." and "i.e." end with one letter after a full stop.
		return r != '.' || i < 3 || text[i-2] != '.'
	}
	return false
}

// breakBefore finds where to cut text between low and high, as late as possible:
// after a sentence, else after a word, else between two characters, maybe before low.
func breakBefore(text string, low, high int) int {
	word := -1
	for i := high; i > low && i > 0; {
		r, size := utf8.DecodeLastRuneInString(text[:i])
		if endsSentence(text, i-size, r) {
			return i
		}
		if word < 0 && unicode.IsSpace(r) {
			word = i
		}
		i -= size
	}
	if word >= 0 {
		return word
	}
	return between(text, high)
}

// breakAfter finds where to cut text between low and high, as early as possible:
// before a sentence, else a word, else between two characters, maybe after high.
func breakAfter(text string, low, high int) int {
	word := -1
	for i := low; i < high; {
		r, size := utf8.DecodeRuneInString(text[i:])
		end := endsSentence(text, i, r)
		i += size
		if !end && !unicode.IsSpace(r) {
			continue
		}
		for i < high && (text[i] == ' ' || text[i] == '\t') {
			i++
		}
		if end && i < high {
			return i
		}
		if word < 0 && i < high {
			word = i
		}
	}
	if word >= 0 {
		return word
	}
	for i := low; i <= min(low+maxCluster, len(text)); i++ {
		if meet(text, i) {
			return i
		}
	}
	return runeEnd(text, low)
}

// maxCluster bounds in bytes what is kept together as one character.
const maxCluster = 64

// between is at, or the nearest place before it where two characters meet.
func between(text string, at int) int {
	at = runeStart(text, at)
	for i := at; i >= max(0, at-maxCluster); i-- {
		if meet(text, i) {
			return i
		}
	}
	return at
}

// meet says whether two characters as people see them meet at i: no mark is parted
// from its letter, no joined emoji and no flag is taken apart.
func meet(text string, i int) bool {
	if i <= 0 || i >= len(text) {
		return true
	}
	next, _ := utf8.DecodeRuneInString(text[i:])
	last, _ := utf8.DecodeLastRuneInString(text[:i])
	if !utf8.RuneStart(text[i]) || joinsLast(next) || last == zeroWidthJoiner {
		return false
	}
	return !isFlag(next) || !isFlag(last) || flagsBefore(text[:i])%2 == 0
}

const zeroWidthJoiner = '\u200d'

func joinsLast(r rune) bool {
	return r == zeroWidthJoiner || unicode.Is(unicode.M, r) || r >= 0x1F3FB && r <= 0x1F3FF || r >= 0x1160 && r <= 0x11FF
}

func isFlag(r rune) bool { return r >= 0x1F1E6 && r <= 0x1F1FF }

func flagsBefore(text string) int {
	for n := 0; ; n++ {
		r, size := utf8.DecodeLastRuneInString(text)
		if !isFlag(r) {
			return n
		}
		text = text[:len(text)-size]
	}
}
