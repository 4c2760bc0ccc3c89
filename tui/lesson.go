package tui

func (m *Model) hides() bool { return false }
