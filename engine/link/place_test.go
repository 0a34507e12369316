package link

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/promptc/promptc/engine"
	"github.com/promptc/promptc/engine/diag"
)

func TestA10StateDir(t *testing.T) {
	abs := func(name string) string { return filepath.Join(t.TempDir(), name) }
	xdg, local, home := abs("xdg"), abs("local"), abs("home")
	for _, c := range []struct {
		goos string
		env  map[string]string
		home string
		want string
	}{
		{"linux", map[string]string{"XDG_STATE_HOME": xdg}, home, filepath.Join(xdg, "promptc")},
		{"linux", map[string]string{"XDG_STATE_HOME": "relative"}, home, filepath.Join(home, ".local", "state", "promptc")},
		{"linux", map[string]string{"LOCALAPPDATA": local}, home, filepath.Join(home, ".local", "state", "promptc")},
		{"darwin", nil, home, filepath.Join(home, ".local", "state", "promptc")},
		{"windows", map[string]string{"LOCALAPPDATA": local}, home, filepath.Join(local, "promptc")},
		{"windows", map[string]string{"LOCALAPPDATA": local, "XDG_STATE_HOME": xdg}, home, filepath.Join(xdg, "promptc")},
		{"linux", nil, "", ""},
	} {
		got, err := StateDir(c.goos, func(k string) (string, bool) { v, ok := c.env[k]; return v, ok }, c.home)
		if got != c.want || (err != nil) != (c.want == "") {
			t.Errorf("StateDir(%s, %v, %q) = %q, %v, want %q", c.goos, c.env, c.home, got, err, c.want)
		}
	}
}

func TestA10SessionIDs(t *testing.T) {
	for _, id := range []string{"demo", "Demo-1.2", "gemini-cli-0123456789ab", "über 1", DefaultSession("gemini-cli", "/ws", ""), DefaultSession("../x", "", "")} {
		dir, err := ViewDir("/state", id)
		if err != nil || dir != filepath.Join("/state", "views", id) {
			t.Errorf("ViewDir of %q: %q, %v", id, dir, err)
		}
	}
	for _, id := range []string{"", ".", "..", "../x", "a/b", `a\b`, "a..b", ".hidden", "a\x00b", "a\nb", "a\u0085b", "c:x", " a", "a ", "a.", "\xff", strings.Repeat("a", 101)} {
		_, err := ViewDir("/state", id)
		if d := diag.Of(err); len(d) != 1 || d[0].Code != diag.SpecValue {
			t.Errorf("ViewDir of %q: %v", id, err)
		}
	}
}

func TestA10DefaultSessionIsDerived(t *testing.T) {
	one := DefaultSession("gemini-cli", "/ws", "/ws/promptc.yaml")
	if one != DefaultSession("gemini-cli", "/ws", "/ws/promptc.yaml") || !strings.HasPrefix(one, "gemini-cli-") {
		t.Errorf("got %q", one)
	}
	for _, other := range []string{DefaultSession("codex", "/ws", "/ws/promptc.yaml"), DefaultSession("gemini-cli", "/ws2", "/ws/promptc.yaml"), DefaultSession("gemini-cli", "/ws", ""), DefaultSession("gemini-cli", "/ws/ws", "/promptc.yaml")} {
		if other == one {
			t.Errorf("two sessions have the id %q", one)
		}
	}
}

// TestA25Orphans: a view that was not used for long, and any place that is gone.
func TestA25Orphans(t *testing.T) {
	w := newWorld(t)
	w.skill("a")
	set := w.set("a")
	w.apply(set)
	dir, err := ViewDir(w.state, "demo")
	if err != nil {
		t.Fatal(err)
	}
	set.Place = engine.Place{Dir: dir, View: true}
	w.apply(set)
	gone := w.set("a")
	gone.Place.Dir = w.mkdir("gone")
	w.apply(gone)
	if err := os.RemoveAll(gone.Place.Dir); err != nil {
		t.Fatal(err)
	}
	orphans := func(now time.Time) string {
		list, err := Manifests(w.state)
		if err != nil {
			t.Fatal(err)
		}
		var out []string
		for _, m := range list {
			if m.Orphan(now, time.Hour) {
				out = append(out, filepath.Base(m.Place.Dir))
			}
		}
		return strings.Join(out, " ")
	}
	if got := orphans(time.Now()); got != "gone" {
		t.Errorf("now %q are orphans", got)
	}
	later := time.Now().Add(2 * time.Hour)
	if got := orphans(later); got != "gone demo" {
		t.Errorf("later %q are orphans", got)
	}
	// Using a session keeps its view, though nothing changes.
	list, _ := Manifests(w.state)
	for _, m := range list {
		old := time.Now().Add(-2 * time.Hour)
		if err := os.Chtimes(storeOf(system{}, w.state, m.Real).path(m), old, old); err != nil {
			t.Fatal(err)
		}
	}
	if got := orphans(time.Now()); got != "gone demo" {
		t.Errorf("unused for two hours, %q are orphans", got)
	}
	wantOutcomes(t, w.apply(set), "a=kept")
	if got := orphans(time.Now()); got != "gone" {
		t.Errorf("after its use %q are orphans", got)
	}
	wantOutcomes(t, w.removeAll(), "a=removed a=removed a=removed")
	if list, err := Manifests(w.state); len(list) != 0 || err != nil {
		t.Errorf("left: %v, %v", list, err)
	}
}

