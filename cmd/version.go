package cmd

import (
	"encoding/json"
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"
)

// version is what is known of the program's build.
type version struct {
	Version  string `json:"version"`            // "(devel)" when built from a working tree
	Revision string `json:"revision,omitempty"` // commit
	Time     string `json:"time,omitempty"`     // of the commit, RFC 3339
	Modified bool   `json:"modified"`           // the working tree had changes that were not committed
	Go       string `json:"go"`
	Platform string `json:"platform"`
}

func (a *app) versionCommand() *cobra.Command {
	var format string
	c := &cobra.Command{
		Use:     "version",
		GroupID: groupMore,
		Short:   "say which version this is",
		Long:    "Says which version of ratesim this is, as the Go toolchain recorded it when it was built.",
		Example: "  ratesim version\n  ratesim version --format json",
		Args:    nothing,
		RunE: func(*cobra.Command, []string) error {
			v := buildVersion()
			if format == "json" {
				return a.printJSON(v)
			}
			return a.print(v.String())
		},
	}
	formatFlag(c, &format, "text", "json")
	return c
}

// buildVersion reads what the toolchain wrote into the program.
func buildVersion() version {
	v := version{Version: "unknown", Go: runtime.Version(), Platform: runtime.GOOS + "/" + runtime.GOARCH}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return v
	}
	if info.Main.Version != "" {
		v.Version = info.Main.Version
	}
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			v.Revision = s.Value
		case "vcs.time":
			v.Time = s.Value
		case "vcs.modified":
			v.Modified = s.Value == "true"
		}
	}
	return v
}

func (v version) String() string {
	text := fmt.Sprintf("ratesim %s (%s, %s)\n", v.Version, v.Go, v.Platform)
	if v.Revision == "" {
		return text
	}
	text += fmt.Sprintf("commit %s of %s", v.Revision, v.Time)
	if v.Modified {
		text += ", with changes"
	}
	return text + "\n"
}

// print writes a result to standard output.
func (a *app) print(text string) error {
	o, err := a.output("")
	if err != nil {
		return err
	}
	o.WriteString(text) // an error stays with the writer until finish
	return o.finish(nil)
}

// printJSON writes a value to standard output as indented JSON.
func (a *app) printJSON(v any) error {
	text, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		return err
	}
	return a.print(string(text) + "\n")
}
