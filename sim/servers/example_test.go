package servers_test

import (
	"fmt"
	"time"

	"github.com/b6db88e4/ratesim/algorithms"
	"github.com/b6db88e4/ratesim/sim/servers"
)

// Three servers, each of which enforces the whole limit, admit three times as much as they should.
func ExampleCluster() {
	spec, _ := algorithms.Lookup("fixed-window")
	policy := algorithms.Policy{Limit: algorithms.Limit{N: 5, Per: time.Second}}
	maker, _ := spec.Build(policy)

	cluster, err := servers.New(&servers.Config{Count: 3}, servers.Independent,
		servers.Limit{Spec: spec, Policy: policy, Maker: maker},
		func(at servers.Time, message uint32) {}, // nothing takes time here
		func(call uint32, now servers.Time, a servers.Answer) {
			if call < 3 || call == 15 {
				fmt.Printf("call %d: server %d says %v\n", call, a.Server, a.Decision.Verdict)
			}
		})
	if err != nil {
		fmt.Println(err)
		return
	}
	for call := range uint32(30) {
		cluster.Ask(0, call, 0, 0, 1)
	}
	report := cluster.Report()
	fmt.Printf("%d units beyond the limit, %d at most\n", report.OverAdmitted, report.Bound)
	// Output:
	// call 0: server 0 says admit
	// call 1: server 1 says admit
	// call 2: server 2 says admit
	// call 15: server 0 says deny
	// 10 units beyond the limit, 10 at most
}
