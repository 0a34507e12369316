package skill

import (
	"os"
	"strings"
	"testing"
	"time"
)

// settle makes the files below dir old enough for their stamps to tell.
func settle(t *testing.T, paths ...string) {
	t.Helper()
	old := time.Now().Add(-time.Hour)
	for _, p := range paths {
		must(t, os.Chtimes(p, old, old))
	}
}

func TestRefreshSharesWhatIsUnchanged(t *testing.T) {
	dir := tree(t, map[string]string{"r/a/SKILL.md": say("a"), "r/b/SKILL.md": say("b"), "r/c/SKILL.md": say("c"), "r/d/SKILL.md": say("d")})
	at := func(name string) string { return dir + "/r/" + name + "/SKILL.md" }
	settle(t, at("a"), at("b"), at("c"), at("d"))
	c := look(t, trusted(dir+"/r"))
	next, changes, err := c.Refresh(t.Context())
	must(t, err)
	if len(changes) != 0 {
		t.Fatal(changes)
	}
	for i := range c.Found {
		if next.Found[i] != c.Found[i] {
			t.Errorf("%s was read again", c.Found[i].Name)
		}
	}
	must(t, os.WriteFile(at("a"), []byte(say("renamed")), 0o644))
	must(t, os.RemoveAll(dir+"/r/b"))
	must(t, os.MkdirAll(dir+"/r/e", 0o755))
	must(t, os.WriteFile(at("e"), []byte(say("e")), 0o644))
	now := time.Now()
	must(t, os.Chtimes(at("c"), now, now))
	after, changes, err := next.Refresh(t.Context())
	must(t, err)
	want := []Change{{Edited, "renamed", at("a")}, {Removed, "b", at("b")}, {Added, "e", at("e")}}
	if len(changes) != len(want) {
		t.Fatalf("%v: touching is no change", changes)
	}
	for i := range want {
		if changes[i] != want[i] {
			t.Errorf("%v, want %v", changes[i], want[i])
		}
	}
	equal(t, found(after), []string{"renamed loaded", "c loaded", "d loaded", "e loaded"})
	equal(t, found(c), []string{"a loaded", "b loaded", "c loaded", "d loaded"})
	if after.Found[2] != c.Found[3] {
		t.Error("d was read again")
	}
}

func TestRefreshGivesAShadowedSkillItsPlace(t *testing.T) {
	dir := tree(t, map[string]string{"r/a/SKILL.md": say("x"), "r/b/SKILL.md": say("x")})
	settle(t, dir+"/r/a/SKILL.md", dir+"/r/b/SKILL.md")
	c := look(t, trusted(dir+"/r"))
	must(t, os.RemoveAll(dir+"/r/a"))
	next, changes, err := c.Refresh(t.Context())
	must(t, err)
	if len(changes) != 1 || changes[0].Kind != Removed {
		t.Error(changes)
	}
	if c.Found[1].Status != Shadowed || next.Found[0].Status != Loaded || next.Found[0].Winner != "" {
		t.Errorf("before %s, after %+v", c.Found[1].Status, next.Found[0])
	}
}

func TestRefreshSeesAnEditOfTheSameSizeAtOnce(t *testing.T) {
	dir := tree(t, map[string]string{"r/a/SKILL.md": say("a")})
	path := dir + "/r/a/SKILL.md"
	c := look(t, trusted(dir+"/r"))
	info, err := os.Stat(path)
	must(t, err)
	must(t, os.WriteFile(path, []byte(strings.Replace(say("a"), "Body", "Text", 1)), 0o644))
	must(t, os.Chtimes(path, info.ModTime(), info.ModTime()))
	if _, changes, err := c.Refresh(t.Context()); err != nil || len(changes) != 1 || changes[0].Kind != Edited {
		t.Errorf("%v %v", changes, err)
	}
}

func TestRefreshComparesWhatWasReadByHash(t *testing.T) {
	long := say("a") + strings.Repeat("words\n", 4000)
	dir := tree(t, map[string]string{"r/a/SKILL.md": long})
	path := dir + "/r/a/SKILL.md"
	settle(t, path)
	c := look(t, trusted(dir+"/r"))
	touch := func() []Change {
		now := time.Now().Add(-time.Minute)
		must(t, os.Chtimes(path, now, now))
		_, changes, err := c.Refresh(t.Context())
		must(t, err)
		return changes
	}
	if changes := touch(); len(changes) != 1 {
		t.Error("nobody knows that the end is as it was:", changes)
	}
	if _, err := c.Found[0].Read(t.Context()); err != nil {
		t.Fatal(err)
	}
	if changes := touch(); len(changes) != 0 {
		t.Error("the whole file is as it was read:", changes)
	}
	must(t, os.WriteFile(path, []byte(long[:len(long)-2]+"!\n"), 0o644))
	if changes := touch(); len(changes) != 1 {
		t.Error("the end changed:", changes)
	}
}

func TestRefreshFindsRootsThatAppear(t *testing.T) {
	dir := tree(t, nil)
	c := look(t, trusted(dir+"/r"))
	if c.Roots[0].State != RootMissing {
		t.Fatal(c.Roots[0].State)
	}
	must(t, os.MkdirAll(dir+"/r/a", 0o755))
	must(t, os.WriteFile(dir+"/r/a/SKILL.md", []byte(say("a")), 0o644))
	next, changes, err := c.Refresh(t.Context())
	if err != nil || len(changes) != 1 || next.Roots[0].State != RootOK || len(next.Diagnostics) != 0 {
		t.Errorf("%v %+v %v", changes, next.Roots, err)
	}
}
