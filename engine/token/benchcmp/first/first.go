// Package first is what the programs below it do: they differ in how they count.
package first

import (
	"fmt"
	"io"
	"os"
)

// Main counts two words, or all of stdin where the first argument is "-", and prints the count.
func Main(newCounter func(encoding string) (func(string) int, error)) {
	count, err := newCounter("o200k_base")
	if err != nil {
		panic(err)
	}
	text := "hello world"
	if len(os.Args) > 1 && os.Args[1] == "-" {
		data, err := io.ReadAll(os.Stdin)
		if err != nil {
			panic(err)
		}
		text = string(data)
	}
	fmt.Println(count(text))
}
