package skill

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/promptc/promptc/engine/diag"
)

func TestReadGivesTheWholeFile(t *testing.T) {
	raw := "\xEF\xBB\xBF---\r\nname: a\r\ndescription: d\r\n---\r\n\r\nLine\r\n\r\n"
	dir := tree(t, map[string]string{"r/a/SKILL.md": raw})
	c := look(t, trusted(dir+"/r"))
	got, err := c.Found[0].Read(t.Context())
	must(t, err)
	h := sha256.Sum256([]byte(raw))
	if got.Body != "Line" || string(got.Raw) != raw || got.SHA256 != hex.EncodeToString(h[:]) || got.Size != int64(len(raw)) || got.BodyLine != 6 || codes(got.Problems) != "bom" {
		t.Fatalf("%+v", got)
	}
	must(t, os.Remove(dir+"/r/a/SKILL.md"))
	if _, err := c.Found[0].Read(t.Context()); !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
}

func TestReadFileStaysInside(t *testing.T) {
	dir := tree(t, map[string]string{
		"secret": "s", "r/a/SKILL.md": say("a"), "r/a/ref/n.md": "note", "r/a/out": "-> {T}/secret", "r/a/up": "-> ..",
		"r/a/in": "-> ref/n.md", "r/a/dead": "-> nowhere", "r/a/gone": "-> {T}/none", "r/b/SKILL.md": say("b"), "r/a/sister": "-> ../b/SKILL.md",
		"lib/x/big.txt": "lib", "r/a/lib": "-> {T}/lib/x", "r/a/big": strings.Repeat("x", maxFile+1), "r/a/most": strings.Repeat("x", maxFile), "r/a/d/": "",
	})
	root := trusted(dir + "/r")
	root.Targets = []string{dir + "/lib", dir + "/missing"}
	f := named(t, look(t, root), "a")
	for name, want := range map[string]any{
		"ref/n.md": "note", "./ref/../ref/n.md": "note", "in": "note", "sister": say("b"), "lib/big.txt": "lib", "up/b/SKILL.md": say("b"),
		"out": ErrOutside, "../b/SKILL.md": ErrOutside, "/etc/passwd": ErrOutside, "ref/../../b/SKILL.md": ErrOutside,
		"dead": fs.ErrNotExist, "gone": ErrOutside, "gone/x": ErrOutside, "up/none": nil, "none": fs.ErrNotExist, "": fs.ErrNotExist, ".": fs.ErrNotExist, "d": fs.ErrNotExist, "ref/n.md/x": nil, "a\x00b": fs.ErrNotExist,
		"big": ErrTooLarge,
	} {
		got, err := f.ReadFile(t.Context(), name)
		switch want := want.(type) {
		case string:
			if err != nil || string(got) != want {
				t.Errorf("%q: %q, %v", name, got, err)
			}
		case error:
			if !errors.Is(err, want) {
				t.Errorf("%q: %v, want %v", name, err, want)
			}
		default:
			if err == nil {
				t.Errorf("%q: no error", name)
			}
		}
		if err != nil && strings.Contains(err.Error(), dir) {
			t.Errorf("%q: the error tells where things lie: %v", name, err)
		}
	}
	if got, err := f.ReadFile(t.Context(), "most"); err != nil || len(got) != maxFile {
		t.Errorf("%d bytes, %v", len(got), err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := f.ReadFile(ctx, "in"); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

func TestFilesAreTheSkillsOwn(t *testing.T) {
	dir := tree(t, map[string]string{
		"secret/s": "s", "r/a/SKILL.md": say("a"), "r/a/z.txt": "zz", "r/a/ref/b.md": "b", "r/a/ref/SKILL.md": "nested",
		"r/a/.hidden/x": "x", "r/a/.env": "x", "r/a/node_modules/m": "m", "r/a/out": "-> {T}/secret", "r/a/outfile": "-> {T}/secret/s",
		"r/a/in": "-> ref/b.md", "r/a/same": "-> ref", "r/a/loop": "-> .", "r/a/lib": "-> {T}/lib", "lib/l/1": "1", "lib/back": "-> {T}/r/a", "r/a/dead": "-> x",
	})
	root := trusted(dir + "/r")
	root.Targets = []string{dir + "/lib"}
	f := named(t, look(t, root), "a")
	files, more, err := f.Files(t.Context(), 0)
	must(t, err)
	var got []string
	for _, file := range files {
		got = append(got, fmt.Sprintf("%s %d", file.Path, file.Size))
	}
	equal(t, got, []string{"in 1", "lib/l/1 1", "ref/SKILL.md 6", "ref/b.md 1", "z.txt 2"})
	if more != 0 {
		t.Error(more)
	}
	files, more, err = f.Files(t.Context(), 2)
	if err != nil || len(files) != 2 || more != 3 {
		t.Errorf("%v, %d more, %v", files, more, err)
	}
	problems, err := f.Links(t.Context())
	must(t, err)
	var said []string
	for _, d := range problems {
		said = append(said, string(d.Code)+" "+d.Severity.String()+" "+strings.TrimPrefix(d.File, dir))
	}
	equal(t, said, []string{"link-dangling warning /r/a/dead", "link-outside info /r/a/lib", "link-outside info /lib/back", "link-outside warning /r/a/out", "link-outside warning /r/a/outfile"})
}

func TestA25FilesAreBounded(t *testing.T) {
	fsys := fstest.MapFS{"a/SKILL.md": {Data: []byte(say("a"))}}
	for i := range maxEntries + 500 {
		fsys[fmt.Sprintf("a/docs/%06d", i)] = &fstest.MapFile{}
	}
	c := FromFS(fsys, ".", Root{Dir: "/r", Trusted: true})
	files, more, err := c.Found[0].Files(t.Context(), 50)
	if err != nil || len(files) != 50 || more < 10_000 || more > maxEntries {
		t.Fatalf("%d files, %d more, %v", len(files), more, err)
	}
}

func TestFromFSReadsFromMemory(t *testing.T) {
	fsys := fstest.MapFS{"skills/a/SKILL.md": {Data: []byte(say("a"))}, "skills/a/ref/x.md": {Data: []byte("x")}, "other": {}}
	c := FromFS(fsys, "skills", Root{Dir: "/virtual", Scope: Builtin, Trusted: true})
	equal(t, found(c), []string{"a loaded"})
	f := c.Found[0]
	if f.Path != filepath.FromSlash("/virtual/a/SKILL.md") || f.Scope != Builtin || c.Roots[0].State != RootOK {
		t.Errorf("%+v", f)
	}
	content, err := f.Read(t.Context())
	must(t, err)
	if content.Body != "# a\n\nBody of a." {
		t.Errorf("%q", content.Body)
	}
	if raw, err := f.ReadFile(t.Context(), "ref/x.md"); err != nil || string(raw) != "x" {
		t.Errorf("%q %v", raw, err)
	}
	if _, err := f.ReadFile(t.Context(), "../b"); !errors.Is(err, ErrOutside) {
		t.Error(err)
	}
	if files, _, err := f.Files(t.Context(), 0); err != nil || len(files) != 1 || files[0].Path != "ref/x.md" {
		t.Errorf("%v %v", files, err)
	}
	fsys["skills/b/SKILL.md"] = &fstest.MapFile{Data: []byte(say("b"))}
	next, changes, err := c.Refresh(t.Context())
	if err != nil || len(changes) != 1 || changes[0] != (Change{Added, "b", filepath.FromSlash("/virtual/b/SKILL.md")}) || len(next.Found) != 2 {
		t.Errorf("%v %v", changes, err)
	}
}

func TestHeadsAndWholesAgree(t *testing.T) {
	dir := tree(t, map[string]string{
		"r/a/SKILL.md": say("a"), "r/b/SKILL.md": "# Heading\n\n" + strings.Repeat("One paragraph. ", 2000), "r/c/SKILL.md": "---\nname: c\ndescription: x: y\n---\n# First\n" + strings.Repeat("body\n", 5000),
	})
	for _, f := range look(t, trusted(dir+"/r")).Found {
		content, err := f.Read(t.Context())
		must(t, err)
		p := Parse(f.Dir, f.Path, content.Raw)
		if p.Name != f.Name || p.Description != f.Description || content.Form.DescFrom != f.Form.DescFrom || content.Form.FirstLine != f.Form.FirstLine || codes(p.Problems) != codes(f.Problems) {
			t.Errorf("%s:\n%+v\n%+v", f.Name, f, p)
		}
		if diag.List(f.Problems).Max() > diag.Warning {
			t.Error(f.Problems)
		}
	}
}
