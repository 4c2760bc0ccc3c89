package accesslog

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"os"
	"sync/atomic"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
)

// Input is one file or stream of log lines, plain or compressed. How it is compressed is told by
// its first bytes, never by its name.
type Input struct {
	Name string
	Size int64 // bytes as they are read, before decompression; -1 if unknown

	// Open starts reading. An input that can be opened only once says so with Once.
	Open func() (io.ReadCloser, error)
	Once bool
}

// File is a file by its path. A pipe or a device behind the path can be read once only.
func File(path string) (Input, error) {
	info, err := os.Stat(path)
	if err != nil {
		return Input{}, err
	}
	if info.IsDir() {
		return Input{}, errors.New("is a folder, not a log")
	}
	in := Input{Name: path, Size: info.Size(), Open: func() (io.ReadCloser, error) { return os.Open(path) }}
	if !info.Mode().IsRegular() {
		in.Size, in.Once = -1, true
	}
	return in, nil
}

// Pipe is a stream that can be read once, standard input most of all.
func Pipe(name string, r io.Reader) Input {
	return Input{Name: name, Size: -1, Once: true, Open: func() (io.ReadCloser, error) { return io.NopCloser(r), nil }}
}

// Bytes is a log held in memory.
func Bytes(name string, data []byte) Input {
	return Input{Name: name, Size: int64(len(data)), Open: func() (io.ReadCloser, error) {
		return io.NopCloser(bytes.NewReader(data)), nil
	}}
}

// opened is an input being read.
type opened struct {
	io.Reader   // decompressed
	raw         io.Closer
	done        func()
	compression string // "", "gzip" or "zstd"
}

func (o *opened) Close() error {
	o.done()
	return o.raw.Close()
}

// counter counts bytes as they are read, for progress.
type counter struct {
	r io.Reader
	n *atomic.Int64
}

func (c counter) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	c.n.Add(int64(n))
	return n, err
}

// longestMagic is how many bytes tell a compression.
const longestMagic = 4

// open starts reading and decompressing. read counts the bytes before decompression.
func (in *Input) open(read *atomic.Int64) (*opened, error) {
	raw, err := in.Open()
	if err != nil {
		return nil, err
	}
	o := &opened{raw: raw, done: func() {}}
	buffered := bufio.NewReaderSize(counter{raw, read}, 64<<10)
	magic, err := buffered.Peek(longestMagic)
	if err != nil && err != io.EOF {
		raw.Close()
		return nil, &readError{file: in.Name, err: err}
	}
	if err = o.decompress(buffered, magic); err != nil {
		raw.Close()
		return nil, &readError{in.Name, 0, o.compression, err}
	}
	return o, nil
}

// decompress chooses by the magic bytes of RFC 1952 and RFC 8878.
func (o *opened) decompress(r io.Reader, magic []byte) error {
	switch {
	case bytes.HasPrefix(magic, []byte{0x1f, 0x8b}):
		o.compression = "gzip"
		z, err := gzip.NewReader(r)
		if err == nil {
			o.Reader = z
		}
		return err
	case bytes.Equal(magic, []byte{0x28, 0xb5, 0x2f, 0xfd}):
		o.compression = "zstd"
		z, err := zstd.NewReader(r, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(128<<20))
		if err == nil {
			o.Reader, o.done = z, z.Close
		}
		return err
	}
	o.Reader = r
	return nil
}
