package main

import (
	"github.com/spf13/cobra"

	"github.com/promptc/promptc/engine"
)

func (a *app) schemaCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "schema",
		Short: "Print the JSON Schema of a spec file, for editors",
		RunE: func(*cobra.Command, []string) error {
			_, err := a.out.Write(engine.SpecSchema())
			return err
		},
	}
}
