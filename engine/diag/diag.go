// Package diag is how promptc speaks about the user's files.
//
// An error says that promptc could not do its work; a Diagnostic says what is
// wrong in a file of the user's, where, and what to do. Make one with New, keep
// them in a List, and ask List.Err whether any of them is an error. Every code
// stands in the one table of codes.go; its severity there is the default.
package diag

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// Severity orders diagnostics: Info is to know, Warning is to look at, Error
// means that the result is not fit to use.
type Severity int

const (
	Info Severity = iota
	Warning
	Error
)

var severities = [...]string{"info", "warning", "error"}

func (s Severity) String() string {
	if s < 0 || int(s) >= len(severities) {
		return fmt.Sprintf("severity(%d)", int(s))
	}
	return severities[s]
}

// MarshalText writes info, warning or error.
func (s Severity) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// UnmarshalText reads info, warning or error.
func (s *Severity) UnmarshalText(text []byte) error {
	i := slices.Index(severities[:], string(text))
	if i < 0 {
		return fmt.Errorf("unknown severity %q", text)
	}
	*s = Severity(i)
	return nil
}

// Pos is a place in a file. File is absolute where it names a file on disk.
// Line and Column count from 1 (Column in runes); 0 is unknown.
type Pos struct {
	File   string
	Line   int
	Column int
}

// At makes a Pos of a file alone.
func At(file string) Pos { return Pos{File: file} }

// Diagnostic is one finding. Message says what is wrong here; Hint says what to
// do about it and may be empty where Message already does.
type Diagnostic struct {
	Code     Code     `json:"code"`
	Severity Severity `json:"severity"`
	File     string   `json:"file"`
	Line     int      `json:"line"`
	Column   int      `json:"column"`
	Message  string   `json:"message"`
	Hint     string   `json:"hint"`
}

// New makes a Diagnostic with the severity and the hint that the table gives
// to code. It panics where the table has no such code: codes are constants.
func New(code Code, at Pos, format string, args ...any) Diagnostic {
	row, ok := Lookup(code)
	if !ok {
		panic("diag: no such code: " + string(code))
	}
	msg := format
	if len(args) > 0 {
		msg = fmt.Sprintf(format, args...)
	}
	return Diagnostic{Code: code, Severity: row.Severity, File: at.File, Line: at.Line, Column: at.Column, Message: msg, Hint: row.Hint}
}

// WithHint returns d with another hint.
func (d Diagnostic) WithHint(format string, args ...any) Diagnostic {
	d.Hint = fmt.Sprintf(format, args...)
	return d
}

// As returns d with another severity.
func (d Diagnostic) As(s Severity) Diagnostic {
	d.Severity = s
	return d
}

// Where is the place as file:line:column, as far as it is known.
func (d Diagnostic) Where() string {
	switch {
	case d.File == "":
		return ""
	case d.Line == 0:
		return d.File
	case d.Column == 0:
		return fmt.Sprintf("%s:%d", d.File, d.Line)
	}
	return fmt.Sprintf("%s:%d:%d", d.File, d.Line, d.Column)
}

// String is the one-line form, without the hint:
// file:line:col: severity: message [code].
func (d Diagnostic) String() string {
	var b strings.Builder
	if w := d.Where(); w != "" {
		b.WriteString(w)
		b.WriteString(": ")
	}
	fmt.Fprintf(&b, "%s: %s [%s]", d.Severity, d.Message, d.Code)
	return b.String()
}

// List holds diagnostics in the order in which they were found.
type List []Diagnostic

// Add appends d.
func (l *List) Add(d ...Diagnostic) { *l = append(*l, d...) }

// Max is the highest severity in l, or -1 where l is empty.
func (l List) Max() Severity {
	highest := Severity(-1)
	for _, d := range l {
		highest = max(highest, d.Severity)
	}
	return highest
}

// Errors are the diagnostics of severity Error.
func (l List) Errors() List {
	var out List
	for _, d := range l {
		if d.Severity >= Error {
			out = append(out, d)
		}
	}
	return out
}

// Err is nil unless l holds a diagnostic of severity Error; then it is an
// error that wraps a *Failed with all of those.
func (l List) Err() error {
	if errs := l.Errors(); len(errs) > 0 {
		return &Failed{List: errs}
	}
	return nil
}

// Failed is the error form of diagnostics of severity Error.
type Failed struct{ List List }

func (f *Failed) Error() string {
	lines := make([]string, len(f.List))
	for i, d := range f.List {
		lines[i] = d.String()
	}
	return strings.Join(lines, "\n")
}

// Of returns the diagnostics that err carries, or nil.
func Of(err error) List {
	if f, ok := errors.AsType[*Failed](err); ok {
		return f.List
	}
	return nil
}
