package accesslog

import (
	"bytes"
	"net/netip"
	"unsafe"
)

// appendClient appends the one spelling of a client: of a list its first entry, without a port,
// addresses as RFC 5952 writes them, an IPv4 address within an IPv6 one as IPv4. What is no address
// stays as it is. Unknown clients are "".
//
// bits, where it is above 0, cuts addresses to that many bits: up to 32 it is for IPv4 addresses,
// above for IPv6 ones, and the other kind stays whole.
func appendClient(dst, raw []byte, bits int) []byte {
	if isDotted(raw) && (bits == 0 || bits > 32) {
		return append(dst, raw...)
	}
	name, addr := clientOf(raw)
	if !addr.IsValid() {
		return append(dst, name...)
	}
	if bits > 0 && (bits <= 32) == addr.Is4() {
		return netip.PrefixFrom(addr.WithZone(""), bits).Masked().AppendTo(dst)
	}
	return addr.AppendTo(dst)
}

// clientOf takes a client field apart: its address, or the name that it is instead.
func clientOf(raw []byte) (name []byte, addr netip.Addr) {
	if comma := bytes.IndexByte(raw, ','); comma >= 0 {
		raw = raw[:comma]
	}
	raw = bytes.Trim(raw, ` "`)
	if len(raw) == 0 || len(raw) == 1 && raw[0] == '-' {
		return nil, addr
	}
	host := withoutPort(raw)
	if len(host) > 0 && (host[0]-'0' <= 9 || bytes.IndexByte(host, ':') >= 0) && len(host) < 80 {
		// The string lives no longer than this call: ParseAddr keeps a part of it, the zone, only
		// in its own copy.
		parsed, err := netip.ParseAddr(unsafe.String(&host[0], len(host)))
		if err == nil {
			return host, parsed.Unmap()
		}
	}
	return host, addr
}

// withoutPort cuts the port and the brackets: 1.2.3.4:80, [::1]:80, [::1], host:80. An IPv6 address
// without brackets is taken as a whole.
func withoutPort(b []byte) []byte {
	if b[0] == '[' {
		if end := bytes.IndexByte(b, ']'); end > 1 {
			return b[1:end]
		}
		return b
	}
	colon := bytes.IndexByte(b, ':')
	if colon > 0 && isPort(b[colon+1:]) {
		return b[:colon]
	}
	return b
}

// isDotted reports whether b is an IPv4 address in its one spelling.
func isDotted(b []byte) bool {
	if len(b) < 7 || len(b) > 15 {
		return false
	}
	n, digits, dots := 0, 0, 0
	for i, c := range b {
		if c == '.' {
			if digits == 0 || n > 255 {
				return false
			}
			n, digits = 0, 0
			dots++
			continue
		}
		if c-'0' > 9 || digits > 0 && n == 0 || digits == 3 {
			return false
		}
		n = n*10 + int(b[i]-'0')
		digits++
	}
	return dots == 3 && digits > 0 && n <= 255
}

// checkClient refuses clients with control characters: a stretch of NUL bytes where a log was cut
// while it was written, most of all.
func checkClient(b []byte) why {
	for _, c := range b {
		if c < ' ' || c == 0x7f {
			return errControl
		}
	}
	return 0
}
