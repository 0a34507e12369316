// Command gen writes what package token embeds: the rank tables of the encodings, from the vocabularies of
// tiktoken-go's offline loader, and the classes of code points, from unicode16.txt. It is run by go generate in
// engine/token.
package main

import (
	"fmt"
	"os"

	loader "github.com/pkoukk/tiktoken-go-loader"
)

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "gen:", err)
		os.Exit(1)
	}
}

func run() error {
	files, err := generate()
	if err != nil {
		return err
	}
	for _, f := range files {
		if err := os.WriteFile(f.name, f.data, 0o644); err != nil {
			return err
		}
	}
	return nil
}

type file struct {
	name string
	data []byte
}

// generate returns every generated file of package token.
func generate() ([]file, error) {
	classes, err := readClasses()
	if err != nil {
		return nil, err
	}
	table, err := writeClasses(classes)
	if err != nil {
		return nil, err
	}
	differing, err := writeDiffering(classes)
	if err != nil {
		return nil, err
	}
	files := []file{{"class_table.go", table}, {"differing.go", differing}}
	for _, name := range []string{"o200k_base", "cl100k_base"} {
		ranks, err := loader.NewOfflineLoader().LoadTiktokenBpe(name + ".tiktoken")
		if err != nil {
			return nil, err
		}
		data, err := build(ranks)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		files = append(files, file{name + ".ranks", data})
	}
	return files, nil
}
