package scenarios

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/b6db88e4/ratesim/sim"
	"github.com/b6db88e4/ratesim/sim/traffic"
)

// Loaded is a scenario that was read and found to be in order. It is not changed by its methods, so
// several plans may be made of it at the same time.
type Loaded struct {
	Scenario *Scenario
	Name     string   // the name of a built-in scenario, the path as it was given, or "standard input"
	Path     string   // the file it was read from; "" if none
	Notes    []string // what one should know about its traffic, for example rows that were left out

	names   *clientNames
	sources []source
	end     sim.Time

	system *sim.System // but for its seeds; nil for limiters alone
	rules  []rule      // of the system
}

// Load reads a scenario: a path, the name of a built-in one, or "-" for standard input. What has a
// path separator in it or ends in .yaml or .yml is a path. Where the file is wrong, the error is a
// *FileError with all its mistakes.
func Load(arg string, stdin io.Reader) (*Loaded, error) {
	switch {
	case arg == "":
		return nil, errors.New("no scenario given; give a file, the name of a built-in one, or - for standard input")
	case arg == "-":
		data, err := readAll(stdin)
		if err != nil {
			return nil, fmt.Errorf("standard input: %w", err)
		}
		return load(data, "standard input", ".")
	case !isPath(arg):
		if source, ok := builtinSource(arg); ok {
			return load(source, arg, ".")
		}
	}
	data, err := readFile(arg)
	if err != nil {
		return nil, err
	}
	l, err := load(data, arg, filepath.Dir(arg))
	if err == nil {
		l.Path = arg
	}
	return l, err
}

// FromScenario makes a scenario that was put together in memory ready as if it had been read from
// a file in folder, where its trace files are looked for. Mistakes are shown in what Marshal makes
// of it.
func FromScenario(s *Scenario, name, folder string) (*Loaded, error) {
	data, err := Marshal(s)
	if err != nil {
		return nil, err
	}
	return load(data, name, folder, s)
}

func isPath(arg string) bool {
	return strings.ContainsRune(arg, '/') || strings.ContainsRune(arg, filepath.Separator) ||
		slices.Contains([]string{".yaml", ".yml"}, filepath.Ext(arg))
}

// readAll reads as much as a scenario may have, and one byte, by which it is too large.
func readAll(r io.Reader) ([]byte, error) { return io.ReadAll(io.LimitReader(r, maxSize+1)) }

func readFile(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, noFile(path, err)
	}
	defer f.Close()
	if info, err := f.Stat(); err == nil && info.IsDir() {
		return nil, fmt.Errorf("%s: is a folder; name a scenario file in it", visible(path))
	}
	data, err := readAll(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", visible(path), cause(err))
	}
	return data, nil
}

// noFile says what to do about a file that cannot be opened.
func noFile(path string, err error) error {
	if !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%s: %w", visible(cut(path, 200)), cause(err))
	}
	names := builtinNames()
	if !isPath(path) {
		return fmt.Errorf("no scenario %s%s; built in are %s; a file has a name that ends in .yaml",
			quoted(path), suggestion(path, names), strings.Join(names, ", "))
	}
	hint := "ratesim list shows the built-in ones"
	base := strings.TrimSuffix(filepath.Base(path), filepath.Ext(path))
	if slices.Contains(names, base) {
		hint = "the built-in one is called " + base
	}
	return fmt.Errorf("%s: no such file; %s", visible(cut(path, 200)), hint)
}

// cause is what went wrong with a file, without its path, which the message has already.
func cause(err error) error {
	var path *fs.PathError
	if errors.As(err, &path) {
		return path.Err
	}
	return err
}

// load reads a scenario from its text. Logs that were read for one that it comes from are not read
// again.
func load(data []byte, name, folder string, from ...*Scenario) (*Loaded, error) {
	doc := newDocument(name)
	text, ok := doc.read(data)
	if !ok {
		return nil, doc.err()
	}
	root := doc.parse(text)
	if root == nil {
		return nil, doc.err()
	}
	s := &Scenario{}
	d := &decoder{document: doc, fields: map[reflect.Type][]field{}}
	d.value(root, "", reflect.ValueOf(s).Elem(), field{})
	for _, x := range from {
		s.holdLogs(x)
	}
	c := newChecker(doc, s, folder)
	if !doc.bad[wholeFile] {
		c.check()
	}
	if err := doc.err(); err != nil {
		return nil, err
	}
	return c.loaded(name), nil
}

