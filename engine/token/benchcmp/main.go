// Command benchcmp counts the same texts with package token, tiktoken-go and tiktoken-go/tokenizer, in turn and
// in the same rounds, and prints medians with ratios: speed by kind of text, growth on adversarial text, and what
// a whole process needs until its first count. It is a module of its own so that users of promptc do not carry
// the other tokenizers.
//
//	go run . [-english DIR] [-chinese DIR] [-code DIR] [-rounds N]
//
// Only the ratios of one run say anything. Without directories it counts its own testdata, which is small.
package main

import (
	"flag"
	"fmt"
	"os"
	"slices"
	"time"

	"github.com/promptc/promptc/engine/token/benchcmp/counters/promptc"
	"github.com/promptc/promptc/engine/token/benchcmp/counters/tiktoken"
	"github.com/promptc/promptc/engine/token/benchcmp/counters/tokenizer"
)

// counter is one of what is compared.
type counter struct {
	name  string
	open  func(encoding string) (func(string) int, error)
	count func(string) int
}

func counters(encoding string) ([]*counter, error) {
	all := []*counter{
		{name: "tiktoken-go", open: tiktoken.New},
		{name: "tiktoken-go/tokenizer", open: tokenizer.New},
		{name: "promptc", open: promptc.New},
	}
	for _, c := range all {
		var err error
		if c.count, err = c.open(encoding); err != nil {
			return nil, fmt.Errorf("%s: %w", c.name, err)
		}
	}
	return all, nil
}

func main() {
	english := flag.String("english", "../testdata/texts/english.md", "a file, or a directory of Markdown")
	chinese := flag.String("chinese", "../testdata/texts/chinese.md", "a file, or a directory of Markdown")
	code := flag.String("code", "../testdata/texts/code.go.txt", "a file, or a directory of Go")
	rounds := flag.Int("rounds", 7, "how often each counts each text")
	flag.Parse()
	texts := []text{{"English", *english, ".md"}, {"Chinese", *chinese, ".md"}, {"code", *code, ".go"}}
	if err := run(texts, *rounds); err != nil {
		fmt.Fprintln(os.Stderr, "benchcmp:", err)
		os.Exit(1)
	}
}

func run(texts []text, rounds int) error {
	for _, encoding := range []string{"o200k_base", "cl100k_base"} {
		all, err := counters(encoding)
		if err != nil {
			return err
		}
		for _, t := range texts {
			data, err := t.read(300_000)
			if err != nil {
				return err
			}
			if err := speed(encoding+" "+t.name, all, data, rounds); err != nil {
				return err
			}
		}
		if encoding == "o200k_base" {
			growth(all)
		}
	}
	return processes(rounds)
}

// speed prints how fast each counter counts data, and how much faster than the first one.
func speed(title string, all []*counter, data string, rounds int) error {
	times := make([][]time.Duration, len(all))
	for range rounds {
		for i, c := range all {
			start := time.Now()
			c.count(data)
			times[i] = append(times[i], time.Since(start))
		}
	}
	fmt.Printf("%s, %d kB\n", title, len(data)/1000)
	reference := all[0].count(data)
	for i, c := range all {
		exact := "exact"
		if n := c.count(data); n != reference {
			exact = fmt.Sprintf("counts %d, not %d", n, reference)
		}
		fmt.Printf("  %-22s %7.1f MB/s  x%-6.2f %s\n", c.name, float64(len(data))/median(times[i]).Seconds()/1e6,
			float64(median(times[0]))/float64(median(times[i])), exact)
	}
	return nil
}

// growth prints what runs without a place to cut cost, and by how much that grows when they double.
func growth(all []*counter) {
	for _, letter := range []string{"a", "ab", "技"} {
		for _, c := range all {
			sizes := []int{12_500, 25_000, 50_000, 100_000, 200_000, 400_000}
			last := time.Duration(0)
			fmt.Printf("run of %q, %-22s", letter, c.name)
			for _, size := range sizes {
				data := ""
				for len(data) < size {
					data += letter + data
				}
				data = data[:size/len(letter)*len(letter)]
				times := []time.Duration{}
				for range 3 {
					start := time.Now()
					c.count(data)
					times = append(times, time.Since(start))
				}
				took := median(times)
				fmt.Printf("  %d kB %.1f ms", size/1000, took.Seconds()*1000)
				if last > 0 {
					fmt.Printf(" x%.1f", float64(took)/float64(last))
				}
				if last = took; took > 2*time.Second {
					break
				}
			}
			fmt.Println()
		}
	}
}

func median(times []time.Duration) time.Duration {
	sorted := slices.Sorted(slices.Values(times))
	return sorted[len(sorted)/2]
}
