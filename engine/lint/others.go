package lint

import (
	"bytes"
	"context"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"github.com/promptc/promptc/engine/diag"
)

// What is looked at of a skill's other files.
const (
	maxFiles     = 500
	maxFileBytes = 1 << 20
	maxAllBytes  = 16 << 20
)

// otherFiles looks through the skill's other texts: the model reads or runs them.
// A file that holds a NUL byte is no text. One that is not UTF-8 is reported: what
// cannot be read cannot be passed as harmless (a29).
func otherFiles(ctx context.Context, p *page) {
	all, last := 0, ""
	for _, f := range p.files {
		if f.Size > maxFileBytes {
			continue
		}
		if all += int(f.Size); all > maxAllBytes {
			p.more++
			break
		}
		last = f.Path
		p.otherFile(ctx, f.Path)
	}
	if p.more > 0 {
		p.report(diag.New(diag.ScanBound, diag.At(p.found.Dir), "the skill has more files than are looked through: keys and hidden characters were looked for up to %s", last).
			As(diag.Info).WithHint("split the skill, or keep data out of it"))
	}
}

func (p *page) otherFile(ctx context.Context, name string) {
	raw, err := p.found.ReadFile(ctx, name)
	if err != nil || bytes.IndexByte(raw, 0) >= 0 {
		return
	}
	path := filepath.Join(p.found.Dir, filepath.FromSlash(name))
	if bad := countBad(raw); bad > 0 && bad <= max(2, len(raw)/10) {
		p.report(diag.New(diag.Encoding, placeIn(path, string(raw), firstBad(raw)), "%s holds bytes that are not UTF-8", name))
	}
	text := strings.ToValidUTF8(string(bytes.TrimPrefix(raw, []byte("\ufeff"))), "\ufffd")
	p.hiddenIn(path, text)
	p.secretsIn(path, text)
}

// countBad is how many bytes are not UTF-8. Where they are many, it is no text.
func countBad(raw []byte) (n int) {
	for len(raw) > 0 {
		r, size := utf8.DecodeRune(raw)
		if r == utf8.RuneError && size == 1 {
			n++
		}
		raw = raw[size:]
	}
	return n
}

// firstBad is the offset of the first byte that is not UTF-8.
func firstBad(raw []byte) int {
	for i := 0; i < len(raw); {
		r, size := utf8.DecodeRune(raw[i:])
		if r == utf8.RuneError && size == 1 {
			return i
		}
		i += size
	}
	return len(raw)
}

// links reports each link inside of the skill that leads out of it.
func links(ctx context.Context, p *page) {
	if list, err := p.found.Links(ctx); err == nil {
		p.out.Add(list...)
	}
}
