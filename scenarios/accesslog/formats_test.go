package accesslog

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// told is an entry as one line: instant, duration, client|user, method path?query, host, status,
// bytes; what is unknown is left out.
func told(e *Entry) string {
	var b strings.Builder
	b.WriteString(time.Unix(0, e.Time).UTC().Format(time.RFC3339Nano))
	if e.Zoneless {
		b.WriteString(" zoneless")
	}
	if e.Duration != Unknown {
		fmt.Fprintf(&b, " took %s", time.Duration(e.Duration))
	}
	fmt.Fprintf(&b, " %s", appendClient(nil, e.Client, 0))
	if len(e.User) > 0 {
		fmt.Fprintf(&b, " user %s", e.User)
	}
	if len(e.Method) > 0 || len(e.Path) > 0 {
		fmt.Fprintf(&b, " %s %s", e.Method, e.Path)
	}
	if len(e.Query) > 0 {
		fmt.Fprintf(&b, "?%s", e.Query)
	}
	if len(e.Host) > 0 {
		fmt.Fprintf(&b, " at %s", e.Host)
	}
	fmt.Fprintf(&b, " %d", e.Status)
	if e.Bytes != Unknown {
		fmt.Fprintf(&b, " %d bytes", e.Bytes)
	}
	return b.String()
}

type sampleLine struct{ story, format, line, want string }

