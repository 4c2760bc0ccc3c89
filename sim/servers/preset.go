package servers

// Preset is a kind of store: how long it typically takes and what a restart of it costs.
type Preset struct {
	Name    string
	Summary string
	Store   Store   // without outages and restarts
	Restart Restart // what a restart is like; At is left open
}

// Presets returns the kinds of stores in the order in which they are shown.
func Presets() []Preset { return nil }

// FindPreset finds a kind of store by name.
func FindPreset(name string) (Preset, bool) {
	for _, p := range Presets() {
		if p.Name == name {
			return p, true
		}
	}
	return Preset{}, false
}
