package lint

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"sort"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/text"

	"github.com/promptc/promptc/engine/diag"
	"github.com/promptc/promptc/engine/skill"
)

// page is one skill file as the checks see it: the text that is delivered, read by
// the reader that delivers it.
type page struct {
	found   *skill.Found
	content *skill.Content // nil: the file cannot be read
	text    string         // the whole file, as skill.Text gives it
	body    []byte
	starts  []int // byte offsets of the body's lines
	doc     ast.Node
	code    []span       // in the body, in order
	files   []skill.File // its other files, and how many more there are
	more    int
	tokens  int // of the body
	out     diag.List
	told    map[diag.Code]int
	last    struct{ line, offset, column int } // what at found last
}

// span is a byte range of the body that is code.
type span struct {
	from, to int
	inline   bool // a code span; else a block
}

func newPage(ctx context.Context, f *skill.Found, count func(string) int) *page {
	p := &page{found: f, told: map[diag.Code]int{}}
	content, err := f.Read(ctx)
	if err != nil {
		p.out.Add(f.Problems...)
		return p
	}
	p.content = content
	p.out.Add(content.Problems...)
	for _, d := range f.Problems { // what the beginning of the file showed is in content
		if slices.Contains([]diag.Code{diag.FileNameCase, diag.LinkOutside, diag.SkillBroken}, d.Code) {
			p.out.Add(d)
		}
	}
	p.text = skill.Text(content.Raw)
	p.body = []byte(content.Body)
	p.starts = []int{0}
	for i, c := range p.body {
		if c == '\n' {
			p.starts = append(p.starts, i+1)
		}
	}
	if count != nil {
		p.tokens = count(content.Body)
	}
	return p
}

// check applies all rules. A file that cannot be read, that is no skill file at all
// or that lies inside of another skill has its diagnostics already.
func (p *page) check(ctx context.Context) {
	if p.content == nil || p.found.Form.InSkill || slices.ContainsFunc(p.out, func(d diag.Diagnostic) bool { return d.Code == diag.NotALink }) {
		return
	}
	p.parse(ctx)
	for _, r := range rules() {
		r.check(ctx, p)
	}
	p.untold()
}

// parse finds out what the rules look at.
func (p *page) parse(ctx context.Context) {
	p.doc = goldmark.DefaultParser().Parse(text.NewReader(bounded(p.body)))
	p.findCode()
	if files, more, err := p.found.Files(ctx, maxFiles); err == nil {
		p.files, p.more = files, more
	}
}

// What is read of one line, and of lines without a blank one between, as Markdown:
// its readers take time that grows with the square of what is never closed.
const (
	maxLine      = 4 << 10
	maxParagraph = 8 << 10
)

// bounded is body with the ends of longer lines, and in longer paragraphs one line
// in so many, blanked out: every other byte stays in its place.
func bounded(body []byte) []byte {
	out := slices.Clone(body)
	at, paragraph := 0, 0
	for l := range bytes.Lines(body) {
		line := out[at : at+len(bytes.TrimRight(l, "\n"))]
		at += len(l)
		if len(line) > maxLine {
			blank(line[maxLine:])
		}
		if paragraph += min(len(line), maxLine); paragraph > maxParagraph {
			blank(line)
		}
		if len(bytes.TrimSpace(line)) == 0 {
			paragraph = 0
		}
	}
	return out
}

func blank(text []byte) {
	for i := range text {
		text[i] = ' '
	}
}

func (p *page) bodyLines() int {
	if len(p.body) == 0 {
		return 0
	}
	return len(p.starts)
}

// maxReports is how many findings of one code are told apart in one file.
const maxReports = 10

// report adds a finding. From the tenth of a code on they are only counted.
func (p *page) report(d diag.Diagnostic) {
	if p.told[d.Code]++; p.told[d.Code] <= maxReports {
		p.out.Add(d)
	}
}

// enough counts one more finding of a code of which none is told any more: a caller
// that has many need not find out more about it.
func (p *page) enough(code diag.Code) bool {
	if p.told[code] < maxReports {
		return false
	}
	p.told[code]++
	return true
}

func (p *page) untold() {
	for _, code := range diag.Codes() {
		if n := p.told[diag.Code(code)] - maxReports; n > 0 {
			d := diag.New(diag.Code(code), diag.At(p.found.Path), "%s of this kind", counted(n, "more finding"))
			p.out.Add(d.As(min(d.Severity, diag.Warning)))
		}
	}
}

// say reports at a place of the file.
func (p *page) say(code diag.Code, at diag.Pos, format string, args ...any) {
	p.report(diag.New(code, at, format, args...))
}

// at is the place of a byte offset of the body. It counts on from the last one on
// the same line, so that many places on one long line cost no more than the line.
func (p *page) at(offset int) diag.Pos {
	line := max(0, sort.SearchInts(p.starts, offset+1)-1)
	from, column := p.starts[line], 1
	if p.last.line == line && p.last.offset <= offset && p.last.column > 0 {
		from, column = p.last.offset, p.last.column
	}
	column += utf8.RuneCount(p.body[from:offset])
	p.last.line, p.last.offset, p.last.column = line, offset, column
	return diag.Pos{File: p.found.Path, Line: p.content.BodyLine + line, Column: column}
}

// field is the frontmatter key of this name that counts.
func (p *page) field(key string) (skill.Field, bool) {
	for _, f := range p.content.Fields {
		if !f.Again && strings.EqualFold(f.Key, key) {
			return f, true
		}
	}
	return skill.Field{}, false
}

// findCode lists what of the body is code.
func (p *page) findCode() {
	_ = ast.Walk(p.doc, func(n ast.Node, entering bool) (ast.WalkStatus, error) { // the walker never fails
		if !entering {
			return ast.WalkContinue, nil
		}
		switch n := n.(type) {
		case *ast.CodeSpan:
			if from, to := extent(n); from < to {
				p.code = append(p.code, span{from, to, true})
			}
		case *ast.FencedCodeBlock, *ast.CodeBlock:
			for i := range n.Lines().Len() {
				s := n.Lines().At(i)
				p.code = append(p.code, span{s.Start, s.Stop, false})
			}
		}
		return ast.WalkContinue, nil
	})
	slices.SortFunc(p.code, func(a, b span) int { return a.from - b.from })
}

// extent is the byte range of the text in n.
func extent(n ast.Node) (from, to int) {
	from = -1
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		if t, ok := c.(*ast.Text); ok {
			if from < 0 {
				from = t.Segment.Start
			}
			to = t.Segment.Stop
		}
	}
	return max(from, 0), to
}

// inCode finds the code that an offset of the body lies in.
func (p *page) inCode(offset int) (span, bool) {
	i := sort.Search(len(p.code), func(i int) bool { return p.code[i].to > offset })
	if i < len(p.code) && p.code[i].from <= offset {
		return p.code[i], true
	}
	return span{}, false
}

// shown is a piece of the file for a message: one line, cut where it is long, with
// every character that does not print written out.
func shown(s string, most int) string {
	s = strings.Join(strings.Fields(s), " ")
	if r := []rune(s); len(r) > most {
		s = string(r[:most]) + "…"
	}
	var b strings.Builder
	for _, r := range s {
		if unicode.IsPrint(r) {
			b.WriteRune(r)
		} else {
			fmt.Fprintf(&b, "\\u%04X", r)
		}
	}
	return b.String()
}
