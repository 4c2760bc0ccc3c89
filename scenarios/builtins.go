package scenarios

import (
	"embed"
	"slices"
	"strings"
)

//go:embed *.yaml
var files embed.FS

//go:embed ratesim.schema.json
var schema []byte

// Schema returns the JSON Schema of scenario files. Editors that know YAML complete and check with
// it the files that name it in their first line.
func Schema() []byte { return slices.Clone(schema) }

// builtinNames are the names of the built-in scenarios in the order in which they are best taught: one
// limiter, who is limited and what a refusal does, the service behind, several servers, and starting
// points for a policy.
func builtinNames() []string {
	return []string{
		"burst",
		"steady",
		"boundary",
		"burst-parameter",
		"long-idle",
		"oversized",
		"shaping",
		"ramp",
		"polling",
		"counting-denied",
		"weighted-counter",
		"thundering-herd",
		"uneven-clients",
		"poisson",
		"on-off",
		"sub-millisecond",

		"noisy-neighbour",
		"nat",
		"tiers",
		"costly-endpoint",
		"two-limits",
		"partial-deny",
		"queue",
		"degrade",

		"slow-service",
		"retry-storm",
		"herd-at-the-reset",
		"changing-limit",
		"limit-under-load",

		"split-servers",
		"racy-store",
		"stale-counters",
		"store-outage",
		"cache-restart",
		"ring-move",

		"policy-social-api",
		"policy-internal-service",
		"policy-payment",
	}
}

// Builtin is a built-in scenario.
type Builtin struct {
	Name   string // as Load takes it
	Title  string // the scenario's name
	Watch  string // what to look at
	Source []byte // the file
}

// Builtins returns the built-in scenarios in the order in which they are best taught.
func Builtins() []Builtin {
	var out []Builtin
	for _, name := range builtinNames() {
		source, _ := builtinSource(name)
		out = append(out, Builtin{name, headline(source, "name"), headline(source, "watch"), source})
	}
	return out
}

// builtinSource is the file of a built-in scenario.
func builtinSource(name string) ([]byte, bool) {
	if !slices.Contains(builtinNames(), name) {
		return nil, false
	}
	source, err := files.ReadFile(name + ".yaml")
	return source, err == nil
}

// headline is the value of a key that a built-in file has on a line of its own, in plain style.
// Listing the scenarios need not read them as YAML; a test sees to it that the two agree.
func headline(source []byte, key string) string {
	for line := range strings.SplitSeq(string(source), "\n") {
		if value, ok := strings.CutPrefix(line, key+": "); ok {
			return value
		}
	}
	return ""
}
