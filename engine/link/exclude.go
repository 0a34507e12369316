package link

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// gitDir is where a repository keeps what all of its worktrees share.
type gitDir struct {
	dir string // resolved
	top string // the working tree that holds the workspace; patterns are relative to it
}

// findGit finds the repository of a workspace, and says what is to know about it.
// There is none, or none that may be written, where it returns nil.
func findGit(workspace string) (*gitDir, string) {
	for top := workspace; ; top = filepath.Dir(top) {
		dot := filepath.Join(top, ".git")
		info, err := os.Lstat(dot)
		switch {
		case err != nil && top == filepath.Dir(top):
			return nil, ""
		case err != nil:
			continue
		case info.IsDir():
			if _, err := os.Stat(filepath.Join(dot, "HEAD")); err != nil {
				return nil, ""
			}
			return &gitDir{dir: dot, top: top}, ""
		case info.Mode().IsRegular():
			common, err := commonDir(dot)
			if err != nil {
				return nil, fmt.Sprintf("the links are not kept out of commits: %s %v", dot, err)
			}
			return &gitDir{dir: common, top: top}, fmt.Sprintf("the workspace is a git worktree, so the links are named in %s, which holds for all worktrees of the repository", filepath.Join(common, "info", "exclude"))
		}
		return nil, fmt.Sprintf("the links are not kept out of commits: %s is neither a directory nor a file", dot)
	}
}

// commonDir follows the file that a worktree has for .git. The two must point at
// each other, otherwise a file in a stranger's archive could name any directory.
func commonDir(dot string) (string, error) {
	own, err := readLine(dot)
	if err != nil {
		return "", err
	}
	own, ok := strings.CutPrefix(own, "gitdir:")
	if !ok {
		return "", errors.New("names no git directory")
	}
	own = from(filepath.Dir(dot), strings.TrimSpace(own))
	back, err := readLine(filepath.Join(own, "gitdir"))
	if err != nil || !sameDir(from(own, back), dot) {
		return "", errors.New("is not that of a worktree")
	}
	common, err := readLine(filepath.Join(own, "commondir"))
	if err != nil {
		return "", errors.New("is not that of a worktree")
	}
	real, err := filepath.EvalSymlinks(from(own, common))
	if err != nil {
		return "", err
	}
	if _, err := os.Stat(filepath.Join(real, "HEAD")); err != nil || !sameDir(filepath.Dir(filepath.Dir(own)), real) {
		return "", errors.New("leads to no repository")
	}
	return real, nil
}

func from(dir, name string) string {
	if filepath.IsAbs(name) {
		return filepath.Clean(name)
	}
	return filepath.Join(dir, name)
}

func readLine(name string) (string, error) {
	info, err := os.Lstat(name)
	if err != nil {
		return "", err
	}
	const most = 1 << 16
	if !info.Mode().IsRegular() || info.Size() > most {
		return "", errors.New("cannot be read")
	}
	data, err := os.ReadFile(name)
	return strings.TrimRight(string(data), "\r\n"), err
}

// pattern is the line that ignores exactly this path.
func (g *gitDir) pattern(full string) string {
	rel, err := filepath.Rel(g.top, full)
	if err != nil || strings.ContainsAny(rel, "\r\n") {
		return "# " + fmt.Sprintf("%q", full) + " cannot be written as a pattern"
	}
	var b strings.Builder
	for _, r := range "/" + filepath.ToSlash(rel) {
		if strings.ContainsRune(`\*?[ `, r) {
			b.WriteByte('\\')
		}
		b.WriteRune(r)
	}
	return b.String()
}

const (
	excludeName = "info/exclude"
	excludeTemp = "info/exclude.promptc"
	maxExclude  = 4 << 20
)

