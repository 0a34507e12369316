// Command empty does nothing, with the tables of package token in the binary.
package main

import (
	"os"

	"github.com/promptc/promptc/engine/token"
)

func main() {
	if len(os.Args) > 1 && os.Args[1] == "never" {
		println(token.ForModel("").Count("never"))
	}
}
