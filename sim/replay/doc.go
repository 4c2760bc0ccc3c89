// Package replay puts recorded requests to limiters and finds out whom each of them would have
// refused: how many requests and clients, when, whom most, and what two policies would have done
// differently.
//
// It runs the engine of package sim and listens to the denials alone, so what it adds to a run
// costs nothing where nothing is denied. Requests are streamed and none is kept: the memory grows
// with clients, not with requests.
package replay
