package skill

import (
	"context"
	"encoding/hex"
	"hash/maphash"
	"io/fs"
	"sync"
	"time"

	"github.com/promptc/promptc/engine/diag"
)

// Catalog is everything that was found under a list of roots. It never changes;
// Refresh makes a new one. It may be used by several goroutines.
type Catalog struct {
	Roots []RootReport // in the order in which they were given
	// Found holds every skill, whatever became of it: the roots in their order,
	// inside of a root by path.
	Found []*Found
	// Diagnostics speak of roots, links and names; what was found in a single file
	// is in its Found.Problems.
	Diagnostics diag.List

	roots  []Root // as they were given
	shared *shared
	memory fs.FS // where the skills lie in memory
}

// RootReport is a Root and what became of it.
type RootReport struct {
	Root
	State  RootState
	Skills int    // skills found in it, whatever became of them
	Real   string // its path without links, "" where there is no such directory
}

// Content is a whole skill file.
type Content struct {
	Body     string // as Parsed.Body
	Raw      []byte // the file's bytes
	SHA256   string // of Raw, in hex
	Size     int64  // of Raw, in bytes
	BodyLine int    // the line in the file at which Body begins
	Form     Form   // as the whole file shows it; Found.Form knows only its beginning
	Fields   []Field
	Problems diag.List
}

// Change says how a catalogue differs from the one before.
type Change struct {
	Kind ChangeKind
	Name string // as it is now; of a removed skill as it was
	Path string
}

// ChangeKind is what happened to a skill.
type ChangeKind string

const (
	Added   ChangeKind = "added"
	Removed ChangeKind = "removed"
	Edited  ChangeKind = "edited"
)

// shared is what the skills of a catalogue, and of those made from it by Refresh,
// need to be read.
type shared struct {
	started time.Time // when the files were looked at
	seed    maphash.Seed
	reach   []string // real directories under which links of skills may lead

	mu     sync.Mutex
	hashes map[string]sum // by path: of whole files that were read
}

type sum [32]byte

func (s sum) String() string { return hex.EncodeToString(s[:]) }

func (s *shared) remember(path string, h sum) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.hashes == nil {
		s.hashes = map[string]sum{}
	}
	s.hashes[path] = h
}

func (s *shared) hash(path string) (sum, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	h, ok := s.hashes[path]
	return h, ok
}

// Discover looks through roots and reads the beginning of every skill file. What
// is wrong with a root or a file is a diagnostic; the error is only that of ctx.
func Discover(ctx context.Context, roots []Root) (*Catalog, error) {
	return discover(ctx, roots, nil, nil)
}

// FromFS makes a catalogue of the skills that lie in fsys below dir, as if they
// lay in root. It is for skills in memory: there are no links.
func FromFS(fsys fs.FS, dir string, root Root) *Catalog {
	sub, err := fs.Sub(fsys, dir)
	if err != nil {
		sub = fsys
	}
	c, err := discover(context.Background(), []Root{root}, sub, nil)
	if err != nil {
		panic("skill: discovery without a deadline was cancelled")
	}
	return c
}
