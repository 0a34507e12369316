package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// BenchmarkProcess compares whole processes with the least that one must do, in
// turn in the same rounds: a program that prints one line, and one that reads 4 kB of
// each skill. x-floor is the ratio of the medians.
func BenchmarkProcess(b *testing.B) {
	bin := b.TempDir()
	build := func(name, pkg string) string {
		path := filepath.Join(bin, name)
		if out, err := exec.Command("go", "build", "-o", path, pkg).CombinedOutput(); err != nil {
			b.Skipf("go build: %v\n%s", err, out)
		}
		return path
	}
	ours, floor := build("promptc", "."), build("floor", "./testdata/floor")
	few, many := manySkillsIn(b, 10), manySkillsIn(b, 1_000)
	for _, c := range []struct {
		name        string
		floor, args []string
	}{
		{"help", nil, []string{"--help"}},
		{"version", nil, []string{"version"}},
		{"render/10", nil, []string{"render", "--strategy", "index", "--root", few}},
		{"render/1000", []string{many}, []string{"render", "--strategy", "index", "--root", many}},
		{"system/1000", []string{many}, []string{"render", "--strategy", "index", "--root", many, "--format", "system"}},
		{"skills/1000", []string{many}, []string{"skills", "--no-tokens", "--root", many}},
	} {
		b.Run(c.name, func(b *testing.B) {
			var least, took []time.Duration
			for b.Loop() {
				least = append(least, process(b, floor, c.floor))
				took = append(took, process(b, ours, c.args))
			}
			b.ReportMetric(median(took)/median(least), "x-floor")
			b.ReportMetric(median(least), "floor-ms")
			b.ReportMetric(median(took), "ms")
			b.ReportMetric(0, "ns/op") // a round is two processes, which says nothing
		})
	}
}

// process is how long a program runs; its output goes nowhere.
func process(b *testing.B, path string, args []string) time.Duration {
	b.Helper()
	cmd := exec.Command(path, args...)
	cmd.Env = append(os.Environ(), "GOGC=")
	start := time.Now()
	if err := cmd.Run(); err != nil {
		b.Fatalf("%s %v: %v", path, args, err)
	}
	return time.Since(start)
}

func median(d []time.Duration) float64 {
	slices.Sort(d)
	return float64(d[len(d)/2].Microseconds()) / 1000
}

// manySkillsIn writes n skills of 5 kB.
func manySkillsIn(b *testing.B, n int) string {
	files := make(map[string]string, n)
	body := strings.Repeat("Read the table, check every row against the list, and say which ones differ.\n", 60)
	for i := range n {
		name := fmt.Sprintf("skill-%04d", i)
		files[name+"/SKILL.md"] = fmt.Sprintf("---\nname: %s\ndescription: Compares table %d with the list of its rows and reports each one that differs. Use it whenever a table was changed by hand.\n---\n\n# Skill\n\n%s", name, i, body)
	}
	return treeOf(b, files)
}
