package cmd

import (
	"github.com/b6db88e4/ratesim/scenarios"
	"github.com/spf13/cobra"
)

func (a *app) schemaCommand() *cobra.Command {
	return &cobra.Command{
		Use:     "schema",
		GroupID: groupMore,
		Short:   "print the JSON Schema of scenario files",
		Long: `Prints the JSON Schema of scenario files. Editors that know YAML use it to complete and check
while you type. Save it beside your scenarios, and begin each of them with this line:

  # yaml-language-server: $schema=./ratesim.schema.json`,
		Example: "  ratesim schema > ratesim.schema.json",
		Args:    nothing,
		RunE:    func(*cobra.Command, []string) error { return a.print(string(scenarios.Schema())) },
	}
}
