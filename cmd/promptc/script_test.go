package main

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"
)

// prependBOM puts a byte order mark before each file.
func prependBOM(ts *testscript.TestScript, neg bool, args []string) {
	for _, name := range args {
		data, err := os.ReadFile(ts.MkAbs(name))
		ts.Check(err)
		ts.Check(os.WriteFile(ts.MkAbs(name), append([]byte("\ufeff"), data...), 0o666))
	}
}

// jsonQuery looks into the JSON that the last command printed: json PATH VALUE,
// where PATH is keys and indices joined by dots, and # is the length of a list.
func jsonQuery(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) != 2 {
		ts.Fatalf("usage: json PATH VALUE")
	}
	var v any
	ts.Check(json.Unmarshal([]byte(ts.ReadFile("stdout")), &v))
	for key := range strings.SplitSeq(args[0], ".") {
		switch x := v.(type) {
		case map[string]any:
			next, ok := x[key]
			if !ok {
				ts.Fatalf("no key %q in %s", key, args[0])
			}
			v = next
		case []any:
			if key == "#" {
				v = float64(len(x))
				continue
			}
			i, err := strconv.Atoi(key)
			if err != nil || i >= len(x) {
				ts.Fatalf("no item %q in %s (%d items)", key, args[0], len(x))
			}
			v = x[i]
		default:
			ts.Fatalf("nothing below %q in %s", key, args[0])
		}
	}
	got := fmt.Sprint(v)
	if s, ok := v.(string); ok {
		got = s
	}
	if (got == args[1]) == neg {
		ts.Fatalf("%s is %q, want %q (negated: %v)", args[0], got, args[1], neg)
	}
}

// tree writes a listing of a directory with modes, link targets and hashes to a
// file, so that two states can be compared: tree DIR FILE.
func tree(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) != 2 {
		ts.Fatalf("usage: tree DIR FILE")
	}
	var lines []string
	root := ts.MkAbs(args[0])
	ts.Check(filepath.WalkDir(root, func(p string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := os.Lstat(p)
		if err != nil {
			return err
		}
		name, err := filepath.Rel(root, p)
		if err != nil {
			return err
		}
		line := info.Mode().String() + " " + filepath.ToSlash(name)
		switch {
		case info.Mode()&fs.ModeSymlink != 0:
			target, err := os.Readlink(p)
			if err != nil {
				return err
			}
			line += " -> " + target
		case info.Mode().IsRegular():
			data, err := os.ReadFile(p)
			if err != nil {
				return err
			}
			line += fmt.Sprintf(" %x", sha256.Sum256(data))
		}
		lines = append(lines, line)
		return nil
	}))
	slices.Sort(lines)
	ts.Check(os.WriteFile(ts.MkAbs(args[1]), []byte(strings.Join(lines, "\n")+"\n"), 0o666))
}

// latin1 writes each E of a file as the single byte of an accented e.
func latin1(ts *testscript.TestScript, neg bool, args []string) {
	data, err := os.ReadFile(ts.MkAbs(args[0]))
	ts.Check(err)
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(strings.ReplaceAll(string(data), "E", "\xe9")), 0o666))
}

// manyDirs makes N nested directories: manydirs DIR N.
func manyDirs(ts *testscript.TestScript, neg bool, args []string) {
	n, err := strconv.Atoi(args[1])
	ts.Check(err)
	for i := range n {
		ts.Check(os.MkdirAll(filepath.Join(ts.MkAbs(args[0]), "group", fmt.Sprintf("d%04d", i)), 0o777))
	}
}

// manySkills makes N skills: manyskills DIR N.
func manySkills(ts *testscript.TestScript, neg bool, args []string) {
	n, err := strconv.Atoi(args[1])
	ts.Check(err)
	for i := range n {
		name := fmt.Sprintf("skill-%03d", i)
		dir := filepath.Join(ts.MkAbs(args[0]), name)
		ts.Check(os.MkdirAll(dir, 0o777))
		text := fmt.Sprintf("---\nname: %s\ndescription: Does the work number %d.\n---\nBody.\n", name, i)
		ts.Check(os.WriteFile(filepath.Join(dir, "SKILL.md"), []byte(text), 0o666))
	}
}

// escape writes each ESC of a file as the control character.
func escape(ts *testscript.TestScript, neg bool, args []string) {
	data, err := os.ReadFile(ts.MkAbs(args[0]))
	ts.Check(err)
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(strings.ReplaceAll(string(data), "ESC", "\x1b")), 0o666))
}

// crlf ends each line of a file with CR LF.
func crlf(ts *testscript.TestScript, neg bool, args []string) {
	for _, name := range args {
		data, err := os.ReadFile(ts.MkAbs(name))
		ts.Check(err)
		ts.Check(os.WriteFile(ts.MkAbs(name), []byte(strings.ReplaceAll(string(data), "\n", "\r\n")), 0o666))
	}
}

// fill replaces a word of a file by a text that is repeated: fill FILE WORD TEXT N.
func fill(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) != 4 {
		ts.Fatalf("usage: fill FILE WORD TEXT N")
	}
	n, err := strconv.Atoi(args[3])
	ts.Check(err)
	data, err := os.ReadFile(ts.MkAbs(args[0]))
	ts.Check(err)
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(strings.ReplaceAll(string(data), args[1], strings.Repeat(args[2], n))), 0o666))
}
