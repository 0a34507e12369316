package skill

import (
	"path/filepath"
	"strings"
	"unicode/utf8"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"

	"github.com/promptc/promptc/engine/diag"
)

const (
	noDescription = "No description available."
	// fallbackBytes is how much of a body is looked at for a heading and a paragraph.
	fallbackBytes = 32 << 10
	// fallbackRunes is where a paragraph that stands in for a description is cut.
	fallbackRunes = 1024
	// headingRunes is where a heading that stands in for a name is cut.
	headingRunes = 256
)

// fallBack takes from the text what the frontmatter does not give (J8, J9). It is
// false where only the beginning of the file is there and a heading or paragraph
// may still come.
func (r *reader) fallBack(whole string) (sure bool) {
	f := &r.out.Form
	body, line := r.cut.body, r.cut.bodyLine
	if r.cut.late > 0 {
		body, line = withoutLines(whole, r.cut.late, r.cut.lateEnd), 1
	}
	long := len(body) > fallbackBytes
	if long {
		body = cutLines(body, fallbackBytes)
	}
	if body == "" && !r.all {
		return false
	}
	f.FirstLine = firstLine(r.cut.body)
	needName, needDesc := r.out.Name == "", r.out.Description == ""
	if !needName && !needDesc {
		return true
	}
	found := firstBlocks(body)
	sure = r.all || long || (!needName || found.nameSure) && (!needDesc || found.textSure)
	if !sure {
		return false
	}
	if needName {
		r.nameFrom(found, line)
	}
	if needDesc {
		r.descFrom(found, line)
	}
	return true
}

func (r *reader) nameFrom(found blocks, line int) {
	why := "the frontmatter has no name"
	if r.out.Form.NameKey {
		why = "the frontmatter's name is empty"
	} else if !r.cut.closed {
		why = "there is no frontmatter"
	}
	pos := diag.Pos{File: r.out.Path}
	if found.name != "" {
		r.out.Name, r.out.Form.NameFrom = found.name, FromHeading
		pos.Line = line + found.nameLine
		r.out.Problems.Add(diag.New(diag.NameFallback, pos, "%s; the first heading gives it: %s", why, quoteLine(found.name)))
		return
	}
	r.out.Name, r.out.Form.NameFrom = dirName(r.out.Dir), FromDirectory
	r.out.Problems.Add(diag.New(diag.NameFallback, pos, "%s; its directory gives it: %s", why, quoteLine(r.out.Name)))
}

func (r *reader) descFrom(found blocks, line int) {
	why := "the frontmatter has no description"
	if r.out.Form.DescKey {
		why = "the frontmatter's description is empty"
	} else if !r.cut.closed {
		why = "there is no frontmatter"
	}
	pos := diag.Pos{File: r.out.Path}
	if found.text == "" {
		r.out.Description, r.out.Form.DescFrom = noDescription, FromDefault
		r.out.Problems.Add(diag.New(diag.DescriptionFallback, pos, "%s, and the text has no paragraph to stand in", why))
		return
	}
	cutNote := ""
	r.out.Description, r.out.Form.DescFrom = found.text, FromParagraph
	if utf8.RuneCountInString(found.text) > fallbackRunes {
		r.out.Description = cutWords(found.text, fallbackRunes)
		cutNote = ", cut to 1,024 characters"
	}
	pos.Line = line + found.textLine
	r.out.Problems.Add(diag.New(diag.DescriptionFallback, pos, "%s; the first paragraph stands in%s", why, cutNote))
}

// cutWords cuts text to n runes at most, at a blank where one is near, and marks it.
func cutWords(text string, n int) string {
	runes := []rune(text)[:n-1]
	text = string(runes)
	if i := strings.LastIndexByte(text, ' '); i > len(text)*3/4 {
		text = text[:i]
	}
	return strings.TrimRight(text, " ") + "…"
}

// cutLines cuts text to n bytes at most: behind a line, or where the first one is
// longer behind a rune.
func cutLines(text string, n int) string {
	text = text[:n]
	if i := strings.LastIndexByte(text, '\n'); i > 0 {
		return text[:i+1]
	}
	return strings.ToValidUTF8(text, "")
}

// withoutLines blanks the lines from first to last, counted from 1.
func withoutLines(text string, first, last int) string {
	lines := strings.Split(text, "\n")
	for i := first - 1; i < last && i < len(lines); i++ {
		lines[i] = ""
	}
	return strings.Join(lines, "\n")
}

