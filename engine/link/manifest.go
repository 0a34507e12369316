package link

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/promptc/promptc/engine"
)

// Manifest lists what promptc made, or was about to make, in one place for one
// session. It lies in the state directory, never in the place.
type Manifest struct {
	Version int          `json:"version"`
	Agent   string       `json:"agent"`
	Session string       `json:"session"`
	Place   engine.Place `json:"place"` // as it was named
	Real    string       `json:"real"`  // Place.Dir, resolved: what is written to and removed from
	Made    time.Time    `json:"made"`
	Entries []Entry      `json:"entries"`           // by path
	Scratch string       `json:"scratch,omitempty"` // a directory in which copies are put together and taken apart
	Git     string       `json:"git,omitempty"`     // the git directory whose info/exclude names the links
	Used    time.Time    `json:"-"`                 // when Apply last ran
}

// Entry is one thing that promptc made. It is still as it was made if it is a
// link to one of Links, or a directory whose content has one of Hashes; there is
// more than one only while it is being changed.
type Entry struct {
	Path    string   `json:"path"` // relative to the place, slash-separated; "." is the place itself
	Kind    Kind     `json:"kind"`
	Skill   string   `json:"skill,omitempty"`
	Target  string   `json:"target,omitempty"` // the skill's directory
	Links   []string `json:"links,omitempty"`
	Hashes  []string `json:"hashes,omitempty"`
	Instead bool     `json:"instead,omitempty"` // a copy because no link could be made
}

// Kind says in which way an entry was made.
type Kind string

const (
	Dir      Kind = "dir" // a directory on the way to a link
	Symlink  Kind = "link"
	Junction Kind = "junction"
	Copy     Kind = "copy"
)

const manifestVersion = 1

// Links are the entries that deliver a skill.
func (m *Manifest) Links() []Entry {
	return slices.DeleteFunc(slices.Clone(m.Entries), func(e Entry) bool { return e.Kind == Dir })
}

// In says whether the manifest's place is dir, by whatever name.
func (m *Manifest) In(dir string) bool {
	real, err := resolve(dir)
	return err == nil && samePath(real, m.Real)
}

// Orphan says whether nobody seems to use the place any more: its directory is
// gone, or it is a view that was not used for longer than age.
func (m *Manifest) Orphan(now time.Time, age time.Duration) bool {
	if _, err := os.Lstat(m.Real); errors.Is(err, fs.ErrNotExist) {
		return true
	}
	return m.Place.View && now.Sub(m.Used) > age
}

// Manifests lists all manifests below state, by place and session. One that
// cannot be read spoils none of the others: they are returned together with an
// error that names it.
func Manifests(state string) ([]*Manifest, error) {
	dirs, err := os.ReadDir(filepath.Join(state, placesDir))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var out []*Manifest
	var bad []error
	for _, d := range dirs {
		list, err := store{dir: filepath.Join(state, placesDir, d.Name())}.load()
		bad = append(bad, err)
		out = append(out, list...)
	}
	slices.SortFunc(out, func(a, b *Manifest) int {
		return strings.Compare(a.Real+"\x00"+a.Session, b.Real+"\x00"+b.Session)
	})
	return out, errors.Join(bad...)
}

const placesDir = "places"

// store holds the manifests of all sessions in one place.
type store struct {
	system
	dir string
}

func storeOf(sys system, state string, place ...string) store {
	return store{sys, filepath.Join(state, placesDir, hash12(place...))}
}

func (s store) path(m *Manifest) string { return filepath.Join(s.dir, hash12(m.Session)+".json") }

func (s store) load() ([]*Manifest, error) {
	names, err := filepath.Glob(filepath.Join(s.dir, "*.json"))
	if err != nil {
		return nil, err
	}
	var out []*Manifest
	var bad []error
	for _, name := range names {
		m, err := readManifest(name)
		if errors.Is(err, fs.ErrNotExist) {
			continue // removed since
		}
		if err != nil {
			bad = append(bad, fmt.Errorf("manifest %s: %w", name, err))
			continue
		}
		out = append(out, m)
	}
	return out, errors.Join(bad...)
}

func readManifest(name string) (*Manifest, error) {
	info, err := os.Lstat(name)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, errors.New("is not a file")
	}
	data, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	m, err := decodeManifest(data)
	if err != nil {
		return nil, err
	}
	m.Used = info.ModTime()
	return m, nil
}

