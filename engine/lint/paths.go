package lint

import (
	"context"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/promptc/promptc/engine/diag"
)

// A path in prose or code ends at a blank, a quote or a closing bracket.
var (
	windowsDrive = regexp.MustCompile("^[A-Za-z]:\\\\[^\\s\"'`)>]+")
	homePath     = regexp.MustCompile("^(?:/home|/Users|[A-Za-z]:\\\\+Users)[/\\\\]+([^\\s/\\\\\"'`)>:]+)[/\\\\][^\\s\"'`)>]*")
	skillsPath   = regexp.MustCompile(`^(?:~|\$HOME|\$\{HOME\})?/?(?:[\w.-]+/)*\.[\w-]+/skills?/([\w.-]+)/([\w./-]+)`)
)

// nobody are names in a home directory's path that stand for any user.
var nobody = []string{
	"user", "username", "users", "you", "name", "me", "myname", "someone", "somebody", "yourname", "youruser", "your-name", "your_name",
	"node", "runner", "ubuntu", "vscode", "app", "claude", "agent", "coder", "example", "alice", "bob", "john", "jane", "foo", "xxx", "shared", "public",
}

// machinePaths finds paths that hold for one machine or for one agent only: in
// somebody's home directory, on a Windows drive, or in the directory of skills of
// one agent.
func machinePaths(_ context.Context, p *page) {
	seen := map[string]bool{}
	each := func(mark string, form *regexp.Regexp, tell func(m []string) *diag.Diagnostic) {
		p.paths(mark, form, func(at int, m []string) {
			if d := tell(m); d != nil && !seen[m[0]] {
				seen[m[0]] = true
				where := p.at(at)
				d.File, d.Line, d.Column = where.File, where.Line, where.Column
				p.report(*d)
			}
		})
	}
	home := func(m []string) *diag.Diagnostic {
		if slices.Contains(nobody, strings.ToLower(m[1])) || strings.ContainsAny(m[1], "<>{}$*[]%.…") {
			return nil
		}
		d := diag.New(diag.AbsolutePath, diag.Pos{}, "%s holds on one machine only", shown(m[0], 80))
		return &d
	}
	each("/home/", homePath, home)
	each("/Users/", homePath, home)
	each(`:\`, homePath, home)
	each(`:\`, windowsDrive, func(m []string) *diag.Diagnostic {
		if homePath.MatchString(m[0]) {
			return nil
		}
		d := diag.New(diag.WindowsPath, diag.Pos{}, "%s is a path of Windows alone", shown(m[0], 80)).As(diag.Info)
		return &d
	})
	each("/skill", skillsPath, func(m []string) *diag.Diagnostic {
		if m[1] != p.found.Name && m[1] != filepath.Base(p.found.Dir) {
			return nil
		}
		d := diag.New(diag.AbsolutePath, diag.Pos{}, "%s is where one agent keeps this skill", shown(m[0], 80)).
			WithHint("write %s: paths in a skill are relative to its directory", m[2])
		return &d
	})
}

// maxPath is how far around its mark a path is looked at, in bytes.
const maxPath = 300

// paths calls found for each path of the body that holds mark and is of the form.
func (p *page) paths(mark string, form *regexp.Regexp, found func(at int, m []string)) {
	body := string(p.body)
	for at := 0; ; {
		i := strings.Index(body[at:], mark)
		if i < 0 {
			return
		}
		at += i
		first := max(0, at-maxPath)
		start := first + strings.LastIndexAny(body[first:at], " \t\n\"'`()<>[]=,;|") + 1
		if m := form.FindStringSubmatch(body[start:min(len(body), at+maxPath)]); m != nil && start+len(m[0]) > at {
			m[0] = strings.TrimRight(m[0], ".,:;*_")
			found(start, m)
		}
		at += len(mark)
	}
}
