package engine

import (
	"fmt"
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

// Say fills block, "entry" or "instruction", with data: in the spec's own words
// where it has any for that, else with the block bundled of w.
func (c Custom) Say(block string, w Words, bundled string, data any) (string, error) {
	t := c.block(block)
	if t == nil {
		return w.Say(bundled, data), nil
	}
	var b strings.Builder
	if err := t.Execute(&b, data); err != nil {
		return "", fmt.Errorf("%s: %w", block, err)
	}
	return strings.Trim(b.String(), "\n"), nil
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
