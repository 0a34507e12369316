package main

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"unicode/utf8"
)

// text is what is counted: a file, or the files of a directory that end so.
type text struct{ name, path, suffix string }

// read returns up to about limit bytes; a single file is repeated until there are 50,000.
func (t text) read(limit int) (string, error) {
	info, err := os.Stat(t.path)
	if err != nil {
		return "", err
	}
	if !info.IsDir() {
		data, err := os.ReadFile(t.path)
		if err != nil || len(data) == 0 {
			return "", fmt.Errorf("%s: nothing to count: %w", t.path, err)
		}
		return strings.Repeat(string(data), 1+50_000/len(data)), nil
	}
	var b strings.Builder
	err = filepath.WalkDir(t.path, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, t.suffix) || b.Len() > limit {
			return err
		}
		data, err := os.ReadFile(path)
		if err == nil && utf8.Valid(data) {
			b.Write(data)
		}
		return err
	})
	if err == nil && b.Len() == 0 {
		err = fmt.Errorf("%s: no %s files", t.path, t.suffix)
	}
	return b.String(), err
}
