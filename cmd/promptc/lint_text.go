package main

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/promptc/promptc/engine/agent"
	"github.com/promptc/promptc/engine/diag"
	"github.com/promptc/promptc/engine/format"
	"github.com/promptc/promptc/engine/lint"
)

// lintText writes the report for people: file by file, aligned, a hint once, then
// the fates, then the sum.
func (a *app) lintText(r *lint.Report, patches []lint.Patch) {
	style := a.style()
	for _, p := range patches {
		for _, c := range p.Changes {
			fmt.Fprintf(a.out, "%s %s:%d:%d  %s\n", style.Good("fixed"), a.shorter(p.Path), c.Line, c.Column, clip(format.Visible(oneLine(c.New)), 100))
		}
	}
	if len(patches) > 0 {
		fmt.Fprintln(a.out)
	}
	hinted := map[string]bool{}
	for list := r.Diagnostics; len(list) > 0; {
		n := 1
		for n < len(list) && list[n].File == list[0].File {
			n++
		}
		a.lintFile(list[:n], hinted)
		list = list[n:]
	}
	a.lintFates(r.Fates)
	fmt.Fprintln(a.out, style.Bold(r.Summary()))
}

// lintFile writes the findings of one file.
func (a *app) lintFile(list []diag.Diagnostic, hinted map[string]bool) {
	if a.quiet {
		list = slices.DeleteFunc(slices.Clone(list), func(d diag.Diagnostic) bool { return d.Severity < diag.Error })
	}
	if len(list) == 0 {
		return
	}
	style := a.style()
	wide := 0
	for _, d := range list {
		wide = max(wide, len(place(d)))
	}
	fmt.Fprintln(a.out, style.Bold(a.shorter(list[0].File)))
	for _, d := range list {
		word := a.paint(d.Severity, fmt.Sprintf("%-7s", d.Severity))
		fmt.Fprintf(a.out, "  %*s  %s  %s  %s\n", wide, place(d), word, format.Visible(a.shortened(strings.ReplaceAll(d.Message, d.File, filepath.Base(d.File)))), style.Dim("["+string(d.Code)+"]"))
		if d.Hint != "" && (a.verbose || !hinted[d.Hint]) {
			hinted[d.Hint] = true
			fmt.Fprintf(a.out, "  %*s  %7s  %s\n", wide, "", "", style.Dim("→ "+format.Visible(a.shortened(d.Hint))))
		}
	}
	fmt.Fprintln(a.out)
}

// place is line:column as far as they are known.
func place(d diag.Diagnostic) string {
	switch {
	case d.Line == 0:
		return ""
	case d.Column == 0:
		return fmt.Sprint(d.Line)
	}
	return fmt.Sprintf("%d:%d", d.Line, d.Column)
}

// shorter is a path relative to the working directory where it lies below it.
func (a *app) shorter(path string) string {
	if rel, err := filepath.Rel(a.env.Dir, path); err == nil && filepath.IsLocal(rel) {
		return rel
	}
	return path
}

// shortened is text in which paths below the working directory are relative to it.
func (a *app) shortened(text string) string {
	return strings.ReplaceAll(text, a.env.Dir+string(filepath.Separator), "")
}

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

// outcomes are the fates from the best to the worst.
var outcomes = []agent.Outcome{
	agent.FateLoads, agent.FateBare, agent.FateNameOnly, agent.FateDuplicates,
	agent.FateDropped, agent.FateSilent, agent.FateUnknown,
}

func outcomeWords(o agent.Outcome) string { return strings.ReplaceAll(string(o), "-", " ") }

// lintFates writes a table for each skill: agents in which nothing is odd in one
// row, every other one in a row of its own with the reason.
func (a *app) lintFates(fates []agent.Fate) {
	style := a.style()
	for len(fates) > 0 {
		n := 1
		for n < len(fates) && fates[n].Path == fates[0].Path {
			n++
		}
		fmt.Fprintf(a.out, "%s  %s\n", style.Bold(format.Visible(fates[0].Skill)), style.Dim(a.shorter(fates[0].Path)))
		a.fateRows(fates[:n])
		fmt.Fprintln(a.out)
		fates = fates[n:]
	}
}

// fateRows writes what becomes of one skill.
func (a *app) fateRows(fates []agent.Fate) {
	words, agents := 0, 0
	for _, f := range fates {
		words = max(words, len(outcomeWords(f.Outcome)))
		if f.Reason != "" && f.Outcome != agent.FateUnknown {
			agents = max(agents, columns(agentVersion(f)))
		}
	}
	agents = min(agents, 28)
	row := func(f agent.Fate, who string, wide int, text string) {
		word := pad(outcomeWords(f.Outcome), words)
		switch {
		case f.Outcome == agent.FateUnknown:
			word = a.style().Dim(word)
		case f.Outcome.Lives():
			word = a.style().Good(word)
		default:
			word = a.style().Bad(word)
		}
		left := 2 + words + 2
		if wide > 0 {
			who, left = pad(who, wide)+"  ", left+wide+2
		}
		fmt.Fprintln(a.out, "  "+word+"  "+who+hang(text, left, a.width()))
	}
	for _, o := range outcomes {
		var plain []string
		var first agent.Fate
		var odd []agent.Fate
		for _, f := range fates {
			switch {
			case f.Outcome != o:
			case f.Reason == "" || f.Outcome == agent.FateUnknown:
				plain, first = append(plain, agentVersion(f)), f
			default:
				odd = append(odd, f)
			}
		}
		if len(plain) > 0 {
			row(first, "", 0, strings.Join(plain, ", "))
		}
		for _, f := range odd {
			row(f, clip(agentVersion(f), agents), agents, a.shortened(f.Reason))
		}
	}
}

// agentVersion is an agent with the version that the deciding fact is known of.
func agentVersion(f agent.Fate) string {
	return strings.TrimSpace(f.Agent + " " + clip(f.Version, 12))
}
