package scenarios

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"reflect"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/goccy/go-yaml"
	"github.com/invopop/jsonschema"
	validator "github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/b6db88e4/ratesim/algorithms"
)

var update = flag.Bool("update", false, "write the files that the tests compare with")

// unitPattern is any name of a unit of time.
func unitPattern() string {
	var names []string
	for _, u := range units() {
		names = append(names, u.names...)
	}
	return "(" + strings.Join(names, "|") + ")"
}

const numberPattern = `[0-9]+(\.[0-9]+)?`

// durationPattern is numbers with units, or ISO 8601.
func durationPattern() string {
	return "^(P[0-9T][0-9DTHMSW.]*|" + numberPattern + " ?" + unitPattern() + "( ?" + numberPattern + " ?" + unitPattern() + ")*)$"
}

// ratePattern is a count per time, the number of the time being left out for one.
func ratePattern() string {
	return "^" + numberPattern + " ?r?( ?/ ?| per )(" + numberPattern + " ?)?" + unitPattern() + "$"
}

// generated makes the schema from the Go types, the registry of algorithms and the list of measures.
func generated(t *testing.T) []byte {
	r := &jsonschema.Reflector{FieldNameTag: "yaml", RequiredFromJSONSchemaTags: true, ExpandedStruct: true, Anonymous: true}
	r.Mapper = func(typ reflect.Type) *jsonschema.Schema { return special(r, typ) }
	s := r.Reflect(&Scenario{})
	s.Title = "Scenario of ratesim"
	s.Description = "Traffic, and the limits that it meets."
	for _, def := range []any{Limiter{}, Rule{}, Bursty{}, MMPP{}, Instant{}, TraceFile{}, Tier{}, Endpoint{}, LogNormal{}} {
		for name, d := range r.Reflect(def).Definitions {
			s.Definitions[name] = d
		}
		if special(r, reflect.TypeOf(def)) == nil {
			s.Definitions[reflect.TypeOf(def).Name()] = inline(r, def)
		}
	}
	for _, def := range []any{Store{}, Retry{}} { // a word, or what the fields make
		s.Definitions[reflect.TypeOf(def).Name()+"Map"] = inline(fieldsOnly(r, reflect.TypeOf(def)), def)
	}
	s.Definitions["Source"].OneOf = []*jsonschema.Schema{having("phases"), having("requests"), having("replay")}
	s.Definitions["Source"].Not = having("endpoint", "endpoints")
	s.Definitions["Move"].OneOf = []*jsonschema.Schema{having("leaves"), having("joins")}
	s.Definitions["Phase"].Not = &jsonschema.Schema{AnyOf: []*jsonschema.Schema{
		having("rate", "burst"), having("rate", "pause"), having("burst", "pause"),
	}}
	data, err := json.MarshalIndent(s, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	return append(data, '\n')
}

// having is an object with these keys.
func having(keys ...string) *jsonschema.Schema { return &jsonschema.Schema{Required: keys} }

// inline is the schema of a struct without the marks of a root.
func inline(r *jsonschema.Reflector, v any) *jsonschema.Schema {
	s := r.Reflect(v)
	s.Version, s.Definitions = "", nil
	return s
}

func ref(name string) *jsonschema.Schema { return &jsonschema.Schema{Ref: "#/$defs/" + name} }

// special is the schema of a type whose form in a file is not that of its fields; nil of others.
func special(r *jsonschema.Reflector, typ reflect.Type) *jsonschema.Schema {
	switch typ {
	case reflect.TypeFor[algorithms.Limit]():
		return &jsonschema.Schema{Type: "string", Pattern: ratePattern(), Examples: []any{"10/s", "100/m", "7/3s"}}
	case reflect.TypeFor[time.Duration]():
		return &jsonschema.Schema{Type: "string", Pattern: durationPattern(), Examples: []any{"250ms", "1m30s", "1d"}}
	case reflect.TypeFor[*time.Time](), reflect.TypeFor[time.Time]():
		return &jsonschema.Schema{Type: "string", Pattern: `^[0-9]{4}-[0-9]{2}-[0-9]{2}`, Examples: []any{"2024-02-29", "2024-02-29T12:00:00Z"}}
	case reflect.TypeFor[*uint64](), reflect.TypeFor[uint64]():
		return &jsonschema.Schema{Type: "integer", Minimum: "0", Maximum: "18446744073709551615"}
	case reflect.TypeFor[Milli]():
		return &jsonschema.Schema{Type: "number", ExclusiveMinimum: "0"}
	case reflect.TypeFor[Arrivals]():
		return oneOf(words("even", "poisson"), keyed("bursty", ref("Bursty")), keyed("mmpp", ref("MMPP")))
	case reflect.TypeFor[Share]():
		return oneOf(words("even"), keyed("zipf", &jsonschema.Schema{Type: "number", Minimum: "0.001", Maximum: "10"}))
	case reflect.TypeFor[Requests]():
		one := uint64(1)
		return oneOf(&jsonschema.Schema{Type: "array", Items: ref("Instant"), MinItems: &one}, ref("TraceFile"))
	case reflect.TypeFor[Texts]():
		one := uint64(1)
		text := &jsonschema.Schema{Type: "string"}
		return oneOf(text, &jsonschema.Schema{Type: "array", Items: text, MinItems: &one})
	case reflect.TypeFor[Limiter](), reflect.TypeFor[Rule]():
		return limiters(typ)
	}
	return specialOfSystem(typ)
}

// specialOfSystem is the schema of such a type of the system around the limiters.
func specialOfSystem(typ reflect.Type) *jsonschema.Schema {
	switch typ {
	case reflect.TypeFor[Key]():
		part := "(" + strings.Join(keyParts(), "|") + ")"
		return &jsonschema.Schema{Type: "string", Pattern: "^(" + keyOfAll + "|" + part + `(\+` + part + ")*)$", Examples: []any{"client", "all", "client+endpoint"}}
	case reflect.TypeFor[OnLimit]():
		return oneOf(words("reject", "queue", "degrade"), keyed("queue", whole("1", "10000000")))
	case reflect.TypeFor[Tiers]():
		return mapOf(ref("Tier"))
	case reflect.TypeFor[Endpoints]():
		return mapOf(ref("Endpoint"))
	case reflect.TypeFor[Shares]():
		return mapOf(whole("1", strconv.Itoa(mostWeight)))
	case reflect.TypeFor[Waiting](), reflect.TypeFor[*Waiting]():
		return oneOf(whole("0", strconv.Itoa(mostWaiting)), words("none", "unbounded"))
	case reflect.TypeFor[Length]():
		length := &jsonschema.Schema{Type: "string", Pattern: durationPattern(), Examples: []any{"100ms"}}
		return oneOf(length, keyed("exponential", length), keyed("log-normal", ref("LogNormal")))
	case reflect.TypeFor[Routing]():
		return names(routingNames())
	case reflect.TypeFor[Scheme]():
		return names(schemeNames())
	case reflect.TypeFor[Preset]():
		return names(presetNames())
	case reflect.TypeFor[Store](), reflect.TypeFor[*Store]():
		return oneOf(names(presetNames()), ref("StoreMap"))
	case reflect.TypeFor[Retry](), reflect.TypeFor[*Retry]():
		return oneOf(names(waits()), ref("RetryMap"))
	case reflect.TypeFor[[]Expectation]():
		return expectSchema()
	}
	return nil
}

// fieldsOnly reads the fields of a type whose form in a file may also be another.
func fieldsOnly(r *jsonschema.Reflector, typ reflect.Type) *jsonschema.Reflector {
	out := *r
	out.Mapper = func(t reflect.Type) *jsonschema.Schema {
		if t == typ {
			return nil
		}
		return special(r, t)
	}
	return &out
}

// waits are the words of Retry.Wait.
func waits() []string { return newField(0, reflect.TypeFor[Retry]().Field(0).Tag).choices }

func names(all []string) *jsonschema.Schema {
	s := &jsonschema.Schema{Type: "string"}
	for _, name := range all {
		s.Enum = append(s.Enum, name)
	}
	return s
}

func whole(lowest, highest string) *jsonschema.Schema {
	return &jsonschema.Schema{Type: "integer", Minimum: json.Number(lowest), Maximum: json.Number(highest)}
}

// mapOf is an object whose keys are the user's.
func mapOf(value *jsonschema.Schema) *jsonschema.Schema {
	one := uint64(1)
	return &jsonschema.Schema{Type: "object", AdditionalProperties: value, MinProperties: &one}
}

func oneOf(all ...*jsonschema.Schema) *jsonschema.Schema { return &jsonschema.Schema{OneOf: all} }

func words(all ...any) *jsonschema.Schema { return &jsonschema.Schema{Type: "string", Enum: all} }

// keyed is an object with one key, which it must have.
func keyed(key string, value *jsonschema.Schema) *jsonschema.Schema {
	s := &jsonschema.Schema{Type: "object", Properties: jsonschema.NewProperties(), Required: []string{key}, AdditionalProperties: jsonschema.FalseSchema}
	s.Properties.Set(key, value)
	return s
}

// limiters is one alternative for each algorithm, with its own options; for a further limit also one
// without an algorithm.
func limiters(typ reflect.Type) *jsonschema.Schema {
	out := &jsonschema.Schema{}
	common := (&jsonschema.Reflector{FieldNameTag: "yaml", RequiredFromJSONSchemaTags: true, DoNotReference: true, Anonymous: true})
	common = fieldsOnly(common, typ)
	of := func(title, summary string, without ...string) *jsonschema.Schema {
		s := common.ReflectFromType(typ)
		s.Version, s.Title, s.Description = "", title, summary
		for _, key := range without {
			s.Properties.Delete(key)
		}
		return s
	}
	if typ == reflect.TypeFor[Rule]() {
		s := of("each limiter's own algorithm", "", "algorithm", "in_flight")
		s.Required = []string{"limit"}
		out.OneOf = append(out.OneOf, s)
	}
	for _, spec := range algorithms.Specs() {
		without := []string{"in_flight"}
		if spec.Holds {
			without = []string{"limit", "burst"}
		}
		s := of(spec.Name, spec.Summary, without...)
		s.Properties.Set("algorithm", &jsonschema.Schema{Type: "string", Const: spec.Name, Description: spec.Summary})
		for _, o := range spec.Options {
			s.Properties.Set(o.Name, optionSchema(o))
		}
		if typ == reflect.TypeFor[Rule]() {
			s.Required = []string{"algorithm"}
			if !spec.Holds {
				s.Required = []string{"algorithm", "limit"}
			}
		}
		out.OneOf = append(out.OneOf, s)
	}
	return out
}

func optionSchema(o algorithms.Option) *jsonschema.Schema {
	s := &jsonschema.Schema{Description: o.Meaning}
	switch o.Kind {
	case algorithms.Bool:
		s.Type = "boolean"
	case algorithms.Int:
		s.Type = "integer"
		s.Minimum, s.Maximum = json.Number(strconv.FormatInt(o.Min, 10)), json.Number(strconv.FormatInt(o.Max, 10))
	default:
		s.Type = "string"
		for _, c := range o.Choices {
			s.Enum = append(s.Enum, c)
		}
	}
	return s
}

func expectSchema() *jsonschema.Schema {
	measures := &jsonschema.Schema{Type: "object", Properties: jsonschema.NewProperties(), AdditionalProperties: jsonschema.FalseSchema}
	for _, m := range Measures() {
		pattern := `^(==|=|>=|<=|>|<)? ?[0-9]+(\.[0-9]+)?$|^[0-9.]+ ?\.\. ?[0-9.]+$`
		if m.Kind == Nanos {
			pattern = `^(==|=|>=|<=|>|<)? ?[0-9].*$`
		}
		number := &jsonschema.Schema{Type: "integer", Minimum: "0"}
		if m.Kind == Ratio {
			number.Type = "number"
		}
		value := oneOf(number, &jsonschema.Schema{Type: "string", Pattern: pattern})
		value.Description = m.Meaning
		measures.Properties.Set(m.Name, value)
	}
	return &jsonschema.Schema{Type: "object", AdditionalProperties: measures}
}

// The schema in the repository is the one that the Go types give.
func TestSchemaIsCurrent(t *testing.T) {
	want := generated(t)
	if *update {
		if err := os.WriteFile("ratesim.schema.json", want, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if !bytes.Equal(Schema(), want) {
		t.Error("ratesim.schema.json is not what the types give; run go test ./scenarios -run Schema -update and look at the difference")
	}
}

func compiledSchema(t *testing.T) *validator.Schema {
	t.Helper()
	doc, err := validator.UnmarshalJSON(bytes.NewReader(Schema()))
	if err != nil {
		t.Fatal(err)
	}
	c := validator.NewCompiler()
	if err := c.AddResource("ratesim.schema.json", doc); err != nil {
		t.Fatal(err)
	}
	return c.MustCompile("ratesim.schema.json")
}

// asJSON is a YAML text as the validator wants it.
func asJSON(t *testing.T, text string) any {
	t.Helper()
	var v any
	if err := yaml.Unmarshal([]byte(text), &v); err != nil {
		t.Fatal(err)
	}
	data, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	doc, err := validator.UnmarshalJSON(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	return doc
}

// What is built in is right for an editor too.
func TestBuiltinsKeepToTheSchema(t *testing.T) {
	s := compiledSchema(t)
	for _, b := range Builtins() {
		if err := s.Validate(asJSON(t, string(b.Source))); err != nil {
			t.Errorf("%s: %v", b.Name, err)
		}
	}
	for name, text := range complete() {
		if err := s.Validate(asJSON(t, text)); err != nil {
			t.Errorf("%s, a file with every key: %v", name, err)
		}
	}
}

// What the program refuses for its form, an editor marks.
func TestSchemaRefuses(t *testing.T) {
	s := compiledSchema(t)
	for _, text := range []string{
		"version: 1\nlimit: 1/s", // no traffic
		minimal + "limt: 1/s",
		minimal + "burst: 0",
		minimal + "burst: 1.5",
		minimal + "key: path",
		minimal + "duration: 10",
		minimal + "seed: -1",
		minimal + "limiters: [{algorithm: token-buckett}]",
		minimal + "limiters: [{name: x}]",
		minimal + "limiters: [{algorithm: token-bucket, slots: 3}]",
		minimal + "limiters: [{algorithm: sliding-buckets, slots: 0}]",
		minimal + "limiters: [{algorithm: fixed-window, anchor: last}]",
		minimal + "expect: {gcra: {admited: 3}}",
		minimal + "expect: {gcra: {admitted: lots}}",
		minimal + "expect: {gcra: {admitted: -3}}",
		"version: 2\nlimit: 1/s\ntraffic: [{phases: [{burst: 1}]}]",
		"version: 1\nlimit: 100\ntraffic: [{phases: [{burst: 1}]}]",
		"version: 1\nlimit: 1/month\ntraffic: [{phases: [{burst: 1}]}]",
		minimal + "duration: 10 parsecs",
		"version: 1\nlimit: 1/s\ntraffic: [{client: a}]",
		"version: 1\nlimit: 1/s\ntraffic: [{phases: [{burst: 1}], requests: [{at: 0s}]}]",
		"version: 1\nlimit: 1/s\ntraffic: [{phases: [{burst: 1, rate: 1/s, for: 1s}]}]",
		"version: 1\nlimit: 1/s\ntraffic: []",
		"version: 1\nlimit: 1/s\ntraffic: [{phases: [{burst: 0}]}]",
		"version: 1\nlimit: 1/s\ntraffic: [{arrivals: sometimes, phases: [{burst: 1}]}]",
		"version: 1\nlimit: 1/s\ntraffic: [{arrivals: {bursty: {active: 1s}}, phases: [{burst: 1}]}]",
		"version: 1\nlimit: 1/s\ntraffic: [{clients: {prefix: a}, phases: [{burst: 1}]}]",
		"version: 1\nlimit: 1/s\ntraffic: [{clients: {count: 2, share: {zipf: 0}}, phases: [{burst: 1}]}]",
		"version: 1\nlimit: 1/s\ntraffic: [{requests: [{cost: 1}]}]",
		"version: 1\nlimit: 1/s\ntraffic: [{requests: {file: a.csv}}]",
		"version: 1\nlimit: 1/s\ntraffic: [{requests: {file: a.csv, time: t, unit: minutes}}]",

		minimal + "key: client+",
		minimal + "limits: []",
		minimal + "limits: [{key: all}]",
		minimal + "limits: [{limit: 1/s, slots: 3}]",
		minimal + "limits: [{limit: 1/s, in_flight: 3}]",
		minimal + "limits: [{limit: 1/s, algorithm: gcra, slots: 3}]",
		minimal + "limiters: [{algorithm: gcra, in_flight: 3}]",
		minimal + "service: {workers: 1, time: 1s}\nlimits: [{algorithm: concurrency, limit: 3/s}]",
		minimal + "on_limit: wait",
		minimal + "on_limit: {queue: 0}",
		minimal + "on_partial_deny: maybe",
		minimal + "tiers: {}",
		minimal + "tiers: {free: {limits: 3/s}}",
		minimal + "endpoints: {/a: {cost: 0}}",
		minimal + "service: {workers: 0, time: 1s}",
		minimal + "service: {workers: 1}",
		minimal + "service: {workers: 1, time: {exponential: 1s, log-normal: {median: 1s, sigma: 1}}}",
		minimal + "service: {workers: 1, time: {uniform: 1s}}",
		minimal + "service: {workers: 1, time: 1s, queue: some}",
		minimal + "changes: [{limit: 2/s}]",
		minimal + "load: {every: 1s, above: 3}",
		minimal + "servers: {count: 65}",
		minimal + "servers: {count: 2, scheme: shared}",
		minimal + "servers: {count: 2, routing: any}",
		minimal + "servers: {count: 2, store: mongo}",
		minimal + "servers: {count: 2, fail: maybe}",
		minimal + "servers: {count: 2, scheme: owner, moves: [{at: 1s}]}",
		"version: 1\nlimit: 1/s\ntraffic: [{phases: [{burst: 1}], retry: often}]",
		"version: 1\nlimit: 1/s\ntraffic: [{phases: [{burst: 1}], retry: {first: 1s}}]",
		"version: 1\nlimit: 1/s\ntraffic: [{phases: [{burst: 1}], retry: {wait: fixed, attempts: 0}}]",
		"version: 1\nlimit: 1/s\ntraffic: [{phases: [{burst: 1}], abusive: maybe}]",
		"version: 1\nlimit: 1/s\ntraffic: [{phases: [{burst: 1}], endpoints: {/a: 0}}]",
		"version: 1\nlimit: 1/s\ntraffic: [{phases: [{burst: 1}], endpoint: /a, endpoints: {/a: 1}}]",
	} {
		if s.Validate(asJSON(t, text)) == nil {
			t.Errorf("the schema lets this through:\n%s", text)
		}
		if _, err := load([]byte(text), "x.yaml", "."); err == nil {
			t.Errorf("the program lets this through:\n%s", text)
		}
	}
}

// No key of the format is a word that YAML 1.1 takes for true or false.
func TestNoKeyIsABoolean(t *testing.T) {
	for _, word := range []string{"on", "off", "yes", "no", "y", "n", "true", "false"} {
		if strings.Contains(string(Schema()), `"`+word+`":`) {
			t.Errorf("a key is called %q", word)
		}
	}
}

// What the program reads, an editor does not mark.
func TestSchemaAcceptsEveryNotation(t *testing.T) {
	s := compiledSchema(t)
	for _, rate := range []string{"10/s", "100/m", "5r/s", "0.5/s", "50/1s", "7/3s", "500/7d", "100/minute", "10 per hour", "1 per 10s", "100 / m"} {
		if _, err := ParseRate(rate); err != nil {
			t.Errorf("the program: %v", err)
		}
		if err := s.Validate(asJSON(t, "version: 1\nlimit: "+rate+"\ntraffic: [{phases: [{burst: 1}]}]")); err != nil {
			t.Errorf("rate %q: %v", rate, err)
		}
	}
	for _, length := range []string{"250ms", "1m30s", "1.5h", "1d", "2ns", "3µs", "5 minutes", "PT1S", "P1DT12H"} {
		if _, err := ParseDuration(length); err != nil {
			t.Errorf("the program: %v", err)
		}
		if err := s.Validate(asJSON(t, minimal+"duration: "+length)); err != nil {
			t.Errorf("duration %q: %v", length, err)
		}
	}
}
