package engine

import (
	"strings"
	"testing"
)

func TestP3CustomWords(t *testing.T) {
	w := In(ParseWords("test", `{{define "entry-line.en"}}bundled {{.Name}}{{end}}{{define "instruction.en"}}bundled head{{end}}`), "en")
	data := struct{ Name string }{"reef"}
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
		entry, err1 := own.Say("entry", w, "entry-line", data)
		head, err2 := own.Say("instruction", w, "instruction", data)
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
	if _, err := own.Say("entry", w, "entry-line", data); err == nil || !strings.Contains(err.Error(), "Nmae") {
		t.Errorf("a field that is not there: %v", err)
	}
	if _, err := own.Say("entry", w, "entry-line", map[string]string{}); err == nil {
		t.Error("a key that is not there is taken")
	}
}
