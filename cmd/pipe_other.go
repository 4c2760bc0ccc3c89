//go:build !windows

package cmd

import "syscall"

// brokenPipes are the errors of a write to a pipe that nobody reads.
func brokenPipes() []error { return []error{syscall.EPIPE} }
