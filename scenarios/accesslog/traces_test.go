package accesslog

import (
	"os"
	"path/filepath"
	"testing"
)

// traces is where real logs are, outside the repository; tests that read them skip without.
const traces = "../../../shared/traces"

func needTraces(t testing.TB) {
	if _, err := os.Stat(traces); err != nil {
		t.Skipf("real logs are not here: %v", err)
	}
}

// readAll takes a log to its end.
func readAll(t testing.TB, inputs []Input, opts Options) (*Report, []record) {
	t.Helper()
	log, err := Open(inputs, opts)
	if err != nil {
		t.Fatal(err)
	}
	var report *Report
	var got []record
	err = log.Run(func(s *Stream) error {
		got = got[:0]
		start := s.Start()
		for {
			r, ok := s.Next()
			if !ok {
				break
			}
			d := s.Detail()
			got = append(got, record{int64(r.At) + start, newCharge(r.Cost, d.Status), r.Client, d.Path})
		}
		report = s.Report()
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if report.Lines != report.Requests+report.Malformed+report.Filtered || report.Requests != int64(len(got)) {
		t.Errorf("%d lines are not %d requests + %d malformed + %d filtered (%d came out)",
			report.Lines, report.Requests, report.Malformed, report.Filtered, len(got))
	}
	return report, got
}

// TestRealLogs reads real logs of every format; the counts were taken by hand and by independent
// scripts.
func TestRealLogs(t *testing.T) {
	needTraces(t)
	for _, test := range []struct {
		file, format                             string
		columns                                  string
		requests, clients, malformed, outOfOrder int64
		tick                                     string
	}{
		{"elastic_apache_combined.log", "combined", "", 10000, 1753, 0, 9448, "1s"},
		{"erddap_nginx_combined.log", "combined", "", 10479, 917, 5796, 0, "1s"},
		{"http_dos_bypass_cache_nginx.log", "combined", "", 356, 14, 0, 0, "1s"},
		{"traefik_json_nikto.ndjson", "traefik", "", 80, 1, 0, 0, "1ns"},
		{"azure_llm_2023_code.csv", "csv", "time=TIMESTAMP,cost=ContextTokens", 8819, 1, 0, 0, "1µs"},
		{"formats/access_log_missing_fields.log", "combined", "", 2, 1, 1, 0, "1s"},
		{"formats/aws_alb.log", "alb", "", 14, 14, 0, 6, "1ms"},
		{"formats/caddy.ndjson", "caddy", "", 10, 2, 2, 0, "100ns"},
		{"formats/cloudflare_logpush_ns.ndjson", "cloudflare", "", 15, 14, 0, 0, "1ms"},
		{"formats/cloudflare_logpush_rfc3339.ndjson", "cloudflare", "", 1, 1, 0, 0, "1s"},
		{"formats/cloudfront.tsv", "cloudfront", "", 2, 1, 0, 0, "1s"},
		{"formats/envoy_json_cri.log", "envoy-json", "", 10, 6, 0, 1, "1ms"},
		{"formats/haproxy.log", "haproxy", "", 2, 2, 3, 0, "1ms"},
		{"formats/iis_advanced_logging_w3c.log", "iis", "", 3, 3, 0, 1, "1ms"},
		{"formats/nasa_aug95_100_common.log", "common", "", 100, 19, 0, 0, "1s"},
		{"formats/nginx_ipv6.log", "combined", "", 2, 1, 0, 0, "1s"},
		{"formats/nginx_malformed.log", "combined", "", 12, 1, 0, 0, "1s"},
		{"formats/traefik.ndjson", "traefik", "", 6, 4, 1, 1, "1ns"},
		{"formats/traefik_clf.log", "traefik-clf", "", 7, 4, 2, 0, "1s"},
	} {
		t.Run(filepath.Base(test.file), func(t *testing.T) {
			in, err := File(filepath.Join(traces, test.file))
			if err != nil {
				t.Fatal(err)
			}
			var opts Options
			if test.columns != "" {
				if opts.Columns, err = ParseColumns(test.columns); err != nil {
					t.Fatal(err)
				}
			}
			r, _ := readAll(t, []Input{in}, opts)
			if r.Files[0].Format != test.format {
				t.Errorf("format %s, want %s", r.Files[0].Format, test.format)
			}
			if r.Requests != test.requests || r.Clients != test.clients || r.Malformed != test.malformed {
				t.Errorf("%d requests, %d clients, %d malformed; want %d, %d, %d (%v)",
					r.Requests, r.Clients, r.Malformed, test.requests, test.clients, test.malformed, r.Faults)
			}
			if r.OutOfOrder != test.outOfOrder || r.Tick.String() != test.tick {
				t.Errorf("%d out of order (furthest %s), tick %s; want %d, %s", r.OutOfOrder, r.Furthest, r.Tick, test.outOfOrder, test.tick)
			}
		})
	}
}
