package skill

import (
	"bytes"
	"strings"
)

// Repair is one value of a frontmatter that must be quoted for YAML to read it.
type Repair struct {
	Line, Column int    // where the value begins, from 1; Column in runes
	From, To     int    // byte range of the value in the file
	Old, New     string // the value as it stands, and quoted
}

// Repairs lists what must be quoted for a YAML reader to accept the frontmatter of
// a skill file, in the order of the file. It is empty where the frontmatter is
// valid as it stands and where quoting does not make it so.
func Repairs(raw []byte) []Repair {
	if len(raw) > maxFile {
		return nil
	}
	d := decode(raw)
	if d.encoding != "utf-8" {
		return nil // the bytes are not those that a YAML reader would see
	}
	c := cutText(d.text)
	if !c.closed {
		return nil
	}
	if _, err := yamlEntries(c.block); err == nil || bounded(err) {
		return nil
	}
	edits := quoteEdits(c.block)
	if len(edits) == 0 {
		return nil
	}
	if _, err := yamlEntries(quoted(c.block, edits)); err != nil {
		return nil
	}
	return place(raw, &c, edits)
}

// Fix returns raw with its Repairs made and every other byte as it was, and those
// repairs. It does not write, and fixing what is fixed changes nothing.
func Fix(raw []byte) (fixed []byte, repairs []Repair) {
	repairs = Repairs(raw)
	if len(repairs) == 0 {
		return raw, nil
	}
	at := 0
	for _, r := range repairs {
		fixed = append(fixed, raw[at:r.From]...)
		fixed = append(fixed, r.New...)
		at = r.To
	}
	return append(fixed, raw[at:]...), repairs
}

// place finds the edits of a block in the bytes of its file: lines are the same,
// their ends and the indentation of the whole block are not.
func place(raw []byte, c *cut, edits []edit) []Repair {
	starts := lineStarts(raw)
	var out []Repair
	for _, e := range edits {
		line := c.blockLine + e.line - 1
		before := strings.LastIndexByte(c.block[:e.from], '\n') + 1
		from := starts[line-1] + len(c.indent) + e.from - before
		to := from + e.to - e.from
		if e.lines > 1 {
			last := strings.LastIndexByte(c.block[:e.to], '\n') + 1
			to = starts[line+e.lines-2] + len(c.indent) + e.to - last
		}
		old := string(raw[from:to])
		out = append(out, Repair{Line: line, Column: e.col + len(c.indent), From: from, To: to, Old: old, New: quote(old)})
	}
	return out
}

// lineStarts are the byte offsets at which the lines of a file begin, behind a byte
// order mark.
func lineStarts(raw []byte) []int {
	at := 0
	if bytes.HasPrefix(raw, utf8BOM) {
		at = len(utf8BOM)
	}
	starts := []int{at}
	for i := at; i < len(raw); i++ {
		if raw[i] == '\n' || raw[i] == '\r' && (i+1 == len(raw) || raw[i+1] != '\n') {
			starts = append(starts, i+1)
		}
	}
	return starts
}
