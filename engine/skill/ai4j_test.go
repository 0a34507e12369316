package skill

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// ai4jCase is a tree of files and what AI4J finds in it. {T} stands for the
// directory in which the tree is made.
type ai4jCase struct {
	Case        string                     `json:"case"`
	Tree        map[string]json.RawMessage `json:"tree"`
	WS          string                     `json:"ws"`
	Home        string                     `json:"home"`
	Directories []string                   `json:"skillDirectories"`
	User        string                     `json:"user"`
	AnyOrder    bool                       `json:"fs_order_dependent"`
	Sane        bool                       `json:"sane"`
	Expect      struct {
		Skills []struct{ Name, Description, Path string } `json:"skills"`
	} `json:"expect"`
}

// ai4jNode is an entry of a tree that is more than a text.
type ai4jNode struct {
	B64, Link, Text, Mode string
	Dir                   bool
	Head, Repeat, Tail    string
	N                     int
}

// build makes the tree and returns the roots that AI4J would look through.
func (c *ai4jCase) build(t *testing.T) (dir string, roots []Root) {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	fill := func(s string) string { return strings.ReplaceAll(s, "{T}", dir) }
	var modes []func()
	for name, raw := range c.Tree {
		path := filepath.Join(dir, filepath.FromSlash(name))
		must(t, os.MkdirAll(filepath.Dir(path), 0o755))
		var text string
		if json.Unmarshal(raw, &text) == nil {
			must(t, os.WriteFile(path, []byte(text), 0o644))
			continue
		}
		var n ai4jNode
		must(t, json.Unmarshal(raw, &n))
		switch {
		case n.Dir:
			must(t, os.MkdirAll(path, 0o755))
		case n.Link != "":
			must(t, os.Symlink(fill(n.Link), path))
		case n.B64 != "":
			bytes, err := base64.StdEncoding.DecodeString(n.B64)
			must(t, err)
			must(t, os.WriteFile(path, bytes, 0o644))
		case n.N > 0:
			must(t, os.WriteFile(path, []byte(n.Head+strings.Repeat(n.Repeat, n.N)+n.Tail), 0o644))
		default:
			must(t, os.WriteFile(path, []byte(n.Text), 0o644))
		}
		if n.Mode != "" {
			modes = append(modes, func() {
				must(t, os.Chmod(path, 0))
				t.Cleanup(func() { _ = os.Chmod(path, 0o755) }) // else the directory could not be removed
			})
		}
	}
	for _, set := range modes {
		set()
	}
	ws, home := "ws", "home"
	if c.WS != "" {
		ws = c.WS
	}
	if c.Home != "" {
		home = c.Home
	}
	roots = append(roots, Root{Dir: filepath.Join(dir, ws, ".ai4j/skills"), Scope: Project}, Root{Dir: filepath.Join(dir, home, ".ai4j/skills"), Scope: User})
	for _, d := range c.Directories {
		if d = fill(d); strings.TrimSpace(d) == "" {
			continue
		}
		if !filepath.IsAbs(d) {
			d = filepath.Join(dir, ws, d)
		}
		roots = append(roots, Root{Dir: d, Scope: Shared})
	}
	for i := range roots {
		roots[i].Hidden, roots[i].Trusted, roots[i].Source = true, true, "spec"
	}
	return dir, roots
}

