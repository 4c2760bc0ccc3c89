package draw

import (
	"fmt"
	"strconv"

	"github.com/b6db88e4/ratesim/sim"
)

// HTTPStatus is a status of HTTP with its reason: 429 Too Many Requests.
func HTTPStatus(code int) string {
	reason := map[int]string{200: "OK", 429: "Too Many Requests", 503: "Service Unavailable"}[code]
	return strconv.Itoa(code) + " " + reason
}

// HTTPAnswer is an answer as it goes over the wire, line by line: status, fields, an empty line, and
// the body. Its lines are not broken.
func (s *Style) HTTPAnswer(r *sim.Response, form sim.ResetForm) []string {
	body := r.Body()
	lines := []string{"HTTP/1.1 " + HTTPStatus(r.Status)}
	for _, field := range r.Fields(form) {
		lines = append(lines, s.Paint(Faint, field.Name+":")+" "+field.Value)
	}
	return append(lines, s.Paint(Faint, "Content-Length:")+fmt.Sprintf(" %d", len(body)), "", body)
}

// HTTPShort is of an answer its status and the one field that says most about when to come again:
// Retry-After, or RateLimit where there is none.
func HTTPShort(r *sim.Response) string {
	text := "HTTP " + HTTPStatus(r.Status)
	for _, field := range r.Headers() {
		if field.Name == "Retry-After" || field.Name == "RateLimit" {
			return text + ", " + field.Name + ": " + field.Value
		}
	}
	return text
}
