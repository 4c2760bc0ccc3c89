package sim

import (
	"strconv"
	"unicode/utf16"
)

// contentType is the media type of the body.
func (r *Response) contentType() string {
	if r.Status == 429 {
		return "application/problem+json"
	}
	return "application/json"
}

// Body is what the answer says to whoever reads it: one JSON object on one line, in ASCII.
func (r *Response) Body() string { return string(r.AppendBody(nil)) }

// AppendBody appends the body. That of a denial is a problem after RFC 9457, of the type that
// draft-ietf-httpapi-ratelimit-headers has for it; retry_after is the seconds of Retry-After, and
// limit the name of the limit that refused where there are several.
func (r *Response) AppendBody(b []byte) []byte {
	switch {
	case r.Status == 429:
		b = append(b, `{"type":"https://iana.org/assignments/http-problem-types#quota-exceeded","title":"Too Many Requests","status":429,"detail":`...)
	case r.Degraded:
		b = append(b, `{"status":200,"degraded":true,"detail":`...)
	default:
		return append(b, `{"status":200}`...)
	}
	b = appendText(b, r.detail())
	if r.RetryAfter > 0 {
		b = strconv.AppendInt(append(b, `,"retry_after":`...), r.RetryAfter, 10)
	}
	if r.Refused != "" {
		b = appendText(append(b, `,"limit":`...), r.Refused)
	}
	return append(b, '}')
}

// detail says what happened and when to come back.
func (r *Response) detail() string {
	text := "No room for " + plural(r.Cost, "unit")
	if r.Unasked {
		text = "The store of the limit does not answer"
	}
	if r.Limit > 0 && r.Refused == "" { // otherwise what is left may be another limit's
		text += ": " + strconv.FormatInt(r.Remaining, 10) + " of " + strconv.FormatInt(r.Limit, 10) + " left"
	}
	if r.Degraded {
		text += "; this is a cheap answer instead"
	}
	switch {
	case r.Unasked:
		return text + ". When it does again is not known."
	case r.Never:
		return text + ". A request of this cost never fits."
	case r.RetryAfter == 0:
		return text + ". When there is room again is not known."
	case r.Degraded:
		return text + ". A full one can be had in " + plural(r.RetryAfter, "second") + "."
	}
	return text + ". Come back in " + plural(r.RetryAfter, "second") + "."
}

func plural(n int64, noun string) string {
	text := strconv.FormatInt(n, 10) + " " + noun
	if n != 1 {
		text += "s"
	}
	return text
}

// appendText appends a JSON string in ASCII, so that no character of a name does anything to a
// terminal.
func appendText(b []byte, text string) []byte {
	b = append(b, '"')
	for _, r := range text {
		switch {
		case r == '"' || r == '\\':
			b = append(b, '\\', byte(r))
		case r >= ' ' && r <= '~':
			b = append(b, byte(r))
		case r > 0xffff:
			high, low := utf16.EncodeRune(r)
			b = appendEscape(appendEscape(b, high), low)
		default:
			b = appendEscape(b, r)
		}
	}
	return append(b, '"')
}

// appendEscape appends a 16-bit code unit as \uXXXX.
func appendEscape(b []byte, r rune) []byte {
	const hex = "0123456789abcdef"
	return append(b, '\\', 'u', hex[r>>12&15], hex[r>>8&15], hex[r>>4&15], hex[r&15])
}
