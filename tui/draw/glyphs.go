package draw

// glyphs are the marks of a page. Each of the lane's stands for one thing only, so that a page
// reads without colour. All are one cell wide.
type glyphs struct {
	bars     []rune // requests that went ahead, from few to the scale's most
	releases []rune // the same where most of them had waited
	strip    []rune // bars of a strip, the full ones of which leave a gap to the strip above
	beyond   rune   // on top of a bar: more than the scale's most

	wait, denied, many rune // below the bars: had to wait; denied; denied, more than half the scale
	both               rune // some had to wait and some were denied
	cheap              rune // got a cheap answer instead
	mixed              rune // in a lane of one row: some went ahead, some did not
	base, edge         rune // the ground that bars stand on; a window's edge
	head, headTop      rune // the playhead, and where it meets the ruler
	fill               rune // a request that fills a window

	left, tick, right, line rune // the ruler
	mark, first, cap        rune // a chart's axis, where its line begins, its capacity
	curve                   strokes
	spread                  rune // levels within a column beyond its line

	dots, times, atLeast, none string // cut short; a ratio; a lower bound; nothing to say
	dash, middot               string // between words
	seen, unseen               string // a check that holds, one that does not: two cells each
	micro                      string // microseconds
}

// strokes draw a chart's line.
type strokes struct{ across, upright, rise, riseEnd, fall, fallEnd string }

func unicodeGlyphs() glyphs {
	return glyphs{
		bars: []rune("▁▂▃▄▅▆▇█"), releases: []rune("⣀⣤⣶⣿"), strip: []rune("▁▂▃▄▅▆▇"), beyond: '▲',
		wait: 'o', denied: '×', many: '╳', both: 'ø', cheap: '≈', mixed: '▚', base: '▔', edge: '┊',
		head: '┃', headTop: '▼', fill: '•',
		left: '├', tick: '┼', right: '┤', line: '─',
		mark: '┤', first: '┼', cap: '┄',
		curve: strokes{"─", "│", "╯", "╭", "╮", "╰"}, spread: '┊',
		dots: "…", times: "×", atLeast: "≥", none: "–", dash: "–", middot: " · ",
		seen: "✓ ", unseen: "✗ ", micro: "µs",
	}
}

func asciiGlyphs() glyphs {
	return glyphs{
		bars: []rune(".:#"), releases: []rune("-="), strip: []rune(".:#"), beyond: '^',
		wait: 'o', denied: 'x', many: 'X', both: '%', cheap: '~', mixed: '&', base: '_', edge: '|',
		head: '!', headTop: 'v', fill: '*',
		left: '|', tick: '+', right: '|', line: '-',
		mark: '|', first: '+', cap: '=',
		curve: strokes{"-", "|", "'", ".", ".", "'"}, spread: ':',
		dots: "..", times: "x", atLeast: ">=", none: "-", dash: "-", middot: " - ",
		seen: "ok", unseen: "!!", micro: "us",
	}
}
