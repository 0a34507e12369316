//go:build !notiktoken

package token

import (
	"sync"

	"github.com/pkoukk/tiktoken-go"
	loader "github.com/pkoukk/tiktoken-go-loader"
)

// tiktokenEncodings lists the encodings of older models, which tiktoken-go serves. Each is loaded by its first
// count, from the vocabulary that the offline loader carries; tiktoken-go's own global loader is left alone.
func tiktokenEncodings() []encoding {
	return []encoding{
		{"p50k_base", true, p50k()},
		{"p50k_edit", true, p50k()}, // differs in special tokens only
		{"r50k_base", true, r50k()},
	}
}

// p50k and r50k build their coder once, when it is first used.
var (
	p50k = sync.OnceValue(func() coder { return &viaTiktoken{vocabulary: "p50k_base.tiktoken"} })
	r50k = sync.OnceValue(func() coder { return &viaTiktoken{vocabulary: "r50k_base.tiktoken"} })
)

// olderPattern cuts text for all encodings before cl100k_base.
const olderPattern = `'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+`

type viaTiktoken struct {
	vocabulary string
	once       sync.Once
	bpe        *tiktoken.Tiktoken
}

func (v *viaTiktoken) count(text string, _ int) int { return len(v.encode(text)) }

func (v *viaTiktoken) encode(text string) []int {
	v.once.Do(func() {
		ranks, err := loader.NewOfflineLoader().LoadTiktokenBpe(v.vocabulary)
		if err != nil {
			panic("token: the vocabulary " + v.vocabulary + " is embedded and must load: " + err.Error())
		}
		bpe, err := tiktoken.NewCoreBPE(ranks, map[string]int{}, olderPattern)
		if err != nil {
			panic("token: the pattern is constant and must compile: " + err.Error())
		}
		v.bpe = tiktoken.NewTiktoken(bpe, &tiktoken.Encoding{}, nil)
	})
	return v.bpe.EncodeOrdinary(text)
}
