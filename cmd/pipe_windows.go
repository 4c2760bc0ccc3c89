package cmd

import "syscall"

// brokenPipes are the errors of a write to a pipe that nobody reads: ERROR_BROKEN_PIPE, and
// ERROR_NO_DATA ("the pipe is being closed").
func brokenPipes() []error { return []error{syscall.ERROR_BROKEN_PIPE, syscall.Errno(232)} }
