// Package tune finds limits for requests that are known: the smallest limit or burst that refuses
// no more than it may, the bursts that refuse nothing, and what each policy of a grid refuses.
//
// The requests are held in memory, 24 bytes each, and run through the engine of package sim as
// often as it takes. Every answer is the result of a run.
package tune
