package accesslog

import (
	"bufio"
	"io"
	"math/rand/v2"
	"strconv"
	"time"

	"github.com/b6db88e4/ratesim/algorithms"
	"github.com/b6db88e4/ratesim/sim/traffic"
)

// Synthetic describes a made-up log in the combined format, for benchmarks and for trying things
// out. The same description gives the same bytes.
type Synthetic struct {
	Lines   int64
	Clients uint32 // at least 1; shares are Zipf(1.1)
	Seed    uint64
	Rate    int64 // requests a second, Poisson; 0 stands for 300
	Start   int64 // Unix time of the first, ns; 0 stands for 2025-06-01T00:00:00Z
}

// WriteTo writes the log as it makes it up.
func (g Synthetic) WriteTo(w io.Writer) (int64, error) {
	out := bufio.NewWriterSize(w, 64<<10)
	source := traffic.New(g.spec(), g.Seed)
	rng := rand.New(rand.NewPCG(g.Seed, 0x9e3779b97f4a7c15))
	start := g.Start
	if start == 0 {
		start = 1_748_736_000 * second
	}
	var line []byte
	written := int64(0)
	for range g.Lines {
		request, ok := source.Next()
		if !ok {
			break
		}
		line = appendSynthetic(line[:0], start+int64(request.At), request.Client, rng.Uint64())
		n, err := out.Write(line)
		written += int64(n)
		if err != nil {
			return written, err
		}
	}
	return written, out.Flush()
}

// spec is the traffic: a Poisson process that lasts as long as it may.
func (g Synthetic) spec() traffic.Spec {
	rate := algorithms.Limit{N: g.Rate, Per: time.Second}
	if rate.N == 0 {
		rate.N = 300
	}
	return traffic.Spec{
		Name:     "log",
		Cost:     1,
		Parts:    []traffic.Part{{Until: traffic.Time(algorithms.MaxPeriod), Rate: rate, To: rate}},
		Arrivals: traffic.Process{Kind: traffic.Poisson},
		Clients:  traffic.Clients{Count: max(g.Clients, 1), ZipfMilli: 1100},
	}
}

// appendSynthetic appends one line; draw decides what it asks for.
func appendSynthetic(b []byte, at int64, client uint32, draw uint64) []byte {
	paths := [...]string{"/", "/index.html", "/api/v1/items", "/api/v1/items/", "/search?q=", "/static/app.css", "/static/app.js",
		"/images/", "/login", "/cart", "/api/v1/orders/", "/feed.xml", "/robots.txt", "/favicon.ico", "/help", "/about"}
	agents := [...]string{
		"Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0",
		"Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36",
		"Mozilla/5.0 (Macintosh; Intel Mac OS X 14_5) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Safari/605.1.15",
		"curl/8.8.0",
	}
	b = appendAddress(b, client)
	b = append(b, " - - ["...)
	b = time.Unix(0, at).UTC().AppendFormat(b, "02/Jan/2006:15:04:05 -0700")
	b = append(b, `] "GET `...)
	path := paths[draw%16*(draw>>4%16)/16%16]
	b = append(b, path...)
	if last := path[len(path)-1]; last == '/' && len(path) > 1 || last == '=' {
		b = strconv.AppendUint(b, draw>>16%5000, 10)
	}
	b = append(b, ` HTTP/1.1" `...)
	status := [...]string{"200", "200", "200", "200", "200", "200", "304", "404"}
	b = append(b, status[draw>>32%8]...)
	b = append(b, ' ')
	b = strconv.AppendUint(b, 200+draw>>36%50_000, 10)
	b = append(b, ` "https://www.example.com/" "`...)
	b = append(b, agents[draw>>56%4]...)
	return append(b, "\"\n"...)
}

// appendAddress is an address of its own for each of 2^24 clients and more: multiplying by an odd
// number permutes the numbers of 24 bits.
func appendAddress(b []byte, client uint32) []byte {
	mixed := (client + 1) * 0x9e3779b1
	b = strconv.AppendUint(b, uint64(client>>24%200+20), 10)
	for shift := 16; shift >= 0; shift -= 8 {
		b = append(b, '.')
		b = strconv.AppendUint(b, uint64(mixed>>shift&0xff), 10)
	}
	return b
}
