package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/promptc/promptc/engine"
	"github.com/promptc/promptc/engine/agent"
	"github.com/promptc/promptc/engine/diag"
	"github.com/promptc/promptc/engine/link"
)

// listTime is how long an agent's CLI may take to print its list.
const listTime = 90 * time.Second

// listBytes is how much of it is read.
const listBytes = 32 << 20

// verify runs the command by which the agent lists its skills without a model, in
// the workspace and with a home directory of its own, and compares the list with
// what check says of each skill.
func (a *app) verify(ctx context.Context, q link.Question) (link.Verification, diag.List) {
	skip := func(format string, args ...any) (link.Verification, diag.List) {
		v := link.Verification{Reason: fmt.Sprintf(format, args...), Command: []string{}, Listed: []link.Shown{}, Missing: []string{}, Unexpected: []link.Shown{}, Surprising: []string{}}
		return v, diag.List{diag.New(diag.VerifySkipped, diag.Pos{}, "%s was not verified: %s", q.Facts.ID, v.Reason)}
	}
	command := q.Facts.Runs.List.Value
	switch {
	case len(command) == 0:
		return skip("no command is known by which it lists its skills without a model")
	case q.Place.View && len(q.Launch.Args) > 0:
		return skip("the view is handed over by arguments, which `%s` is not known to take", strings.Join(command, " "))
	}
	program, err := exec.LookPath(command[0])
	if err != nil {
		return skip("its CLI is not installed (%q is not on the path)", command[0])
	}
	// The CLI is asked as it would be launched in a directory that it trusts.
	for k, v := range q.Facts.Runs.Headless.Value.Env {
		q.Launch.Env = merged(q.Launch.Env, k, v)
	}
	q.Own = nil // the home is empty
	out, err := a.list(ctx, program, command[1:], q)
	if err != nil {
		return skip("`%s` failed: %v", strings.Join(command, " "), err)
	}
	list, ok := link.ReadList(out)
	if !ok {
		return skip("what `%s` printed is no list that promptc can read", strings.Join(command, " "))
	}
	names, below := namesOf(q)
	v := link.Compare(link.Check(q), list, names, below)
	v.Command = command
	return v, differences(q, &v)
}

func merged(env map[string]string, key, value string) map[string]string {
	out := maps.Clone(env)
	if out == nil {
		out = map[string]string{}
	}
	if out[key] == "" {
		out[key] = value
	}
	return out
}

// list runs the program and returns what it printed.
func (a *app) list(ctx context.Context, program string, args []string, q link.Question) ([]byte, error) {
	home, err := os.MkdirTemp("", "promptc-home-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(home)
	return a.run(ctx, program, args, q.Workspace, home, q.Launch.Env)
}

// run runs a program with nothing of the user's but the path: a home directory of
// its own, and no variable that could hold a key.
func (a *app) run(ctx context.Context, program string, args []string, dir, home string, env map[string]string) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, listTime)
	defer cancel()
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.Dir, cmd.WaitDelay = dir, 2*time.Second
	endGroup(cmd)
	set := map[string]string{
		"HOME": home, "USERPROFILE": home, "TERM": "dumb", "NO_COLOR": "1", "CI": "true",
		"XDG_CONFIG_HOME": filepath.Join(home, ".config"), "XDG_DATA_HOME": filepath.Join(home, ".local", "share"),
		"XDG_STATE_HOME": filepath.Join(home, ".local", "state"), "XDG_CACHE_HOME": filepath.Join(home, ".cache"),
	}
	keep := []string{"PATH", "LANG", "LC_ALL", "TMPDIR"}
	if runtime.GOOS == "windows" {
		set["APPDATA"], set["LOCALAPPDATA"] = filepath.Join(home, "AppData", "Roaming"), filepath.Join(home, "AppData", "Local")
		keep = append(keep, "SystemRoot", "PATHEXT", "ComSpec", "TEMP", "TMP")
	}
	for _, key := range keep {
		if v, ok := a.env.Lookup(key); ok {
			set[key] = v
		}
	}
	maps.Copy(set, env)
	for _, key := range slices.Sorted(maps.Keys(set)) {
		cmd.Env = append(cmd.Env, key+"="+set[key])
	}
	var out, said bounded
	cmd.Stdout, cmd.Stderr = &out, &said
	err := cmd.Run()
	switch {
	case ctx.Err() != nil:
		return nil, fmt.Errorf("it did not end within %s", listTime)
	case err != nil && !errors.Is(err, exec.ErrWaitDelay):
		return nil, fmt.Errorf("%w: %s", err, last(said.Bytes()))
	}
	return out.Bytes(), nil
}

// bounded keeps the beginning of what is written.
type bounded struct{ bytes.Buffer }

