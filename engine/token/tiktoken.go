//go:build !notiktoken

package token

import (
	"sync"

	"github.com/pkoukk/tiktoken-go"
	loader "github.com/pkoukk/tiktoken-go-loader"
)

// tiktokenEncodings lists the encodings of older models, which tiktoken-go serves. The first count loads one,
// from the vocabulary that the offline loader carries; tiktoken-go's own global loader is left alone.
func tiktokenEncodings() []encoding {
	return []encoding{
		{"p50k_base", true, viaTiktoken(p50k)},
		{"p50k_edit", true, viaTiktoken(p50k)}, // differs in special tokens only
		{"r50k_base", true, viaTiktoken(r50k)},
	}
}

var (
	p50k = sync.OnceValue(func() *tiktoken.Tiktoken { return load("p50k_base.tiktoken") })
	r50k = sync.OnceValue(func() *tiktoken.Tiktoken { return load("r50k_base.tiktoken") })
)

// olderPattern cuts text for all encodings before cl100k_base.
const olderPattern = `'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+`

func load(vocabulary string) *tiktoken.Tiktoken {
	ranks, err := loader.NewOfflineLoader().LoadTiktokenBpe(vocabulary)
	if err != nil {
		panic("token: the vocabulary " + vocabulary + " is embedded and must load: " + err.Error())
	}
	bpe, err := tiktoken.NewCoreBPE(ranks, map[string]int{}, olderPattern)
	if err != nil {
		panic("token: the pattern is constant and must compile: " + err.Error())
	}
	return tiktoken.NewTiktoken(bpe, &tiktoken.Encoding{}, nil)
}

// viaTiktoken is an encoding of tiktoken-go's.
type viaTiktoken func() *tiktoken.Tiktoken

func (load viaTiktoken) count(text string, _ int) int { return len(load.encode(text)) }
func (load viaTiktoken) encode(text string) []int     { return load().EncodeOrdinary(text) }

func (load viaTiktoken) lines(text string) []int {
	text = valid(text)
	lines, at := newLineCount(text), 0
	for _, rank := range load.encode(text) {
		lines.add(at)
		at += len(load().Decode([]int{rank}))
	}
	return lines.done()
}
