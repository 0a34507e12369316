package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/promptc/promptc/engine/diag"
	"github.com/promptc/promptc/engine/format"
)

// repeats is how many diagnostics of one code are printed before the rest is
// only counted.
const repeats = 5

// report prints diagnostics to stderr: place, severity, message, code, and the
// hint on a line of its own. A kind that repeats is counted unless --verbose.
func (a *app) report(list diag.List) {
	shown := map[diag.Code]int{}
	hinted := map[string]bool{}
	said := map[diag.Diagnostic]bool{}
	for _, d := range list {
		if said[d] {
			continue // word for word, from two sides
		}
		said[d] = true
		if a.quiet && d.Severity < diag.Error {
			continue
		}
		shown[d.Code]++
		if !a.verbose && d.Severity < diag.Error && shown[d.Code] > repeats {
			continue
		}
		fmt.Fprintln(a.err, a.paint(d.Severity, format.Visible(d.String())))
		if d.Hint != "" && (a.verbose || !hinted[d.Hint]) {
			hinted[d.Hint] = true
			fmt.Fprintf(a.err, "  → %s\n", format.Visible(d.Hint))
		}
	}
	if a.verbose {
		return
	}
	var more []string
	for _, r := range diag.Table() {
		if n := shown[r.Code] - repeats; n > 0 && !slices.ContainsFunc(list, func(d diag.Diagnostic) bool { return d.Code == r.Code && d.Severity == diag.Error }) {
			more = append(more, fmt.Sprintf("%d [%s]", n, r.Code))
		}
	}
	if len(more) > 0 {
		fmt.Fprintf(a.err, "… and more of the same: %s (--verbose shows all)\n", strings.Join(more, ", "))
	}
}

// paint colours a whole line on a terminal.
func (a *app) paint(s diag.Severity, line string) string {
	if !a.color {
		return line
	}
	switch s {
	case diag.Error:
		return "\x1b[31m" + line + "\x1b[0m"
	case diag.Warning:
		return "\x1b[33m" + line + "\x1b[0m"
	}
	return "\x1b[2m" + line + "\x1b[0m"
}

// namesInFlags are the codes that are a wrong call where a flag brought the value.
var namesInFlags = []diag.Code{diag.UnknownAgent, diag.UnknownStrategy, diag.UnknownSkill, diag.UnknownOption, diag.SpecValue, diag.FileUnreadable}

// code is the exit code for diagnostics: an unknown name in a flag is usage.
func code(list diag.List) int {
	errs := list.Errors()
	if len(errs) == 0 {
		return exitFine
	}
	for _, d := range errs {
		if !strings.HasPrefix(d.File, "--") || !slices.Contains(namesInFlags, d.Code) {
			return exitDiagnostic
		}
	}
	return exitUsage
}

// finish reports list and turns its errors into the exit code.
func (a *app) finish(list diag.List) error {
	a.report(list)
	if c := code(list); c != exitFine {
		return diagnosed{c}
	}
	return nil
}

// unknown reports a name on the command line that nothing has, which is a wrong call.
func (a *app) unknown(d diag.Diagnostic) error {
	a.report(diag.List{d})
	return diagnosed{exitUsage}
}
