package main

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"io"
	"os"
	"slices"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"

	"github.com/promptc/promptc/engine/diag"
	"github.com/promptc/promptc/engine/format"
)

// texts lays the flags over the spec that give a text, or name a file with one.
func (o *overlay) texts() {
	f, s := o.f, o.spec
	for _, x := range []struct {
		flag string
		to   *string
		from string
	}{
		{"system", &s.System, f.system},
		{"knowledge", &s.Knowledge, f.knowledge},
		{"message", &s.Message, f.message},
	} {
		if o.given(x.flag, x.flag) {
			*x.to = o.text(x.flag, x.from)
			o.utf8(x.flag, *x.to)
		}
	}
	o.utf8("args", f.args)
	o.history()
}

// history reads a list of {role, text}, or messages in a provider's form, which stay
// as they are byte for byte.
func (o *overlay) history() {
	f, s := o.f, o.spec
	if !o.given("history", "history") {
		if o.given("history-format") {
			o.fail("--history-format says what --history FILE is; name the file")
		}
		return
	}
	known := append([]string{format.Own}, format.Providers()...)
	if f.historyFormat != "" && !slices.Contains(known, f.historyFormat) {
		o.fail("no history format %q; formats are %s", f.historyFormat, strings.Join(known, ", "))
		return
	}
	s.History, s.Earlier = nil, nil
	path := o.a.abs(f.history)
	data, err := os.ReadFile(path)
	if err != nil {
		o.fail("--history: %v", err)
		return
	}
	name := cmp.Or(f.historyFormat, format.Detect(data, f.target))
	if name == format.Own {
		dec := yaml.NewDecoder(bytes.NewReader(data))
		dec.KnownFields(true)
		if err := dec.Decode(&s.History); err != nil && !errors.Is(err, io.EOF) {
			o.fail("--history %s: a list of {role, text} is needed, or what a provider takes or answers: %v", f.history, err)
		}
		return
	}
	h, err := format.ReadHistory(name, path, data)
	if err != nil {
		o.fail("--history: %v", err)
		return
	}
	s.Earlier = h.Messages
	s.Diagnostics.Add(h.Diagnostics...)
	o.historySystem(h.System, path)
}

// historySystem makes the system prompt of a history the base prompt, where there is
// none.
func (o *overlay) historySystem(text, path string) {
	switch {
	case text == "" || text == o.spec.System:
	case o.spec.System == "":
		o.spec.System = text
		o.spec.Diagnostics.Add(diag.New(diag.HistorySystem, diag.At(path), "the history's system prompt of %d characters is the base prompt", utf8.RuneCountInString(text)))
	default:
		o.spec.Diagnostics.Add(diag.New(diag.HistorySystem, diag.At(path), "the history's system prompt of %d characters was left out: there is a base prompt", utf8.RuneCountInString(text)).As(diag.Warning))
	}
}

// text is a value as it stands, or what @ names.
func (o *overlay) text(flag, value string) string {
	name, isFile := strings.CutPrefix(value, "@")
	switch {
	case !isFile:
		return value
	case strings.HasPrefix(name, "@"):
		return name
	case name == "-":
		if o.stdin != "" {
			o.fail("--%s: stdin was read for --%s already; put one of the two texts into a file", flag, o.stdin)
			return ""
		}
		o.stdin = flag
		data, err := io.ReadAll(o.a.in)
		switch {
		case errors.Is(err, context.Canceled):
			o.err = err
		case err != nil:
			o.fail("--%s: read stdin: %v", flag, err)
		}
		return string(data)
	}
	if name == "" {
		o.fail("--%s: @ names no file (@FILE, @- for stdin, @@ for a literal @)", flag)
		return ""
	}
	data, err := os.ReadFile(o.a.abs(name))
	if err != nil {
		o.fail("--%s: %v (a text that begins with @ is written @@…)", flag, err)
	}
	return string(data)
}

// utf8 refuses a text that no model could be sent as it stands.
func (o *overlay) utf8(flag, text string) {
	if !utf8.ValidString(text) {
		o.fail("--%s: the text is not valid UTF-8; convert it first, for example with iconv", flag)
	}
}
