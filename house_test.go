// Package promptc_test keeps the rules of the house: who imports whom, and who
// touches the disk.
package promptc_test

import (
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const module = "github.com/promptc/promptc/"

// mayImport lists what of ours each package may import. A key that ends in /*
// stands for the packages directly below, one that ends in /... for all below.
var mayImport = []struct {
	pkg     string
	allowed []string
}{
	{"engine/diag", nil},
	{"engine/token", []string{"engine/token/..."}},
	{"engine/token/...", []string{"engine/token/..."}},
	{"engine/skill", []string{"engine/diag"}},
	{"engine/agent", []string{"engine/diag", "engine/skill"}},
	{"engine/lint", []string{"engine/diag", "engine/skill", "engine/agent"}},
	{"engine", []string{"engine/diag", "engine/skill", "engine/agent"}},
	{"engine/format", core},
	{"engine/link", core},
	{"engine/plugin", core},
	{"engine/mcp", core},
	{"engine/strategytest", core},
	{"strategies/*", core},
	{"strategies", []string{"engine", "strategies/*"}},
	{"bench", core},
	{"bench/transcript", append([]string{"bench"}, core...)},
	{"cmd/promptc", []string{"engine/...", "engine", "strategies/...", "strategies", "bench/...", "bench"}},
	{"examples/...", []string{"engine/...", "engine", "strategies/...", "strategies"}},
}

var core = []string{"engine", "engine/diag", "engine/skill", "engine/agent"}

// mayTouch lists the files below engine/ and strategies/ that may import what
// reaches files, the network, the clock or the environment.
var mayTouch = []string{"engine/load.go", "engine/access.go", "engine/skill/", "engine/lint/fix.go", "engine/link/", "engine/plugin/", "engine/token/internal/"}

var effects = []string{"os", "os/exec", "net", "net/http", "syscall", "io/ioutil"}

// impure is what a strategy may not import at all.
var impure = append([]string{"time", "math/rand", "math/rand/v2"}, effects...)

type source struct {
	file, pkg string
	imports   []string
}

func sources(t *testing.T) []source {
	t.Helper()
	var out []source
	err := filepath.WalkDir(".", func(p string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name := d.Name()
		if d.IsDir() {
			if p != "." && (name == "testdata" || strings.HasPrefix(name, ".") || name == "node_modules") {
				return filepath.SkipDir
			}
			if p != "." {
				if m, _ := filepath.Glob(filepath.Join(p, "go.mod")); m != nil {
					return filepath.SkipDir // another module
				}
			}
			return nil
		}
		if !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
			return nil
		}
		f, err := parser.ParseFile(token.NewFileSet(), p, nil, parser.ImportsOnly)
		if err != nil {
			return err
		}
		p = filepath.ToSlash(p)
		s := source{file: p, pkg: path.Dir(p)}
		for _, i := range f.Imports {
			name, err := strconv.Unquote(i.Path.Value)
			if err != nil {
				return err
			}
			s.imports = append(s.imports, name)
		}
		out = append(out, s)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(out) < 20 {
		t.Fatalf("only %d files were looked at", len(out))
	}
	return out
}

func matches(pattern, pkg string) bool {
	if base, ok := strings.CutSuffix(pattern, "/..."); ok {
		return strings.HasPrefix(pkg, base+"/")
	}
	if base, ok := strings.CutSuffix(pattern, "/*"); ok {
		return path.Dir(pkg) == base
	}
	return pattern == pkg
}

func TestWhoImportsWhom(t *testing.T) {
	for _, s := range sources(t) {
		i := slices.IndexFunc(mayImport, func(r struct {
			pkg     string
			allowed []string
		}) bool {
			return matches(r.pkg, s.pkg)
		})
		if i < 0 {
			t.Errorf("%s: the package %s has no room in the house; add it to mayImport", s.file, s.pkg)
			continue
		}
		for _, name := range s.imports {
			ours, ok := strings.CutPrefix(name, module)
			if ok && !slices.ContainsFunc(mayImport[i].allowed, func(p string) bool { return matches(p, ours) }) {
				t.Errorf("%s: %s may not import %s", s.file, s.pkg, ours)
			}
		}
	}
}

func TestWhoTouchesTheDisk(t *testing.T) {
	for _, s := range sources(t) {
		strategy := path.Dir(s.pkg) == "strategies"
		if !strings.HasPrefix(s.file, "engine/") && !strategy {
			continue
		}
		for _, name := range s.imports {
			switch {
			case strategy && slices.Contains(impure, name):
				t.Errorf("%s: a strategy may not import %s", s.file, name)
			case slices.Contains(effects, name) && !slices.ContainsFunc(mayTouch, func(p string) bool { return strings.HasPrefix(s.file, p) }):
				t.Errorf("%s: may not import %s", s.file, name)
			}
		}
	}
}

// TestHeavyDependenciesStayInTheirRoom: a host carries only what it uses.
func TestHeavyDependenciesStayInTheirRoom(t *testing.T) {
	rooms := map[string]string{
		"github.com/hashicorp/go-plugin":         "engine/plugin",
		"google.golang.org/grpc":                 "engine/plugin",
		"github.com/pkoukk/tiktoken-go":          "engine/token",
		"github.com/modelcontextprotocol/go-sdk": "engine/mcp",
		"modernc.org/sqlite":                     "bench/transcript",
		"github.com/spf13/cobra":                 "cmd/promptc",
	}
	for _, s := range sources(t) {
		for _, name := range s.imports {
			for dep, room := range rooms {
				if (name == dep || strings.HasPrefix(name, dep+"/") || strings.HasPrefix(name, dep+"-")) && s.pkg != room && !strings.HasPrefix(s.pkg, room+"/") {
					t.Errorf("%s: %s belongs into %s", s.file, name, room)
				}
			}
		}
	}
}
