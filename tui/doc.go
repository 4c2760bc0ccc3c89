// Package tui is the interactive program: a finished run with a playhead.
//
// A [Model] is a value. Update takes a message and returns the next model and commands, with no
// other effect; everything that takes time, such as simulating, is a command. What is on screen is
// drawn in Update, and only the parts that changed, so that View has nothing left to do.
package tui