// sampleLinesOf are lines of every format, written for this test: good ones, odd ones that are
// still requests, and malformed ones, whose want begins with a !.
func formatSamples() []sampleLine {
	const (
		clf     = `192.0.2.7 - - [17/May/2025:10:05:03 +0200] "GET /a?b=c HTTP/1.1" 200 512`
		cfHead  = "#Fields: date time c-ip cs-method cs(Host) cs-uri-stem sc-status cs-uri-query x-host-header time-taken x-forwarded-for sc-bytes"
		alb     = `https 2025-05-17T08:05:03.500000Z app/web/50dc 192.0.2.7:4711 10.0.0.1:80 0.001 0.498 0.001 200 200 34 366 "GET https://www.example.com:443/a?b=c HTTP/2.0" "curl" - - - "Root=1" "-" "-" 0 `
		istio   = `[2025-05-17T08:05:03.123Z] "GET /a HTTP/1.1" 200 - via_upstream - "-" 0 12 7 6 "-" "curl" "id" "example.com" "10.0.0.9:80" inbound|80|| 127.0.0.6:1 10.0.0.9:80 192.0.2.7:5000 - default`
		caddy   = `{"ts":1747469103.25,"request":{"remote_ip":"192.0.2.7","client_ip":"198.51.100.1","method":"GET","host":"h","uri":"/a?b=c"},"user_id":"bob","duration":2.5e-03,"size":12,"status":429}`
		traefik = `{"ClientHost":"192.0.2.7","ClientUsername":"-","DownstreamContentSize":3,"DownstreamStatus":503,"Duration":1500,"RequestHost":"h","RequestMethod":"GET","RequestPath":"/a?b=c","StartUTC":"2025-05-17T08:05:03.000000001Z"}`
	)
	return []sampleLine{
		{"plain", "common", clf, "2025-05-17T08:05:03Z 192.0.2.7 GET /a?b=c 200 512 bytes"},
		{"no bytes, a user", "common", `h.example.org - ann [29/Feb/2024:23:59:60 -0130] "POST / HTTP/2" 304 -`, "2024-03-01T01:30:00Z h.example.org user ann POST / 304"},
		{"a user with spaces and brackets", "common", `192.0.2.7 - a [b] c [17/May/2025:08:05:03 +0000] "GET / HTTP/1.1" 200 1`, "2025-05-17T08:05:03Z 192.0.2.7 user a [b] c GET / 200 1 bytes"},
		{"an escaped quote in the request", "common", `192.0.2.7 - - [17/May/2025:08:05:03 +0000] "GET /\"x\\" 200 1`, `2025-05-17T08:05:03Z 192.0.2.7 GET /\"x\\ 200 1 bytes`},
		{"no HTTP", "common", `192.0.2.7 - - [17/May/2025:08:05:03 +0000] "\x16\x03 hello" 400 0`, "2025-05-17T08:05:03Z 192.0.2.7 400 0 bytes"},
		{"no request", "common", `- - - [17/May/2025:08:05:03 +0000] "-" 408 -`, "2025-05-17T08:05:03Z  408"},
		{"spaces in a path", "common", `192.0.2.7 - - [17/May/2025:08:05:03 +0000] "GET /a b HTTP/1.0" 200 1`, "2025-05-17T08:05:03Z 192.0.2.7 GET /a b 200 1 bytes"},
		{"a whole URL", "common", `192.0.2.7 - - [17/May/2025:08:05:03 +0000] "GET http://x.org?q HTTP/1.0" 200 1`, "2025-05-17T08:05:03Z 192.0.2.7 GET ?q at x.org 200 1 bytes"},
		{"milliseconds, no zone", "common", `192.0.2.7 - - [17/May/2025:08:05:03.250] "GET / HTTP/1.0" 200 1`, "2025-05-17T08:05:03.25Z zoneless 192.0.2.7 GET / 200 1 bytes"},
		{"a list of addresses", "common", `192.0.2.7, 10.0.0.1, 10.0.0.2 - - [17/May/2025:08:05:03 +0000] "GET / HTTP/1.0" 200 1`, "2025-05-17T08:05:03Z 192.0.2.7 GET / 200 1 bytes"},
		{"nothing", "common", ``, "!empty line"},
		{"only an agent", "common", ` "curl/8.8.0"`, "!client: missing"},
		{"no ident and user", "common", `192.0.2.7 [17/May/2025:08:05:03 +0000] "GET / HTTP/1.0" 200 1`, "!user: missing between client and time"},
		{"no time", "common", `192.0.2.7 - - "GET / HTTP/1.0" 200 1`, "!time: missing"},
		{"a day that is not", "common", `192.0.2.7 - - [29/Feb/2025:08:05:03 +0000] "GET / HTTP/1.0" 200 1`, "!time: not an instant"},
		{"before Unix", "common", `192.0.2.7 - - [29/Feb/1960:08:05:03 +0000] "GET / HTTP/1.0" 200 1`, "!time: outside 1970 to 2261"},
		{"cut in the time", "common", `192.0.2.7 - - [17/May/2025:08:0`, "!time: not an instant"},
		{"cut in the request", "common", `192.0.2.7 - - [17/May/2025:08:05:03 +0000] "GET /`, "!request: quote is not closed"},
		{"cut in the status", "common", `192.0.2.7 - - [17/May/2025:08:05:03 +0000] "GET / HTTP/1.0" 20`, "!status: not a number of three digits"},
		{"no bytes field", "common", `192.0.2.7 - - [17/May/2025:08:05:03 +0000] "GET / HTTP/1.0" 200`, "!bytes: not a number"},
		{"more than common", "common", clf + ` "-" "curl"`, "!end of line: unexpected text"},

		{"plain", "combined", clf + ` "https://example.com/" "curl/8"`, "2025-05-17T08:05:03Z 192.0.2.7 GET /a?b=c 200 512 bytes"},
		{"the agent's quote is not closed", "combined", clf + ` "-" "curl`, "2025-05-17T08:05:03Z 192.0.2.7 GET /a?b=c 200 512 bytes"},
		{"IPv6", "combined", `2001:DB8:0:0:0:0:0:1 - - [17/May/2025:10:05:03 +0000] "GET / HTTP/1.1" 200 0 "-" "-"`, "2025-05-17T10:05:03Z 2001:db8::1 GET / 200 0 bytes"},
		{"no quotes", "combined", `192.0.2.7 - - [17/May/2025:10:05:03 +0000] GET / 200 0`, "!request: missing"},

		{"plain", "vhost_combined", `www.example.com:443 ` + clf + ` "-" "curl"`, "2025-05-17T08:05:03Z 192.0.2.7 GET /a?b=c at www.example.com 200 512 bytes"},
		{"no host", "vhost_combined", clf, "!host: missing host:port before the client"},
		{"nothing", "vhost_combined", "", "!empty line"},

		{"plain", "traefik-clf", clf + ` "-" "curl" 17 "web@docker" "http://10.0.0.1:80" 42ms`, "2025-05-17T08:05:03Z took 42ms 192.0.2.7 GET /a?b=c 200 512 bytes"},
		{"no answer", "traefik-clf", `192.0.2.7 - - [17/May/2025:08:05:03 +0000] "GET / HTTP/1.1" - - "-" "-" 1 "-" "-" 0ms`, "2025-05-17T08:05:03Z took 0s 192.0.2.7 GET / 0"},
		{"combined", "traefik-clf", clf + ` "-" "curl"`, "!duration: not a length of time"},
		{"nothing", "traefik-clf", "", "!empty line"},

		{"seconds", "caddy", caddy, "2025-05-17T08:05:03.25Z took 2.5ms 198.51.100.1 user bob GET /a?b=c at h 429 12 bytes"},
		{"stamps and durations as text", "caddy", `{"ts":"2025-05-17T08:05:03.250Z","request":{"remote_addr":"192.0.2.7:80","uri":"/"},"duration":"1.5ms","status":200}`, "2025-05-17T08:05:03.25Z took 1.5ms 192.0.2.7  / 200"},
		{"another of Caddy's lines", "caddy", `{"level":"debug","ts":1747469103.2,"msg":"selected upstream"}`, "!not an access record of this format"},
		{"cut", "caddy", caddy[:60], "!json: line ends early"},
		{"nothing", "caddy", "", "!empty line"},

		{"plain", "traefik", traefik, "2025-05-17T08:05:03.000000001Z took 1.5µs 192.0.2.7 GET /a?b=c at h 503 3 bytes"},
		{"a list in ClientHost", "traefik", `{"ClientHost":"192.0.2.7, 10.0.0.1","RequestPath":"/","StartLocal":"2025-05-17T10:05:03+02:00"}`, "2025-05-17T08:05:03Z 192.0.2.7  / 0"},
		{"no JSON", "traefik", `DEBUG: something else`, "!json: expected an object"},
		{"another record", "traefik", `{"level":"info"}`, "!not an access record of this format"},

		{"all plain", "envoy-json", `{"start_time":"2025-05-17T08:05:03.123Z","duration":7,"x-forwarded-for":null,"downstream_remote_address":"[2001:db8::1]:443","method":"GET","x-envoy-origin-path":"/a?b","response_code":200,"bytes_sent":5,":authority":"h"}`, "2025-05-17T08:05:03.123Z took 7ms 2001:db8::1 GET /a?b at h 200 5 bytes"},
		{"forwarded", "envoy-json", `{"start_time":"2025-05-17T08:05:03.123Z","x-forwarded-for":"192.0.2.7,10.0.0.1","response_code":0}`, "2025-05-17T08:05:03.123Z 192.0.2.7 0"},
		{"a text line among them", "envoy-json", `[2025-05-17T08:05:03.123Z] "GET /a?b HTTP/1.1" 200 - 1 2 3 - "192.0.2.7" "curl" "id" "h" "10.0.0.1:80"`, "2025-05-17T08:05:03.123Z took 3ms 192.0.2.7 GET /a?b at h 200 2 bytes"},
		{"no client", "envoy-json", `{"start_time":"2025-05-17T08:05:03.123Z"}`, "!not an access record of this format"},

		{"plain", "envoy", `[2025-05-17T08:05:03.123Z] "GET /a HTTP/1.1" 429 RL 1 2 - - "-" "curl" "id" "h" "-"`, "2025-05-17T08:05:03.123Z  GET /a at h 429 2 bytes"},
		{"Istio", "envoy", istio, "2025-05-17T08:05:03.123Z took 7ms 192.0.2.7 GET /a at example.com 200 12 bytes"},
		{"few fields", "envoy", `[2025-05-17T08:05:03.123Z] "GET /a HTTP/1.1" 200 - 1 2 3 - "192.0.2.7" "curl"`, "!too few fields"},
		{"bad duration", "envoy", `[2025-05-17T08:05:03.123Z] "GET /a HTTP/1.1" 200 - 1 2 x - "-" "-" "-" "-" "-"`, "!duration: not a length of time"},
		{"no bracket", "envoy", `2025-05-17T08:05:03.123Z "GET /"`, "!time: missing"},

		{"RFC 3339", "cloudflare", `{"ClientIP":"2001:db8::1","ClientRequestHost":"h","ClientRequestMethod":"GET","ClientRequestURI":"/a?b","EdgeStartTimestamp":"2025-05-17T08:05:03Z","EdgeResponseStatus":200,"EdgeResponseBytes":9}`, "2025-05-17T08:05:03Z 2001:db8::1 GET /a?b at h 200 9 bytes"},
		{"nanoseconds", "cloudflare", `{"ClientIP":"192.0.2.7","EdgeStartTimestamp":1747469103000000001}`, "2025-05-17T08:05:03.000000001Z 192.0.2.7 0"},
		{"seconds", "cloudflare", `{"ClientIP":"192.0.2.7","EdgeStartTimestamp":1747469103}`, "2025-05-17T08:05:03Z 192.0.2.7 0"},
		{"no stamp", "cloudflare", `{"ClientIP":"192.0.2.7"}`, "!not an access record of this format"},

		{"variables", "nginx-json", `{"msec":"1747469103.250","time_local":"x","remote_addr":"192.0.2.7","request":"GET /a?b HTTP/1.1","status":"200","body_bytes_sent":"5","request_time":"0.050","remote_user":""}`, "2025-05-17T08:05:03.25Z took 50ms 192.0.2.7 GET /a?b 200 5 bytes"},
		{"ISO stamps, escapes", "nginx-json", `{"time_iso8601":"2025-05-17T10:05:03+02:00","remote_addr":"192.0.2.7","request_method":"GET","request_uri":"\/\u00e9\u0026\ud83d\ude00","status":404}`, "2025-05-17T08:05:03Z 192.0.2.7 GET /é&😀 404"},
		{"forwarded", "nginx-json", `{"time_local":"17/May/2025:08:05:03 +0000","remote_addr":"10.0.0.1","http_x_forwarded_for":"192.0.2.7, 10.0.0.3","status":200}`, "2025-05-17T08:05:03Z 192.0.2.7 200"},
		{"a bad duration", "nginx-json", `{"msec":1747469103.250,"remote_addr":"192.0.2.7","request_time":"-"}`, "2025-05-17T08:05:03.25Z 192.0.2.7 0"},
		{"a negative duration", "nginx-json", `{"msec":1747469103.250,"remote_addr":"192.0.2.7","request_time":-1}`, "!duration: not a length of time"},
		{"a bad escape", "nginx-json", `{"a":"\x"}`, "!json: control character or bad escape in a string"},
		{"no stamp", "nginx-json", `{"remote_addr":"192.0.2.7"}`, "!time: missing"},

		{"start in field 22", "alb", alb + `2025-05-17T08:05:03.000000Z "forward"`, "2025-05-17T08:05:03Z took 500ms 192.0.2.7 GET /a?b=c at www.example.com:443 200 366 bytes"},
		{"an old one, without", "alb", alb[:strings.Index(alb, ` - - - "Root`)], "2025-05-17T08:05:03Z took 500ms 192.0.2.7 GET /a?b=c at www.example.com:443 200 366 bytes"},
		{"no target", "alb", `http 2025-05-17T08:05:03.500000Z app/web/50dc [2001:db8::1]:4711 - -1 -1 -1 503 - 0 0 "GET http://h:80/ HTTP/1.1"`, "2025-05-17T08:05:03.5Z 2001:db8::1 GET / at h:80 503 0 bytes"},
		{"few fields", "alb", alb[:80], "!too few fields"},

		{"usual columns", "cloudfront", "2025-05-17\t08:05:03\tCDG50\t703\t192.0.2.7\tGET\td1.cloudfront.net\t/a\t400\t-\tcurl\tb=c\t-\tError\tid\twww.example.com\thttps\t62\t0.113\t-", "2025-05-17T08:05:03Z took 113ms 192.0.2.7 GET /a?b=c at www.example.com 400 703 bytes"},
		{"named columns, forwarded", "cloudfront", cfHead + "\n2025-05-17\t08:05:03\t10.0.0.1\tGET\th\t/a\t200\t-\t-\t1\t192.0.2.7,%2010.0.0.2\t5", "2025-05-17T08:05:03Z took 1s 192.0.2.7 GET /a at h 200 5 bytes"},
		{"a header", "cloudfront", cfHead, "!header line"},
		{"few fields", "cloudfront", "2025-05-17", "!time: missing"},

		{"usual columns", "iis", "2025-05-17 08:05:03 10.0.0.1 GET /a b=c 443 bob 192.0.2.7 Mozilla/5.0+(x) - 200 0 0 109", "2025-05-17T08:05:03Z took 109ms 192.0.2.7 user bob GET /a?b=c 200"},
		{"quoted columns", "iis", "#Fields: date-local time-local cs-method cs-uri-stem c-ip cs(User-Agent) sc-status\n2025-05-17 08:05:03.250 GET /a \"192.0.2.7\" \"say \"\"hi\"\" now\" 404", "2025-05-17T08:05:03.25Z zoneless 192.0.2.7 GET /a 404"},
		{"a comment", "iis", "#Software: x", "!header line"},
		{"a bad quote", "iis", `"2025-05-17" "08:05`, "!column: quote is not closed"},

		{"plain", "haproxy", `192.0.2.7:4711 [17/May/2025:08:05:03.127] https~ app/n1 170/0/0/3/173 200 739 - - --NN 0/0/0/0/0 0/0 "GET /a?b HTTP/1.1"`, "2025-05-17T08:05:03.127Z zoneless took 173ms 192.0.2.7 GET /a?b 200 739 bytes"},
		{"through syslog, captured headers, IPv6", "haproxy", `May 17 08:05:03 lb haproxy[14]: 2001:db8::1:4711 [17/May/2025:08:05:03.127] f b/s 10/0/30/69/+109 503 +2750 - - ---- 1/1/1/1/0 0/0 {a|b} {} "GET /a`, "2025-05-17T08:05:03.127Z zoneless took 109ms 2001:db8::1 GET /a 503 2750 bytes"},
		{"bad request", "haproxy", `192.0.2.7:4711 [17/May/2025:08:05:03.127] f f/<NOSRV> -1/-1/-1/-1/0 400 187 - - PR-- 1/1/0/0/0 0/0 "<BADREQ>"`, "2025-05-17T08:05:03.127Z zoneless took 0s 192.0.2.7 400 187 bytes"},
		{"no request at all", "haproxy", `192.0.2.7:4711 [17/May/2025:08:05:03.127] f/b: SSL handshake failure`, "!not an access record of this format"},
		{"no port", "haproxy", `192.0.2.7 [17/May/2025:08:05:03.127] f`, "!client: missing"},
	}
}

