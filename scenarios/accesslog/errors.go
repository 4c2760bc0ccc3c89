package accesslog

// why says what is wrong with a line, and where in it. Being a small number, it becomes an error
// without allocation, however many lines are malformed. 0 is no fault.
type why uint8

const (
	errEmpty why = iota + 1
	errTooLong
	errHeader // not a fault: counted apart
	errPartial
	errNoClient
	errControl
	errFields
	errUser
	errNoTime
	errTime
	errTimeRange
	errRequest
	errQuote
	errStatus
	errBytes
	errDuration
	errCost
	errTail
	errNoRecord
	errNoHost
	errCSVQuote
	errJSON
	errJSONEnd
	errJSONTail
	errJSONKey
	errJSONColon
	errJSONComma
	errJSONString
	errJSONNumber
	errJSONValue
	errJSONDepth
)

// Error is what is wrong in words.
func (w why) Error() string { return whys[w] }

var whys = [...]string{
	errEmpty:      "empty line",
	errTooLong:    "line longer than 1 MiB",
	errHeader:     "header line",
	errPartial:    "container log prefix: only part of a line",
	errNoClient:   "client: missing",
	errControl:    "client: has control characters",
	errFields:     "too few fields",
	errUser:       "user: missing between client and time",
	errNoTime:     "time: missing",
	errTime:       "time: not an instant",
	errTimeRange:  "time: outside 1970 to 2261",
	errRequest:    "request: missing",
	errQuote:      "request: quote is not closed",
	errStatus:     "status: not a number of three digits",
	errBytes:      "bytes: not a number",
	errDuration:   "duration: not a length of time",
	errCost:       "cost: not a whole number from 1 to 10^12",
	errTail:       "end of line: unexpected text",
	errNoRecord:   "not an access record of this format",
	errNoHost:     "host: missing host:port before the client",
	errCSVQuote:   "column: quote is not closed",
	errJSON:       "json: expected an object",
	errJSONEnd:    "json: line ends early",
	errJSONTail:   "json: text after the object",
	errJSONKey:    "json: expected a key in quotes",
	errJSONColon:  "json: expected : after a key",
	errJSONComma:  "json: expected , or a closing bracket",
	errJSONString: "json: control character or bad escape in a string",
	errJSONNumber: "json: bad number",
	errJSONValue:  "json: expected a value",
	errJSONDepth:  "json: nested deeper than 32",
}
