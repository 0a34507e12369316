package main

import (
	"bytes"
	"encoding/json"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/promptc/promptc/engine/skill"
)

// TestCorpusRenders plays every strategy over many real skills: those beside the
// repository where they are there, and always a small set of its own.
func TestCorpusRenders(t *testing.T) {
	t.Run("own", func(t *testing.T) { corpus(t, filepath.Join("testdata", "corpus")) })
	t.Run("shared", func(t *testing.T) {
		dir := filepath.Join("..", "..", "..", "shared", "corpus")
		if _, err := os.Stat(dir); err != nil {
			t.Skip("no corpus beside the repository")
		}
		if testing.Short() {
			t.Skip("many files")
		}
		corpus(t, dir)
	})
}

type rendered struct {
	System   string
	Sections []struct{ ID, Text string }
	Messages []struct{ Text string }
	Tools    []struct{ Description string }
	Links    []struct{ Path string }
	Skills   []struct{ Name, Path string }
	Usage    struct{ System, Messages, Tools, Total int }
}

func corpus(t *testing.T, dir string) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		t.Fatal(err)
	}
	repos, err := filepath.Glob(filepath.Join(dir, "*", ""))
	if err != nil {
		t.Fatal(err)
	}
	args := []string{"--trust", "--depth", "6"}
	for _, r := range repos {
		if fi, err := os.Stat(r); err == nil && fi.IsDir() {
			args = append(args, "--root", "project:"+r)
		}
	}
	ws := t.TempDir()
	for _, language := range []string{"en", "zh"} {
		for _, name := range []string{"index", "inject", "tool", "symlink"} {
			call := append([]string{"render", "--quiet", "--strategy", name, "--language", language, "--format", "json"}, args...)
			if name == "symlink" {
				call = append(call, "--workspace", ws, "--temporary", "--agent", "claude-code")
			}
			first := promptc(t, call...)
			if again := promptc(t, call...); !bytes.Equal(first, again) {
				t.Errorf("%s in %s: two runs differ", name, language)
			}
			var p rendered
			if err := json.Unmarshal(first, &p); err != nil {
				t.Fatalf("%s in %s: %v", name, language, err)
			}
			if len(p.Skills) == 0 || p.Usage.Total != p.Usage.System+p.Usage.Messages+p.Usage.Tools {
				t.Errorf("%s in %s: %d skills, %+v", name, language, len(p.Skills), p.Usage)
			}
			deliver(t, name, p)
		}
	}
	accounted(t, dir, args)
}

// deliver holds what each strategy promises about bodies and descriptions.
func deliver(t *testing.T, name string, p rendered) {
	t.Helper()
	if name == "symlink" || name == "tool" {
		if p.System != "" {
			t.Errorf("%s: text in the system prompt: %.80q", name, p.System)
		}
	}
	if name == "symlink" && (len(p.Links) == 0 || len(p.Tools) != 0) {
		t.Errorf("symlink: %d links, %d tools", len(p.Links), len(p.Tools))
	}
	lines := map[string]bool{}
	for line := range strings.Lines(p.System) {
		lines[strings.TrimSpace(line)] = true
	}
	for _, s := range p.Skills {
		raw, err := os.ReadFile(s.Path)
		if err != nil {
			t.Fatal(err)
		}
		parsed := skill.Parse(filepath.Dir(s.Path), s.Path, raw)
		switch name {
		case "inject":
			if parsed.Body != "" && !strings.Contains(p.System, "\n\n"+parsed.Body+"\n--- end of skill `") {
				t.Errorf("inject: the body of %s does not stand whole before its tail line", s.Path)
			}
		case "index":
			for line := range strings.Lines(parsed.Body) {
				line = strings.TrimSpace(line)
				if len([]rune(line)) >= 20 && lines[line] && !bytes.Contains(raw[:len(raw)-len(parsed.Body)], []byte(line)) {
					t.Errorf("J25: a body line of %s is in the index: %q", s.Path, line)
				}
			}
		}
	}
}

// accounted: every SKILL.md on disk is a skill, or reported with its path or with
// a directory above it (P1).
func accounted(t *testing.T, dir string, args []string) {
	t.Helper()
	var view struct {
		Skills      []struct{ Path, Status string }
		Diagnostics []struct{ Code, File string }
	}
	out := promptc(t, append([]string{"skills", "--json", "--no-tokens", "--quiet"}, args...)...)
	if err := json.Unmarshal(out, &view); err != nil {
		t.Fatal(err)
	}
	known := map[string]bool{}
	for _, s := range view.Skills {
		known[s.Path] = true
	}
	var skipped []string
	for _, d := range view.Diagnostics {
		switch d.Code {
		case "nested", "too-deep", "wrong-file-name":
			known[d.File] = true
		case "skipped-directory":
			skipped = append(skipped, d.File+string(filepath.Separator))
		}
	}
	n := 0
	err := filepath.WalkDir(dir, func(p string, d fs.DirEntry, err error) error {
		if err != nil || d.Name() != "SKILL.md" {
			return err
		}
		n++
		if !known[p] && !slices.ContainsFunc(skipped, func(s string) bool { return strings.HasPrefix(p, s) }) {
			t.Errorf("%s is nowhere: neither a skill nor reported", p)
		}
		return nil
	})
	if err != nil || n == 0 {
		t.Fatalf("%d files, %v", n, err)
	}
}

func promptc(t *testing.T, args ...string) []byte {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), exe, args...)
	cmd.Args[0] = "promptc"
	cmd.Env = append(os.Environ(), "XDG_STATE_HOME="+t.TempDir(), "XDG_CONFIG_HOME="+t.TempDir(), "PROMPTC_CONFIG=")
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("promptc %s: %v\n%.2000s", strings.Join(args[:min(8, len(args))], " "), err, stderr.Bytes())
	}
	return out
}