func TestFormats(t *testing.T) {
	covered := map[string]bool{"csv": true, "tsv": true, "jsonl": true} // TestColumns
	for _, test := range formatSamples() {
		t.Run(test.format+"/"+test.story, func(t *testing.T) {
			f, err := LookupFormat(test.format)
			if err != nil {
				t.Fatal(err)
			}
			covered[f.Name] = true
			var e Entry
			lines := strings.Split(test.line, "\n")
			for _, line := range lines {
				err = f.Parse([]byte(line), &e)
			}
			got := ""
			if err != nil {
				got = "!" + err.Error()
			} else {
				got = told(&e)
			}
			if got != test.want {
				t.Errorf("%s\n got %s\nwant %s", test.line, got, test.want)
			}
		})
	}
	for _, f := range Formats() {
		if !covered[f.Name] {
			t.Errorf("no line of format %s", f.Name)
		}
	}
}

// TestEntryForgets: what one line tells does not show in the next.
func TestEntryForgets(t *testing.T) {
	for _, f := range Formats() {
		var used Entry
		for _, test := range formatSamples() {
			if test.format != f.Name || strings.Contains(test.line, "\n") || strings.HasPrefix(test.line, "#") {
				continue
			}
			var fresh Entry
			one, two := f.Parse([]byte(test.line), &fresh), f.Parse([]byte(test.line), &used)
			if one != two || one == nil && told(&fresh) != told(&used) {
				t.Errorf("%s: %s: %v %s after other lines, %v %s alone", f.Name, test.story, two, told(&used), one, told(&fresh))
			}
		}
	}
}

