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
	classes, err := readClasses()
	if err != nil {
		return err
	}
	for name, write := range map[string]func([]string) ([]byte, error){
		"class_table.go": writeClasses,
		"differing.go":   writeDiffering,
	} {
		data, err := write(classes)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		if err := os.WriteFile(name, data, 0o644); err != nil {
			return err
		}
	}
	for _, name := range []string{"o200k_base", "cl100k_base"} {
		ranks, err := loader.NewOfflineLoader().LoadTiktokenBpe(name + ".tiktoken")
		if err != nil {
			return err
		}
		table, err := build(ranks)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		if err := os.WriteFile(name+".ranks", table, 0o644); err != nil {
			return err
		}
	}
	return nil
}
