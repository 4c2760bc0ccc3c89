package accesslog

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"testing"
)

// fuzzFormat feeds a parser any line: it must not panic, must say nothing but its few faults, and
// what it tells must lie within the line or the entry.
func fuzzFormat(f *testing.F, name string) {
	format, err := LookupFormat(name)
	if err != nil {
		f.Fatal(err)
	}
	for _, s := range formatSamples() {
		if s.format == name {
			f.Add([]byte(s.line))
		}
	}
	var e Entry
	f.Fuzz(func(t *testing.T, line []byte) {
		before := bytes.Clone(line)
		err := format.Parse(line, &e)
		if !bytes.Equal(line, before) {
			t.Error("the parser changed the line")
		}
		if err != nil {
			if w, ok := err.(why); !ok || w == 0 || w.Error() == "" {
				t.Errorf("fault %v", err)
			}
			return
		}
		if e.Time < -maxTaken || e.Time >= maxTime+day || e.Status < 0 || e.Status > 999 || e.Duration < Unknown || e.Duration > 3*maxTaken || e.Bytes < Unknown {
			t.Errorf("out of range: %+v", e)
		}
		told(&e)
	})
}

func FuzzCommon(f *testing.F)        { fuzzFormat(f, "common") }
func FuzzCombined(f *testing.F)      { fuzzFormat(f, "combined") }
func FuzzVhostCombined(f *testing.F) { fuzzFormat(f, "vhost_combined") }
func FuzzTraefikCLF(f *testing.F)    { fuzzFormat(f, "traefik-clf") }
func FuzzTraefik(f *testing.F)       { fuzzFormat(f, "traefik") }
func FuzzCaddy(f *testing.F)         { fuzzFormat(f, "caddy") }
func FuzzNginxJSON(f *testing.F)     { fuzzFormat(f, "nginx-json") }
func FuzzEnvoy(f *testing.F)         { fuzzFormat(f, "envoy") }
func FuzzEnvoyJSON(f *testing.F)     { fuzzFormat(f, "envoy-json") }
func FuzzALB(f *testing.F)           { fuzzFormat(f, "alb") }
func FuzzCloudFront(f *testing.F)    { fuzzFormat(f, "cloudfront") }
func FuzzIIS(f *testing.F)           { fuzzFormat(f, "iis") }
func FuzzHAProxy(f *testing.F)       { fuzzFormat(f, "haproxy") }
func FuzzCloudflare(f *testing.F)    { fuzzFormat(f, "cloudflare") }

// FuzzJSON: an object is taken if and only if encoding/json takes it, but for the depth.
func FuzzJSON(f *testing.F) {
	f.Add([]byte(`{"a":[1,-2.5e3,"x\u00e9",{"b":null}],"c":true}`))
	f.Fuzz(func(t *testing.T, line []byte) {
		var e Entry
		err := e.scanJSON(line, []jsonKey{{name: "a", slot: timeSlot}})
		object := bytes.HasPrefix(bytes.TrimLeft(line, " \t\r\n"), []byte("{"))
		if valid := json.Valid(line) && object; valid != (err == nil) && err != errJSONDepth {
			t.Errorf("%q: %v, valid %v", line, err, valid)
		}
		e.text(timeSlot)
	})
}

// FuzzRows feeds any bytes to the formats with named columns.
func FuzzRows(f *testing.F) {
	f.Add([]byte("ts,c,n\n1,a,2\n\"2\",\"b\"\"\",3\n"), uint8(0))
	f.Add([]byte("ts\tc\tn\n1\ta\t2\n"), uint8(1))
	f.Add([]byte(`{"ts":1,"c":"a","n":2}`), uint8(2))
	f.Fuzz(func(t *testing.T, data []byte, which uint8) {
		name := []string{"csv", "tsv", "jsonl"}[which%3]
		checkSum(t, data, Options{Format: name, Columns: []Column{{"time", "ts"}, {"client", "2"}, {"cost", "n"}}})
	})
}

// FuzzRead: for any bytes the sum of lines holds, and any number of workers gives the same.
func FuzzRead(f *testing.F) {
	for _, s := range formatSamples() {
		f.Add([]byte(s.line+"\n"+s.line), "")
	}
	f.Add([]byte(lineAt("a", 0)+lineAt("b", 500)+lineAt("c", 1)+"x\x00\r\n\n"), "")
	f.Add([]byte("\x1f\x8b\x08\x00"), "combined")
	f.Add([]byte("\x28\xb5\x2f\xfd\x00"), "iis")
	f.Fuzz(func(t *testing.T, data []byte, format string) {
		checkSum(t, data, Options{Format: format, Paths: true})
		checkSum(t, data, Options{Format: format, Spread: true})
	})
}

// checkSum reads the data with one worker and with three.
func checkSum(t *testing.T, data []byte, opts Options) {
	var before string
	var requests []record
	for _, workers := range []int{1, 3} {
		opts.Workers = workers
		log, err := Open([]Input{Bytes("log", data)}, opts)
		if err != nil {
			return
		}
		var got []record
		var words string
		err = log.Run(func(s *Stream) error {
			got = got[:0]
			for r, ok := s.Next(); ok; r, ok = s.Next() {
				if n := len(got); r.At < 0 || n > 0 && int64(r.At) < got[n-1].at || r.Cost < 1 {
					t.Fatalf("request %d: %+v", n, r)
				}
				got = append(got, record{at: int64(r.At), client: r.Client, path: s.Detail().Path})
			}
			report := s.Report()
			if s.Err() == nil && (report.Lines != report.Requests+report.Malformed+report.Filtered || int(report.Requests) != len(got)) {
				t.Errorf("the sum does not hold: %+v, %d came out", report, len(got))
			}
			words = fmt.Sprintf("%+v", report)
			return nil
		})
		words += fmt.Sprint(err)
		if before == "" {
			before, requests = words, slices.Clone(got)
		} else if words != before || !slices.Equal(got, requests) {
			t.Errorf("%d workers: %s, one: %s", workers, words, before)
		}
	}
}
