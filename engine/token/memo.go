package token

import (
	"strings"
	"sync"
)

// A MemoCounter remembers the counts of texts that come again. It counts as the Counter in it does.
//
// It keeps the texts themselves, in two generations: when the younger one is full it becomes the older, and what
// is not asked for before that happens again is forgotten.
type MemoCounter struct {
	*Counter
	max int // bytes of one generation

	mu         sync.Mutex
	young, old map[string]int
	size       int // bytes of young
}

// entryBytes is what an entry of the memo takes besides its text.
const entryBytes = 48

// Memo returns a counter that counts as c does and keeps at most about maxBytes of texts and their counts. A
// text that would fill half of that by itself is counted anew each time.
func Memo(c *Counter, maxBytes int) *MemoCounter {
	return &MemoCounter{Counter: c, max: maxBytes / 2, young: map[string]int{}}
}

// Count returns what Count of the Counter returns.
func (m *MemoCounter) Count(text string) int {
	if n, ok := m.known(text); ok {
		return n
	}
	n := m.Counter.Count(text)
	m.mu.Lock()
	defer m.mu.Unlock()
	m.keep(text, n)
	return n
}

// Within returns what Within of the Counter returns.
func (m *MemoCounter) Within(text string, max int) bool {
	if n, ok := m.known(text); ok {
		return n <= max
	}
	return m.Counter.Within(text, max)
}

func (m *MemoCounter) known(text string) (int, bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	n, ok := m.young[text]
	if !ok {
		if n, ok = m.old[text]; ok {
			m.keep(text, n)
		}
	}
	return n, ok
}

// keep notes a count, with a text of its own, so that the memo holds no larger text of which this was a part.
// The lock is held.
func (m *MemoCounter) keep(text string, n int) {
	need := len(text) + entryBytes
	if _, ok := m.young[text]; ok || need > m.max {
		return
	}
	if m.size+need > m.max {
		m.old, m.young, m.size = m.young, map[string]int{}, 0
	}
	m.young[strings.Clone(text)] = n
	m.size += need
}
