package scenarios

import (
	"reflect"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/goccy/go-yaml/ast"

	"github.com/b6db88e4/ratesim/algorithms"
	"github.com/b6db88e4/ratesim/sim"
	"github.com/b6db88e4/ratesim/sim/servers"
)

// Here are the types of the system around the limiters whose form in a file is not that of their
// fields: how they are read, and how they are written.

// keyParts are the parts that a key may have, in the order in which they are listed.
func keyParts() []string { return []string{"client", "ip", "user", "endpoint"} }

// keyOfAll is the key that has no parts.
const keyOfAll = "all"

// parse takes a key apart. The reason says what is wrong with it otherwise.
func (k Key) parse() (out sim.Key, reason string) {
	if k == keyOfAll {
		return out, ""
	}
	for part := range strings.SplitSeq(string(k), "+") {
		of := map[string]*bool{"client": &out.Client, "ip": &out.Address, "user": &out.User, "endpoint": &out.Endpoint}[part]
		switch {
		case of == nil:
			return out, "must be client, ip, user or endpoint, several of them joined by + such as client+endpoint, or all" +
				suggestion(part, append(keyParts(), keyOfAll))
		case *of:
			return out, "names " + part + " twice"
		}
		*of = true
	}
	return out, ""
}

// parts are the parts of a key that has been read; a key that was left out is client.
func (k Key) parts() sim.Key {
	if k == "" {
		k = "client"
	}
	parts, _ := k.parse()
	return parts
}

func (k *Key) bind(d *decoder, n ast.Node, path string) {
	text, ok := d.scalar(n, path, "a word such as client")
	if !ok {
		return
	}
	if _, reason := Key(text).parse(); reason != "" {
		d.refuse(n, path, reason)
	}
	*k = Key(text)
}

func (k Key) yaml() *yamlNode { return plain(string(k)) }

// bind reads a further limit: the keys of the struct, and beside them the options of its algorithm.
func (r *Rule) bind(d *decoder, n ast.Node, path string) {
	spec := algorithmOf(n)
	d.record(n, path, reflect.ValueOf(r).Elem(), func(e entry) bool {
		switch {
		case spec == nil && hasKey(n, "algorithm"):
			return true // the algorithm is in doubt, and with it its options
		case spec == nil:
			return false
		}
		d.option(spec, e, path, keysOf(d.fieldsOf(reflect.TypeOf(*r))), &r.Options)
		return true
	})
	if r.Algorithm != "" && spec == nil && !d.bad[join(path, "algorithm")] {
		d.fail(join(path, "algorithm"), "%s", unknownAlgorithm(r.Algorithm))
	}
}

func (r Rule) yaml() *yamlNode {
	return withOptions(record(reflect.ValueOf(r)), r.Algorithm, r.Options)
}

// hasKey reports whether a map has a key.
func hasKey(n ast.Node, key string) bool {
	m, ok := n.(*ast.MappingNode)
	return ok && slices.ContainsFunc(m.Values, func(v *ast.MappingValueNode) bool { return v.Key.GetToken().Value == key })
}

// bind reads reject, queue, degrade or {queue: 100}.
func (o *OnLimit) bind(d *decoder, n ast.Node, path string) {
	actions := []string{"reject", "queue", "degrade"}
	if text, ok := scalar(n); ok {
		o.Action = text
		if !slices.Contains(actions, text) {
			d.refuse(n, path, "must be reject, queue, degrade or {queue: 100}"+suggestion(text, actions))
		}
		return
	}
	queue := struct {
		Queue int64 `yaml:"queue" jsonschema:"required,minimum=1,maximum=10000000"`
	}{}
	d.record(n, path, reflect.ValueOf(&queue).Elem(), nil)
	o.Action, o.Queue = "queue", queue.Queue
}

func (o OnLimit) yaml() *yamlNode {
	if o.Queue == 0 {
		return plain(o.Action)
	}
	n := &yamlNode{}
	n.put("queue", plain(strconv.FormatInt(o.Queue, 10)))
	return n
}

// named reads a map whose keys are names of the user's; each gives the name and the path of an
// entry, and where its value is.
func (d *decoder) named(n ast.Node, path, what string, each func(name, path string, value ast.Node)) {
	entries, ok := d.entries(n, path, []string{"(" + what + ")"})
	if !ok {
		return
	}
	if len(entries) == 0 {
		d.fail(path, "%s is empty; give it an entry, or leave the key out", subject(path, n))
	}
	for i, e := range entries {
		here := index(path, i)
		d.spans[here] = e.span
		switch {
		case e.key == "":
			d.fail(here, "a name without a character in %s", path)
		case utf8.RuneCountInString(e.key) > longestName:
			d.fail(here, "the name %s is longer than %d characters", quoted(e.key), longestName)
		}
		each(e.key, here, e.value)
	}
}

