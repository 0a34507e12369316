package token

import (
	"sync"

	"github.com/pkoukk/tiktoken-go"
	loader "github.com/pkoukk/tiktoken-go-loader"
)

func ownEncodings() []encoding {
	return []encoding{{"o200k_base", true, early("o200k_base")}, {"cl100k_base", true, early("cl100k_base")}}
}

type early string

var earlyPatterns = map[early]string{
	"o200k_base":  `[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?|[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+`,
	"cl100k_base": `(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+`,
}

var earlyO200k = sync.OnceValue(func() *tiktoken.Tiktoken { return earlyLoad("o200k_base") })
var earlyCl100k = sync.OnceValue(func() *tiktoken.Tiktoken { return earlyLoad("cl100k_base") })

func earlyLoad(e early) *tiktoken.Tiktoken {
	ranks, err := loader.NewOfflineLoader().LoadTiktokenBpe(string(e) + ".tiktoken")
	if err != nil {
		panic(err)
	}
	bpe, err := tiktoken.NewCoreBPE(ranks, map[string]int{"<|endoftext|>": 1 << 20}, earlyPatterns[e])
	if err != nil {
		panic(err)
	}
	return tiktoken.NewTiktoken(bpe, &tiktoken.Encoding{}, nil)
}
func (e early) count(text string, _ int) int { return len(e.encode(text)) }
func (e early) encode(text string) []int {
	if e == "o200k_base" {
		return earlyO200k().EncodeOrdinary(text)
	}
	return earlyCl100k().EncodeOrdinary(text)
}