func (b *bounded) Write(p []byte) (int, error) {
	if room := listBytes - b.Len(); room < len(p) {
		_, _ = b.Buffer.Write(p[:max(0, room)]) // cannot fail
		return len(p), nil
	}
	return b.Buffer.Write(p)
}

// last is the last line that is not blank, clipped.
func last(out []byte) string {
	lines := strings.Split(strings.TrimSpace(string(out)), "\n")
	return clip(lines[len(lines)-1], 200)
}

// namesOf are the directories by which a list may know each link, and those in
// which the links stand.
func namesOf(q link.Question) (names link.Names, below []string) {
	names = link.Names{}
	both := func(dir string) []string {
		out := []string{filepath.ToSlash(dir)}
		if real, err := filepath.EvalSymlinks(dir); err == nil && real != dir {
			out = append(out, filepath.ToSlash(real))
		}
		return out
	}
	below = both(filepath.Join(q.Place.Dir, filepath.FromSlash(q.Facts.Where.Into.Value)))
	for _, w := range q.Wants {
		at := filepath.FromSlash(w.Path)
		list := both(w.Target)
		for _, place := range both(q.Place.Dir) {
			list = append(list, filepath.ToSlash(filepath.Join(place, at)))
		}
		names[w.Path] = list
	}
	return names, below
}

// differences says what the list has otherwise.
func differences(q link.Question, v *link.Verification) diag.List {
	var out diag.List
	at := diag.At(q.Place.Dir)
	for _, name := range v.Missing {
		d := diag.New(diag.VerifyFailed, at, "%q is linked, and %s does not list it", name, q.Facts.ID)
		if planned(q.Results, name) {
			d = diag.New(diag.VerifyFailed, at, "%s does not list %q, whose link is not made yet", q.Facts.ID, name).WithHint("%s", q.Command)
		}
		out.Add(d)
	}
	for _, s := range v.Unexpected {
		out.Add(diag.New(diag.VerifyFailed, at, "%s lists %q (%s), which promptc did not link", q.Facts.ID, s.Name, s.Dir))
	}
	for _, name := range v.Surprising {
		out.Add(diag.New(diag.VerifyFailed, at, "%s lists %q, although by the facts it would not", q.Facts.ID, name).As(diag.Warning))
	}
	return out
}

// planned says that a link is one that Plan would make: nobody has made it.
func planned(results []link.Result, name string) bool {
	i := slices.IndexFunc(results, func(r link.Result) bool { return r.Name == name })
	if i < 0 {
		return false
	}
	_, err := os.Lstat(results[i].Path)
	return err != nil
}

func (a *app) printVerification(v link.Verification) {
	if !v.Ran {
		return // the diagnostic says so
	}
	fmt.Fprintf(a.out, "`%s` lists %d of the linked skills, %d are missing, %d were not linked\n", strings.Join(v.Command, " "), len(v.Listed), len(v.Missing), len(v.Unexpected))
}

// versionInstalled is the word for the version of the CLI that is on the path.
const versionInstalled = "installed"

// installed puts the version of the installed CLI into a spec that asks for it.
func (a *app) installed(spec *engine.Spec, f *specFlags) error {
	if spec.AgentVersion != versionInstalled {
		return nil
	}
	at := spec.At("agent_version")
	if spec.Found && !f.command.Flags().Changed("agent-version") {
		spec.AgentVersion = ""
		spec.Diagnostics.Add(diag.New(diag.SpecUntrustedKey, at, "agent_version is ignored: it would run a program"))
		return nil
	}
	fail := func(format string, args ...any) error {
		return diag.List{diag.New(diag.SpecValue, at, format, args...).WithHint("name the version, or leave it out for the newest that the facts know")}.Err()
	}
	facts, ok := agent.Lookup(spec.Agent)
	if !ok || facts.Runs.Program.Value == "" {
		return fail("agent_version: no command of %q is known that could be asked for its version", spec.Agent)
	}
	program, err := exec.LookPath(facts.Runs.Program.Value)
	if err != nil {
		return fail("agent_version: %q is not on the path, so its version cannot be asked for", facts.Runs.Program.Value)
	}
	home, err := os.MkdirTemp("", "promptc-home-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(home)
	out, err := a.run(f.command.Context(), program, []string{"--version"}, home, home, nil)
	if err != nil {
		return fail("agent_version: `%s --version` failed: %v", facts.Runs.Program.Value, err)
	}
	v := versionForm.FindString(string(out))
	if v == "" {
		return fail("agent_version: `%s --version` printed no version", facts.Runs.Program.Value)
	}
	spec.AgentVersion = strings.TrimRight(v, ".-+")
	a.note("%s %s is installed", spec.Agent, spec.AgentVersion)
	return nil
}

// versionForm is a number with dots, and what makers hang behind it.
var versionForm = regexp.MustCompile(`\d+\.\d+(\.\d+)*([-+][0-9A-Za-z.-]+)?`)
