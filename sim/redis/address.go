package redis

import (
	"errors"
	"fmt"
	"net/url"
	"strings"
	"time"

	goredis "github.com/redis/go-redis/v9"
	"github.com/redis/go-redis/v9/maintnotifications"
)

// patience is how long a connection, and each call, may take unless the address says otherwise.
const patience = 5 * time.Second

// Address says where a store is and how to be let in.
type Address struct {
	options *goredis.Options
	scheme  string
}

// goodAddresses ends the message about a wrong address.
const goodAddresses = "write redis://HOST:PORT, redis://USER:PASSWORD@HOST:PORT/DB, rediss:// for TLS, or unix:///PATH?db=DB"

// ParseAddress reads redis://USER:PASSWORD@HOST:PORT/DB, of which all but the host may be left out;
// rediss:// is the same over TLS, and unix:///PATH a socket of this machine. dial_timeout=2s,
// read_timeout=2s and skip_verify=true may follow after a question mark. The password is in no error:
// what cannot be read for sure is not quoted.
func ParseAddress(text string) (Address, error) {
	u, err := url.Parse(text)
	if err != nil {
		return Address{}, fmt.Errorf("not the address of a store; %s; in a password write %%2F for /, %%23 for #, %%3F for ? and %%40 for @", goodAddresses)
	}
	switch u.Scheme {
	case "redis", "rediss", "unix":
	case "":
		return Address{}, errors.New("has no scheme; " + goodAddresses)
	default:
		return Address{}, fmt.Errorf("scheme %q: unknown; %s", u.Scheme, goodAddresses)
	}
	if u.Fragment != "" || strings.Contains(u.Path+u.RawQuery, "@") {
		return Address{}, fmt.Errorf("has a # or an @ where none belongs; %s; in a password write %%2F for /, %%23 for #, %%3F for ? and %%40 for @", goodAddresses)
	}
	if u.Scheme != "unix" && u.Hostname() == "" {
		return Address{}, errors.New("names no host; " + goodAddresses)
	}
	options, err := goredis.ParseURL(text)
	if err != nil {
		return Address{}, fmt.Errorf("%s; %s", strings.TrimPrefix(err.Error(), "redis: "), goodAddresses)
	}
	if options.DB < 0 {
		return Address{}, fmt.Errorf("database number %d: is negative; %s", options.DB, goodAddresses)
	}
	return Address{adapt(options), u.Scheme}, nil
}

// adapt sets what a store needs of its connections.
func adapt(o *goredis.Options) *goredis.Options {
	o.MaxRetries = -1 // a decision asked for twice might be charged twice
	o.DialerRetries = 1
	o.ContextTimeoutEnabled = true
	o.Protocol = 2 // nothing of the third is needed
	o.DisableIdentity = true
	o.MaintNotificationsConfig = &maintnotifications.Config{Mode: maintnotifications.ModeDisabled}
	if o.DialTimeout == 0 {
		o.DialTimeout = patience
	}
	if o.ReadTimeout == 0 {
		o.ReadTimeout = patience
	}
	return o
}

// Host is the host and port, or the path of the socket.
func (a Address) Host() string { return a.options.Addr }

// String is the address without user and password.
func (a Address) String() string {
	if a.scheme == "unix" {
		return fmt.Sprintf("unix://%s?db=%d", a.options.Addr, a.options.DB)
	}
	return fmt.Sprintf("%s://%s/%d", a.scheme, a.options.Addr, a.options.DB)
}
