package main

import (
	"bytes"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/promptc/promptc/engine/diag"
)

var update = flag.Bool("update", false, "rewrite goldens")

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"promptc": main})
}

func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                 filepath.Join("testdata", "script"),
		UpdateScripts:       *update,
		RequireExplicitExec: true,
		Setup: func(e *testscript.Env) error {
			home := filepath.Join(e.WorkDir, "home")
			e.Setenv("HOME", home)
			e.Setenv("USERPROFILE", home)
			e.Setenv("NO_COLOR", "1")
			e.Setenv("XDG_STATE_HOME", filepath.Join(e.WorkDir, "state"))
			e.Setenv("XDG_CONFIG_HOME", filepath.Join(e.WorkDir, "config"))
			if program, err := exec.LookPath("promptc"); err == nil {
				e.Setenv("PROMPTC", program) // for scripts that set another PATH
			}
			return os.MkdirAll(home, 0o777)
		},
		Cmds: map[string]func(ts *testscript.TestScript, neg bool, args []string){
			"exitcode": exitCode,
			"bom":      prependBOM,
			"json":     jsonQuery,
			"tree":     tree,

			"latin1":     latin1,
			"escape":     escape,
			"crlf":       crlf,
			"fill":       fill,
			"manydirs":   manyDirs,
			"manyskills": manySkills,
		},
	})
}

// exitCode runs a program and wants exactly this exit code: exitcode N prog args.
func exitCode(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) < 2 || neg {
		ts.Fatalf("usage: exitcode N program [args...]")
	}
	err := ts.Exec(args[1], args[2:]...)
	got := "0"
	if e, ok := err.(*exec.ExitError); ok {
		got = string(rune('0' + e.ExitCode()))
	} else if err != nil {
		ts.Fatalf("%v", err)
	}
	if got != args[0] {
		ts.Fatalf("exit code %s, want %s", got, args[0])
	}
}

// notFromHere are codes that no call of the program can bring about, each with
// the test that does.
var notFromHere = map[diag.Code]string{
	diag.RenderingRefused: "a bundled strategy never gives cause: engine.TestRenderingIsChecked",
	diag.IsolationFailed:  "needs a strategy that writes the lines itself: engine.TestD13LinesStandAlone",
	diag.PluginFailed:     "belongs to strategies in other processes, which the bundled ones are not",
	diag.PlaceMissing:     "choose passes symlink over before: strategies/symlink",
	diag.LinkFailed:       "needs a disk that refuses: engine/link",
	diag.PlaceRefused:     "needs the home directory as a workspace: engine/link",
	diag.ToolRefused:      "the bundled tools are taken everywhere: engine/format.TestE08RefusedParameter",
	diag.GitExclude:       "needs a worktree: engine/link",
}

// TestEveryCodeHasAScript: a code that no script shows may not exist.
func TestEveryCodeHasAScript(t *testing.T) {
	files, err := filepath.Glob(filepath.Join("testdata", "script", "*.txtar"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no scripts: %v", err)
	}
	var all bytes.Buffer
	for _, f := range files {
		data, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		all.Write(data)
	}
	for _, code := range diag.Codes() {
		if _, ok := notFromHere[diag.Code(code)]; ok {
			continue
		}
		shown := regexp.MustCompile(`(?m)^(stderr|stdout) .*\\\[` + regexp.QuoteMeta(code) + `\\\]|^json .*` + regexp.QuoteMeta(code) + `\b|\[` + regexp.QuoteMeta(code) + `\]$`)
		if !shown.Match(all.Bytes()) {
			t.Errorf("no script shows %q", code)
		}
	}
}

// block is a console block of a document: a command and what it prints.
var block = regexp.MustCompile("(?ms)^```console\n\\$ (promptc [^\n]*)\n(.*?)^```$")

// TestDocumentsEqualReality runs every console block of the documents.
func TestDocumentsEqualReality(t *testing.T) {
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	root := filepath.Join("..", "..")
	full, err := filepath.Abs(root)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"README.md", "docs/architecture.md"} {
		path := filepath.Join(root, name)
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		n := 0
		got := block.ReplaceAllFunc(data, func(b []byte) []byte {
			n++
			m := block.FindSubmatch(b)
			line := string(m[1])
			args, err := fields(line)
			if err != nil {
				t.Fatalf("%s: %s: %v", name, line, err)
			}
			cmd := exec.CommandContext(t.Context(), exe, args[1:]...)
			cmd.Args[0] = "promptc"
			cmd.Dir = root
			state := t.TempDir()
			cmd.Env = append(os.Environ(), "NO_COLOR=1", "XDG_STATE_HOME="+state, "HOME="+t.TempDir())
			var stderr bytes.Buffer
			cmd.Stderr = &stderr
			out, err := cmd.Output()
			if err != nil {
				t.Fatalf("%s: %s: %v\n%s", name, line, err, stderr.Bytes())
			}
			// What hangs on the machine stands under the name of its variable.
			text := strings.NewReplacer(state, "$XDG_STATE_HOME", full, "$PWD").Replace(string(out))
			return []byte("```console\n$ " + line + "\n" + text + "```")
		})
		if n == 0 {
			t.Errorf("%s has no console block", name)
		}
		if bytes.Equal(got, data) {
			continue
		}
		if *update {
			if err := os.WriteFile(path, got, 0o666); err != nil {
				t.Fatal(err)
			}
			continue
		}
		t.Errorf("%s is not what promptc prints; run go test ./cmd/promptc -update and read the diff", name)
	}
}

// fields splits a shell line of plain words and "quoted" ones.
func fields(line string) ([]string, error) {
	var out []string
	for len(strings.TrimSpace(line)) > 0 {
		line = strings.TrimLeft(line, " ")
		if rest, ok := strings.CutPrefix(line, `"`); ok {
			word, after, _ := strings.Cut(rest, `"`)
			out, line = append(out, word), after
			continue
		}
		word, after, _ := strings.Cut(line, " ")
		out, line = append(out, word), after
	}
	return out, nil
}
