//go:build unix

package link

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"
)

// start runs the test binary as another process.
func (w *world) start(kill int) (tell func(line string) string, end func() error) {
	w.t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), "LINK_TEST_DIR="+w.dir, fmt.Sprint("LINK_TEST_KILL=", kill))
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		w.t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		w.t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		w.t.Fatal(err)
	}
	lines := bufio.NewScanner(out)
	tell = func(line string) string {
		if _, err := io.WriteString(in, line+"\n"); err != nil {
			return err.Error()
		}
		lines.Scan()
		return lines.Text()
	}
	return tell, func() error { in.Close(); return cmd.Wait() }
}

// TestA8Kill is TestA8Crash with a process that is really killed: its lock is
// free afterwards, and half-written files are there.
func TestA8Kill(t *testing.T) {
	step := 7
	if testing.Short() {
		step = 29
	}
	for n := 1; ; n += step {
		w := newWorld(t)
		for _, s := range []string{"a", "b", "c-copy", "d-copy"} {
			w.skill(s)
		}
		before := snapshot(t, w.place)
		tell, end := w.start(n)
		tell("a c-copy")
		w.write("hub/c-copy/SKILL.md", "changed")
		tell("b c-copy d-copy")
		killed := end() != nil
		set := w.set("b", "c-copy", "d-copy")
		set.Wants[1].Copy, set.Wants[2].Copy = true, true
		w.apply(set)
		for _, s := range []string{"b", "c-copy", "d-copy"} {
			want, _ := os.ReadFile(w.path("hub/" + s + "/SKILL.md"))
			if got, err := os.ReadFile(w.path("ws/" + skillsDir + "/" + s + "/SKILL.md")); err != nil || string(got) != string(want) {
				t.Errorf("killed at change %d: %s holds %q, %v", n, s, got, err)
			}
		}
		w.removeAll()
		same(t, fmt.Sprintf("the workspace, killed at change %d", n), before, snapshot(t, w.place))
		w.noState()
		if !killed {
			return
		}
	}
}

// TestA10ProcessesWaitForEachOther: while one has the place the other changes
// nothing.
func TestA10ProcessesWaitForEachOther(t *testing.T) {
	w := newWorld(t)
	w.skill("a")
	w.skill("b")
	s := storeOf(system{}, w.state, w.place)
	unlock, err := s.lock(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	before := snapshot(t, w.place)
	tell, end := w.start(0)
	answer := make(chan string)
	go func() { answer <- tell("a") }()
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if _, err := Apply(ctx, w.set("b")); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("the wait did not end with its context: %v", err)
	}
	select {
	case got := <-answer:
		t.Errorf("the other process did not wait: %s", got)
	default:
	}
	same(t, "the workspace", before, snapshot(t, w.place))
	unlock()
	if got := <-answer; got != "a=linked" {
		t.Errorf("got %s", got)
	}
	if err := end(); err != nil {
		t.Error(err)
	}
	wantOutcomes(t, w.apply(w.set("a")), "a=kept")
}

// TestA10ManyProcesses change one session's set over and over; each sees its own
// set made, or the place in another's whole.
func TestA10ManyProcesses(t *testing.T) {
	w := newWorld(t)
	sets := []string{"a b-copy", "b-copy c", "c d-copy", "d-copy a", ""}
	for _, n := range []string{"a", "b-copy", "c", "d-copy"} {
		w.skill(n)
	}
	before := snapshot(t, w.place)
	hub := snapshot(t, w.hub)
	done := make(chan []string)
	const processes, rounds = 3, 6
	for p := range processes {
		tell, end := w.start(0)
		go func() {
			var bad []string
			for i := range rounds {
				got := tell(sets[(p+i)%len(sets)])
				if strings.Contains(got, "error") || strings.Contains(got, string(Conflict)) || strings.Contains(got, string(Failed)) {
					bad = append(bad, got)
				}
			}
			if err := end(); err != nil {
				bad = append(bad, err.Error())
			}
			done <- bad
		}()
	}
	for range processes {
		if bad := <-done; len(bad) > 0 {
			t.Errorf("got %q", bad)
		}
	}
	set := w.set("a", "c")
	w.apply(set)
	list, err := os.ReadDir(w.path("ws/" + skillsDir))
	if err != nil || len(list) != 2 {
		t.Errorf("got %v, %v", list, err)
	}
	w.removeAll()
	same(t, "the workspace", before, snapshot(t, w.place))
	same(t, "the hub", hub, snapshot(t, w.hub))
	w.noState()
}
