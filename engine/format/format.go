// Package format writes a Prompt in the form that a reader or a host takes, and
// reads a host's messages.
//
// Write is the one function to call; Names lists the forms. For a request to a
// provider NewRequest also says what was changed and what has no place, and
// ReadHistory turns a provider's requests, responses and messages into Messages.
package format

import (
	"fmt"
	"io"
	"strings"

	"github.com/promptc/promptc/engine"
)

// form is one that Write knows.
type form struct {
	name, summary string
	write         func(io.Writer, *engine.Prompt) error
}

// forms lists them in the order in which people see them.
func forms() []form {
	out := []form{
		{"text", "a labelled view for people, with tokens by section", func(w io.Writer, p *engine.Prompt) error { return Text(w, p, Plain) }},
		{"system", "the system prompt and nothing else", system},
		{"json", "everything, for programs", writeJSON},
	}
	for _, p := range providers() {
		r := p.rules()
		out = append(out, form{r.name, r.summary, func(w io.Writer, p *engine.Prompt) error { return request(w, r.name, p) }})
	}
	return out
}

// Names lists the forms that Write knows.
func Names() []string {
	var out []string
	for _, f := range forms() {
		out = append(out, f.name)
	}
	return out
}

// Summary says what the named form is, in one line.
func Summary(name string) string {
	for _, f := range forms() {
		if f.name == name {
			return f.summary
		}
	}
	return ""
}

// Write writes p in the named form. It fails on an unknown name, and where w does.
// A request that the provider would refuse is an error with diagnostics (diag.Of);
// NewRequest gives all diagnostics of a request.
func Write(w io.Writer, name string, p *engine.Prompt) error {
	for _, f := range forms() {
		if f.name == name {
			return f.write(w, p)
		}
	}
	return fmt.Errorf("no format %q; formats are %s", name, strings.Join(Names(), ", "))
}

func request(w io.Writer, name string, p *engine.Prompt) error {
	r, err := NewRequest(name, p, Options{})
	if err != nil {
		return err
	}
	if err := r.Diagnostics.Err(); err != nil {
		return err
	}
	_, err = w.Write(r.Body)
	return err
}

// system writes the bare system prompt, byte for byte, without a line break of
// its own.
func system(w io.Writer, p *engine.Prompt) error {
	_, err := io.WriteString(w, p.SystemText())
	return err
}
