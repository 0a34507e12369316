package main

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestVerifyWithTheRealCLIs links skills and asks the agents' own CLIs what they
// list: exactly those, also after a rebuild with another set, and none after
// unlink. It runs where PROMPTC_CLIS names a directory with the programs, which
// .ci/run fills where their packages can be fetched.
func TestVerifyWithTheRealCLIs(t *testing.T) {
	programs := os.Getenv("PROMPTC_CLIS")
	if programs == "" {
		t.Skip("PROMPTC_CLIS names no directory with CLIs")
	}
	skills, err := filepath.Abs(filepath.Join("..", "..", "examples", "skills"))
	if err != nil {
		t.Fatal(err)
	}
	for id, program := range map[string]string{"gemini-cli": "gemini", "opencode": "opencode", "codex": "codex", "copilot-cli": "copilot"} {
		if _, err := os.Stat(filepath.Join(programs, program)); err != nil {
			t.Logf("%s is not there, so %s was not verified", program, id)
			continue
		}
		t.Run(id, func(t *testing.T) {
			w := cliWorld{t: t, dir: t.TempDir(), home: t.TempDir(), path: programs + string(os.PathListSeparator) + os.Getenv("PATH")}
			base := []string{"link", "--json", "--verify", "--agent", id, "--agent-version", "installed", "--root", skills, "--workspace", w.dir, "--temporary"}
			w.lists(base, "csv-profile", "release-notes", "weekly-report-zh")
			w.lists(base, "api-error-style", "csv-profile")
			w.lists(base, "api-error-style", "csv-profile")
			w.lists(append(slices.Clone(base), "--option", "mode=copy"), "csv-profile")
			w.promptc("unlink", "--workspace", w.dir)
			// What the CLI itself has written (opencode: a .gitignore) is its own.
			if left, err := filepath.Glob(filepath.Join(w.dir, ".*", "skills")); err != nil || len(left) > 0 {
				t.Errorf("after unlink there is %v, %v", left, err)
			}
			// Nothing is linked: with --check the list has none of them.
			out := w.run(exitDiagnostic, append(slices.Clone(base), "--check", "--auto", "csv-profile"))
			if len(out.Verify.Listed) > 0 || len(out.Verify.Unexpected) > 0 || !slices.Equal(out.Verify.Missing, []string{"csv-profile"}) {
				t.Errorf("after unlink: %+v", out.Verify)
			}
		})
	}
}

// cliWorld is a workspace and a home for one CLI.
type cliWorld struct {
	t               *testing.T
	dir, home, path string
}

// lists links exactly these skills and wants the CLI to list exactly them.
func (w cliWorld) lists(base []string, names ...string) {
	w.t.Helper()
	args := slices.Clone(base)
	for _, n := range names {
		args = append(args, "--auto", n)
	}
	out := w.run(exitFine, args)
	if out.Verify == nil || !out.Verify.Ran {
		w.t.Fatalf("nothing was verified: %+v", out)
	}
	var listed []string
	for _, s := range out.Verify.Listed {
		listed = append(listed, s.Name)
	}
	slices.Sort(listed)
	if !slices.Equal(listed, names) || len(out.Verify.Missing)+len(out.Verify.Unexpected)+len(out.Verify.Surprising) > 0 {
		w.t.Errorf("want %v, got %+v", names, out.Verify)
	}
}

func (w cliWorld) run(code int, args []string) linkJSON {
	w.t.Helper()
	got, data, said := w.call(args)
	var out linkJSON
	if err := json.Unmarshal(data, &out); err != nil || got != code {
		w.t.Fatalf("%s: exit code %d, want %d, %v\n%s", strings.Join(args, " "), got, code, err, said)
	}
	return out
}

func (w cliWorld) promptc(args ...string) {
	w.t.Helper()
	if got, _, said := w.call(args); got != exitFine {
		w.t.Fatalf("%s: exit code %d\n%s", strings.Join(args, " "), got, said)
	}
}

func (w cliWorld) call(args []string) (int, []byte, string) {
	var out, said bytes.Buffer
	cmd := exec.Command("promptc", args...) // TestMain puts it on the path
	cmd.Stdout, cmd.Stderr = &out, &said
	cmd.Env = append(os.Environ(), "HOME="+w.home, "PATH="+w.path, "XDG_STATE_HOME="+filepath.Join(w.home, "state"))
	if err := cmd.Run(); cmd.ProcessState == nil {
		w.t.Fatal(err)
	}
	return cmd.ProcessState.ExitCode(), out.Bytes(), said.String()
}
