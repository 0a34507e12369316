package main

import (
	"bytes"
	"errors"
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
