package redis_test

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"encoding/pem"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/b6db88e4/ratesim/algorithms"
	"github.com/b6db88e4/ratesim/sim/redis/redistest"
)

// TestTLS: a server that speaks TLS under a certificate that nobody vouches for.
func TestTLS(t *testing.T) {
	certificate, key := selfSigned(t)
	addr := "127.0.0.1:" + strconv.Itoa(redistest.FreePort(t))
	_, port, _ := strings.Cut(addr, ":")
	redistest.Start(t, "--tls-port", port, "--tls-cert-file", certificate, "--tls-key-file", key, "--tls-ca-cert-file", certificate, "--tls-auth-clients", "no")
	wantProblem(t, "rediss://"+addr, "its certificate is not trusted: ")
	wantProblem(t, "redis://"+addr+"?read_timeout=2s", "closed the connection; see whether it was stopped, or speaks TLS (rediss://)")
	s := open(t, "rediss://"+addr+"?skip_verify=true", "run")
	if d := limiter(t, s, "gcra", perMinute(2)).Decide(0, 1); d.Verdict != algorithms.Admit || s.Err() != nil {
		t.Errorf("%v, %v", d, s.Err())
	}
}

// selfSigned writes a certificate of the loopback address and its key to files.
func selfSigned(t *testing.T) (certificate, key string) {
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)},
	}
	signed, err := x509.CreateCertificate(rand.Reader, template, template, &private.PublicKey, private)
	if err != nil {
		t.Fatal(err)
	}
	bytes, err := x509.MarshalECPrivateKey(private)
	if err != nil {
		t.Fatal(err)
	}
	return writePEM(t, "CERTIFICATE", signed), writePEM(t, "EC PRIVATE KEY", bytes)
}

func writePEM(t *testing.T, kind string, bytes []byte) string {
	path := filepath.Join(t.TempDir(), "file.pem")
	if err := os.WriteFile(path, pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: bytes}), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}
