package cmd

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/b6db88e4/ratesim/sim/redis/redistest"
	goredis "github.com/redis/go-redis/v9"
	"github.com/rogpeppe/go-internal/testscript"
)

// TestStoreScripts are the scripts that need a Redis. They leave nothing behind in it.
func TestStoreScripts(t *testing.T) {
	server := redistest.Start(t)
	t.Run("all", func(t *testing.T) { // ends once all have ended
		testscript.Run(t, testscript.Params{
			Dir:                 "testdata/store",
			UpdateScripts:       *update,
			RequireExplicitExec: true,
			RequireUniqueNames:  true,
			Cmds:                scriptCommands(),
			Setup: func(env *testscript.Env) error {
				env.Setenv("REDIS", server.URL())
				return nil
			},
		})
	})
	wantKeys(t, server, 0)
}

// wantKeys counts the keys of a server.
func wantKeys(t *testing.T, server *redistest.Server, want int64) {
	t.Helper()
	if n := keysOf(t, server); n != want {
		t.Errorf("%d keys are in the store, not %d", n, want)
	}
}

func keysOf(t *testing.T, server *redistest.Server) int64 {
	c := goredis.NewClient(&goredis.Options{Addr: server.Addr})
	defer c.Close()
	n, err := c.DBSize(t.Context()).Result()
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// crowd is 300 requests of one client within a minute.
const crowd = `version: 1
duration: 1m
limit: 100/m
traffic:
  - {client: a, phases: [{rate: 300/m}]}
`

// TestTwoProcesses: two processes that share a key at the same time admit together what one may.
func TestTwoProcesses(t *testing.T) {
	server := redistest.Start(t)
	for _, algorithm := range []string{"fixed-window", "sliding-log"} {
		t.Run(algorithm, func(t *testing.T) {
			var outputs [2]strings.Builder
			var processes [2]*exec.Cmd
			for i := range processes {
				c := exec.Command("ratesim", "run", "-", "--store", server.URL(), "--store-prefix", "shared", "-a", algorithm, "-f", "ndjson")
				c.Stdin, c.Stdout = strings.NewReader(crowd), &outputs[i]
				if err := c.Start(); err != nil {
					t.Fatal(err)
				}
				processes[i] = c
			}
			admitted, decided := 0, 0
			for i, c := range processes {
				if err := c.Wait(); err != nil {
					t.Error(err)
				}
				admitted += strings.Count(outputs[i].String(), `"verdict":"admit"`)
				decided += strings.Count(outputs[i].String(), "\n")
			}
			if admitted != 100 || decided != 600 {
				t.Errorf("%d of %d requests were admitted, not 100 of 600", admitted, decided)
			}
		})
	}
	wantKeys(t, server, 3) // left for others to share
}

// TestInterruptedStore: ctrl-C ends a run in a store with status 130, and leaves nothing behind.
func TestInterruptedStore(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("processes cannot be interrupted on Windows")
	}
	server := redistest.Start(t)
	for _, command := range []string{"run", "verify"} {
		c := exec.Command("ratesim", command, "-", "--store", server.URL(), "-a", "sliding-log")
		c.Stdin = strings.NewReader(strings.Replace(crowd, "1m\n", "10d\n", 1))
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		for range 500 {
			if keysOf(t, server) > 0 {
				break
			}
			time.Sleep(10 * time.Millisecond)
		}
		c.Process.Signal(os.Interrupt)
		c.Wait()
		if code := c.ProcessState.ExitCode(); code != statusInterrupted {
			t.Errorf("%s: status %d", command, code)
		}
		wantKeys(t, server, 0)
	}
}

// TestStoreKilled: a server that ends in the middle of a run ends the run, with one message, no result
// file, and no line of a decision that it did not take.
func TestStoreKilled(t *testing.T) {
	for _, args := range [][]string{{"run", "-f", "ndjson"}, {"run", "-o", filepath.Join(t.TempDir(), "result")}, {"verify"}} {
		server := redistest.Start(t)
		c := exec.Command("ratesim", append(args, "-", "--store", server.URL(), "-a", "gcra")...)
		var stdout, stderr strings.Builder
		c.Stdin, c.Stdout, c.Stderr = strings.NewReader(strings.Replace(crowd, "1m\n", "10d\n", 1)), &stdout, &stderr
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		for range 500 {
			if keysOf(t, server) > 0 {
				break
			}
			time.Sleep(10 * time.Millisecond)
		}
		server.Kill()
		c.Wait()
		message := strings.TrimPrefix(stderr.String(), fmt.Sprintf("ratesim: decided by redis://%s/0\n", server.Addr))
		if code := c.ProcessState.ExitCode(); code != statusFailed || strings.Count(message, "\n") != 1 || !strings.HasPrefix(message, "ratesim: redis at "+server.Addr+": ") {
			t.Errorf("%v: status %d, stderr\n%s", args, code, &stderr)
		}
		if strings.Contains(stdout.String(), `"until_ns":null`) || stdout.Len() > 0 && !strings.HasSuffix(stdout.String(), "}\n") {
			t.Errorf("%v: stdout ends with %q", args, stdout.String()[max(0, stdout.Len()-300):])
		}
		if _, err := os.Stat(args[len(args)-1]); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("%v: left a result (%v)", args, err)
		}
	}
}

// TestReadmeStoreCommands: the README's commands on a Redis work, on one of the test's own.
func TestReadmeStoreCommands(t *testing.T) {
	commands := regexp.MustCompile(`(?m)^ratesim (.* --store) redis://localhost:6379(.*)$`).FindAllStringSubmatch(readme(t), -1)
	if len(commands) < 2 {
		t.Fatalf("found only %d commands", len(commands))
	}
	server := redistest.Start(t)
	for _, c := range commands {
		line := c[1] + " " + server.URL() + c[2]
		if status, stdout, stderr := inProcess("", words(line)...); status != statusDone || stdout == "" {
			t.Errorf("ratesim %s: status %d: %s", line, status, stderr)
		}
	}
	wantKeys(t, server, 0)
}

// TestVerifyDifference: a store that decides otherwise is found out, at the first decision of each
// limiter that differs.
func TestVerifyDifference(t *testing.T) {
	const admit, late = "$7\r\nadmit 0\r\n", "$15\r\ndeny 4000000000\r\n"
	addr := redistest.Fake(t, func(call int) (string, bool) {
		if call == 5 { // the sixth of the seven requests at t = 0, which the model denies
			return late, true
		}
		return admit, true
	})
	status, stdout, stderr := inProcess("", "verify", "burst", "-a", "token-bucket", "--store", "redis://"+addr)
	want := `token-bucket          6  differ at the last of these

token-bucket. Request 5, at 0s: alice asks for 1 unit.
  model  denies until 1s
  store  denies until 4s
`
	if status != statusFailed || !strings.HasSuffix(stdout, want) || stderr != "ratesim: burst: the store decides otherwise than the model: token-bucket\n" {
		t.Errorf("status %d\n%s\n%s", status, stdout, stderr)
	}
	status, stdout, _ = inProcess("", "verify", "burst", "-a", "token-bucket", "-f", "json", "--store", "redis://"+addr)
	want = `"compared":6,"difference":{"seq":5,"client":"alice","at_ns":0,"cost":1,"model":{"verdict":"deny","until_ns":1000000000},"store":{"verdict":"deny","until_ns":4000000000}}}]}` + "\n"
	if status != statusFailed || !strings.HasSuffix(stdout, want) {
		t.Errorf("status %d\n%s", status, stdout)
	}
}
