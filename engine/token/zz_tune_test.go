package token

import (
	"os"
	"testing"
)

func BenchmarkTune(b *testing.B) {
	for _, f := range []string{"en.md", "zh.md", "code.go", "code2.txt"} {
		data, err := os.ReadFile("/tmp/tokscratch/" + f)
		if err != nil {
			b.Skip()
		}
		s := string(data)
		for _, n := range []string{"o200k_base", "cl100k_base"} {
			c, _ := Named(n)
			b.Run(f+"/"+n, func(b *testing.B) {
				b.SetBytes(int64(len(s)))
				for b.Loop() {
					c.Count(s)
				}
			})
		}
		b.Run(f+"/scan", func(b *testing.B) {
			b.SetBytes(int64(len(s)))
			for b.Loop() {
				for i := 0; i < len(s); {
					i = scanO200k(s, i)
				}
			}
		})
	}
}
func BenchmarkTuneRef(b *testing.B) {
	for _, f := range []string{"en.md", "zh.md", "code.go"} {
		data, err := os.ReadFile("/tmp/tokscratch/" + f)
		if err != nil {
			b.Skip()
		}
		s := string(data[:200000])
		c := reference(b, "o200k_base")
		b.Run(f, func(b *testing.B) {
			b.SetBytes(int64(len(s)))
			for b.Loop() {
				c.EncodeOrdinary(s)
			}
		})
	}
}