// longestName is how many characters the name of a tier or endpoint may have.
const longestName = 200

func (t *Tiers) bind(d *decoder, n ast.Node, path string) {
	d.named(n, path, "names of tiers", func(name, path string, value ast.Node) {
		tier := Tier{Name: name}
		d.record(value, path, reflect.ValueOf(&tier).Elem(), nil)
		*t = append(*t, tier)
	})
}

func (t Tiers) yaml() *yamlNode {
	n := &yamlNode{}
	for _, tier := range t {
		n.put(scalarText(tier.Name), record(reflect.ValueOf(tier)))
	}
	return n
}

func (e *Endpoints) bind(d *decoder, n ast.Node, path string) {
	d.named(n, path, "paths of endpoints", func(name, path string, value ast.Node) {
		endpoint := Endpoint{Path: name}
		d.record(value, path, reflect.ValueOf(&endpoint).Elem(), nil)
		*e = append(*e, endpoint)
	})
}

func (e Endpoints) yaml() *yamlNode {
	n := &yamlNode{}
	for _, endpoint := range e {
		n.put(scalarText(endpoint.Path), record(reflect.ValueOf(endpoint)))
	}
	return n
}

// mostWeight is the largest weight of an endpoint.
const mostWeight = 1_000_000

func (s *Shares) bind(d *decoder, n ast.Node, path string) {
	d.named(n, path, "paths of endpoints", func(name, path string, value ast.Node) {
		share := EndpointShare{Path: name}
		d.whole(value, path, &share.Weight, field{low: 1, high: mostWeight})
		*s = append(*s, share)
	})
}

func (s Shares) yaml() *yamlNode {
	n := &yamlNode{}
	for _, share := range s {
		n.put(scalarText(share.Path), plain(strconv.FormatInt(share.Weight, 10)))
	}
	return n
}

// bind reads a number, none or unbounded.
func (w *Waiting) bind(d *decoder, n ast.Node, path string) {
	const good = "must be none, unbounded, or a whole number from 0 to 10000000"
	text, ok := d.scalar(n, path, "a number, none or unbounded")
	number, reason := parseDecimal(text)
	switch {
	case !ok:
	case text == "none":
		*w = 0
	case text == "unbounded":
		*w = unbounded
	case reason != "" || number.Scale > 0 || number.Digits > mostWaiting:
		d.refuse(n, path, good+suggestion(text, []string{"none", "unbounded"}))
	default:
		*w = Waiting(number.Digits)
	}
}

// mostWaiting is how many requests may wait in a queue that has a bound.
const mostWaiting = 10_000_000

func (w Waiting) yaml() *yamlNode {
	switch w {
	case 0:
		return plain("none")
	case unbounded:
		return plain("unbounded")
	}
	return plain(strconv.FormatInt(int64(w), 10))
}

// bind reads a length of time, {exponential: mean} or {log-normal: {median, sigma}}.
func (l *Length) bind(d *decoder, n ast.Node, path string) {
	const good = "a length of time such as 100ms, {exponential: 100ms} or {log-normal: {median: 80ms, sigma: 0.5}}"
	if _, ok := scalar(n); ok {
		d.length(n, path, &l.Constant, field{})
		return
	}
	if _, ok := n.(*ast.MappingNode); !ok {
		d.fail(path, "%s must be %s", subject(path, n), good)
		return
	}
	d.record(n, path, reflect.ValueOf(l).Elem(), nil)
	if !d.bad[path] && (l.Exponential != 0) == (l.LogNormal != nil) {
		d.fail(path, "%s must be either %s", subject(path, n), good)
	}
	sigma := join(path, "log-normal.sigma")
	if x := l.LogNormal; x != nil && !d.bad[sigma] && (x.Sigma < 1 || x.Sigma > mostSigma) {
		d.fail(sigma, "sigma %s: must be from 0.001 to 5", x.Sigma)
	}
}

// mostSigma is the widest log-normal distribution, in thousandths.
const mostSigma = 5000

func (l Length) yaml() *yamlNode {
	if l.Constant != 0 {
		return plain(FormatDuration(l.Constant))
	}
	return record(reflect.ValueOf(l))
}

// bind reads the name of a preset, or a map.
func (s *Store) bind(d *decoder, n ast.Node, path string) {
	if _, ok := scalar(n); ok {
		s.Preset.bind(d, n, path)
		return
	}
	d.record(n, path, reflect.ValueOf(s).Elem(), nil)
}

func (s Store) yaml() *yamlNode {
	if s.Preset != "" && s == (Store{Preset: s.Preset}) {
		return plain(string(s.Preset))
	}
	return record(reflect.ValueOf(s))
}