func newChecker(doc *document, s *Scenario, folder string) *checker {
	return &checker{
		document: doc, scenario: s, folder: folder,
		names: newClientNames(), streams: map[string]int{},
	}
}

// loaded is the result, when nothing was found to be wrong.
func (c *checker) loaded(name string) *Loaded {
	l := &Loaded{Scenario: c.scenario, Name: name, names: c.names, sources: c.sources, end: sim.Time(c.duration())}
	if c.scenario.hasSystem() {
		l.rules = c.scenario.rules()
		l.system = c.scenario.system(l.rules)
		c.people(l.system)
	}
	l.Notes = append(c.notes, l.beyond(l.end)...)
	return l
}

// beyond says how many rows of traces a run of this length leaves out.
func (l *Loaded) beyond(end sim.Time) []string {
	var notes []string
	for _, s := range l.sources {
		if out := len(s.rows) - within(s.rows, end); out > 0 {
			notes = append(notes, fmt.Sprintf("%s: %s beyond the end of the run at %s and left out",
				visible(s.name), plural(out, "row is", "rows are"), formatNanos(int64(end))))
		}
	}
	return notes
}

// within counts the requests before an instant.
func within(rows []traffic.Request, end sim.Time) int {
	n, _ := slices.BinarySearchFunc(rows, end, func(r traffic.Request, t sim.Time) int { return cmp.Compare(r.At, t) })
	return n
}

// NotesUnder are the notes that hold for a plan with these overrides.
func (l *Loaded) NotesUnder(over Overrides) []string {
	kept := l.Notes[:len(l.Notes)-len(l.beyond(l.end))]
	return append(slices.Clone(kept), l.beyond(l.duration(over))...)
}

func (l *Loaded) duration(over Overrides) sim.Time {
	if over.Duration != nil {
		return sim.Time(*over.Duration)
	}
	return l.end
}

// Plan makes the scenario ready to run, with parts of it replaced. An error says what is wrong with
// the overrides.
func (l *Loaded) Plan(over Overrides) (*sim.Plan, error) {
	limiters, err := l.limiters(over)
	if err != nil {
		return nil, err
	}
	end := l.duration(over)
	if end < 1 {
		return nil, fmt.Errorf("duration %q: must be longer than zero", formatNanos(int64(end)))
	}
	if n := expected(l.sources, time.Duration(end)); n > maxRequests {
		return nil, fmt.Errorf("until %s %s", formatNanos(int64(end)), tooMany(n))
	}
	for path, reason := range l.Scenario.tooOften(l.sources, time.Duration(end)) {
		return nil, fmt.Errorf("until %s: %s: %s", formatNanos(int64(end)), path, reason)
	}
	seed := uint64(1)
	if l.Scenario.Seed != nil {
		seed = *l.Scenario.Seed
	}
	if over.Seed != nil {
		seed = *over.Seed
	}
	for i := range limiters {
		limiters[i].System = seeded(limiters[i].System, seed)
	}
	return &sim.Plan{
		System:   seeded(l.system, seed),
		Duration: end,
		Clients:  l.names,
		Open:     l.opener(end, seed),
		Shared:   l.Scenario.Key == "all",
		Limiters: limiters,
	}, nil
}

// opener opens all sources of the scenario as one, for a run until end.
func (l *Loaded) opener(end sim.Time, seed uint64) func() traffic.Source {
	return func() traffic.Source {
		opened := make([]traffic.Source, 0, len(l.sources))
		for _, s := range l.sources {
			opened = append(opened, s.start(end, seed))
		}
		return traffic.Merge(opened...)
	}
}

// start opens one source.
func (s *source) start(end sim.Time, seed uint64) traffic.Source {
	if s.aim != nil {
		return traffic.Aimed(s.bare(end, seed), *s.aim, s.spec.Name, seed)
	}
	return s.bare(end, seed)
}

// bare opens one source without the endpoints of its requests.
func (s *source) bare(end sim.Time, seed uint64) traffic.Source {
	if s.exact {
		return traffic.Fixed(s.rows[:within(s.rows, end)])
	}
	spec := s.spec
	if s.open {
		spec.Parts = slices.Clone(spec.Parts)
		last := &spec.Parts[len(spec.Parts)-1]
		last.Until = max(last.From, end)
	}
	return traffic.New(spec, seed)
}
