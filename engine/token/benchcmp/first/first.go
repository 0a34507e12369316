// Package first is what the programs below it do: they differ in how they count.
package first

import (
	"fmt"
	"io"
	"os"
	"strings"
)

// Main counts two words, or all of stdin where the first argument is "-", and prints the count and then the
// largest resident size that the process has had, where the system tells.
func Main(newCounter func(encoding string) (func(string) int, error)) {
	count, err := newCounter("o200k_base")
	if err != nil {
		panic(err)
	}
	if len(os.Args) < 2 || os.Args[1] != "-" {
		fmt.Println(count("hello world"))
		return
	}
	data, err := io.ReadAll(os.Stdin)
	if err != nil {
		panic(err)
	}
	fmt.Println(count(string(data)), Peak())
}

// Peak returns the line of /proc/self/status on the largest resident size, or "".
func Peak() string {
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return ""
	}
	for line := range strings.Lines(string(status)) {
		if peak, ok := strings.CutPrefix(line, "VmHWM:"); ok {
			return strings.TrimSpace(peak)
		}
	}
	return ""
}
