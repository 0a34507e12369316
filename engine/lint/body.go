package lint

import (
	"context"
	"fmt"
	"strings"

	"github.com/yuin/goldmark/ast"

	"github.com/promptc/promptc/engine/diag"
)

// What the open standard recommends for a body.
const (
	maxLines  = 500
	maxTokens = 5_000
)

// bodySize: there is a body, and it is not much longer than what is read at once.
func bodySize(_ context.Context, p *page) {
	if len(p.body) == 0 {
		p.say(diag.BodyEmpty, diag.At(p.found.Path), "there are no instructions behind the frontmatter")
		return
	}
	var over []string
	if n := p.bodyLines(); n > maxLines {
		over = append(over, fmt.Sprintf("%d lines, more than %d", n, maxLines))
	}
	if p.tokens > maxTokens {
		over = append(over, fmt.Sprintf("%d tokens, more than %d", p.tokens, maxTokens))
	}
	if len(over) > 0 {
		p.say(diag.BodyLong, diag.Pos{File: p.found.Path, Line: p.content.BodyLine, Column: 1}, "the body has %s", strings.Join(over, ", and "))
	}
}

// commands notes each !`command` and each block marked with ! (d07): promptc runs
// none of them. An exclamation mark inside of a code span is no such marker.
func commands(_ context.Context, p *page) {
	_ = ast.Walk(p.doc, func(n ast.Node, entering bool) (ast.WalkStatus, error) { // the walker never fails
		if !entering {
			return ast.WalkContinue, nil
		}
		switch n := n.(type) {
		case *ast.CodeSpan:
			from, to := extent(n)
			mark := from
			for mark > 0 && p.body[mark-1] == '`' {
				mark--
			}
			if mark > 0 && mark < from && p.body[mark-1] == '!' && (mark == 1 || strings.IndexByte(" \t\n([*_>-", p.body[mark-2]) >= 0) {
				p.say(diag.CommandMarker, p.at(mark-1), "the command %s is not run; the model sees the text as it stands", shown(string(p.body[from:to]), 60))
			}
		case *ast.FencedCodeBlock:
			if n.Info != nil && strings.HasPrefix(string(n.Info.Segment.Value(p.body)), "!") {
				p.say(diag.CommandMarker, p.at(n.Info.Segment.Start), "the commands of this block are not run; the model sees the text as it stands")
			}
		}
		return ast.WalkContinue, nil
	})
}
