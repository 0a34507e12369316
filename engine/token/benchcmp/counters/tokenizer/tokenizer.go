// Package tokenizer counts with tiktoken-go/tokenizer.
package tokenizer

import "github.com/tiktoken-go/tokenizer"

// New returns a function that counts the tokens of a text by that encoding.
func New(encoding string) (func(string) int, error) {
	t, err := tokenizer.Get(tokenizer.Encoding(encoding))
	if err != nil {
		return nil, err
	}
	return func(text string) int {
		n, err := t.Count(text)
		if err != nil {
			panic(err)
		}
		return n
	}, nil
}
