package link

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

func (c *comparison) source(dir string) (*tree, error) {
	if t, ok := c.sources[dir]; ok {
		return t, nil
	}
	t, err := sourceTree(dir)
	if err == nil {
		c.sources[dir] = t
	}
	return t, err
}

// badPath says what is wrong with the path of a link; "" where nothing is.
func badPath(name string) string {
	switch {
	case !local(name):
		return "leads out of the place"
	case strings.ContainsFunc(name, func(r rune) bool { return r < ' ' || r == 0x7f }):
		return "holds a control character"
	}
	for part := range strings.SplitSeq(name, "/") {
		if fold(part) == ".git" || strings.HasPrefix(part, scratchPrefix) {
			return "leads into a directory that is not for links"
		}
	}
	return ""
}

// noSource says why dir is no skill's directory; "" where it is one.
func noSource(dir string) string {
	info, err := os.Stat(dir)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return fmt.Sprintf("the skill's directory %s is gone", dir)
	case err != nil:
		_, reason := reasonOf(err)
		return fmt.Sprintf("the skill's directory %s cannot be read: %s", dir, reason)
	case !info.IsDir():
		return fmt.Sprintf("%s is not a directory", dir)
	}
	if err := openSkillFile(dir); err != nil {
		return fmt.Sprintf("the skill's directory %s holds no SKILL.md that can be read", dir)
	}
	return ""
}

// openSkillFile opens and closes the skill file of dir, through whatever links
// there are.
func openSkillFile(dir string) error {
	var last error
	for _, name := range []string{"SKILL.md", "skill.md"} {
		file := filepath.Join(dir, name)
		info, err := os.Stat(file)
		if err == nil && !info.Mode().IsRegular() {
			err = fmt.Errorf("%s is not a file", file)
		}
		if err == nil {
			f, err := os.Open(file)
			if err == nil {
				return f.Close()
			}
		}
		last = err
	}
	return last
}
