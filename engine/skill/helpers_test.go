package skill

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/promptc/promptc/engine/diag"
)

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// beside is a file that lies beside the module for all who work on it, or "" where
// it is not there.
func beside(t testing.TB, name string) string {
	t.Helper()
	path, err := filepath.Abs(filepath.Join("../../../shared", name))
	must(t, err)
	if _, err := os.Stat(path); err != nil {
		return ""
	}
	return path
}

// tree makes files in a new directory and returns it, without links in its path. A
// text that begins with "-> " makes a link; in it {T} is that directory. A name
// that ends in a slash makes a directory.
func tree(t testing.TB, files map[string]string) string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	must(t, err)
	for name, text := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if strings.HasSuffix(name, "/") {
			must(t, os.MkdirAll(path, 0o755))
			continue
		}
		must(t, os.MkdirAll(filepath.Dir(path), 0o755))
		if target, ok := strings.CutPrefix(text, "-> "); ok {
			must(t, os.Symlink(filepath.FromSlash(strings.ReplaceAll(target, "{T}", dir)), path))
			continue
		}
		must(t, os.WriteFile(path, []byte(text), 0o644))
	}
	return dir
}

// say is a skill file of that name.
func say(name string) string {
	return "---\nname: " + name + "\ndescription: What " + name + " does.\n---\n\n# " + name + "\n\nBody of " + name + ".\n"
}

// trusted is a root that counts.
func trusted(dir string) Root {
	return Root{Dir: dir, Scope: User, Source: "flag", Trusted: true}
}

// look discovers and fails where that fails.
func look(t testing.TB, roots ...Root) *Catalog {
	t.Helper()
	c, err := Discover(t.Context(), roots)
	must(t, err)
	return c
}

// found lists what is in c as "name status", and with codes what its problems are.
func found(c *Catalog) []string {
	var out []string
	for _, f := range c.Found {
		out = append(out, f.Name+" "+string(f.Status))
	}
	return out
}

// named is the first skill of that name.
func named(t testing.TB, c *Catalog, name string) *Found {
	t.Helper()
	for _, f := range c.Found {
		if f.Name == name {
			return f
		}
	}
	t.Fatalf("there is no %q among %q", name, found(c))
	return nil
}

// codes are the codes of l, joined.
func codes(l diag.List) string {
	var out []string
	for _, d := range l {
		out = append(out, string(d.Code))
	}
	return strings.Join(out, " ")
}

// having is the first diagnostic of a code, and fails where there is none.
func having(t testing.TB, l diag.List, code diag.Code) diag.Diagnostic {
	t.Helper()
	for _, d := range l {
		if d.Code == code {
			return d
		}
	}
	t.Fatalf("no %s among %v", code, l)
	return diag.Diagnostic{}
}
