// Command promptc counts one short text and exits, or all of stdin where it is told to.
package main

import (
	"github.com/promptc/promptc/engine/token/benchcmp/counters/promptc"
	"github.com/promptc/promptc/engine/token/benchcmp/first"
)

func main() { first.Main(promptc.New) }
