package agent

import (
	"strings"
	"unicode/utf8"
)

// perToken is how many characters or bytes agents take a token for.
const perToken = 4

// bound writes entries within the budget.
func (w *writer) bound(entries []string) []string {
	switch w.budget.Then {
	case OverBare:
		w.bare(entries)
	case OverShortens:
		return w.shorten(entries)
	case OverNames:
		return w.rest(entries)
	}
	return entries
}

// limit is the budget in characters; 0 is none.
func (w *writer) limit() int {
	if w.budget.Percent > 0 && w.window > 0 {
		return int(float64(w.window)*w.budget.Percent/100) * perToken
	}
	return w.budget.Chars
}

func chars(text string) int { return utf8.RuneCountInString(text) }

// bare leaves out descriptions that do not fit, in the order of the list; the
// agent's own come last. Names always stay.
func (w *writer) bare(entries []string) {
	left, more := w.limit(), 0
	names := make([]string, len(entries))
	for i := range entries {
		names[i] = w.entry(&w.items[i], "")
		left -= chars(names[i])
		more += chars(entries[i]) - chars(names[i])
	}
	for _, o := range w.budget.Own {
		left -= o.Least
		more += o.More
	}
	if w.limit() == 0 || more <= left {
		return
	}
	for i := range entries {
		if n := chars(entries[i]) - chars(names[i]); n <= left {
			left -= n
			continue
		}
		entries[i] = names[i]
		w.hide(&w.items[i], "description")
	}
	for _, o := range w.budget.Own {
		if o.More <= left {
			left -= o.More
		} else {
			w.out.Tokens -= o.Tokens
		}
	}
}

// rest names in one line what does not fit, and the agent's own skills with it.
func (w *writer) rest(entries []string) []string {
	if chars(strings.Join(entries, "")) <= w.limit() {
		return entries
	}
	var kept, left []string
	used := 0
	for i, e := range entries {
		if n := chars(e); used+n <= w.limit() {
			used += n
			kept = append(kept, e)
			continue
		}
		left = append(left, w.items[i].name)
		w.hide(&w.items[i], "description")
	}
	w.out.Tokens = w.budget.Fixed
	return append(kept, strings.ReplaceAll(w.budget.Rest, "{names}", strings.Join(left, ", ")))
}

// line is an entry that can be shortened: the agent's own, or one of a skill.
type line struct {
	least int   // what it takes without a description
	more  []int // and with its first character, its first two ...
	taken int   // how many characters of the description it has
	item  *item // nil: the agent's own
	own   Own
}

// shorten gives each description one character in turn while the budget lasts, so
// that short ones stay whole. Where not even the names fit, skills are left out.
func (w *writer) shorten(entries []string) []string {
	lines, left := w.lines()
	if left < 0 {
		return w.names(lines)
	}
	for changed := true; changed; {
		changed = false
		for i := range lines {
			l := &lines[i]
			if l.taken == len(l.more) {
				continue
			}
			cost := l.more[l.taken]
			if l.taken > 0 {
				cost -= l.more[l.taken-1]
			}
			if cost <= left {
				left -= cost
				l.taken++
				changed = true
			}
		}
	}
	n := 0
	for i := range lines {
		l := &lines[i]
		short := l.taken < len(l.more)
		switch {
		case l.item == nil && short:
			w.out.Tokens -= l.own.Tokens - l.own.Tokens*l.taken/l.own.More
		case l.item != nil:
			if short {
				entries[n] = w.entry(l.item, prefix(l.item.description, l.taken))
				w.hide(l.item, "end")
			}
			n++
		}
	}
	return entries
}

func prefix(text string, runes int) string { return string([]rune(text)[:runes]) }

// lines measures all entries, the agent's own first, and says what the budget
// leaves for descriptions; below 0 there is not room for all names.
func (w *writer) lines() (lines []line, left int) {
	unit, limit := perToken, w.limit()/perToken
	if w.window == 0 || w.budget.Percent == 0 {
		unit, limit = 1, w.budget.Chars
	}
	size := func(text string) int {
		if unit == 1 {
			return chars(text)
		}
		return len(text)
	}
	cost := func(n int) int { return (n + unit - 1) / unit }
	add := func(l line, least int, sizes func(yield func(int))) {
		l.least = cost(least)
		n := least + 1 // the blank in front of a description
		sizes(func(more int) {
			n += more
			l.more = append(l.more, cost(n)-l.least)
		})
		lines = append(lines, l)
		left -= l.least
	}
	for _, o := range w.budget.Own {
		add(line{own: o}, o.Least, func(yield func(int)) {
			for range o.More {
				yield(1)
			}
		})
	}
	for i := range w.items {
		it := &w.items[i]
		add(line{item: it}, size(w.entry(it, "")), func(yield func(int)) {
			for _, r := range it.description {
				yield(size(string(r)))
			}
		})
	}
	return lines, left + limit
}

// names writes the entries without descriptions that fit, and leaves the others out.
func (w *writer) names(lines []line) []string {
	left := w.limit() / perToken
	if w.window == 0 || w.budget.Percent == 0 {
		left = w.budget.Chars
	}
	var kept []string
	for i := range lines {
		l := &lines[i]
		fits := l.least <= left
		if fits {
			left -= l.least
		}
		switch {
		case l.item == nil:
			w.out.Tokens -= l.own.Tokens
		case fits:
			kept = append(kept, w.entry(l.item, ""))
			w.hide(l.item, "description")
		default:
			w.hide(l.item, "skill")
		}
	}
	return kept
}
