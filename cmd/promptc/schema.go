package main

import (
	"github.com/spf13/cobra"

	"github.com/promptc/promptc/engine"
)

func (a *app) schemaCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "schema",
		Short: "Print the JSON Schema of a spec file, for editors",
		RunE: func(*cobra.Command, []string) error {
			_, err := a.out.Write(engine.SpecSchema())
			return err
		},
	}
	c.Flags().Bool("json", true, "for programs; a schema is JSON anyway")
	return c
}
