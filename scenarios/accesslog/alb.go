package accesslog

import "bytes"

// alb is the access log of an AWS Application Load Balancer: fields separated by spaces, some
// quoted.
//
//	1 type  2 time (of the end)  4 client:port  6–8 processing times, s  9 status  12 bytes sent
//	13 "request"  22 request_creation_time (the start)
//
// Old logs end before field 22: then the end less the processing times stands for the start.
func alb() *Format {
	return &Format{
		Name:  "alb",
		Title: "AWS Application Load Balancer",
		Stamp: Start,
		Why:   "request_creation_time is when the balancer received the request",
		Parse: func(line []byte, e *Entry) error {
			e.resetValues()
			if len(line) == 0 {
				return errEmpty
			}
			return fault(e.alb(line))
		},
	}
}

func (e *Entry) alb(b []byte) why {
	var fields [22][]byte
	n := quotedWords(b, fields[:])
	if n < 13 {
		return errFields
	}
	if err := e.instant(fields[1], anyUnit); err != 0 {
		return err
	}
	e.Duration = albTaken(fields[5:8])
	if n == len(fields) && known(fields[21]) != nil {
		if err := e.instant(fields[21], anyUnit); err != 0 {
			return err
		}
	} else if e.Duration >= 0 {
		e.Time -= e.Duration
	}
	e.Client = known(fields[3])
	e.setRequest(fields[12])
	var ok bool
	if e.Status, ok = statusOf(fields[8]); !ok {
		return errStatus
	}
	if e.Bytes, ok = bytesOf(fields[11]); !ok {
		return errBytes
	}
	return 0
}

// albTaken adds the three processing times, or is Unknown if one of them is −1.
func albTaken(fields [][]byte) int64 {
	sum := int64(0)
	for _, f := range fields {
		n, ok := decimal(f, inSeconds)
		if !ok || n < 0 || n > maxTaken {
			return Unknown
		}
		sum += n
	}
	return sum
}

// quotedWords splits at single spaces into fields, of which some stand in quotes, and reports how
// many it found. What is beyond the last field is not looked at.
func quotedWords(b []byte, fields [][]byte) int {
	for n := range fields {
		if len(b) == 0 {
			return n
		}
		if b[0] == '"' {
			end := closing(b[1:])
			if end < 0 {
				return n
			}
			fields[n], b = b[1:1+end], b[2+end:]
		} else if end := bytes.IndexByte(b, ' '); end >= 0 {
			fields[n], b = b[:end], b[end:]
		} else {
			fields[n], b = b, nil
		}
		if len(b) > 0 && b[0] == ' ' {
			b = b[1:]
		}
	}
	return len(fields)
}
