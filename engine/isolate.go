package engine

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"strings"

	"github.com/promptc/promptc/engine/skill"
)

// Isolation makes the two lines between which a skill's text stands, so that
// nothing inside of it can pass for the end of it (D2, D13-D15). The zero value
// works and gives lines for the nonce of no content; the engine hands strategies
// one whose nonce occurs in no text of the prompt.
type Isolation struct {
	Nonce    string // 18 decimal digits
	Language string // en | zh
}

// Head is the line before a body: whose it is, and that it is reference.
func (i Isolation) Head(name string) string {
	return words(i.Language).Say("isolation-head", isolationWords{Name: EscapeName(name), Nonce: i.Nonce})
}

// Tail is the line after a body.
func (i Isolation) Tail(name string) string {
	return words(i.Language).Say("isolation-tail", isolationWords{Name: EscapeName(name), Nonce: i.Nonce})
}

// Wrap puts text between the lines, with the skill's directory after the head
// line (D1). Nothing stands between text and the tail line but a line break.
func (i Isolation) Wrap(s skill.Skill, text string) string {
	return i.wrap(s.Name, "isolation-directory", s.Dir, text)
}

func (i Isolation) wrap(name, block, path, text string) string {
	var b strings.Builder
	b.WriteString(i.Head(name))
	b.WriteByte('\n')
	b.WriteString(words(i.Language).Say(block, EscapeLine(Slash(path))))
	b.WriteString("\n\n")
	b.WriteString(text)
	if !strings.HasSuffix(text, "\n") {
		b.WriteByte('\n')
	}
	b.WriteString(i.Tail(name))
	return b.String()
}

// Answer is what a conversation gains when req is granted (A16, D12): the text
// between its isolation lines, then for a body the skill's other files. Every
// bundled strategy activates with it; a strategy of another kind need not.
func (i Isolation) Answer(s skill.Skill, req *Request) string {
	if req.File != "" {
		return i.wrap(s.Name, "isolation-file", s.Dir+"/"+req.File, req.Text)
	}
	text := i.Wrap(s, req.Text)
	if len(req.Files) == 0 {
		return text
	}
	list := fileWords{More: req.More}
	for _, f := range req.Files {
		list.Files = append(list.Files, EscapeLine(f.Path))
	}
	return text + "\n\n" + words(i.Language).Say("files", list)
}

type fileWords struct {
	Files []string
	More  int
}

type isolationWords struct{ Name, Nonce string }

// newIsolation derives the nonce from the content that will stand between the
// lines: equal content gives an equal nonce, so that prompt caches hold. The nonce
// occurs neither in content nor in any of the other texts of the prompt.
func newIsolation(language string, content, texts []string) Isolation {
	h := sha256.New()
	var n [8]byte
	for _, t := range content {
		binary.BigEndian.PutUint64(n[:], uint64(len(t)))
		h.Write(n[:])
		h.Write([]byte(t))
	}
	sum := h.Sum(nil)
	for counter := uint64(0); ; counter++ {
		binary.BigEndian.PutUint64(n[:], counter)
		d := sha256.Sum256(append(sum[:len(sum):len(sum)], n[:]...))
		nonce := fmt.Sprintf("%018d", binary.BigEndian.Uint64(d[:8])%1e18)
		if !anyContains(content, nonce) && !anyContains(texts, nonce) {
			return Isolation{Nonce: nonce, Language: language}
		}
	}
}

func anyContains(texts []string, s string) bool {
	for _, t := range texts {
		if strings.Contains(t, s) {
			return true
		}
	}
	return false
}
