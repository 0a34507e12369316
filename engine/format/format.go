// Package format writes a Prompt in the form that a reader or a host takes.
//
// Write is the one function to call; Names lists the forms.
package format

import (
	"fmt"
	"io"
	"strings"

	"github.com/promptc/promptc/engine"
)

// writers are the forms, in the order in which they are listed.
var writers = []struct {
	name, summary string
	write         func(io.Writer, *engine.Prompt) error
}{
	{"text", "a labelled view for people, with tokens by section", func(w io.Writer, p *engine.Prompt) error { return Text(w, p, Plain) }},
	{"system", "the system prompt and nothing else", system},
	{"json", "everything, for programs", writeJSON},
}

// Names lists the forms that Write knows.
func Names() []string {
	out := make([]string, len(writers))
	for i, f := range writers {
		out[i] = f.name
	}
	return out
}

// Write writes p in the named form. It fails on an unknown name, and where w does.
func Write(w io.Writer, name string, p *engine.Prompt) error {
	for _, f := range writers {
		if f.name == name {
			return f.write(w, p)
		}
	}
	return fmt.Errorf("no format %q; formats are %s", name, strings.Join(Names(), ", "))
}

// system writes the bare system prompt, byte for byte, without a line break of
// its own.
func system(w io.Writer, p *engine.Prompt) error {
	_, err := io.WriteString(w, p.SystemText())
	return err
}
