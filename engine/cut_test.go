package engine

import (
	"bytes"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/promptc/promptc/engine/token"
	"github.com/rogpeppe/go-internal/txtar"
	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/text"
)

// countWords is a cheap counter: runs of letters cost one for each four bytes,
// every other character that is not a blank one a rune.
func countWords(s string) int {
	n, run := 0, 0
	for _, r := range s {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' {
			if run%4 == 0 {
				n++
			}
			run++
			continue
		}
		run = 0
		if r != ' ' {
			n++
		}
	}
	return n
}

func testNote(left int) string {
	return fmt.Sprintf("[… %d tokens left out here; the whole file: /skills/demo/SKILL.md]", left)
}

const noteStart, noteEnd = "[… ", "SKILL.md]"

// cutTexts are the texts of testdata/cut.txtar.
func cutTexts(t testing.TB) []txtar.File {
	t.Helper()
	a, err := txtar.ParseFile("testdata/cut.txtar")
	if err != nil {
		t.Fatal(err)
	}
	for i, f := range a.Files {
		a.Files[i].Data = bytes.Trim(bytes.ReplaceAll(f.Data, []byte("¶"), nil), "\n")
	}
	return a.Files
}

// corpusTexts are the skills of the shared corpus, where there is one.
func corpusTexts(t *testing.T) []txtar.File {
	t.Helper()
	root := filepath.Join("..", "..", "shared", "corpus")
	if _, err := os.Stat(root); err != nil {
		t.Skip("no corpus next to the module")
	}
	var out []txtar.File
	err := filepath.WalkDir(root, func(p string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.EqualFold(d.Name(), "SKILL.md") {
			return err
		}
		data, err := os.ReadFile(p)
		if err == nil && utf8.Valid(data) {
			out = append(out, txtar.File{Name: p, Data: bytes.Trim(bytes.ReplaceAll(data, []byte("\r\n"), []byte("\n")), "\n")})
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func TestD9NeverOverBudget(t *testing.T) {
	files := cutTexts(t)
	if len(files) < 60 {
		t.Fatalf("only %d texts", len(files))
	}
	o200k := token.ForModel("").Count
	for i, f := range files {
		r := rand.New(rand.NewPCG(1, uint64(i)))
		for range 16 {
			checkCut(t, f.Name, string(f.Data), r.IntN(countWords(string(f.Data))+20), countWords)
			checkCut(t, f.Name, string(f.Data), r.IntN(o200k(string(f.Data))+20), o200k)
		}
	}
}

func TestD9NeverOverBudgetCorpus(t *testing.T) {
	o200k := token.ForModel("").Count
	for i, f := range corpusTexts(t) {
		r := rand.New(rand.NewPCG(2, uint64(i)))
		size := o200k(string(f.Data))
		for range 16 {
			checkCut(t, f.Name, string(f.Data), r.IntN(size+20), o200k)
		}
	}
}

// checkCut cuts and checks all that D9 promises whatever the text is.
func checkCut(t *testing.T, name, body string, limit int, count func(string) int) {
	t.Helper()
	out, cut := CutText(body, limit, count, testNote)
	bad := func(format string, args ...any) {
		t.Helper()
		t.Errorf("%s, limit %d: %s\n%s", name, limit, fmt.Sprintf(format, args...), excerpt(out))
	}
	if n := count(out); n > limit && out != "" {
		bad("%d tokens", n)
	}
	if utf8.ValidString(body) && !utf8.ValidString(out) {
		bad("not UTF-8")
	}
	if fits := count(body) <= limit; fits != !cut || fits && out != body {
		bad("cut is %v, fits is %v", cut, fits)
	}
	if !cut || strings.Contains(body, noteStart) {
		return
	}
	head, rest, ok := strings.Cut(out, noteStart)
	if !ok {
		if out != "" && out != "…" {
			bad("no note")
		}
		return
	}
	_, tail, _ := strings.Cut(rest, noteEnd)
	head, tail = strings.TrimSuffix(head, "\n\n"), strings.TrimPrefix(tail, "\n\n")
	if !strings.HasPrefix(body, head) {
		opened, closer := cutLast(head, "\n")
		if !isFenceLine(closer) || !strings.HasPrefix(body, opened) {
			bad("the head is not the text's")
		}
		head = opened
	}
	if !strings.HasSuffix(body, tail) {
		opener, reopened, _ := strings.Cut(tail, "\n")
		if !strings.HasSuffix(body, reopened) {
			closed, closer := cutLast(tail, "\n")
			_, reopened, _ = strings.Cut(closed, "\n")
			if !isFenceLine(closer) || !strings.HasSuffix(body, closed) && !strings.HasSuffix(body, reopened) {
				bad("the tail is not the text's")
			}
			if strings.HasSuffix(body, closed) {
				opener, reopened = "```", closed
			}
		}
		if !isFenceLine(opener) {
			bad("the tail begins with %q", opener)
		}
		tail = reopened
	}
	if len(head)+len(tail) > len(body) {
		bad("head and tail overlap")
	}
	rowsWhole(t, bad, body, head, tail)
	fencesWhole(bad, body, out)
}

func excerpt(s string) string {
	if len(s) > 3000 {
		i := max(strings.Index(s, noteStart), 0)
		s = s[max(0, i-1200):min(len(s), i+1200)]
	}
	return s
}

func cutLast(s, sep string) (string, string) {
	i := strings.LastIndex(s, sep)
	if i < 0 {
		return "", s
	}
	return s[:i], s[i+1:]
}

func isFenceLine(s string) bool {
	s = strings.TrimLeft(s, " >\t-*+0123456789.)")
	return strings.HasPrefix(s, "```") || strings.HasPrefix(s, "~~~")
}

// rowsWhole: the head ends and the tail begins at a line's border where the line is
// a row of a table or of a list.
func rowsWhole(t *testing.T, bad func(string, ...any), body, head, tail string) {
	t.Helper()
	next := body[len(head):]
	if _, last := cutLast(head, "\n"); isRow(last) && strings.TrimLeft(next, " ") != "" && strings.TrimLeft(next, " ")[0] != '\n' && !inFence(head) {
		bad("the head ends inside of a row: %q", last)
	}
	before, line := cutLast(body[:len(body)-len(tail)], "\n")
	if line != "" && isRow(line) && tail != "" && !inFence(before) {
		bad("the tail begins inside of a row: %q", line)
	}
}

func isRow(line string) bool {
	s := strings.TrimLeft(line, " ")
	return strings.HasPrefix(s, "|") || strings.HasPrefix(s, "- ") || strings.HasPrefix(s, "* ")
}

// inFence is a second, plain reading: an odd number of fence lines.
func inFence(s string) bool {
	n := 0
	for line := range strings.Lines(s) {
		if isFenceLine(line) {
			n++
		}
	}
	return n%2 == 1
}

// fencesWhole reads the result with a Markdown parser: the note stands in no code,
// and no more code blocks are left open than the text itself leaves.
func fencesWhole(bad func(string, ...any), body, out string) {
	if strings.Contains(body, "<") {
		return // an HTML block may hold half a fence, and the parser may take the note for a part of it
	}
	if was, is := unclosed(body), unclosed(out); is > was {
		bad("%d code blocks are not closed, %d were not before", is, was)
	}
	if !noteIsParagraph(out) {
		bad("the note is not a paragraph of its own")
	}
}

var markdown = goldmark.New(goldmark.WithExtensions(extension.Table))

func unclosed(source string) int {
	n := 0
	doc := markdown.Parser().Parse(text.NewReader([]byte(source)))
	_ = ast.Walk(doc, func(node ast.Node, entering bool) (ast.WalkStatus, error) {
		b, ok := node.(*ast.FencedCodeBlock)
		if !ok || !entering {
			return ast.WalkContinue, nil
		}
		at := 0
		if l := b.Lines(); l.Len() > 0 {
			at = l.At(l.Len() - 1).Stop
		} else if b.Info != nil {
			at = b.Info.Segment.Stop + 1
		} else {
			return ast.WalkContinue, nil
		}
		line, _, _ := strings.Cut(source[min(at, len(source)):], "\n")
		if !isFenceLine(line) {
			n++
		}
		return ast.WalkContinue, nil
	})
	return n
}

func noteIsParagraph(source string) bool {
	doc := markdown.Parser().Parse(text.NewReader([]byte(source)))
	for n := doc.FirstChild(); n != nil; n = n.NextSibling() {
		if p, ok := n.(*ast.Paragraph); ok && bytes.HasPrefix(p.Lines().Value([]byte(source)), []byte(noteStart)) {
			return true
		}
	}
	return false
}
