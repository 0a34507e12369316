package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// processes prints how long whole programs take that count two words, against one that counts nothing and has
// the tables in its binary, and how much memory each has taken after 2 MB of text.
func processes(rounds int) error {
	dir, err := os.MkdirTemp("", "benchcmp")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	names := []string{"empty", "promptc", "tokenizer", "tiktoken"}
	for _, name := range names {
		build := exec.Command("go", "build", "-o", filepath.Join(dir, name), "./first/"+name)
		if out, err := build.CombinedOutput(); err != nil {
			return fmt.Errorf("building %s: %w\n%s", name, err, out)
		}
	}
	times := map[string][]time.Duration{}
	for range 8 * rounds {
		for _, name := range names {
			start := time.Now()
			if err := exec.Command(filepath.Join(dir, name)).Run(); err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
			times[name] = append(times[name], time.Since(start))
		}
	}
	long := []byte(strings.Repeat("Counting two megabytes of plain words, it's all the same to them. ", 30_000))
	for _, name := range names {
		info, err := os.Stat(filepath.Join(dir, name))
		if err != nil {
			return err
		}
		cmd := exec.Command(filepath.Join(dir, name), "-")
		cmd.Stdin = bytes.NewReader(long)
		out, err := cmd.Output()
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		_, peak, _ := strings.Cut(strings.TrimSpace(string(out)), " ")
		took := median(times[name])
		fmt.Printf("process %-10s %6.1f ms x%-6.2f %5.1f MB binary, peak with 2 MB of text %s\n", name,
			took.Seconds()*1000, float64(took)/float64(median(times["empty"])), float64(info.Size())/1e6, peak)
	}
	return nil
}
