package lint

import (
	"context"
	"fmt"
	"strings"

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
