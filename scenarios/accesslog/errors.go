package accesslog

// why says what is wrong with a line, and where in it. Being constants, whys reach an error
// without allocation, however many lines are malformed.
type why string

func (w why) Error() string { return string(w) }

const (
	errEmpty     = why("empty line")
	errTooLong   = why("line longer than 1 MiB")
	errHeader    = why("header line") // not a fault: counted apart
	errPartial   = why("container log prefix: only part of a line")
	errNoClient  = why("client: missing")
	errControl   = why("client: has control characters")
	errFields    = why("too few fields")
	errUser      = why("user: missing between client and time")
	errNoTime    = why("time: missing")
	errTime      = why("time: not an instant")
	errTimeRange = why("time: outside 1970 to 2261")
	errRequest   = why("request: missing")
	errQuote     = why("request: quote is not closed")
	errStatus    = why("status: not a number of three digits")
	errBytes     = why("bytes: not a number")
	errDuration  = why("duration: not a length of time")
	errCost      = why("cost: not a whole number from 1 to 10^12")
	errTail      = why("end of line: unexpected text")
	errNoRecord  = why("not an access record of this format")
	errNoHost    = why("host: missing host:port before the client")
	errCSVQuote  = why("column: quote is not closed")

	errJSON       = why("json: expected an object")
	errJSONEnd    = why("json: line ends early")
	errJSONTail   = why("json: text after the object")
	errJSONKey    = why("json: expected a key in quotes")
	errJSONColon  = why("json: expected : after a key")
	errJSONComma  = why("json: expected , or a closing bracket")
	errJSONString = why("json: control character or bad escape in a string")
	errJSONNumber = why("json: bad number")
	errJSONValue  = why("json: expected a value")
	errJSONDepth  = why("json: nested deeper than 32")
)
