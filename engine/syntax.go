package engine

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/promptc/promptc/engine/diag"
)

// yamlDiagnostic is an error of the YAML reader at its line. The reader names no
// line where it is the first, or where it could not read the text at all.
func yamlDiagnostic(path string, data []byte, err error) diag.Diagnostic {
	at := diag.At(path)
	msg := strings.TrimPrefix(err.Error(), "yaml: ")
	var line int
	switch n, _ := fmt.Sscanf(msg, "line %d:", &line); {
	case n == 1:
		at.Line = line
		_, msg, _ = strings.Cut(msg, ": ")
	case strings.Contains(msg, "UTF-8"), strings.Contains(msg, "control characters"):
		if line, column, what := unreadable(data); line > 0 {
			at.Line, at.Column = line, column
			return diag.New(diag.SpecSyntax, at, "%s", what).WithHint("remove it, or save the file as UTF-8")
		}
	case !strings.Contains(msg, "anchor"):
		at.Line = 1
	}
	return diag.New(diag.SpecSyntax, at, "%s", msg)
}

// unreadable finds the first thing in data that no YAML file may hold.
func unreadable(data []byte) (line, column int, what string) {
	line, column = 1, 1
	for len(data) > 0 {
		r, size := utf8.DecodeRune(data)
		switch {
		case r == utf8.RuneError && size == 1:
			return line, column, fmt.Sprintf("the byte 0x%02x is not UTF-8", data[0])
		case r == '\n':
			line, column = line+1, 0
		case unicode.IsControl(r) && r != '\t' && r != '\r' && r != 0x85:
			return line, column, fmt.Sprintf("the control character %U", r)
		}
		data, column = data[size:], column+1
	}
	return 0, 0, ""
}
