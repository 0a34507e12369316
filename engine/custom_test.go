package engine

import (
	"errors"
	"strings"
	"testing"
)

func TestP3CustomWords(t *testing.T) {
	w := In(ParseWords("test", `{{define "entry-line.en"}}bundled {{.Name}}{{end}}{{define "instruction.en"}}bundled head{{end}}`), "en")
	entryOf := func(own Custom) (string, error) {
		var b strings.Builder
		err := own.Entries(w, "entry-line", "Name").Append(&b, "reef")
		return b.String(), err
	}
	for _, c := range []struct{ template, entry, head string }{
		{"", "bundled reef", "bundled head"},
		{"whole {{.Name}}\r\n", "whole reef", "bundled head"},
		{`{{define "entry"}}own {{.Name}}{{end}}`, "own reef", "bundled head"},
		{`{{define "instruction"}}own head{{end}}`, "bundled reef", "own head"},
		{`{{define "instruction"}}own head{{end}}{{define "entry"}}{{template "sub" .}}{{end}}{{define "sub"}}sub {{.Name}}{{end}}`, "sub reef", "own head"},
		{`{{define "sub"}}sub {{.Name}}{{end}}by {{template "sub" .}}`, "by sub reef", "bundled head"},
	} {
		own, err := ParseCustom(c.template)
		if err != nil {
			t.Fatal(err)
		}
		entry, err1 := entryOf(own)
		head, err2 := own.Instruction(w, nil)
		if err1 != nil || err2 != nil || entry != c.entry || head != c.head {
			t.Errorf("%q: got %q (%v) and %q (%v)", c.template, entry, err1, head, err2)
		}
	}
	if _, err := ParseCustom("{{.Name"); err == nil {
		t.Error("a template that does not parse is taken")
	}
	own, err := ParseCustom("{{.Nmae}}")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := entryOf(own); err == nil || !strings.Contains(err.Error(), "Nmae") {
		t.Errorf("a field that is not there: %v", err)
	}
}

// Filled piece by piece or as a template, the words are the same.
func TestEntriesFillAsTheTemplateDoes(t *testing.T) {
	block := `{{define "entry.en"}}{{.B}}- {{.A}}: {{.B}} & {{printf "%s!" .A}}{{end}}`
	w := In(ParseWords("test", block), "en")
	bundled := Custom{}.Entries(w, "entry", "A", "B", "C")
	own, err := ParseCustom(strings.Replace(block, "entry.en", "entry", 1))
	if err != nil {
		t.Fatal(err)
	}
	custom := own.Entries(w, "entry", "A", "B", "C")
	for range 2 {
		var a, b strings.Builder
		if err := errors.Join(bundled.Append(&a, "1", "{{.C}}", "x"), custom.Append(&b, "1", "{{.C}}", "x")); err != nil {
			t.Fatal(err)
		}
		if want := "{{.C}}- 1: {{.C}} & 1!"; a.String() != want || b.String() != want {
			t.Errorf("got %q and %q", a.String(), b.String())
		}
	}
	if !bundled.Uses("A") || bundled.Uses("C") || !custom.Uses("C") {
		t.Error("Uses is wrong")
	}
}
