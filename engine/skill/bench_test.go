package skill

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// generate writes n skills of a middling size below a new directory and returns it.
func generate(tb testing.TB, n int) string {
	tb.Helper()
	root := tb.TempDir()
	body := strings.Repeat("Read the table, check every row against the list, and say which ones differ.\n", 60)
	for i := range n {
		dir := filepath.Join(root, fmt.Sprintf("skill-%05d", i))
		if err := os.Mkdir(dir, 0o755); err != nil {
			tb.Fatal(err)
		}
		front := fmt.Sprintf("name: skill-%05d\ndescription: Compares table %d with the list of its rows and reports each one that differs, use it whenever a table was changed by hand\n", i, i)
		switch i % 10 {
		case 7:
			front += "license: MIT\nmetadata:\n  author: somebody\n  version: \"1.0\"\n"
		case 8:
			front = fmt.Sprintf("name: skill-%05d\ndescription: >-\n  Compares table %d with the list of its rows\n  and reports each one that differs.\n", i, i)
		case 9:
			front += "allowed-tools: Read, Grep\n"
		}
		text := "---\n" + front + "---\n\n# Skill\n\n" + body
		if err := os.WriteFile(filepath.Join(dir, skillFile), []byte(text), 0o644); err != nil {
			tb.Fatal(err)
		}
	}
	return root
}

// BenchmarkFind compares finding skills with the least that anybody must do: open
// each file and read 4 kB of it, one after the other.
func BenchmarkFind(b *testing.B) {
	for _, n := range []int{100, 1_000, 10_000} {
		root := generate(b, n)
		roots := []Root{{Dir: root, Scope: User, Trusted: true}}
		b.Run(fmt.Sprintf("floor/%d", n), func(b *testing.B) {
			buf := make([]byte, headBytes)
			for b.Loop() {
				floor(b, root, n, buf)
			}
		})
		b.Run(fmt.Sprintf("discover/%d", n), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				c, err := Discover(b.Context(), roots)
				if err != nil || len(c.Found) != n {
					b.Fatal(len(c.Found), err)
				}
			}
		})
		b.Run(fmt.Sprintf("refresh/%d", n), func(b *testing.B) {
			c, err := Discover(b.Context(), roots)
			if err != nil {
				b.Fatal(err)
			}
			for b.Loop() {
				next, changes, err := c.Refresh(b.Context())
				if err != nil || len(changes) != 0 || len(next.Found) != n {
					b.Fatal(len(changes), err)
				}
			}
		})
	}
}

func floor(tb testing.TB, root string, n int, buf []byte) {
	for i := range n {
		f, err := os.Open(fmt.Sprintf("%s/skill-%05d/SKILL.md", root, i))
		if err != nil {
			tb.Fatal(err)
		}
		if _, err := f.Read(buf); err != nil {
			tb.Fatal(err)
		}
		f.Close()
	}
}

// BenchmarkCatalogMemory reports what 10,000 skills take once they are found.
func BenchmarkCatalogMemory(b *testing.B) {
	root := generate(b, 10_000)
	for b.Loop() {
		var before, after runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&before)
		c, err := Discover(context.Background(), []Root{{Dir: root, Scope: User, Trusted: true}})
		if err != nil {
			b.Fatal(err)
		}
		runtime.GC()
		runtime.ReadMemStats(&after)
		b.ReportMetric(float64(after.HeapAlloc-before.HeapAlloc)/(1<<20), "MB-live")
		b.ReportMetric(float64(after.TotalAlloc-before.TotalAlloc)/(1<<20), "MB-allocated")
		runtime.KeepAlive(c)
	}
}

// BenchmarkFrontmatter compares the fast reading of the plainest block with YAML's.
func BenchmarkFrontmatter(b *testing.B) {
	block := "name: table-check\ndescription: Compares a table with the list of its rows and reports each one that differs\nlicense: MIT\n"
	b.Run("plain", func(b *testing.B) {
		raw := []byte(block)
		var into [8]entry
		for b.Loop() {
			if _, ok := plainEntries(raw, into[:0]); !ok {
				b.Fatal("not plain")
			}
		}
	})
	b.Run("yaml", func(b *testing.B) {
		for b.Loop() {
			if _, err := yamlEntries(block); err != nil {
				b.Fatal(err)
			}
		}
	})
}
