package scenarios

const minimal = "version: 1\nlimit: 1/s\ntraffic: [{phases: [{burst: 1}]}]\n"

// everything is a file with every key that does not need another file.
const everything = `# yaml-language-server: $schema=./ratesim.schema.json
version: 1
name: Everything
lesson: |
  Two lines
  of text.
watch: "all: of it"
start: 2024-02-29T12:00:00.5Z
duration: 1h
seed: 0
limit: 100/m
burst: 20
key: client
limiters:
  - {algorithm: token-bucket, refill: interval, initial: 0}
  - {name: second, algorithm: token-bucket, limit: 1/2s, burst: 5}
  - {algorithm: fixed-window, anchor: first, count_denied: true}
  - {algorithm: sliding-counter, rounding: floor}
  - {algorithm: sliding-buckets, slots: 10}
traffic:
  - client: alice
    arrivals: even
    cost: 2
    phases:
      - {rate: 8/s, for: 30s}
      - {rate: 8/s, to: 40/s, for: 1m}
      - {pause: 5s}
      - {at: 2m, burst: 50, over: 100ms}
      - {at: 3m, rate: 0/s, to: 5/s}
  - name: shoppers
    clients: {count: 200, prefix: shopper-, share: {zipf: 1.1}}
    arrivals: poisson
    phases: [{rate: 20/s, for: 5m, sine: {amplitude: 10/s, period: 1m}}]
  - clients: {count: 3, share: even}
    arrivals: {bursty: {active: 1s, idle: 10s, pareto: 1.25}}
    phases: [{rate: 20/s}]
  - arrivals: {mmpp: {rates: [1/s, 0/s, 50/s], stay: [10s, 10s, 1s]}}
    phases: [{for: 10m}]
  - client: probe
    requests: [{at: 0s}, {at: 12ns, cost: 3}]
expect:
  token-bucket: {admitted: ">= 1", peak_ratio: "<= 99.5", delay_max_ns: 0s, fairness: "0..1"}
  second: {offered: "> 0", went_over: "< 1000000000"}
`

// around is a file with every key of the system around the limiters, but for servers.
const around = `# yaml-language-server: $schema=./ratesim.schema.json
version: 1
duration: 1m
limit: 100/m
burst: 20
key: client+endpoint
limits:
  - {name: per second, limit: 10/s, burst: 10, key: all}
  - {limit: 50/m, key: user, tier: free, endpoint: /search, algorithm: sliding-buckets, slots: 10}
  - {key: all, algorithm: concurrency, in_flight: 20}
  - {name: finds itself, algorithm: adaptive, min: 2, max: 40}
on_partial_deny: keep
on_limit: {queue: 50}
tiers:
  free: {limit: 10/m, burst: 5}
  premium: {limit: 600/m}
  internal: {}
endpoints:
  /search: {cost: 5, limit: 20/m, burst: 5}
  /report: {cost: 2}
  /: {}
service:
  workers: 4
  time: {log-normal: {median: 80ms, sigma: 0.5}}
  queue: 50
  timeout: 2s
changes: [{at: 30s, limit: 50/m, burst: 10}, {at: 40s, burst: 5}]
load: {every: 1s, above: 50, below: 10, limit: 20/m, burst: 5}
limiters:
  - {algorithm: token-bucket}
  - {algorithm: gcra, limit: 200/m}
  - name: otherwise
    algorithm: gcra
    key: all
    on_partial_deny: refund
    on_limit: {queue: 5}
    retry: {wait: fixed, first: 2s}
    load: none
traffic:
  - client: alice
    phases: [{rate: 1/s, for: 1m}]
    tier: premium
    user: acme
    ip: 203.0.113.7
    endpoint: /search
  - clients: {count: 10, prefix: bot-}
    phases: [{rate: 20/s, for: 1m}]
    tier: free
    ip: 203.0.113.7
    endpoints: {/search: 3, /report: 1}
    abusive: true
    retry: {wait: exponential, first: 100ms, most: 10s, jitter: equal, attempts: 6, give_up: 1m}
  - client: told
    phases: [{burst: 5}]
    retry: {wait: retry-after, first: 2s, spread: 5s}
  - client: eager
    phases: [{burst: 5}]
    retry: at-once
expect:
  token-bucket: {calls: ">= 1", honest_denied: "0..100000", latency_p99_ns: "<= 2s"}
`

// shared is a file with every key of several servers, which go with one limit only.
const shared = `# yaml-language-server: $schema=./ratesim.schema.json
version: 1
duration: 1m
limit: 100/m
on_limit: degrade
servers:
  count: 4
  routing: hash
  scheme: central-racy
  store: {preset: redis, latency: {exponential: 3ms}, timeout: 50ms}
  sync: 200ms
  skew: 10ms
  fail: open
  peers: 1ms
  outages: [{at: 10s, for: 5s}]
  restarts: [{at: 30s, for: 2s}, {at: 50s}]
  moves: [{at: 20s, leaves: 3}, {at: 40s, joins: 3}]
limiters:
  - {algorithm: fixed-window}
  - {algorithm: fixed-window, scheme: async}
  - {algorithm: fixed-window, scheme: owner}
  - {name: by split, algorithm: gcra, scheme: split-up}
  - {name: closed, algorithm: gcra, fail: closed, store: sql}
traffic:
  - {client: a, phases: [{rate: 20/s, for: 1m}]}
`

// complete are the files that have every key between them, by the name of their golden file.
func complete() map[string]string {
	return map[string]string{"everything.golden": everything, "around.golden": around, "shared.golden": shared}
}
