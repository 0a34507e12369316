package main

import (
	"cmp"
	"context"
	"fmt"
	"runtime"
	"strings"

	"github.com/spf13/cobra"
	"golang.org/x/sync/errgroup"

	"github.com/promptc/promptc/engine/diag"
	"github.com/promptc/promptc/engine/format"
	"github.com/promptc/promptc/engine/token"
)

// tokensFlags are how tokens counts and prints.
type tokensFlags struct {
	tokenizer, model        string
	byLine, compare, asJSON bool
}

// tokensView is what tokens prints as JSON, files in the order given.
type tokensView struct {
	Tokenizer string         `json:"tokenizer"`
	Exact     bool           `json:"exact"`
	Files     []tokensFile   `json:"files"`
	Total     int            `json:"total"`
	Compare   map[string]int `json:"compare,omitempty"` // with --compare: the total by each tokenizer
}

type tokensFile struct {
	Path    string         `json:"path"` // absolute; "-" is stdin
	Bytes   int            `json:"bytes"`
	Tokens  int            `json:"tokens"`
	Lines   []int          `json:"lines,omitempty"`   // with --by-line: the tokens of each line
	Compare map[string]int `json:"compare,omitempty"` // with --compare: the tokens by each tokenizer

	textFile
	text string // kept for --by-line alone
}

func (a *app) tokensCommand() *cobra.Command {
	f := &tokensFlags{}
	c := &cobra.Command{
		Use:   "tokens [FILE...]",
		Short: "Count the tokens of files, of all files below a directory, or of stdin",
		Long: "Counts the tokens of each FILE and in total. A directory stands for the text files below it, without\n" +
			".git; no FILE, or -, is stdin. The tokenizers are " + strings.Join(token.Names(), ", ") + ".",
		Args: cobra.ArbitraryArgs,
	}
	s := c.Flags()
	s.SortFlags = false
	s.StringVar(&f.model, "model", "", "the model's `NAME`, which chooses the tokenizer")
	s.StringVar(&f.tokenizer, "tokenizer", "", "count with the tokenizer `NAME` instead of the model's; default: "+token.Names()[0])
	s.BoolVar(&f.byLine, "by-line", false, "print the tokens of each line; they add up to the file's")
	s.BoolVar(&f.compare, "compare", false, "count with every tokenizer")
	s.BoolVar(&f.asJSON, "json", false, "for programs")
	c.RunE = func(c *cobra.Command, args []string) error {
		counter, err := token.Pick(f.model, f.tokenizer)
		if err != nil {
			return usage(c, "%v", err)
		}
		if len(args) == 0 {
			args = []string{"-"}
		}
		return a.tokens(c.Context(), f, counters(counter, f.compare), args)
	}
	return c
}

// counters is the counter that was asked for, and with compare the others behind it.
func counters(first *token.Counter, compare bool) []*token.Counter {
	list := []*token.Counter{first}
	if !compare {
		return list
	}
	for _, name := range token.Names() {
		if c, err := token.Named(name); err == nil && name != first.Name() {
			list = append(list, c)
		}
	}
	return list
}

func (a *app) tokens(ctx context.Context, f *tokensFlags, by []*token.Counter, args []string) error {
	view := tokensView{Tokenizer: by[0].Name(), Exact: by[0].Exact(), Files: []tokensFile{}}
	if f.compare {
		view.Compare = map[string]int{}
	}
	files := make([]tokensFile, 0, len(args))
	for _, file := range a.textFiles(args) {
		files = append(files, tokensFile{textFile: file})
	}
	if err := a.countFiles(ctx, f, by, files); err != nil {
		return err
	}
	var found diag.List
	for _, file := range files {
		if file.err != nil {
			found.Add(diag.New(diag.FileUnreadable, diag.At(file.path), "cannot read the file: %v", file.err))
		}
		if file.err != nil || file.binary {
			continue
		}
		view.Files = append(view.Files, file)
		view.Total += file.Tokens
		for name, n := range file.Compare {
			view.Compare[name] += n
		}
	}
	if !f.asJSON {
		a.printTokens(f, by, view)
	} else if err := format.Encode(a.out, view); err != nil {
		return err
	}
	return a.finish(found)
}

// countFiles reads and counts, some files at a time.
func (a *app) countFiles(ctx context.Context, f *tokensFlags, by []*token.Counter, files []tokensFile) error {
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(runtime.GOMAXPROCS(0))
	for i := range files {
		group.Go(func() error {
			file := &files[i]
			text := a.read(&file.textFile)
			file.Path, file.Bytes, file.Tokens = file.path, len(text), by[0].Count(text)
			if f.byLine {
				file.Lines, file.text = by[0].Lines(text), text
			}
			if f.compare {
				file.Compare = map[string]int{}
				for _, c := range by {
					file.Compare[c.Name()] = c.Count(text)
				}
			}
			return ctx.Err()
		})
	}
	return group.Wait()
}

// printTokens prints as wc does: a line for each file, and the total.
func (a *app) printTokens(f *tokensFlags, by []*token.Counter, view tokensView) {
	style := a.style()
	widths := make([]int, len(by))
	for i, c := range by {
		widths[i] = max(8, len(fmt.Sprint(view.Total)))
		if f.compare {
			widths[i] = max(widths[i], len(c.Name()))
			fmt.Fprint(a.out, style.Bold(fmt.Sprintf("%*s", widths[i], c.Name())), "  ")
		}
	}
	if f.compare {
		fmt.Fprintln(a.out)
	}
	row := func(tokens int, compare map[string]int, what string) {
		for i, c := range by {
			if f.compare {
				tokens = compare[c.Name()]
			}
			fmt.Fprintf(a.out, "%*d  ", widths[i], tokens)
		}
		fmt.Fprintln(a.out, what)
	}
	for _, file := range view.Files {
		row(file.Tokens, file.Compare, file.name)
		number := 0
		for line := range strings.Lines(file.text) {
			fmt.Fprintf(a.out, "%*d  %s  %s\n", widths[0], file.Lines[number], style.Dim(fmt.Sprintf("%5d", number+1)), clip(format.Visible(strings.TrimRight(line, "\r\n")), 80))
			number++
		}
	}
	what := "total"
	if !f.compare {
		what += ", " + counted(by[0], f.model)
	}
	row(view.Total, view.Compare, style.Bold(what))
}

// counted says what a count is worth.
func counted(c *token.Counter, model string) string {
	cal := c.Calibration()
	switch {
	case c.Exact() && c.Own() == token.OwnFalse && model != "":
		return fmt.Sprintf("%s, which is not %s's own", c.Name(), model)
	case c.Exact():
		return c.Name()
	case cal.High > 0:
		return fmt.Sprintf("%s, an estimate for %s (the factor is %g to %g by text)", c.Name(), cmp.Or(model, "the model"), cal.Low, cal.High)
	}
	return c.Name() + ", an estimate"
}
