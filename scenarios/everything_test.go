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