// word reads one of several names.
func (d *decoder) word(n ast.Node, path string, names []string) string {
	text := ""
	d.text(n, path, &text, field{choices: names})
	return text
}

func (r *Routing) bind(d *decoder, n ast.Node, path string) {
	*r = Routing(d.word(n, path, routingNames()))
}

func (s *Scheme) bind(d *decoder, n ast.Node, path string) {
	*s = Scheme(d.word(n, path, schemeNames()))
}

func (p *Preset) bind(d *decoder, n ast.Node, path string) {
	*p = Preset(d.word(n, path, presetNames()))
}

func (r Routing) yaml() *yamlNode { return plain(string(r)) }
func (s Scheme) yaml() *yamlNode  { return plain(string(s)) }
func (p Preset) yaml() *yamlNode  { return plain(string(p)) }

func routingNames() []string {
	var names []string
	for _, r := range servers.Routings() {
		names = append(names, r.Name)
	}
	return names
}

func schemeNames() []string {
	var names []string
	for _, s := range servers.Schemes() {
		names = append(names, s.Name)
	}
	return names
}

func presetNames() []string {
	var names []string
	for _, p := range servers.Presets() {
		names = append(names, p.Name)
	}
	return names
}

// bind reads a word, or a map with the word under wait.
func (r *Retry) bind(d *decoder, n ast.Node, path string) {
	wait := d.fieldsOf(reflect.TypeOf(*r))[0]
	if _, ok := scalar(n); ok {
		d.text(n, path, &r.Wait, wait)
		return
	}
	if _, ok := n.(*ast.MappingNode); !ok {
		d.fail(path, "%s must be a word such as exponential (%s), or a map such as {wait: exponential, first: 100ms, attempts: 6}",
			subject(path, n), strings.Join(wait.choices, ", "))
		return
	}
	d.record(n, path, reflect.ValueOf(r).Elem(), nil)
	r.fits(d, path)
}

// fits notes the keys that do not go with how the client waits.
func (r *Retry) fits(d *decoder, path string) {
	keys := map[string][]string{
		"none":        {},
		"at-once":     {"attempts", "give_up"},
		"fixed":       {"first", "attempts", "give_up"},
		"exponential": {"first", "most", "jitter", "attempts", "give_up"},
		"retry-after": {"first", "spread", "attempts", "give_up"},
		"pace":        {"first", "attempts", "give_up"},
	}[r.Wait]
	if keys == nil {
		return // which has been reported
	}
	for _, f := range d.fieldsOf(reflect.TypeOf(*r))[1:] {
		if here := join(path, f.key); d.has(here) && !slices.Contains(keys, f.key) {
			d.fail(here, "%s does not go with wait: %s%s", f.key, r.Wait, besides(keys))
		}
	}
	if !d.bad[path] && r.Most != 0 && r.Most < r.first() {
		d.fail(join(path, "most"), "most %s: is shorter than the first wait, %s", FormatDuration(r.Most), FormatDuration(r.first()))
	}
}

// besides says which keys there are instead.
func besides(keys []string) string {
	if len(keys) == 0 {
		return ", which has nothing to say about waits"
	}
	return "; keys beside it: " + strings.Join(keys, ", ")
}

func (r Retry) yaml() *yamlNode {
	if r == (Retry{Wait: r.Wait}) {
		return plain(r.Wait)
	}
	return record(reflect.ValueOf(r))
}

// option takes an entry that should be an option of an algorithm, beside the keys of the map at
// path.
func (d *decoder) option(spec *algorithms.Spec, e entry, path string, keys []string, options *map[string]string) {
	here := join(path, e.key)
	o, ok := spec.Option(e.key)
	if !ok {
		d.unknownKey(e, path, " for "+spec.Name, append(slices.Clone(keys), optionNames(spec)...))
		return
	}
	d.spans[here] = d.nodeSpan(e.value)
	text, ok := d.scalar(e.value, here, o.Values())
	if !ok {
		return
	}
	if err := o.Check(text); err != nil {
		d.refuse(e.value, here, err.Error())
	}
	if *options == nil {
		*options = map[string]string{}
	}
	(*options)[e.key] = text
}

// withOptions puts the options of an algorithm behind the other keys, in the order in which the
// algorithm has them.
func withOptions(n *yamlNode, algorithm string, options map[string]string) *yamlNode {
	spec, ok := algorithms.Lookup(algorithm)
	if !ok {
		return n
	}
	for _, o := range spec.Options {
		if value, ok := options[o.Name]; ok {
			n.put(o.Name, plain(value)) // a number or a word, as Option.Check has it
		}
	}
	return n
}