// writeExclude makes the lines of key in info/exclude these; none takes them away
// and leaves the file as it was before.
func (s store) writeExclude(ctx context.Context, state string, git *gitDir, key string, lines []string) error {
	if _, err := os.Lstat(git.dir); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	unlock, err := storeOf(s.system, state, "git", git.dir).lock(ctx)
	if err != nil {
		return err
	}
	defer unlock()
	d, err := openDisk(s.system, git.dir)
	if err != nil {
		return err
	}
	defer d.root.Close()
	info, _, err := d.look("info")
	if err != nil || info != absent && info != aDir {
		return errors.Join(err, notPlain("info", info))
	}
	file, _, err := d.look(excludeName)
	if err != nil || file != absent && file != aFile {
		return errors.Join(err, notPlain(excludeName, file))
	}
	if k, _, err := d.look(excludeTemp); err == nil && k == aFile {
		if err := d.remove(excludeTemp); err != nil { // of an interrupted run
			return err
		}
	}
	x := excludeFile{exists: file == aFile, dir: info == aDir}
	perm := fs.FileMode(0o644)
	if x.exists {
		if x.text, perm, err = d.readText(excludeName); err != nil {
			return err
		}
	}
	y := x.with(key, lines)
	switch {
	case x == y:
		return nil
	case y.exists:
		if !x.dir {
			if err := d.makeDir("info"); err != nil {
				return err
			}
		}
		return d.writeText(excludeName, excludeTemp, y.text, perm)
	}
	if err := d.remove(excludeName); err != nil || y.dir {
		return err
	}
	if list, err := d.list("info"); err != nil || len(list) > 0 {
		return err
	}
	return d.removeDir("info")
}

func notPlain(name string, k kind) error { return fmt.Errorf("%s is %s", name, k.say()) }

func (d *disk) readText(name string) (string, fs.FileMode, error) {
	f, err := d.root.Open(filepath.FromSlash(name))
	if err != nil {
		return "", 0, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return "", 0, err
	}
	data, err := io.ReadAll(io.LimitReader(f, maxExclude+1))
	if err == nil && len(data) > maxExclude {
		err = fmt.Errorf("%s is larger than %d bytes", name, maxExclude)
	}
	return string(data), info.Mode().Perm(), err
}

// writeText replaces name in one step.
func (d *disk) writeText(name, temp, text string, perm fs.FileMode) error {
	if err := d.ask("create", temp); err != nil {
		return err
	}
	f, err := d.root.OpenFile(filepath.FromSlash(temp), os.O_WRONLY|os.O_CREATE|os.O_EXCL, perm)
	if err != nil {
		return err
	}
	defer f.Close()
	if err := d.ask("write", temp); err != nil {
		return err
	}
	if _, err := f.WriteString(text); err != nil {
		return err
	}
	if err := errors.Join(f.Sync(), f.Close()); err != nil {
		return err
	}
	return d.rename(temp, name)
}

// excludeFile is info/exclude as a value.
type excludeFile struct {
	exists bool
	dir    bool // info itself is there and not ours
	text   string
}

// What stands above promptc's part says what has to be undone with the last of it.
const (
	madeFile = "# promptc made this file.\n"
	madeDir  = "# promptc made this file and its directory.\n"
	madeLine = "# promptc ended the line above.\n"
	blocks   = "# promptc begin "
)

// with returns the file with these lines as the block of key.
func (x excludeFile) with(key string, lines []string) excludeFile {
	begin, end := blocks+key+"\n", "# promptc end "+key+"\n"
	block := ""
	if len(lines) > 0 {
		block = begin + strings.Join(lines, "\n") + "\n" + end
	}
	at := lineIndex(x.text, begin)
	if at >= 0 {
		size := len(begin)
		if i := lineIndex(x.text[at:], end); i >= 0 {
			size = i + len(end)
		}
		x.text = x.text[:at] + block + x.text[at+size:]
		if block == "" {
			x = x.without()
		}
		return x
	}
	if block == "" {
		return x
	}
	switch {
	case !x.exists && !x.dir:
		x.text = madeDir
	case !x.exists:
		x.text = madeFile
	case x.text != "" && !strings.HasSuffix(x.text, "\n"):
		x.text += "\n" + madeLine
	}
	x.exists, x.text = true, x.text+block
	return x
}

// without undoes what was written above the blocks, once there is none left.
func (x excludeFile) without() excludeFile {
	if lineIndex(x.text, blocks) >= 0 {
		return x
	}
	switch x.text {
	case madeFile:
		return excludeFile{dir: true}
	case madeDir:
		return excludeFile{}
	}
	if rest, ok := strings.CutSuffix(x.text, "\n"+madeLine); ok {
		x.text = rest
		return x
	}
	for _, line := range []string{madeFile, madeDir, madeLine} {
		if at := lineIndex(x.text, line); at >= 0 {
			x.text = x.text[:at] + x.text[at+len(line):]
		}
	}
	return x
}

// lineIndex is strings.Index for what begins a line.
func lineIndex(text, begins string) int {
	for at := 0; ; {
		i := strings.Index(text[at:], begins)
		if i < 0 {
			return -1
		}
		if at += i; at == 0 || text[at-1] == '\n' {
			return at
		}
		at++
	}
}
