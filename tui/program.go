package tui

import (
	"context"
	"errors"
	"io"

	tea "github.com/charmbracelet/bubbletea"

	_ "github.com/b6db88e4/ratesim/tui/quiet" // comes before Bubble Tea and keeps it from asking the terminal
)

// Run carries the program out on a terminal, until it is left or ctx ends, and leaves the terminal as
// it was. The error is context.Canceled when it was interrupted.
func Run(ctx context.Context, m Model, in io.Reader, out io.Writer) error {
	opts := []tea.ProgramOption{
		tea.WithContext(ctx), tea.WithoutSignalHandler(), tea.WithAltScreen(), tea.WithInput(in), tea.WithOutput(out),
	}
	if m.opts.Mouse {
		opts = append(opts, tea.WithMouseCellMotion())
	}
	_, err := tea.NewProgram(m, opts...).Run()
	switch {
	case errors.Is(err, tea.ErrProgramPanic):
		return err
	case errors.Is(err, tea.ErrInterrupted), ctx.Err() != nil:
		return context.Canceled
	}
	return err
}
