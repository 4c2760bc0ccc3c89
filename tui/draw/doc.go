// Package draw turns finished runs into lines of text for a terminal: lanes on a shared time axis,
// level charts, tables, and whole pages of them.
//
// Everything it returns fits the width that was asked for, cell by cell, whatever the names in a
// scenario file are made of. It asks the terminal nothing, reads no environment and keeps no state:
// a [Style] says which colours and glyphs may be used, and equal input gives equal bytes.
//
// A lane shows one limiter. Bars stand for requests that went ahead in a column of time; marks
// below them for requests that did not go ahead at once: they had to wait, or were denied. The
// scale is shared by all lanes of a page, so bars compare between limiters.
package draw