// TestA25DamagedManifest spoils no other one, and nothing is done by it.
func TestA25DamagedManifest(t *testing.T) {
	w := newWorld(t)
	w.skill("a")
	w.apply(w.set("a"))
	bad := filepath.Join(w.state, placesDir, "0123456789ab", "x.json")
	if err := os.MkdirAll(filepath.Dir(bad), 0o755); err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{
		"", "{", "{}", `{"version":2}`,
		`{"version":1,"session":"s","real":"relative"}`,
		`{"version":1,"session":"s","real":"/"}`,
		`{"version":1,"session":"../s","real":"/x"}`,
		`{"version":1,"session":"s","real":"/x","scratch":"../.promptc-1"}`,
		`{"version":1,"session":"s","real":"/x","scratch":"src"}`,
		`{"version":1,"session":"s","real":"/x","git":".git"}`,
		`{"version":1,"session":"s","real":"/x","entries":[{"path":"../y","kind":"link"}]}`,
		`{"version":1,"session":"s","real":"/x","entries":[{"path":".","kind":"copy"}]}`,
		`{"version":1,"session":"s","real":"/x","entries":[{"path":"/y","kind":"dir"}]}`,
		`{"version":1,"session":"s","real":"/x","entries":[{"path":"y","kind":"tree"}]}`,
		`{"version":1,"session":"s","real":"/x","entries":[{"path":"y","kind":"dir"},{"path":"x","kind":"dir"}]}`,
	} {
		if err := os.WriteFile(bad, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		list, err := Manifests(w.state)
		if len(list) != 1 || err == nil || !strings.Contains(err.Error(), bad) {
			t.Errorf("%s: got %d, %v", text, len(list), err)
		}
	}
	before := snapshot(t, w.place)
	own := storeOf(system{}, w.state, w.place).path(&Manifest{Session: "demo"})
	if err := os.WriteFile(own, []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Apply(t.Context(), w.set("a")); err == nil || !strings.Contains(err.Error(), own) {
		t.Errorf("got %v", err)
	}
	same(t, "the workspace", before, snapshot(t, w.place))
}

func FuzzDecodeManifest(f *testing.F) {
	f.Add([]byte(`{"version":1,"agent":"a","session":"demo","place":{"dir":"/ws","view":false},"real":"/ws","made":"2026-01-02T03:04:05Z","entries":[{"path":".agents","kind":"dir"},{"path":".agents/a","kind":"link","links":["/hub/a"]}]}`))
	f.Add([]byte(`{"version":1,"session":"s","real":"/x","entries":[{"path":"a/../../y","kind":"copy"}]}`))
	f.Add([]byte("null"))
	f.Fuzz(func(t *testing.T, data []byte) {
		m, err := decodeManifest(data)
		if err != nil {
			return
		}
		if checkSession(m.Session) != nil || !filepath.IsAbs(m.Real) {
			t.Fatalf("taken: %+v", m)
		}
		for _, e := range m.Entries {
			if !filepath.IsLocal(filepath.FromSlash(e.Path)) {
				t.Fatalf("an entry at %q", e.Path)
			}
		}
	})
}

// TestOfNamesSkills by their directories.
func TestOfNamesSkills(t *testing.T) {
	hub := filepath.Join(t.TempDir(), "hub")
	p := &engine.Prompt{Agent: "codex", Place: engine.Place{Dir: "/ws"}, Skills: []engine.Used{{Name: "Power Point", Path: filepath.Join(hub, "pptx", "SKILL.md")}},
		Links: []engine.Link{{Path: "s/Power-Point-1", Target: filepath.Join(hub, "pptx")}, {Path: "s/other", Target: filepath.Join(hub, "other")}}}
	set := Of(p)
	if set.Agent != "codex" || set.Place != p.Place || len(set.Wants) != 2 || set.Wants[0].Skill != "Power Point" || set.Wants[1].Skill != "other" || set.Wants[0].Link != p.Links[0] {
		t.Errorf("got %+v", set)
	}
}