// decodeManifest refuses whatever this package would not have written: a path
// that leads out of the place would otherwise turn Remove into a weapon.
func decodeManifest(data []byte) (*Manifest, error) {
	var m Manifest
	if err := json.Unmarshal(data, &m); err != nil {
		return nil, err
	}
	if m.Version != manifestVersion {
		return nil, fmt.Errorf("has version %d, this promptc knows %d", m.Version, manifestVersion)
	}
	if err := checkSession(m.Session); err != nil {
		return nil, err
	}
	if !filepath.IsAbs(m.Real) || filepath.Clean(m.Real) != m.Real || filepath.Dir(m.Real) == m.Real {
		return nil, fmt.Errorf("names %q as its place", m.Real)
	}
	if m.Git != "" && !filepath.IsAbs(m.Git) {
		return nil, fmt.Errorf("names %q as a git directory", m.Git)
	}
	if m.Scratch != "" && (!strings.HasPrefix(m.Scratch, scratchPrefix) || !local(m.Scratch) || strings.Contains(m.Scratch, "/")) {
		return nil, fmt.Errorf("names %q as its scratch directory", m.Scratch)
	}
	for i, e := range m.Entries {
		if i > 0 && m.Entries[i-1].Path >= e.Path {
			return nil, fmt.Errorf("has the entry %q out of order", e.Path)
		}
		switch e.Kind {
		case Dir:
			if e.Path == "." || local(e.Path) {
				continue
			}
		case Symlink, Junction, Copy:
			if local(e.Path) {
				continue
			}
		default:
			return nil, fmt.Errorf("has an entry of the kind %q", e.Kind)
		}
		return nil, fmt.Errorf("has an entry at %q", e.Path)
	}
	return &m, nil
}

// local says whether name is a clean, slash-separated path below its directory.
func local(name string) bool {
	return name != "." && path.Clean(name) == name && !strings.Contains(name, `\`) && filepath.IsLocal(filepath.FromSlash(name))
}

// save replaces the manifest in one step and returns once it is durable.
func (s store) save(m *Manifest) error {
	data, err := json.MarshalIndent(m, "", "  ")
	if err != nil {
		return err
	}
	if err := s.write(s.path(m), append(data, '\n')); err != nil {
		return fmt.Errorf("manifest of %s: %w", m.Place.Dir, err)
	}
	return nil
}

func (s store) write(name string, data []byte) error {
	temp := name + ".tmp"
	if err := s.ask("create", temp); err != nil {
		return err
	}
	f, err := os.OpenFile(temp, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	defer f.Close()
	if err := s.ask("write", temp); err != nil {
		return err
	}
	if _, err := f.Write(data); err != nil {
		return err
	}
	if err := errors.Join(f.Sync(), f.Close()); err != nil {
		return err
	}
	if err := s.ask("rename", name); err != nil {
		return err
	}
	if err := os.Rename(temp, name); err != nil {
		return err
	}
	return syncDir(s.dir)
}

// drop removes the manifest of a session of which nothing is left.
func (s store) drop(m *Manifest) error {
	if err := s.ask("remove", s.path(m)); err != nil {
		return err
	}
	if err := os.Remove(s.path(m)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// touch notes that the session was used, which is what its age counts from.
func (s store) touch(m *Manifest) error {
	if err := s.ask("touch", s.path(m)); err != nil {
		return err
	}
	return os.Chtimes(s.path(m), time.Time{}, time.Now())
}

// equal says whether both say the same; when they were made does not count.
func (m *Manifest) equal(other *Manifest) bool {
	return m.Agent == other.Agent && m.Place == other.Place && m.Scratch == other.Scratch && m.Git == other.Git &&
		slices.EqualFunc(m.Entries, other.Entries, func(a, b Entry) bool {
			return a.Path == b.Path && a.Kind == b.Kind && a.Skill == b.Skill && a.Target == b.Target && a.Instead == b.Instead &&
				slices.Equal(a.Links, b.Links) && slices.Equal(a.Hashes, b.Hashes)
		})
}

// at returns a copy of the entry at a path, or nil.
func (m *Manifest) at(name string) *Entry {
	if i, ok := m.search(name); ok {
		e := m.Entries[i]
		return &e
	}
	return nil
}

func (m *Manifest) search(name string) (int, bool) {
	return slices.BinarySearchFunc(m.Entries, name, func(e Entry, p string) int { return strings.Compare(e.Path, p) })
}

// put adds e, or replaces the entry at its path, and keeps the order.
func (m *Manifest) put(e Entry) {
	i, found := m.search(e.Path)
	if found {
		m.Entries[i] = e
		return
	}
	m.Entries = slices.Insert(m.Entries, i, e)
}

func (m *Manifest) delete(name string) {
	m.Entries = slices.DeleteFunc(m.Entries, func(e Entry) bool { return e.Path == name })
}
