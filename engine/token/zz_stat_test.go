package token

import (
	"fmt"
	"os"
	"testing"
)

func TestZZStat(t *testing.T) {
	for _, f := range []string{"en.md", "zh.md", "code.go"} {
		data, _ := os.ReadFile("/tmp/tokscratch/" + f)
		s := string(data)
		b := o200k()
		pieces, misses, mb, rep := 0, 0, 0, 0
		hist := map[int]int{}
		seen := map[string]bool{}
		dl := 0
		toks := 0
		m := &merger{t: b.table}
		for i := 0; i < len(s); {
			e := b.next(s, i)
			pieces++
			if b.table.rank(s, i, e) == noRank {
				misses++
				mb += e - i
				hist[(e-i)/8]++
				if seen[s[i:e]] {
					rep++
				} else {
					dl += e - i
				}
				seen[s[i:e]] = true
				toks += m.merge(s, i, e)
			}
			i = e
		}
		fmt.Println(f, len(s), "pieces", pieces, "misses", misses, "bytes in misses", mb, "repeated", rep, "distinct bytes", dl, "tokens in misses", toks, hist)
	}
}
