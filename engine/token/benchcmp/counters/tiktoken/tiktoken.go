// Package tiktoken counts with tiktoken-go and its offline loader.
package tiktoken

import (
	"github.com/pkoukk/tiktoken-go"
	loader "github.com/pkoukk/tiktoken-go-loader"
)

// New returns a function that counts the tokens of a text by that encoding.
func New(encoding string) (func(string) int, error) {
	tiktoken.SetBpeLoader(loader.NewOfflineLoader())
	t, err := tiktoken.GetEncoding(encoding)
	if err != nil {
		return nil, err
	}
	return func(text string) int { return len(t.EncodeOrdinary(text)) }, nil
}
