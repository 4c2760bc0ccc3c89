package accesslog

import "strings"

// Stamp says which instant of a request a format logs.
type Stamp uint8

const (
	Start        Stamp = iota // the start of the request
	EndLessTaken              // the end, and how long it took: the start is computed where both are there
	Either                    // the end or the start, depending on the server that wrote it
)

// Format describes one log format.
type Format struct {
	Name  string // as written on the command line
	Title string // one line for people
	Stamp Stamp
	Why   string // one clause for people: where the instant comes from

	// Named says that the columns have to be named: Options.Columns.
	Named bool

	// Parse reads one line, without its end, into e. It allocates nothing once e has been used.
	// The error is one of few constants.
	Parse func(line []byte, e *Entry) error

	// header reads a line that names the columns of the lines after it; nil if it is none. The
	// field is nil for formats without such lines.
	header func(line []byte) *layout
}

// layout is what a header line or Options.Columns say about the lines after it.
type layout struct {
	slots    []slot    // by column
	keys     []jsonKey // by key, of JSON lines
	shift    int       // unit of a bare number that tells an instant, as a power of ten of a ns
	comma    byte      // what separates columns
	headings bool      // the first line of the file names the columns
	costs    bool      // one of the columns is the cost
	zoneless bool      // times are local to the server, whose zone is not told
}

// Formats lists every format, in the order in which equally good ones are preferred when a log's
// format is detected: the stricter before the more lenient. To add one, write its file and its line here.
func Formats() []*Format {
	return []*Format{
		traefikCLF(),
		vhostCombined(),
		common(),
		combined(),
		envoy(),
		caddy(),
		traefik(),
		envoyJSON(),
		cloudflare(),
		nginxJSON(),
		alb(),
		cloudFront(),
		iis(),
		haproxy(),
		csv(),
		tsv(),
		jsonLines(),
	}
}

// FormatNames are the names of all formats, in their order.
func FormatNames() []string {
	var names []string
	for _, f := range Formats() {
		names = append(names, f.Name)
	}
	return names
}

// LookupFormat finds a format by name. The error lists the good ones.
func LookupFormat(name string) (*Format, error) {
	for _, f := range Formats() {
		if f.Name == name {
			return f, nil
		}
	}
	return nil, wrongly("log format", name, "must be %s", strings.Join(FormatNames(), ", "))
}

// Instants says in a sentence which instants of the requests this format gives.
func (f *Format) Instants() string {
	switch f.Stamp {
	case Start:
		return f.Why + ": instants are the starts of requests"
	case EndLessTaken:
		return f.Why + ": instants are end minus duration, the starts of requests"
	}
	return f.Why + ": instants are as logged"
}
