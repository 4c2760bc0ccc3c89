package draw

import (
	"fmt"
	"strconv"
	"strings"
)

// hasShape reports whether a character must fill its cell or join its neighbours, and is drawn as a
// shape.
func hasShape(text string) bool {
	r, ok := single(text)
	fill, stroke := shape(r, 0, 0, 1)
	return ok && fill+stroke != ""
}

// stretches reports whether a stretch of a character can be drawn as one shape of its width.
func stretches(text string) bool { return strings.Contains("▁▂▃▄▅▆▇█▀▔─", text) }

// shape draws a character that has a shape, from its cell's upper left corner: as a path to fill and
// one to stroke, both empty for any other character. One that stretches is drawn n cells wide.
func shape(r rune, x, y float64, n int) (fill, stroke string) {
	const h = cellHeight
	w := float64(n * cellWidth)
	switch {
	case r < '─' || r > '⣿':
		return "", ""
	case r >= '▁' && r <= '█':
		part := float64(r-'▁'+1) * h / 8
		return box(x, y+h-part, w, part), ""
	case r == '▔':
		return box(x, y, w, 1.5), ""
	case r == '▀':
		return box(x, y, w, h/2), ""
	case r == '▚':
		return box(x, y, w/2, h/2) + box(x+w/2, y+h/2, w/2, h/2), ""
	case r > 0x2800 && r <= 0x28ff:
		return dots(byte(r-0x2800), x, y), ""
	case r == '╳':
		return "", move(x+1, y+2) + line(x+w-1, y+h-2) + move(x+1, y+h-2) + line(x+w-1, y+2)
	case r == '─':
		return "", move(x, y+h/2) + line(x+w, y+h/2)
	case r == '┄' || r == '┈':
		return "", dashes(x+1, y+h/2, x+w, y+h/2, 3)
	case r == '┊':
		return "", dashes(x+w/2, y+1, x+w/2, y+h, 4)
	}
	return "", arms(r, x, y)
}

// arms draws box-drawing characters: lines from the middle of a cell to the sides it names, by a
// curve where the character is an arc.
func arms(r rune, x, y float64) string {
	cx, cy := x+cellWidth/2, y+cellHeight/2
	sides := sidesOf(r)
	end := func(side byte) (float64, float64) {
		switch side {
		case 'l':
			return x, cy
		case 'r':
			return x + cellWidth, cy
		case 'u':
			return cx, y
		}
		return cx, y + cellHeight
	}
	if strings.ContainsRune("╭╮╰╯", r) {
		x1, y1 := end(sides[0])
		x2, y2 := end(sides[1])
		return move(x1, y1) + fmt.Sprintf("Q%s %s %s %s", number(cx), number(cy), number(x2), number(y2))
	}
	out := ""
	for i := range len(sides) {
		px, py := end(sides[i])
		out += move(cx, cy) + line(px, py)
	}
	return out
}

// sidesOf names the sides that a box-drawing character reaches: left, right, up, down.
func sidesOf(r rune) string {
	const characters = "│┌┐└┘├┤┬┴┼╭╮╰╯╴╶"
	sides := [...]string{"ud", "rd", "ld", "ru", "lu", "udr", "udl", "lrd", "lru", "lrud", "rd", "ld", "ru", "lu", "l", "r"}
	if i := strings.IndexRune(characters, r); i >= 0 {
		return sides[i/len("│")] // each takes as many bytes
	}
	return ""
}

// dots draws a Braille pattern: bits 0 to 2 and 6 are the left column from the top, 3 to 5 and 7 the
// right one.
func dots(pattern byte, x, y float64) string {
	order := [8][2]float64{{0, 0}, {0, 1}, {0, 2}, {1, 0}, {1, 1}, {1, 2}, {0, 3}, {1, 3}}
	out := ""
	for bit, place := range order {
		if pattern>>bit&1 == 1 {
			out += box(x+1+place[0]*4, y+1+place[1]*4, 2, 2)
		}
	}
	return out
}

// dashes draws n dashes with gaps of the same length.
func dashes(x1, y1, x2, y2 float64, n int) string {
	out := ""
	for i := range n {
		from, to := float64(2*i)/float64(2*n), float64(2*i+1)/float64(2*n)
		out += move(x1+(x2-x1)*from, y1+(y2-y1)*from) + line(x1+(x2-x1)*to, y1+(y2-y1)*to)
	}
	return out
}

// box is a rectangle to fill.
func box(x, y, w, h float64) string {
	return move(x, y) + "h" + number(w) + "v" + number(h) + "h" + number(-w) + "z"
}

func move(x, y float64) string { return "M" + number(x) + " " + number(y) }
func line(x, y float64) string { return "L" + number(x) + " " + number(y) }

// number writes a coordinate to a hundredth of a pixel.
func number(v float64) string {
	text := strconv.FormatFloat(v, 'f', 2, 64)
	return strings.TrimRight(strings.TrimRight(text, "0"), ".")
}
