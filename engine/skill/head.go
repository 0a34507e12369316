package skill

import (
	"bytes"
	"strings"
	"unicode/utf8"
)

// parseHead is parse for a caller that needs no body. A file that begins with the
// plainest frontmatter is read without making text of it first; FuzzParse keeps
// that this gives what parse gives.
func parseHead(dir, path string, raw []byte, all bool) (p Parsed, enough bool) {
	if p, ok := quickHead(dir, path, raw, all); ok {
		return p, true
	}
	return parse(dir, path, raw, all)
}

var fenceLF = []byte("---\n")

func quickHead(dir, path string, raw []byte, all bool) (Parsed, bool) {
	if !all {
		raw = raw[:bytes.LastIndexByte(raw, '\n')+1]
	}
	if !bytes.HasPrefix(raw, fenceLF) || bytes.IndexByte(raw, '\r') >= 0 || bytes.IndexByte(raw, 0) >= 0 || !utf8.Valid(raw) {
		return Parsed{}, false
	}
	block := raw[len(fenceLF):]
	end := 0
	for !bytes.HasPrefix(block[end:], fenceLF) {
		next := bytes.IndexByte(block[end:], '\n')
		if next < 0 {
			return Parsed{}, false
		}
		end += next + 1
	}
	var fixed [8]entry
	entries, ok := plainEntries(block[:end], fixed[:0])
	if !ok {
		return Parsed{}, false
	}
	r := reader{all: all, cut: cut{fenceLine: 1, blockLine: 2}}
	r.out.Dir, r.out.Path = dir, path
	r.out.Form = Form{
		FileName: fileName(path), Encoding: "utf-8", Newline: "lf", Fence: true, FenceLine: 1, Closed: true,
		YAML: ValidYAML, NameFrom: FromFrontmatter, DescFrom: FromFrontmatter,
	}
	for _, e := range entries {
		if e.style == Other && strings.EqualFold(e.key, "argument-hint") {
			return Parsed{}, false // the words of its lines are needed
		}
	}
	r.take(entries)
	r.untold()
	return r.out, r.out.Name != "" && r.out.Description != ""
}

// fileName is the last part of a path, one of the few names that there are.
func fileName(path string) string {
	name := path[strings.LastIndexAny(path, `/\`)+1:]
	if name == skillFile {
		return skillFile
	}
	return strings.Clone(name)
}

// wholeLines cuts the beginning of a file behind its last line end.
func wholeLines(raw []byte) []byte {
	for i := len(raw) - 1; i > 0; i-- {
		if raw[i-1] == '\n' {
			return raw[:i]
		}
		if raw[i-1] == '\r' && raw[i] != '\n' {
			return raw[:i]
		}
	}
	return nil
}
