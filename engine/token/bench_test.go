package token

import (
	"fmt"
	"os"
	"strings"
	"testing"
)

// The module benchcmp puts these beside the other tokenizers.
func BenchmarkCount(b *testing.B) {
	for _, name := range []string{"english.md", "chinese.md", "code.go.txt"} {
		data, err := os.ReadFile("testdata/texts/" + name)
		if err != nil {
			b.Fatal(err)
		}
		text := strings.Repeat(string(data), 20)
		for _, c := range []*Counter{ForModel("gpt-5"), ForModel("gpt-4")} {
			b.Run(name+"/"+c.Name(), func(b *testing.B) {
				b.SetBytes(int64(len(text)))
				for b.Loop() {
					c.Count(text)
				}
			})
		}
	}
}

// A run has no place to cut; its time may grow a little more than its length.
func BenchmarkRun(b *testing.B) {
	for _, kilobytes := range []int{50, 100, 200} {
		text := strings.Repeat("a", kilobytes*1000)
		b.Run(fmt.Sprint(kilobytes, " kB"), func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				ForModel("").Count(text)
			}
		})
	}
}

func BenchmarkWithinAShortText(b *testing.B) {
	c := ForModel("")
	for b.Loop() {
		c.Within("Makes slide decks from an outline. Use when the user asks for a presentation.", 100)
	}
}
