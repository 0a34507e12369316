package lint

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/promptc/promptc/engine/diag"
	"github.com/promptc/promptc/engine/skill"
)

// Patch is what a fix makes of one skill file: the places of skill.Fix are quoted
// and every other byte stays as it is.
type Patch struct {
	Path          string // as found
	Before, After []byte
	Changes       []Change

	within string // the real directory of the path that was given
}

// Patches lists what a fix would do to the skill files of c, in the order of their
// paths. It writes nothing.
func Patches(ctx context.Context, c *skill.Catalog) ([]Patch, error) {
	missed, _ := c.Search(ctx)
	var out []Patch
	for _, f := range unique(append(slices.Clone(c.Found), missed...)) {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		content, err := f.Read(ctx)
		if err != nil {
			continue // Check reports it
		}
		fixed, repairs := skill.Fix(content.Raw)
		if len(repairs) == 0 {
			continue
		}
		p := Patch{Path: f.Path, Before: content.Raw, After: fixed, within: c.Roots[f.Root].Real}
		for _, r := range repairs {
			p.Changes = append(p.Changes, Change{r.Line, r.Column, r.Old, r.New})
		}
		out = append(out, p)
	}
	return out, nil
}

// Fixed notes in the report what patches did, or would do.
func (r *Report) Fixed(patches []Patch) {
	for _, p := range patches {
		if i := slices.IndexFunc(r.Files, func(f File) bool { return f.Path == p.Path }); i >= 0 {
			r.Files[i].Fixed = p.Changes
		}
	}
}

// Add puts more diagnostics into the report.
func (r *Report) Add(list diag.List, opts Options) {
	r.Diagnostics = settle(append(diag.List(r.Diagnostics), list...), opts)
	for i := range r.Files {
		r.Files[i].Errors, r.Files[i].Warnings, r.Files[i].Infos = 0, 0, 0
	}
	r.count()
}

// around is how many lines a diff shows around a change.
const around = 3

// Diff is the patch as a unified diff, under the name that is given.
func (p Patch) Diff(name string) string {
	// A fix puts quotes around values and never breaks or joins a line, so that line n
	// of one side is line n of the other.
	before, after := lines(p.Before), lines(p.After)
	var changed []int
	for i := range before {
		if !bytes.Equal(before[i], after[i]) {
			changed = append(changed, i)
		}
	}
	var b strings.Builder
	a, z := "a/"+name, "b/"+name
	if strings.HasPrefix(name, "/") {
		a, z = name, name
	}
	fmt.Fprintf(&b, "--- %s\n+++ %s\n", a, z)
	for i := 0; i < len(changed); {
		j := i
		for j+1 < len(changed) && changed[j+1]-changed[j] <= 2*around {
			j++
		}
		from, to := max(0, changed[i]-around), min(len(before), changed[j]+around+1)
		fmt.Fprintf(&b, "@@ -%d,%d +%d,%d @@\n", from+1, to-from, from+1, to-from)
		for k := from; k < to; {
			if bytes.Equal(before[k], after[k]) {
				writeLine(&b, ' ', before[k])
				k++
				continue
			}
			end := k
			for end < to && !bytes.Equal(before[end], after[end]) {
				end++
			}
			for _, l := range before[k:end] {
				writeLine(&b, '-', l)
			}
			for _, l := range after[k:end] {
				writeLine(&b, '+', l)
			}
			k = end
		}
		i = j + 1
	}
	return b.String()
}

// lines cuts a text behind each line end.
func lines(text []byte) (out [][]byte) {
	for l := range bytes.Lines(text) {
		out = append(out, l)
	}
	return out
}

func writeLine(b *strings.Builder, mark byte, line []byte) {
	b.WriteByte(mark)
	b.Write(line)
	if !bytes.HasSuffix(line, []byte("\n")) {
		b.WriteString("\n\\ No newline at end of file\n")
	}
}
