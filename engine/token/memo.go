package token

import "sync"

// A MemoCounter remembers the counts of texts that come again. It counts as the Counter in it does.
//
// It keeps the texts themselves, up to a number of bytes, in two generations: when the younger one is full it
// becomes the older, and what was not asked for since then is forgotten.
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
// text longer than half of that is counted anew each time.
func Memo(c *Counter, maxBytes int) *MemoCounter {
	return &MemoCounter{Counter: c, max: maxBytes / 2, young: map[string]int{}}
}

// Count returns what the Counter's Count returns.
func (m *MemoCounter) Count(text string) int {
	m.mu.Lock()
	n, ok := m.young[text]
	if !ok {
		if n, ok = m.old[text]; ok {
			m.keep(text, n)
		}
	}
	m.mu.Unlock()
	if ok {
		return n
	}
	n = m.Counter.Count(text)
	m.mu.Lock()
	m.keep(text, n)
	m.mu.Unlock()
	return n
}

// keep notes a count. The lock is held.
func (m *MemoCounter) keep(text string, n int) {
	need := len(text) + entryBytes
	if need > m.max {
		return
	}
	if _, ok := m.young[text]; ok {
		return
	}
	if m.size+need > m.max {
		m.old, m.young, m.size = m.young, map[string]int{}, 0
	}
	m.young[text] = n
	m.size += need
}
