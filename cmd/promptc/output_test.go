package main

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

type full struct{}

func (full) Write([]byte) (int, error) { return 0, errors.New("no space left") }

func TestOutputKeepsTheFirstError(t *testing.T) {
	o := &output{w: full{}}
	_, first := o.Write([]byte("a"))
	o.w = &bytes.Buffer{}
	if _, err := o.Write([]byte("b")); err == nil || !errors.Is(err, first) || !errors.Is(o.err, first) {
		t.Errorf("got %v, kept %v", err, o.err)
	}
}

// A disk that is full is exit code 3 for every verb, also for those that print
// line by line.
func TestNoVerbEndsWellOnAFullDisk(t *testing.T) {
	device, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Skip("there is no /dev/full")
	}
	defer device.Close()
	skills, err := filepath.Abs(filepath.Join("..", "..", "examples", "skills"))
	if err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{
		{"render", "--root", skills}, {"render", "--root", skills, "--json"}, {"skills", "--root", skills},
		{"skills", "csv-profile", "--root", skills}, {"agents"}, {"agents", "claude-code"}, {"strategies"}, {"version"},
		{"schema"}, {"explain", "bom"}, {"activate", "csv-profile", "--root", skills}, {"tokens", skills},
		{"link", "--agent", "claude-code", "--root", skills, "--dry-run"},
	} {
		cmd := exec.Command("promptc", args...) // TestMain puts it on the path
		cmd.Stdout = device
		cmd.Env = append(os.Environ(), "HOME="+t.TempDir())
		cmd.Dir = t.TempDir()
		err := cmd.Run()
		if e, ok := errors.AsType[*exec.ExitError](err); !ok || e.ExitCode() != exitFailed {
			t.Errorf("%v: %v, want exit code %d", args, err, exitFailed)
		}
	}
}

// A Read that waits for a terminal ends when the program is interrupted.
func TestInputEndsWithTheContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	r, w := io.Pipe()
	defer w.Close()
	in := &input{ctx: ctx, r: r}
	go func() { _, _ = w.Write([]byte("first")) }()
	buf := make([]byte, 8)
	if n, err := in.Read(buf); err != nil || string(buf[:n]) != "first" {
		t.Fatalf("got %q, %v", buf[:n], err)
	}
	cancel()
	if _, err := in.Read(buf); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}
