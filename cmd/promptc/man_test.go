package main

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"
)

// manPages are the pages of c and all below it, by file name. They carry no date, so
// that they change only with the commands.
func manPages(t *testing.T, c *cobra.Command, out map[string][]byte) {
	t.Helper()
	name := strings.ReplaceAll(c.CommandPath(), " ", "-")
	var page bytes.Buffer
	c.DisableAutoGenTag = true
	if err := doc.GenMan(c, &doc.GenManHeader{Title: strings.ToUpper(name), Section: "1", Source: "promptc", Manual: "promptc"}, &page); err != nil {
		t.Fatal(err)
	}
	lines := slices.Collect(strings.Lines(page.String()))
	i := slices.IndexFunc(lines, func(l string) bool { return strings.HasPrefix(l, ".TH ") })
	if i < 0 {
		t.Fatalf("%s has no title", name)
	}
	lines[i] = `.TH "` + strings.ToUpper(name) + `" "1" "" "promptc" "promptc"` + "\n"
	out[name+".1"] = []byte(strings.TrimSpace(strings.Join(lines, "")) + "\n")
	for _, sub := range c.Commands() {
		if sub.IsAvailableCommand() && !sub.IsAdditionalHelpTopicCommand() {
			manPages(t, sub, out)
		}
	}
}

// TestManPages: docs/man is what the commands say of themselves, page for page.
func TestManPages(t *testing.T) {
	a := &app{in: strings.NewReader(""), out: &bytes.Buffer{}, err: &bytes.Buffer{}}
	root := a.command()
	root.InitDefaultHelpCmd()
	root.InitDefaultCompletionCmd()
	want := map[string][]byte{}
	manPages(t, root, want)
	dir := filepath.Join("..", "..", "docs", "man")
	if *update {
		if err := os.RemoveAll(dir); err != nil {
			t.Fatal(err)
		}
		if err := os.MkdirAll(dir, 0o777); err != nil {
			t.Fatal(err)
		}
		for name, page := range want {
			if err := os.WriteFile(filepath.Join(dir, name), page, 0o666); err != nil {
				t.Fatal(err)
			}
		}
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if want[e.Name()] == nil {
			t.Errorf("docs/man/%s is of no command", e.Name())
		}
	}
	for name, page := range want {
		got, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil || !bytes.Equal(got, page) {
			t.Errorf("docs/man/%s is not what the command says; go test ./cmd/promptc -run ManPages -update writes it (%v)", name, err)
		}
		if !bytes.Contains(page, []byte(".SH NAME")) || !bytes.Contains(page, []byte(".SH SYNOPSIS")) {
			t.Errorf("%s is no man page", name)
		}
	}
	if len(want) < 15 {
		t.Errorf("only %d pages", len(want))
	}
}