// TestNoAllocation: a parser that has warmed up allocates nothing, for good lines or bad.
func TestNoAllocation(t *testing.T) {
	for _, test := range formatSamples() {
		f, _ := LookupFormat(test.format)
		var e Entry
		var key []byte
		line := []byte(test.line)
		n := testing.AllocsPerRun(10, func() {
			if f.Parse(line, &e) == nil {
				key = Key{}.append(key[:0], &e)
			}
		})
		if n > 0 && !strings.Contains(test.line, "#") {
			t.Errorf("%s, %s: %v allocations", test.format, test.story, n)
		}
	}
}

// TestDetect: the lines of each format are taken for it.
func TestDetect(t *testing.T) {
	for _, f := range Formats() {
		var good [][]byte
		for _, test := range formatSamples() {
			if test.format == f.Name && !strings.HasPrefix(test.want, "!") {
				for line := range strings.SplitSeq(test.line, "\n") {
					good = append(good, []byte(line))
				}
			}
		}
		if f.Named {
			continue
		}
		got, _, err := detect(good)
		if err != nil || got.Name != f.Name {
			t.Errorf("%s is taken for %v, %v", f.Name, got, err)
		}
	}
	if _, _, err := detect([][]byte{[]byte("hello\x1b[31m world")}); err == nil || strings.Contains(err.Error(), "\x1b") {
		t.Errorf("unknown text: %v", err)
	}
}

func TestInstantsSaid(t *testing.T) {
	for _, f := range Formats() {
		if f.Title == "" || f.Why == "" || !strings.Contains(f.Instants(), ": instants are ") {
			t.Errorf("%s: %q", f.Name, f.Instants())
		}
	}
	if _, err := LookupFormat("apache"); err == nil || !strings.Contains(err.Error(), `"apache": must be traefik-clf, vhost_combined`) {
		t.Error(err)
	}
}