// firstLine is the first line of body without a heading's marks.
func firstLine(body string) string {
	l, _ := lineAt(body, 0)
	l = strings.TrimSpace(l)
	marks := strings.TrimLeft(l, "#")
	if n := len(l) - len(marks); n >= 1 && n <= 6 && (marks == "" || marks[0] == ' ' || marks[0] == '\t') {
		l = strings.TrimSpace(marks)
		if t := strings.TrimRight(l, "#"); t == "" || strings.HasSuffix(t, " ") {
			l = strings.TrimSpace(t)
		}
	}
	return l
}

// dirName is the name that a directory gives.
func dirName(dir string) string {
	name := strings.TrimSpace(filepath.Base(dir))
	if name == "" || name == "." || name == string(filepath.Separator) {
		return "skill"
	}
	return name
}

// blocks are the first heading and the first paragraph of a text. A line counts
// from 0. Sure means that no further text can change it.
type blocks struct {
	name     string
	nameLine int
	nameSure bool
	text     string
	textLine int
	textSure bool
}

// firstBlocks reads body as CommonMark has it: code, HTML and link definitions are
// neither headings nor paragraphs. What stands at the top level goes before what
// stands in a list or a quotation.
func firstBlocks(body string) blocks {
	source := []byte(body)
	doc := blockParser().Parse(text.NewReader(source))
	var b blocks
	last := doc.LastChild()
	for n := doc.FirstChild(); n != nil; n = n.NextSibling() {
		b.note(n, source, n != last)
	}
	if b.name != "" && b.text != "" {
		return b
	}
	var nested blocks
	_ = ast.Walk(doc, func(n ast.Node, entering bool) (ast.WalkStatus, error) { // the walker never fails
		if entering && n.Parent() != doc {
			nested.note(n, source, false)
		}
		return ast.WalkContinue, nil
	})
	if b.name == "" {
		b.name, b.nameLine = nested.name, nested.nameLine
	}
	if b.text == "" {
		b.text, b.textLine = nested.text, nested.textLine
	}
	return b
}

func (b *blocks) note(n ast.Node, source []byte, sure bool) {
	switch n.Kind() {
	case ast.KindHeading:
		if b.name == "" {
			if b.name = inlineText(linesOf(n, source)); b.name != "" {
				b.nameLine, b.nameSure = lineNumber(n, source), sure
			}
		}
	case ast.KindParagraph, ast.KindTextBlock:
		if b.text == "" {
			if b.text = linesOf(n, source); b.text != "" {
				b.textLine, b.textSure = lineNumber(n, source), sure
			}
		}
	}
}

// linesOf is a block's text, its lines trimmed and joined by blanks.
func linesOf(n ast.Node, source []byte) string {
	var parts []string
	segments := n.Lines()
	for i := range segments.Len() {
		s := segments.At(i)
		if l := strings.TrimSpace(string(s.Value(source))); l != "" {
			parts = append(parts, l)
		}
	}
	return strings.Join(parts, " ")
}

func lineNumber(n ast.Node, source []byte) int {
	if n.Lines().Len() == 0 {
		return 0
	}
	return strings.Count(string(source[:n.Lines().At(0).Start]), "\n")
}

// blockParser reads blocks and nothing within them.
func blockParser() parser.Parser {
	return parser.NewParser(
		parser.WithBlockParsers(parser.DefaultBlockParsers()...),
		parser.WithParagraphTransformers(parser.DefaultParagraphTransformers()...),
	)
}

// inlineText is what a reader sees of a heading's line: marks of emphasis, code and
// links are gone, their text stays.
func inlineText(line string) string {
	if utf8.RuneCountInString(line) > headingRunes {
		return cutWords(line, headingRunes)
	}
	if !strings.ContainsAny(line, "*_`[]<>\\&!") {
		return strings.TrimSpace(line)
	}
	source := []byte("# " + line)
	doc := goldmark.DefaultParser().Parse(text.NewReader(source))
	var b strings.Builder
	_ = ast.Walk(doc, func(n ast.Node, entering bool) (ast.WalkStatus, error) { // the walker never fails
		if !entering {
			return ast.WalkContinue, nil
		}
		switch n := n.(type) {
		case *ast.Text:
			value := n.Value(source)
			if !n.IsRaw() {
				value = util.ResolveNumericReferences(util.ResolveEntityNames(util.UnescapePunctuations(value)))
			}
			b.Write(value)
			if n.SoftLineBreak() || n.HardLineBreak() {
				b.WriteByte(' ')
			}
		case *ast.String:
			b.Write(n.Value)
		case *ast.AutoLink:
			b.Write(n.Label(source))
		}
		return ast.WalkContinue, nil
	})
	if out := oneLine(b.String()); out != "" {
		return out
	}
	return strings.TrimSpace(line)
}
