package servers

// Report is what became of the limit. Units are counted by key and by the windows of the store's
// clock, as fixed-window anchors them, at the instant of the decision.
type Report struct {
	OverAdmitted int64 // the most units beyond the limit in any window, of any key
	Bound        int64 // the largest bound of any window; see the package's documentation
	Bounded      bool  // there is one: for fixed-window anchored to the clock, as long as nothing is admitted because the store fails

	Windows        int64   // windows in which something was admitted
	Admitted       []int64 // units, by the server that decided
	DeniedWithRoom int64   // requests denied though the window had room for them

	FailedOpen, FailedClosed int64 // requests admitted and denied because the store gave no answer
	Late                     int64 // requests the store answered when the server had given up; it charged what it accepted

	// What the bound was computed from.
	SameCount int64 // CentralRacy: most units admitted on one and the same count (k)
	Unheard   int64 // Async: most units one server admitted of a key within Sync and the longest round trip (λ)
	Moves     int64 // Owner: most moves of a key within a window
	Emptied   int64 // Central: restarts that emptied the store
}
