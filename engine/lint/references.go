package lint

import (
	"bytes"
	"context"
	"io/fs"
	"net/url"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/yuin/goldmark/ast"

	"github.com/promptc/promptc/engine/diag"
)

// usualDirs are the directories that skills keep their files in.
var usualDirs = []string{"scripts", "references", "reference", "assets", "templates", "resources", "examples"}

// references follows every Markdown link and every path in code that is the skill's
// own. A Markdown link is surely meant as one; a path in code may be a file of the
// user's project, so it counts only where its first directory is one of the skill's
// or one that skills usually have.
func references(_ context.Context, p *page) {
	r := refs{page: p, seen: map[string]bool{}}
	_ = ast.Walk(p.doc, func(n ast.Node, entering bool) (ast.WalkStatus, error) { // the walker never fails
		if entering {
			switch n := n.(type) {
			case *ast.Link:
				r.link(string(n.Destination), p.destination(n, n.Destination))
			case *ast.Image:
				r.link(string(n.Destination), p.destination(n, n.Destination))
			}
		}
		return ast.WalkContinue, nil
	})
	for _, c := range p.code {
		r.inCode(c)
	}
}

type refs struct {
	*page
	seen map[string]bool
}

// destination is where a link's destination stands: behind its text, or in a
// definition that lies elsewhere, and then the link itself is shown.
func (p *page) destination(n ast.Node, dest []byte) int {
	_, from := extent(n)
	from = max(from, n.Pos(), 0)
	end := len(p.body)
	if i := bytes.IndexByte(p.body[from:], '\n'); i >= 0 {
		end = from + i
	}
	if i := bytes.Index(p.body[from:end], dest); i >= 0 {
		return from + i
	}
	return max(0, min(n.Pos(), len(p.body)))
}

var scheme = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9+.-]+:`)

func (r *refs) link(dest string, offset int) {
	if i := strings.IndexAny(dest, "#?"); i >= 0 {
		dest = dest[:i]
	}
	switch {
	case dest == "" || strings.HasPrefix(dest, "//") || scheme.MatchString(dest) || placeholder(dest):
		return
	case strings.HasPrefix(dest, "/") || strings.HasPrefix(dest, "~"):
		r.say(diag.AbsolutePath, r.at(offset), "the link leads to the absolute path %s", shown(dest, 80))
		return
	case strings.Contains(dest, `\`):
		r.say(diag.WindowsPath, r.at(offset), "the link leads to the Windows path %s", shown(dest, 80))
		return
	}
	if plain, err := url.PathUnescape(dest); err == nil {
		dest = plain
	}
	if !strings.ContainsAny(dest, "./") {
		return // a word that stands for a link: [text](url)
	}
	r.follow(dest, offset, diag.Warning)
}

// inCode looks at the words of a piece of code.
func (r *refs) inCode(c span) {
	text := string(r.body[c.from:c.to])
	for from := 0; from < len(text); {
		n := strings.IndexAny(text[from:], " \t\n\"'`=,;()|&<>")
		if n < 0 {
			n = len(text) - from
		}
		if !strings.HasSuffix(text[:from], "](") { // else it shows how to write a link
			r.word(text[from:from+n], c.from+from, c.inline)
		}
		from += n + 1
	}
}

var (
	pathInCode    = regexp.MustCompile(`^(?:\./)?((?:\.\./)*[\p{L}\p{N}_.-]+(?:/[\p{L}\p{N}_.-]+)*/[\p{L}\p{N}_.-]*\.[A-Za-z][A-Za-z0-9]{0,7}|(?:\.\./)+[\p{L}\p{N}_.-]+\.[A-Za-z][A-Za-z0-9]{0,7})(?::\d+)?[.:]?$`)
	windowsInCode = regexp.MustCompile(`^(?:\.\\)?([\p{L}\p{N}_.-]+(?:\\[\p{L}\p{N}_.-]+)*\\[\p{L}\p{N}_.-]*\.[A-Za-z][A-Za-z0-9]{0,7})$`)
)

// word follows a word of code that is a path with a file's ending.
func (r *refs) word(word string, offset int, inline bool) {
	if m := windowsInCode.FindStringSubmatch(word); m != nil {
		slashed := strings.ReplaceAll(m[1], `\`, "/")
		if first, _, _ := strings.Cut(slashed, "/"); (slices.Contains(usualDirs, first) || r.isFile(slashed)) && !r.seen[word] {
			r.seen[word] = true
			r.report(diag.New(diag.WindowsPath, r.at(offset), "the path %s is written with backslashes", shown(word, 80)).WithHint("write %s", slashed))
		}
		return
	}
	m := pathInCode.FindStringSubmatch(word)
	if m == nil || placeholder(word) {
		return
	}
	name := m[1]
	first, _, _ := strings.Cut(name, "/")
	switch own := r.isDir(first); {
	case first == "..":
		if inline {
			r.follow(name, offset, diag.Info)
		}
	case own:
		r.follow(name, offset, diag.Warning)
	case inline && slices.Contains(usualDirs, first):
		r.follow(name, offset, diag.Info)
	}
}

// follow reports a path that leads out of the skill or to nothing: each path once.
func (r *refs) follow(name string, offset int, severity diag.Severity) {
	name = path.Clean(name)
	if r.seen[name] {
		return
	}
	r.seen[name] = true
	switch {
	case name == ".." || strings.HasPrefix(name, "../"):
		r.report(diag.New(diag.ReferenceOutside, r.at(offset), "%s lies outside of the skill", shown(name, 80)).As(severity))
	case !r.isFile(name):
		d := diag.New(diag.ReferenceMissing, r.at(offset), "the skill has no %s", shown(name, 80)).As(severity)
		if near := r.nearest(name); near != "" {
			d = d.WithHint("did you mean %s?", near)
		}
		r.report(d)
	}
}

// isFile reports whether the skill has name: a file, a directory, or a link, of
// which another rule says where it leads.
func (p *page) isFile(name string) bool {
	if _, err := fs.Stat(p.found.FS, name); err == nil {
		return true
	}
	info, err := fs.Lstat(p.found.FS, name)
	return err == nil && info.Mode()&fs.ModeSymlink != 0
}

func (p *page) isDir(name string) bool {
	info, err := fs.Stat(p.found.FS, name)
	return err == nil && info.IsDir()
}

// nearest is the skill's file that was most likely meant: of the same name
// elsewhere, or of a like name in the same directory.
func (r *refs) nearest(name string) string {
	dir, base := path.Split(name)
	var beside []string
	for _, f := range r.files {
		d, b := path.Split(f.Path)
		if strings.EqualFold(b, base) {
			return f.Path
		}
		if d == dir {
			beside = append(beside, b)
		}
	}
	if near := diag.Nearest(base, beside); near != "" {
		return dir + near
	}
	return ""
}

var placeholders = regexp.MustCompile(`(?i)[<>{}$*?|\[\]…]|\.\.\.|path/to|\byour|\bmy[-_]|example|placeholder|\b(foo|bar|baz|xxx+|file|filename|name|topic|nn+|yyyy|link|url)\b`)

// placeholder reports whether a path stands for others.
func placeholder(name string) bool { return placeholders.MatchString(name) }
