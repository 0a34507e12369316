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
	if testing.Short() {
		t.Skip("a thousand files at sixteen limits each")
	}
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
	if len(out)%3 != 0 || strings.Contains(body, "<") {
		// Parsing takes time, so a third of them. An HTML block may hold half a fence, and
		// the parser may take the note for a part of it.
		return
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

func cutAt(t *testing.T, body string, limit int) string {
	t.Helper()
	checkCut(t, t.Name(), body, limit, countWords)
	out, _ := CutText(body, limit, countWords, testNote)
	return out
}

func TestD9ParagraphsStayWhole(t *testing.T) {
	var paragraphs []string
	for i := range 60 {
		paragraphs = append(paragraphs, fmt.Sprintf("Buoy %d marks the channel. Keep it to port.\nIt blinks at night.", i))
	}
	body := strings.Join(paragraphs, "\n\n")
	for limit := 120; limit < countWords(body); limit += 7 {
		out := cutAt(t, body, limit)
		known := 0
		for _, p := range strings.Split(out, "\n\n") {
			if strings.HasPrefix(p, noteStart) {
				continue
			}
			if i := indexOf(paragraphs, p); i < 0 {
				t.Fatalf("limit %d: not a paragraph of the text: %q", limit, p)
			}
			known++
		}
		if known < 2 || !strings.HasPrefix(out, paragraphs[0]) || !strings.HasSuffix(out, paragraphs[59]) {
			t.Errorf("limit %d: head or tail is missing\n%s", limit, out)
		}
		if n := countWords(out); n < limit*2/3 {
			t.Errorf("limit %d: only %d tokens are used", limit, n)
		}
	}
}

func indexOf(list []string, s string) int {
	for i, x := range list {
		if x == s {
			return i
		}
	}
	return -1
}

func TestD9NoteSaysHowMuchIsLeftOut(t *testing.T) {
	body := strings.Repeat("The tide turns at noon.\n\n", 100)
	out := cutAt(t, body, 200)
	var left int
	_, rest, _ := strings.Cut(out, noteStart)
	if _, err := fmt.Sscanf(rest, "%d tokens", &left); err != nil {
		t.Fatal(err)
	}
	kept := countWords(strings.ReplaceAll(out, testNote(left), ""))
	if got := countWords(body) - left; got < kept-8 || got > kept+8 {
		t.Errorf("%d tokens of %d are said to be left out, %d are there", left, countWords(body), kept)
	}
}

func TestD9RowsStayWhole(t *testing.T) {
	body := "# Ports\n\n| port | tide |\n|---|---|\n"
	for i := range 200 {
		body += fmt.Sprintf("| harbour number %d | %d metres at noon |\n", i, i%7)
	}
	body = strings.TrimSuffix(body, "\n")
	for limit := 60; limit < 400; limit += 3 {
		for line := range strings.Lines(cutAt(t, body, limit)) {
			line = strings.TrimSuffix(line, "\n")
			if line != "" && !strings.HasPrefix(line, noteStart) && !strings.Contains("\n"+body+"\n", "\n"+line+"\n") {
				t.Fatalf("limit %d: not a row of the table: %q", limit, line)
			}
		}
	}
}

func TestD13HanWithoutALineBreak(t *testing.T) {
	body := strings.Repeat("潮汐表显示港口的水位", 300)
	for limit := range 300 {
		cutAt(t, body, limit)
	}
}

func TestD16FenceIsClosedByItsOwnKind(t *testing.T) {
	line := "tide --port quay --day 7\n"
	for name, c := range map[string]struct{ body, open, closed string }{
		"tildes":         {"Read this.\n\n~~~sh\n" + strings.Repeat(line, 90) + "~~~", "~~~sh", "~~~"},
		"four backticks": {"Read this.\n\n````md\n" + strings.Repeat("```sh\n"+line+"```\n", 60) + "````", "````md", "````"},
		"in a list":      {"10. Read this.\n\n    ```sh\n" + strings.Repeat("    "+line, 90) + "    ```", "    ```sh", "    ```"},
		"quoted":         {"> ~~~~ sh\n" + strings.Repeat("> "+line, 90) + "> ~~~~", "> ~~~~ sh", "> ~~~~"},
	} {
		t.Run(name, func(t *testing.T) {
			out := cutAt(t, c.body, 200)
			head, rest, _ := strings.Cut(out, noteStart)
			_, tail, _ := strings.Cut(rest, noteEnd)
			if !strings.HasSuffix(head, "\n"+c.closed+"\n\n") {
				t.Errorf("the head ends with %q", head[max(0, len(head)-30):])
			}
			if !strings.HasPrefix(tail, "\n\n"+c.open+"\n") {
				t.Errorf("the tail begins with %q", tail[:min(30, len(tail))])
			}
		})
	}
}

func TestD17WithinTheLimitNothingChanges(t *testing.T) {
	body := "Run it.\n\n```sh\nmake  \n\n\n\tdeck\r\n"
	if out, cut := CutText(body, countWords(body), countWords, testNote); cut || out != body {
		t.Errorf("cut %v: %q", cut, out)
	}
	for _, f := range cutTexts(t) {
		if out, cut := CutText(string(f.Data), countWords(string(f.Data)), countWords, testNote); cut || out != string(f.Data) {
			t.Errorf("%s was changed", f.Name)
		}
	}
}

func TestD18AWordAfterTheFenceIsContent(t *testing.T) {
	body := "```text\n" + strings.Repeat("``` not a close\nstill code\n", 60) + "```"
	out := cutAt(t, body, 150)
	if head, _, _ := strings.Cut(out, "\n\n"+noteStart); !strings.HasSuffix(head, "\n```") {
		t.Errorf("the note stands in the code:\n%s", out)
	}
}

func TestD19ReplacementCharactersAreText(t *testing.T) {
	body := strings.Repeat("\ufffd海", 400)
	for limit := 60; limit < 90; limit++ {
		out := cutAt(t, body, limit)
		head, _, _ := strings.Cut(out, "\n\n"+noteStart)
		if strings.Count(head, "\ufffd")-strings.Count(head, "海") > 1 || strings.Count(head, "海") > strings.Count(head, "\ufffd") {
			t.Fatalf("limit %d: %q", limit, head)
		}
	}
}

func TestD9LimitBelowTheNote(t *testing.T) {
	body := strings.Repeat("The tide turns at noon.\n\n", 100)
	alone := countWords(testNote(countWords(body)))
	for limit := -1; limit < alone; limit++ {
		want := "…"
		if limit < 1 {
			want = ""
		}
		if out, cut := CutText(body, limit, countWords, testNote); out != want || !cut {
			t.Errorf("limit %d: %q", limit, out)
		}
	}
	if out, _ := CutText(body, alone, countWords, testNote); !strings.HasPrefix(out, noteStart) {
		t.Errorf("the note alone fits: %q", out)
	}
}

// A counter for which more text can be fewer tokens, and two halves more than both.
func TestD9CounterThatIsNotMonotone(t *testing.T) {
	count := func(s string) int { return countWords(s) + len(s)%7*3 + strings.Count(s, "…")*5 }
	for i, f := range cutTexts(t) {
		r := rand.New(rand.NewPCG(3, uint64(i)))
		for range 8 {
			limit := r.IntN(count(string(f.Data)) + 20)
			if out, _ := CutText(string(f.Data), limit, count, testNote); out != "" && count(out) > limit {
				t.Errorf("%s: %d tokens, limit %d", f.Name, count(out), limit)
			}
		}
	}
}

func TestD9CountsLittle(t *testing.T) {
	body := strings.Repeat("The master of the harbour reads the tide.\n\n```sh\ntide --now\n```\n\n- one row\n- 潮汐表\n\n", 6000)
	calls, bytes := 0, 0
	c := newCutter(body, func(s string) int { calls++; bytes += len(s); return countWords(s) }, testNote)
	c.cut(2000)
	if calls > 40 || bytes > 2*len(body) {
		t.Errorf("%d calls for %d bytes, of a text of %d", calls, bytes, len(body))
	}
	calls, bytes = 0, 0
	again, _ := c.cut(1000)
	if calls > 40 || bytes > len(body)/2 {
		t.Errorf("again: %d calls for %d bytes", calls, bytes)
	}
	if fresh, _ := CutText(body, 1000, countWords, testNote); fresh != again {
		t.Error("a cutter that is used again gives another text")
	}
}

// What is cut loses no sign that people see as one.
func TestC07CharactersStayWhole(t *testing.T) {
	for _, c := range []string{"👩‍👩‍👧‍👦", "👍🏽", "🇳🇴", "e\u0301\u0323", "⚓️", "각"} {
		body := strings.Repeat(c, 300)
		for limit := 50; limit < 120; limit++ {
			out := cutAt(t, body, limit)
			head, rest, _ := strings.Cut(out, noteStart)
			_, tail, _ := strings.Cut(rest, noteEnd)
			if got := strings.Trim(strings.ReplaceAll(head+tail, c, ""), "\n"); got != "" {
				t.Fatalf("%s, limit %d: %q is left", c, limit, got)
			}
		}
	}
}

func FuzzCutText(f *testing.F) {
	for _, file := range cutTexts(f) {
		f.Add(string(file.Data[:min(len(file.Data), 900)]), 120)
	}
	f.Add("```\n````\n~~~\n```\n> ```\n- ~~~\n  ~~~\n", 40)
	f.Add("\xff\x80\x80\x80\x80```\n\x80", 20)
	f.Fuzz(func(t *testing.T, body string, limit int) {
		if len(body) > 4000 {
			return
		}
		out, cut := CutText(body, limit, countWords, testNote)
		if out != "" && countWords(out) > limit {
			t.Errorf("%d tokens, limit %d", countWords(out), limit)
		}
		if !cut && out != body {
			t.Errorf("changed but not cut: %q", out)
		}
		if utf8.ValidString(body) && !utf8.ValidString(out) {
			t.Errorf("not UTF-8: %q", out)
		}
		var b blocks
		for line := range strings.Lines(out) {
			b.line(strings.TrimRight(line, "\r\n"))
		}
		if cut && b.fence.mark != "" {
			t.Errorf("a fence is left open: %q", out)
		}
		description, cut := CutDescription(body, limit, countWords)
		if n := countWords(description); n > max(limit, 0) || !cut && description != body || utf8.ValidString(body) && !utf8.ValidString(description) {
			t.Errorf("description of %d tokens, limit %d: %q", n, limit, description)
		}
	})
}

func BenchmarkCutText(b *testing.B) {
	body := strings.Repeat("The master of the harbour reads the tide.\n\n```sh\ntide --now\n```\n\n- one row\n- 潮汐表\n\n", 6000)
	o200k := token.ForModel("").Count
	b.Run("count only", func(b *testing.B) {
		b.SetBytes(int64(len(body)))
		for b.Loop() {
			o200k(body)
		}
	})
	b.Run("to 2000 tokens", func(b *testing.B) {
		b.SetBytes(int64(len(body)))
		for b.Loop() {
			CutText(body, 2000, o200k, testNote)
		}
	})
}
