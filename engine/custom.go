package engine

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"text/template"
)

// Say fills a block of embedded words with plain values. It panics where that
// fails, as ParseWords does: it is the author's mistake, and a golden's to find.
func (w Words) Say(block string, data any) string {
	s, err := w.Fill(block, data)
	if err != nil {
		panic(w.set.Name() + ".tmpl: " + err.Error())
	}
	return s
}

// Custom are the words that a spec brings for a strategy (Input.Template). A
// text that defines "entry" or "instruction" replaces those; any other text is
// the entry as a whole. Values are escaped before they are handed in, and what
// stands around the entries stays in code, so no template can break the list.
type Custom struct {
	set   *template.Template
	whole bool
}

// ParseCustom reads them; an empty text has no words at all.
func ParseCustom(text string) (Custom, error) {
	if text == "" {
		return Custom{}, nil
	}
	set, err := template.New("template").Option("missingkey=error").Parse(strings.ReplaceAll(text, "\r\n", "\n"))
	if err != nil {
		return Custom{}, err
	}
	return Custom{set: set, whole: set.Lookup("entry") == nil && set.Lookup("instruction") == nil}, nil
}

// Instruction is what stands before the list: in the spec's own words, or the
// block "instruction" of w.
func (c Custom) Instruction(w Words, data map[string]any) (string, error) {
	t := c.block("instruction")
	if t == nil {
		return w.Say("instruction", data), nil
	}
	var b strings.Builder
	if err := t.Execute(&b, data); err != nil {
		return "", fmt.Errorf("instruction: %w", err)
	}
	return strings.Trim(b.String(), "\n"), nil
}

// Entries says the entries of a list, one after another: in the spec's own words,
// or with the block bundled of w. That block is filled once, with marks for its
// fields, so that a list of thousands costs no more than joining its pieces.
type Entries struct {
	fields []string
	own    *template.Template
	data   map[string]string
	pieces []string // the bundled words between the fields
	places []int    // the field behind each piece but the last
}

// Entries returns how to say entries that have these fields.
func (c Custom) Entries(w Words, bundled string, fields ...string) *Entries {
	e := &Entries{fields: fields, own: c.block("entry"), data: map[string]string{}}
	if e.own != nil {
		return e
	}
	for i, f := range fields {
		e.data[f] = "\x00" + strconv.Itoa(i) + "\x00"
	}
	for i, piece := range strings.Split(w.Say(bundled, e.data), "\x00") {
		if i%2 == 0 {
			e.pieces = append(e.pieces, piece)
		} else {
			n, _ := strconv.Atoi(piece)
			e.places = append(e.places, n)
		}
	}
	return e
}

// Uses says whether the words use that field, so that it need not be made.
func (e *Entries) Uses(field string) bool {
	return e.own != nil || slices.Contains(e.places, slices.Index(e.fields, field))
}

// Append writes one entry, with a value for each of the fields.
func (e *Entries) Append(b *strings.Builder, values ...string) error {
	if e.own == nil {
		for i, piece := range e.pieces {
			b.WriteString(piece)
			if i < len(e.places) {
				b.WriteString(values[e.places[i]])
			}
		}
		return nil
	}
	for i, f := range e.fields {
		e.data[f] = values[i]
	}
	var entry strings.Builder
	if err := e.own.Execute(&entry, e.data); err != nil {
		return fmt.Errorf("entry: %w", err)
	}
	b.WriteString(strings.Trim(entry.String(), "\n"))
	return nil
}

func (c Custom) block(name string) *template.Template {
	switch {
	case c.set == nil:
		return nil
	case c.whole && name == "entry":
		return c.set
	}
	return c.set.Lookup(name)
}
