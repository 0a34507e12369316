// Command floor is the least that anybody must do, as a process: it prints one
// line, and where a directory is named it opens each skill below it before, and
// reads 4 kB of it.
package main

import (
	"fmt"
	"os"
)

func main() {
	n := 0
	if len(os.Args) > 1 {
		dirs, err := os.ReadDir(os.Args[1])
		if err != nil {
			panic(err)
		}
		buf := make([]byte, 4<<10)
		for _, d := range dirs {
			f, err := os.Open(os.Args[1] + "/" + d.Name() + "/SKILL.md")
			if err != nil {
				panic(err)
			}
			k, err := f.Read(buf)
			if err != nil {
				panic(err)
			}
			n += k
			f.Close()
		}
	}
	fmt.Println(n)
}