// differs holds every case in which promptc finds something else than AI4J: what it
// finds, as "name | description" for each, and the rule by which it does.
var differs = map[string]struct {
	want []string
	why  string
}{
	"fm-four-dashes":   {[]string{"name: alpha | Body."}, "J8: four dashes under a line make it a setext heading in CommonMark"},
	"no-fm-list-para":  {[]string{"A | item one"}, "J9: a list is no paragraph in CommonMark; its first item's text stands in"},
	"fm-cr-only":       {[]string{"alpha | Alpha desc."}, "J10: CR ends a line"},
	"fm-bom":           {[]string{"alpha | Alpha desc."}, "J10: a byte order mark is stripped"},
	"fm-escapes":       {[]string{"alpha | say \"hi\" é"}, "J11: escapes are undone as YAML has them, and a description is one paragraph"},
	"fm-single-quoted": {[]string{"alpha | It's fine."}, "J11: a doubled quote is one quote in YAML"},
	"fm-lone-quote":    {[]string{"\" | D."}, "J12: one odd file costs no other, and the value stays as it is written"},
	"fm-nested-name":   {[]string{"outer | Outer desc."}, "J11: a nested key is not the skill's"},
	"fm-name-in-list":  {[]string{"dir-a | No description available."}, "J11: a list or a map is not text"},
	"fm-name-null":     {[]string{"Head | No description available."}, "J8: YAML's nothing is nothing"},
	"fm-block-literal": {[]string{"alpha | Line one. Line two."}, "J11: a block scalar is its text"},
	"fm-block-folded":  {[]string{"alpha | Line one. Line two."}, "J11: a block scalar is its text"},

	"fm-leading-blank-lines":    {[]string{"alpha | Alpha desc."}, "J10: blank lines before the fence are forgiven"},
	"fm-no-closing":             {[]string{"Title | name: alpha description: Alpha desc."}, "J10: without a closing fence no line is a key"},
	"fm-no-closing-no-desc":     {[]string{"Title | name: alpha"}, "J10: without a closing fence no line is a key"},
	"fm-close-with-dots":        {[]string{"Title | name: alpha description: D. ..."}, "J10: only three dashes close"},
	"fm-quote-then-comment":     {[]string{"alpha | D."}, "J11: a comment is no text"},
	"fm-block-folded-strip":     {[]string{"alpha | Line one. Line two."}, "J11: a block scalar is its text"},
	"fm-plain-multiline":        {[]string{"alpha | Line one and line two."}, "J11: a plain value may go on"},
	"fm-key-space-before-colon": {[]string{"alpha | D."}, "J11: blanks before the colon are YAML"},
	"fm-then-hr-before-para":    {[]string{"alpha | After rule."}, "J10: only the first block is frontmatter"},
	"fm-name-comment-heading":   {[]string{"Real | D."}, "J8: a YAML comment is no heading"},

	"no-fm-hash-no-space":         {[]string{"dir-a | #NoSpace"}, "J8: no heading in CommonMark"},
	"no-fm-closing-hashes":        {[]string{"Alpha | P."}, "J8: closing hashes are not of the heading"},
	"no-fm-empty-heading":         {[]string{"Second | P."}, "J8: an empty heading gives no name"},
	"no-fm-heading-in-code-fence": {[]string{"Real | Intro."}, "J8: code is no heading"},
	"no-fm-setext":                {[]string{"Alpha Skill | Paragraph."}, "J8: setext headings count"},
	"no-fm-setext-dashes":         {[]string{"Alpha | Paragraph."}, "J8: setext headings count"},
	"no-fm-para-then-code":        {[]string{"A | No description available."}, "J9: code is no paragraph"},
	"no-fm-html-comment":          {[]string{"A | P."}, "J9: a comment is no paragraph"},
	"no-fm-hr-first":              {[]string{"A | P."}, "J10: a rule that nothing closes is no frontmatter; the text counts"},

	"gbk-chinese":            {[]string{"\uFFFD\uFFFD\uFFFD\uFFFD\uFFFD\uFFFD\uFFFD\uFFFD | \uFFFD\uFFFD\uFFFD\uFFFD\uFFFD\uFFFD\uFFFD\uFFFD"}, "J11: each bad byte is replaced, and reported"},
	"utf16":                  {[]string{"alpha | Alpha desc."}, "J11: UTF-16 is decoded"},
	"nul-bytes":              {[]string{"al\uFFFDpha | d\uFFFD"}, "J11: NUL is no text"},
	"ideographic-space-name": {[]string{"alpha | D."}, "J18: blanks of every kind are trimmed"},
	"huge-file":              {nil, "J11: a file over 1 MiB is not loaded, and reported"},
	"long-first-line":        {[]string{"dir-a | " + strings.Repeat("y", 1023) + "…"}, "J9: what stands in for a description is bounded"},

	"symlink-skill-file": {nil, "J21: a linked file is followed only under roots and allowed targets"},
	"symlink-secret":     {nil, "J21: a linked file is followed only under roots and allowed targets"},
	"unreadable-file":    {[]string{"b | Alpha desc."}, "J12: what cannot be read is broken, not empty"},

	"dup-inner-space":     {[]string{"sql  review | Alpha desc."}, "J18: inner blanks are folded for comparing"},
	"dup-unicode-nfc-nfd": {[]string{"café | Alpha desc."}, "J18: names are compared in NFC"},
	"dup-within-root":     {[]string{"alpha | first."}, "J18: inside of a root the first path wins"},
}

// TestAI4JCases: where AI4J's answer is sane it is promptc's too, or the table says
// why not. What it does with the others stands there as well.
func TestAI4JCases(t *testing.T) {
	used := map[string]bool{}
	n := 0
	for _, c := range ai4jCases(t, "testdata/ai4j-cases.jsonl", beside(t, "case-data/ai4j-cases.jsonl")) {
		n++
		used[c.Case] = true
		t.Run(c.Case, func(t *testing.T) {
			if c.User != "" && os.Getuid() == 0 {
				t.Skip("permissions do not bind this user")
			}
			c.check(t)
		})
	}
	for name := range differs {
		if n > 100 && !used[name] {
			t.Errorf("the table names %q, which is no case", name)
		}
	}
}

func (c *ai4jCase) check(t *testing.T) {
	dir, roots := c.build(t)
	catalog, err := Discover(t.Context(), roots)
	must(t, err)
	var got, paths, want, wantPaths []string
	for _, f := range catalog.Found {
		if f.Status == Loaded {
			got = append(got, f.Name+" | "+f.Description)
			paths = append(paths, strings.Replace(f.Path, dir, "{T}", 1))
		}
	}
	for _, s := range c.Expect.Skills {
		description := s.Description
		if head, length, ok := strings.Cut(description, "...<len "); ok && len(head) < len(description) {
			n, _ := strconv.Atoi(strings.TrimSuffix(length, ">"))
			description = strings.Repeat(head[:1], n)
		}
		want = append(want, s.Name+" | "+description)
		wantPaths = append(wantPaths, s.Path)
	}
	if d, ok := differs[c.Case]; ok {
		if slices.Equal(got, want) {
			t.Errorf("the table says that promptc differs (%s), but it does not", d.why)
		}
		want, wantPaths = d.want, nil
	} else if c.AnyOrder {
		slices.Sort(got)
		slices.Sort(want)
		slices.Sort(paths)
		slices.Sort(wantPaths)
	}
	if !slices.Equal(got, want) {
		t.Errorf("found %q, want %q", got, want)
	}
	if wantPaths != nil && !slices.Equal(paths, wantPaths) {
		t.Errorf("found at %q, want %q", paths, wantPaths)
	}
}

func ai4jCases(t *testing.T, files ...string) (out []ai4jCase) {
	t.Helper()
	for _, file := range files {
		if file == "" {
			continue
		}
		raw, err := os.ReadFile(file)
		must(t, err)
		in := json.NewDecoder(bytes.NewReader(raw))
		for in.More() {
			var c ai4jCase
			must(t, in.Decode(&c))
			out = append(out, c)
		}
	}
	return out
}
