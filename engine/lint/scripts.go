package lint

import (
	"context"
	"io"
	"io/fs"
	"path"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"

	"github.com/promptc/promptc/engine/diag"
)

// scripts finds files that are meant to be run and may not be: those below scripts/
// that begin with #! or are shell scripts, and that the body does not always hand to
// an interpreter.
func scripts(_ context.Context, p *page) {
	if runtime.GOOS == "windows" {
		return
	}
	for _, f := range p.files {
		if !strings.HasPrefix(f.Path, "scripts/") {
			continue
		}
		info, err := fs.Stat(p.found.FS, f.Path)
		if err != nil || info.Mode()&0o111 != 0 {
			continue
		}
		bang := p.beginsWith(f.Path, "#!")
		if ext := path.Ext(f.Path); !bang && ext != ".sh" && ext != ".bash" || p.interpreted(f.Path) {
			continue
		}
		why := "is a shell script"
		if bang {
			why = "begins with #!"
		}
		p.say(diag.ScriptNotExecutable, diag.At(filepath.Join(p.found.Dir, filepath.FromSlash(f.Path))), "%s %s and is not executable", f.Path, why)
	}
}

func (p *page) beginsWith(name, mark string) bool {
	f, err := p.found.FS.Open(name)
	if err != nil {
		return false
	}
	defer f.Close()
	buf := make([]byte, len(mark))
	_, err = io.ReadFull(f, buf)
	return err == nil && string(buf) == mark
}

var interpreter = regexp.MustCompile(`(?:^|[\s` + "`" + `/(])(?:sh|bash|zsh|dash|ksh|fish|source|python[\d.]*|uv run|node|deno run|bun|tsx|ruby|perl|php|Rscript|pwsh|go run|npx [\w-]+|\.)(?: -[\w-]+)* +["']?(?:\./|\$\{?[A-Z_]+\}?/|\{[A-Za-z]+\}/)*$`)

// maxCommand is how far before a script's name its interpreter is looked for.
const maxCommand = 200

// interpreted reports whether the body names the script, and each time behind an
// interpreter or without running it at all is not to be told apart.
func (p *page) interpreted(name string) bool {
	body, found := string(p.body), false
	for at := 0; ; {
		i := strings.Index(body[at:], name)
		if i < 0 {
			return found
		}
		at += i
		start := strings.LastIndexByte(body[max(0, at-maxCommand):at], '\n') + max(0, at-maxCommand) + 1
		if !interpreter.MatchString(body[start:at]) {
			return false
		}
		found = true
		at += len(name)
	}
}
