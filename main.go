// Ratesim simulates rate-limiting algorithms on traffic and draws what each of them does.
package main

import (
	"os"

	"github.com/b6db88e4/ratesim/cmd"
)

func main() { os.Exit(cmd.Main(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)) }
