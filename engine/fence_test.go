package engine

import (
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/text"
)

// fencedBlocks gives the first lines' info of the code blocks that blocks finds.
func fencedBlocks(source string) []string {
	var out []string
	var b blocks
	for line := range strings.Lines(source) {
		if b.line(strings.TrimRight(line, "\r\n")) == lineFenceOpen {
			out = append(out, strings.TrimSpace(b.fence.info))
		}
	}
	return out
}

func parsedBlocks(source string) []string {
	var out []string
	doc := markdown.Parser().Parse(text.NewReader([]byte(source)))
	_ = ast.Walk(doc, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if b, ok := n.(*ast.FencedCodeBlock); ok && entering {
			info := ""
			if b.Info != nil {
				info = string(b.Info.Segment.Value([]byte(source)))
			}
			out = append(out, strings.TrimSpace(info))
		}
		return ast.WalkContinue, nil
	})
	return out
}

func TestD18FencesAsAParserSeesThem(t *testing.T) {
	checkFences(t, cutTexts(t))
}

func TestD18FencesAsAParserSeesThemCorpus(t *testing.T) {
	checkFences(t, corpusTexts(t))
}

func checkFences(t *testing.T, files []txtar.File) {
	t.Helper()
	blocks := 0
	for _, f := range files {
		source := string(f.Data)
		if strings.Contains(source, "<") {
			continue // HTML blocks are text here
		}
		got, want := fencedBlocks(source), parsedBlocks(source)
		blocks += len(want)
		if !slices.Equal(got, want) {
			t.Errorf("%s: %d code blocks, a parser finds %d", f.Name, len(got), len(want))
		}
	}
	if blocks < 80 {
		t.Errorf("only %d code blocks: the test shows little", blocks)
	}
}

func TestD16LinesOfEveryKind(t *testing.T) {
	source := strings.Split("# Port\n"+
		"text\n"+
		"more\n"+
		"---\n"+
		"\n"+
		"1. item\n"+
		"lazy\n"+
		"   ```sh\n"+
		"   body\n"+
		"   ``` no\n"+
		"    ```\n"+
		"- a\n"+
		"  - b\n"+
		"***\n"+
		"a | b\n"+
		"---|---\n"+
		"1 | 2\n"+
		"\n"+
		"> ~~~\n"+
		"> body\n"+
		"out\n"+
		"```a`b\n"+
		"2. no item in a paragraph\n"+
		"====\n"+
		"\t```", "\n")
	want := []lineKind{
		lineHeading, lineText, lineMore, lineUnderline, lineBlank, lineItem, lineMore, lineFenceOpen, lineFenceBody, lineFenceBody, lineFenceClose,
		lineItem, lineItem, lineHeading, lineText, lineTableHead, lineRow, lineBlank, lineFenceOpen, lineFenceBody, lineText, lineMore, lineMore, lineUnderline, lineText,
	}
	var b blocks
	for i, line := range source {
		if got := b.line(line); got != want[i] {
			t.Errorf("line %d %q: kind %d, want %d", i+1, line, got, want[i])
		}
	}
}
