package lint

import (
	"context"
	"strings"

	"github.com/yuin/goldmark/ast"

	"github.com/promptc/promptc/engine/diag"
)

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
