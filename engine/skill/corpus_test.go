package skill

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"github.com/promptc/promptc/engine/diag"
)

// corpora are the directories whose children are repositories with skills: a small
// one that is always there, and the large one where it is.
func corpora(t *testing.T) []string {
	t.Helper()
	out := []string{"testdata/corpus"}
	if dir := beside(t, "corpus"); dir != "" {
		out = append(out, dir)
	}
	return out
}

// TestP1EverySkillFileIsAccountedFor: each SKILL.md on the disk is a skill,
// shadowed or broken, or it is reported as nested or too deep, or it lies in a
// directory that is named as not looked into.
func TestP1EverySkillFileIsAccountedFor(t *testing.T) {
	for _, dir := range corpora(t) {
		dir, err := filepath.Abs(dir)
		must(t, err)
		var roots []Root
		list, err := os.ReadDir(dir)
		must(t, err)
		for _, e := range list {
			if e.IsDir() {
				roots = append(roots, Root{Dir: filepath.Join(dir, e.Name()), Scope: User, Source: "flag", Depth: 6, Trusted: true})
			}
		}
		c := look(t, roots...)
		told := map[string]bool{}
		for _, f := range c.Found {
			told[f.Path] = true
		}
		var skipped []string
		_, problems := c.Search(t.Context())
		for _, d := range problems {
			switch d.Code {
			case diag.Nested, diag.TooDeep:
				told[d.File] = true
			case diag.SkippedDirectory:
				skipped = append(skipped, d.File+string(filepath.Separator))
			}
		}
		for _, path := range skillFiles(t, dir) {
			in := false
			for _, s := range skipped {
				in = in || strings.HasPrefix(path, s)
			}
			if !told[path] && !in {
				t.Errorf("%s vanished without a word", path)
			}
		}
	}
}

func skillFiles(t *testing.T, dir string) (out []string) {
	t.Helper()
	must(t, filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err == nil && e.Name() == skillFile && !e.IsDir() {
			out = append(out, path)
		}
		return err
	}))
	return out
}

// TestCorpus: every file with invalid YAML loads with its whole description and a
// diagnostic at its line, files without frontmatter load by fallback, byte order
// marks and CRLF leave no trace, and what is fixed is valid YAML and else the same.
func TestCorpus(t *testing.T) {
	for _, dir := range corpora(t) {
		large := !strings.HasPrefix(dir, "testdata")
		var invalid, none, boms, crlf int
		for _, path := range skillFiles(t, dir) {
			raw, err := os.ReadFile(path)
			must(t, err)
			p := Parse(filepath.Dir(path), path, raw)
			f := p.Form
			if p.Broken != "" || p.Name == "" || p.Description == "" || f.YAML == LinesYAML {
				t.Errorf("%s: broken %q, read as %s", path, p.Broken, f.YAML)
			}
			if strings.ContainsAny(p.Name+p.Description, "\r\uFEFF\n") || strings.Contains(p.Body, "\r") || strings.HasPrefix(p.Body, "\uFEFF") {
				t.Errorf("%s: traces of how it was saved", path)
			}
			if f.BOM {
				boms++
			}
			if f.Newline == "crlf" || f.Newline == "mixed" {
				crlf++
			}
			if !f.Closed {
				none++
				if f.NameFrom == FromFrontmatter || f.DescFrom == FromFrontmatter {
					t.Errorf("%s: %+v", path, f)
				}
			}
			if f.YAML == RepairedYAML {
				invalid++
				checkRepaired(t, path, raw, p)
			} else if fixed, repairs := Fix(raw); len(repairs) > 0 || !bytes.Equal(fixed, raw) {
				t.Errorf("%s: fixed without need", path)
			}
		}
		if large && (invalid != 23 || boms != 14 || crlf != 30 || none == 0) {
			t.Errorf("%d with invalid YAML, %d without frontmatter, %d with BOM, %d with CRLF", invalid, none, boms, crlf)
		}
		if !large && (invalid < 2 || boms == 0 || crlf == 0 || none == 0) {
			t.Errorf("the small corpus has %d, %d, %d, %d", invalid, none, boms, crlf)
		}
	}
}

func checkRepaired(t *testing.T, path string, raw []byte, p Parsed) {
	t.Helper()
	lines := strings.Split(string(bytes.ReplaceAll(raw, []byte("\r\n"), []byte("\n"))), "\n")
	d := having(t, p.Problems, diag.YAMLRepaired)
	key, value, _ := strings.Cut(lines[d.Line-1], ":")
	if key != "description" || p.Description != strings.TrimSpace(value) {
		t.Errorf("%s:%d: %q is not the description %q", path, d.Line, lines[d.Line-1], p.Description)
	}
	fixed, repairs := Fix(raw)
	var into map[string]any
	if err := yaml.Unmarshal([]byte(cutText(decode(fixed).text).block), &into); err != nil {
		t.Errorf("%s: fixed, but %v", path, err)
	}
	if into["description"] != p.Description {
		t.Errorf("%s: the fixed description is %q", path, into["description"])
	}
	if after := Parse(p.Dir, p.Path, fixed); after.Body != p.Body || after.Name != p.Name || after.Description != p.Description || after.Form.YAML != ValidYAML {
		t.Errorf("%s: loads otherwise when fixed", path)
	}
	if len(fixed)-len(raw) > 3*len(repairs) && !strings.Contains(p.Description, "'") {
		t.Errorf("%s: grew by %d bytes", path, len(fixed)-len(raw))
	}
}
