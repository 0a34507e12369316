package main

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// textFile is a file that the user named, or one below a directory that the user named.
type textFile struct {
	name   string // as the user wrote it
	path   string // absolute; "-" is stdin
	walked bool   // below a directory: left out where it is binary
	binary bool
	err    error
}

// textFiles turns arguments into files: a directory into the regular files below it in the order of their
// names, without .git and without what links lead to.
func (a *app) textFiles(args []string) []textFile {
	var files []textFile
	for _, arg := range args {
		file := textFile{name: arg, path: a.abs(arg)}
		if arg == "-" {
			file.path = arg
		} else if info, err := os.Stat(file.path); err == nil && info.IsDir() {
			files = append(files, below(arg, file.path)...)
			continue
		}
		files = append(files, file)
	}
	return files
}

// below lists the files of a directory. One that cannot be listed is a file with an error.
func below(name, dir string) []textFile {
	var files []textFile
	add := func(path string, err error) {
		shown := path
		if rel, relErr := filepath.Rel(dir, path); relErr == nil {
			shown = filepath.Join(name, rel)
		}
		files = append(files, textFile{name: shown, path: path, walked: true, err: reason(err)})
	}
	walk := func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			add(path, err)
			if d != nil && d.IsDir() {
				return fs.SkipDir
			}
		case d.IsDir() && d.Name() == ".git" && path != dir:
			return fs.SkipDir
		case d.Type().IsRegular():
			add(path, nil)
		}
		return nil
	}
	if err := filepath.WalkDir(dir, walk); err != nil {
		add(dir, err)
	}
	return files
}

// read returns the text of the file, or "" and notes in the file why there is none.
func (a *app) read(file *textFile) string {
	if file.err != nil {
		return ""
	}
	var data []byte
	if file.path == "-" {
		data, file.err = io.ReadAll(a.in)
	} else {
		data, file.err = os.ReadFile(file.path)
		file.err = reason(file.err)
	}
	text := string(data)
	if file.walked && strings.ContainsRune(text[:min(len(text), 8000)], 0) {
		file.binary = true
		return ""
	}
	return text
}

// reason is what is wrong with a file, without its path.
func reason(err error) error {
	if e, ok := errors.AsType[*fs.PathError](err); ok {
		return e.Err
	}
	return err
}
