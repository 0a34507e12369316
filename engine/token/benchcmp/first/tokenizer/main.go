// Command tokenizer counts one short text and exits, or all of stdin where it is told to.
package main

import (
	"github.com/promptc/promptc/engine/token/benchcmp/counters/tokenizer"
	"github.com/promptc/promptc/engine/token/benchcmp/first"
)

func main() { first.Main(tokenizer.New) }
