package tui

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"github.com/b6db88e4/ratesim/scenarios"
)

// savedMsg says what became of saving.
type savedMsg struct {
	path     string
	exists   bool // and was left as it is
	scenario *scenarios.Scenario
	err      error
}

// saved is what has been saved, and where.
type saved struct {
	path     string
	scenario *scenarios.Scenario
}

// askWhere asks for the file to save to.
func (m Model) askWhere() Model {
	name := strings.TrimSuffix(filepath.Base(m.setup.name), filepath.Ext(m.setup.name))
	if strings.ContainsAny(name, " /") || name == "" {
		name = "scenario"
	}
	path := name + ".yaml"
	if m.saved.path != "" {
		path = m.saved.path
	}
	return m.prompt(askFile, path)
}

// save writes what is on screen to a file. One that is there already is only overwritten after
// asking.
func (m Model) save(path string, overwrite bool) (Model, tea.Cmd) {
	if path = strings.TrimSpace(path); path == "" {
		m.note = "not saved: no file name"
		return m, nil
	}
	s := m.onScreen()
	written := forFile(s, m.setup, path)
	return m, func() tea.Msg {
		data, err := scenarios.Marshal(written)
		if err == nil {
			err = writeFile(path, data, overwrite)
		}
		return savedMsg{path, errors.Is(err, fs.ErrExist), s, err}
	}
}

// onScreen is the scenario with the limiters that are not switched off.
func (m *Model) onScreen() *scenarios.Scenario {
	if !m.someOff() {
		return m.draft()
	}
	s := cloned(m.draft())
	entry(s, "") // so that there is a list
	var kept []scenarios.Limiter
	for _, i := range m.shown() {
		if l := listed(s, m.scene.plan.Limiters[i].Name); l.Algorithm != "" {
			kept = append(kept, l)
		}
	}
	s.SetLimiters(kept)
	return s
}

// forFile is the scenario as it is saved: once it is changed, what it expected and said to watch is
// no longer true. Paths of traces and logs are written from the file's folder.
func forFile(s *scenarios.Scenario, from *setup, path string) *scenarios.Scenario {
	out := cloned(s)
	if !same(s, from.original.Scenario) {
		out.Expect, out.Watch = nil, ""
	}
	move := func(file string) string { return moved(file, from.folder, filepath.Dir(path)) }
	for i := range out.Traffic {
		source := &out.Traffic[i]
		if trace := source.Requests.Trace; trace != nil {
			trace.File = move(trace.File)
		}
		if source.Replay != nil {
			replay := *source.Replay
			replay.File = slices.Clone(replay.File)
			for j, file := range replay.File {
				replay.File[j] = move(file)
			}
			source.Replay = &replay
		}
	}
	return out
}

// moved is a path as a scenario in folder to writes what one in folder from calls file: relative to its
// folder, or where there is no way from one to the other, absolute. Standard input stays what it is.
func moved(file, from, to string) string {
	local := filepath.FromSlash(file)
	if file == "-" || filepath.IsAbs(local) {
		return file
	}
	target, err := filepath.Abs(filepath.Join(from, local))
	if err != nil {
		return file
	}
	if folder, err := filepath.Abs(to); err == nil {
		if relative, err := filepath.Rel(folder, target); err == nil {
			return filepath.ToSlash(relative)
		}
	}
	return filepath.ToSlash(target)
}

// writeFile writes a file whole or not at all. The error is fs.ErrExist where there is one that may
// not be overwritten.
func writeFile(path string, data []byte, overwrite bool) error {
	if !overwrite {
		f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
		if err != nil {
			return err
		}
		_, err = f.Write(data)
		return errors.Join(err, f.Close())
	}
	f, err := os.CreateTemp(filepath.Dir(path), ".ratesim-*")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name())
	_, err = f.Write(data)
	if err := errors.Join(err, f.Chmod(0o644), f.Close()); err != nil {
		return err
	}
	return os.Rename(f.Name(), path)
}

// wrote takes what became of saving.
func (m Model) wrote(msg savedMsg) Model {
	switch {
	case msg.exists:
		m = m.prompt(askOverwrite, msg.path)
	case msg.err != nil:
		m.note = "not saved: " + m.style.Text(reason(msg.err))
	default:
		m.note = "saved to " + m.style.Text(msg.path)
		m.saved = saved{msg.path, msg.scenario}
	}
	return m
}

// overwrite takes the answer to whether a file may be overwritten.
func (m Model) overwrite(msg tea.KeyMsg) (Model, tea.Cmd) {
	path := m.ask.line.text
	m.ask = asking{}
	if msg.String() == "y" || msg.String() == "Y" {
		return m.save(path, true)
	}
	m.note = "not saved"
	return m, nil
}

// question is what is asked at the end of the screen, if it is.
func (m *Model) question() string {
	switch m.ask.kind {
	case askFile:
		return "Save to: " + m.showLine(m.ask.line) + "   enter saves, esc does not"
	case askOverwrite:
		return fmt.Sprintf("%s exists. Overwrite it? y, or any other key for no", m.style.Text(m.ask.line.text))
	}
	return ""
}
