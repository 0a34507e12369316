package skill

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/promptc/promptc/engine/diag"
)

func equal(t *testing.T, got, want []string) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}

func TestJ1RootsInOrderAndInsideByPath(t *testing.T) {
	dir := tree(t, map[string]string{
		"one/zeta/SKILL.md": say("zeta"), "one/Beta/SKILL.md": say("Beta"), "one/alpha/SKILL.md": say("alpha"),
		"two/a/SKILL.md": say("two-a"), "two/loose.md": "no skill",
	})
	c := look(t, trusted(dir+"/two"), trusted(dir+"/one"))
	equal(t, found(c), []string{"two-a loaded", "Beta loaded", "alpha loaded", "zeta loaded"})
	if f := c.Found[1]; f.Dir != dir+"/one/Beta" || f.Path != dir+"/one/Beta/SKILL.md" || f.Root != 1 || f.Scope != User || f.Body != "" {
		t.Errorf("%+v", f.Skill)
	}
	if c.Roots[0].Skills != 1 || c.Roots[1].Skills != 3 || c.Roots[1].State != RootOK {
		t.Errorf("%+v", c.Roots)
	}
}

func TestJ2OneDirectoryByTwoNames(t *testing.T) {
	dir := tree(t, map[string]string{"r/a/SKILL.md": say("a"), "l": "-> {T}/r"})
	second := trusted(dir + "/l")
	first := trusted(dir + "/r")
	first.Scope, first.Trusted = Project, false
	c := look(t, first, second, trusted(dir+"/r/../r/"))
	equal(t, found(c), []string{"a loaded"})
	if c.Roots[1].State != RootSame || c.Roots[2].State != RootSame || c.Found[0].Scope != Project {
		t.Errorf("%+v", c.Roots)
	}
	if !c.Roots[0].Trusted {
		t.Error("the user's own root makes the directory trusted")
	}
	if got := codes(c.Diagnostics); got != "root-duplicate root-duplicate" {
		t.Error(got)
	}
}

func TestJ3StatesOfRoots(t *testing.T) {
	dir := tree(t, map[string]string{"file": "x", "empty/": "", "dead": "-> {T}/nowhere", "s/SKILL.md": say("s")})
	home := tree(t, nil)
	t.Setenv("HOME", home)
	t.Setenv("USERPROFILE", home)
	optional := trusted(dir + "/optional")
	optional.Source = "default"
	c := look(t, trusted(dir+"/missing"), trusted(dir+"/file"), trusted(dir+"/empty"), trusted(dir+"/dead"), trusted(""), optional,
		trusted(filepath.VolumeName(dir)+string(filepath.Separator)), trusted(home), trusted(dir+"/s/SKILL.md"))
	var states []string
	for _, r := range c.Roots {
		states = append(states, string(r.State))
	}
	equal(t, states, []string{"missing", "not-a-directory", "empty", "missing", "missing", "missing", "refused", "refused", "not-a-directory"})
	var got []string
	for _, d := range c.Diagnostics {
		got = append(got, string(d.Code)+" "+d.Severity.String())
	}
	equal(t, got, []string{"root-missing warning", "root-unreadable warning", "root-missing warning", "root-blank warning", "root-missing info",
		"root-refused warning", "root-refused warning", "root-unreadable warning"})
	if d := c.Diagnostics[7]; !strings.Contains(d.Hint, dir+"/s") {
		t.Error("naming the file itself has a cure:", d.Hint)
	}
}

func TestJ5ARootThatIsASkill(t *testing.T) {
	dir := tree(t, map[string]string{"r/SKILL.md": say("self"), "r/child/SKILL.md": say("child")})
	c := look(t, Root{Dir: dir + "/r", Trusted: true, Depth: 6})
	equal(t, found(c), []string{"self loaded"})
	if f := c.Found[0]; f.Form.Depth != 0 || f.Dir != dir+"/r" {
		t.Errorf("%+v", f.Form)
	}
	missed, problems := c.Search(t.Context())
	if len(missed) != 1 || missed[0].Status != Missed || !missed[0].Form.InSkill || codes(problems) != "nested" {
		t.Errorf("%v %v", missed, problems)
	}
}

func TestJ6Depth(t *testing.T) {
	dir := tree(t, map[string]string{
		"r/flat/SKILL.md": say("flat"), "r/group/n1/SKILL.md": say("n1"), "r/group/n2/SKILL.md": say("n2"),
		"r/flat/examples/SKILL.md": say("example"), "r/g/g/g/deep/SKILL.md": say("deep"),
		"r/.hidden/SKILL.md": say("hidden"), "r/node_modules/p/SKILL.md": say("module"), "r/group/.git/x/SKILL.md": say("git"),
	})
	for depth, want := range map[int][]string{
		0: {"flat loaded"}, 1: {"flat loaded"}, 2: {"flat loaded", "n1 loaded", "n2 loaded"},
		4: {"flat loaded", "deep loaded", "n1 loaded", "n2 loaded"}, 99: {"flat loaded", "deep loaded", "n1 loaded", "n2 loaded"},
	} {
		c := look(t, Root{Dir: dir + "/r", Trusted: true, Depth: depth})
		equal(t, found(c), want)
		if depth == 4 && named(t, c, "deep").Form.Depth != 4 {
			t.Error("depth", named(t, c, "deep").Form.Depth)
		}
		if len(c.Diagnostics) > 0 {
			t.Errorf("discovery is quiet: %v", c.Diagnostics)
		}
	}
	c := look(t, Root{Dir: dir + "/r", Trusted: true, Hidden: true})
	equal(t, found(c), []string{"hidden loaded", "flat loaded"})
	if !named(t, c, "hidden").Form.Hidden || named(t, c, "flat").Form.Hidden {
		t.Error("hidden is not told")
	}
}

func TestJ6TheBoundSpeaks(t *testing.T) {
	fsys := fstest.MapFS{}
	for i := range maxVisited + 2 {
		fsys[fmt.Sprintf("g/d%05d/note.txt", i)] = &fstest.MapFile{}
	}
	fsys["g/zz/SKILL.md"] = &fstest.MapFile{Data: []byte(say("late"))}
	for i := range 50 {
		fsys[fmt.Sprintf("first%02d/SKILL.md", i)] = &fstest.MapFile{Data: []byte(say(fmt.Sprintf("first%02d", i)))}
	}
	c := FromFS(fsys, ".", Root{Dir: "/r", Depth: 2, Trusted: true})
	if len(c.Found) != 50 {
		t.Errorf("%d found", len(c.Found))
	}
	d := having(t, c.Diagnostics, diag.ScanBound)
	if d.File != "/r/g/d02000" || !strings.Contains(d.Message, "2000 directories") {
		t.Error(d)
	}
	missed, _ := c.Search(t.Context())
	if len(missed) != 1 || missed[0].Name != "late" || !strings.Contains(missed[0].Reason, "ended before") {
		t.Errorf("%v", missed)
	}
}

func TestJ7NamesAreComparedNotOpened(t *testing.T) {
	dir := tree(t, map[string]string{
		"r/upper/SKILL.md": say("upper"), "r/upper/skill.md": say("not-this"), "r/lower/skill.md": say("lower"),
		"r/mixed/Skill.md": say("mixed"), "r/folder/SKILL.md/x": "", "r/folder/skill.md": say("folder"),
		"r/near/SKILLS.md": say("near"), "r/text/skill.txt": "x",
	})
	c := look(t, trusted(dir+"/r"))
	equal(t, found(c), []string{"folder loaded", "lower loaded", "upper loaded"})
	f := named(t, c, "lower")
	if d := having(t, f.Problems, diag.FileNameCase); d.Severity != diag.Info || f.Form.FileName != "skill.md" || f.Path != dir+"/r/lower/skill.md" {
		t.Error(d, f.Path)
	}
	d := having(t, c.Diagnostics, diag.WrongFileName)
	if d.File != dir+"/r/mixed/Skill.md" || !strings.Contains(d.Message, "found Skill.md, expected SKILL.md") {
		t.Error(d)
	}
	missed, problems := c.Search(t.Context())
	if len(missed) != 2 || missed[0].Name != "mixed" || missed[1].Name != "not-this" {
		t.Errorf("%v", missed)
	}
	if got := codes(problems); got != "wrong-file-name wrong-file-name wrong-file-name" {
		t.Error(problems)
	}
}

func TestP1SearchNamesWhatIsNotEntered(t *testing.T) {
	dir := tree(t, map[string]string{
		"r/a/SKILL.md": say("a"), "r/a/sub/SKILL.md": say("sub"), "r/group/deep/SKILL.md": say("deep"),
		"r/.hidden/x/SKILL.md": say("h"), "r/node_modules/p/SKILL.md": say("m"), "elsewhere/x/SKILL.md": say("x"),
		"r/link": "-> {T}/elsewhere", "r/text-link": "../elsewhere/x\n",
	})
	c := look(t, trusted(dir+"/r"))
	missed, problems := c.Search(t.Context())
	var got []string
	for _, d := range problems {
		got = append(got, string(d.Code)+" "+strings.TrimPrefix(d.File, dir+"/r/"))
	}
	equal(t, got, []string{"not-a-link text-link", "skipped-directory .hidden", "skipped-directory link", "skipped-directory node_modules", "nested a/sub/SKILL.md", "too-deep group/deep/SKILL.md"})
	if len(missed) != 2 || missed[0].Name != "sub" || missed[1].Name != "deep" || missed[1].Form.Depth != 2 {
		t.Errorf("%v", missed)
	}
	if d := having(t, problems, diag.TooDeep); !strings.Contains(d.Message, "depth 2") || !strings.Contains(d.Message, "limit is 1") {
		t.Error(d)
	}
	if len(c.Found) != 1 {
		t.Error("the search changes nothing")
	}
}

func TestJ12OneBadSkillCostsNoOther(t *testing.T) {
	fsys := failing{fstest.MapFS{
		"good/SKILL.md":   {Data: []byte(say("good"))},
		"bad/SKILL.md":    {Data: []byte("---\nname: bad\ndescription: [open\n---\n")},
		"locked/SKILL.md": {Data: []byte(say("locked"))},
		"dir/x":           {},
		"404/SKILL.md":    {Data: []byte("---\nname: 404\ndescription: gone\n---\n")},
		"big/SKILL.md":    {Data: []byte(say("big") + strings.Repeat("x", maxFile))},
	}, []string{"locked/SKILL.md", "dir"}}
	c := FromFS(fsys, ".", Root{Dir: "/r", Trusted: true})
	equal(t, found(c), []string{"404 loaded", "bad loaded", "big broken", "good loaded", "locked broken"})
	f := named(t, c, "locked")
	if !strings.Contains(f.Reason, "permission denied") || having(t, f.Problems, diag.SkillBroken).File != "/r/locked/SKILL.md" {
		t.Errorf("%q %v", f.Reason, f.Problems)
	}
	if d := having(t, c.Diagnostics, diag.SkippedDirectory); d.File != "/r/dir" || d.Severity != diag.Warning {
		t.Error(d)
	}
	if named(t, c, "bad").Description != "[open" {
		t.Errorf("%q", named(t, c, "bad").Description)
	}
}

// failing is a file system in which some names may not be opened.
type failing struct {
	fstest.MapFS
	locked []string
}

func (f failing) Open(name string) (fs.File, error) {
	if slices.Contains(f.locked, name) {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrPermission}
	}
	return f.MapFS.Open(name)
}

func (f failing) ReadDir(name string) ([]fs.DirEntry, error) {
	if slices.Contains(f.locked, name) {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrPermission}
	}
	return f.MapFS.ReadDir(name)
}

func (f failing) Sub(dir string) (fs.FS, error) {
	if dir == "." {
		return f, nil
	}
	return fs.Sub(f.MapFS, dir)
}

func TestJ18TheFirstNameWins(t *testing.T) {
	dir := tree(t, map[string]string{
		"one/a/SKILL.md": say("SQL-Review"), "one/b/SKILL.md": say("sql-review"),
		"two/a/SKILL.md": say("SQL-Review"), "two/c/SKILL.md": say("sql_review"),
	})
	c := look(t, trusted(dir+"/one"), trusted(dir+"/two"))
	equal(t, found(c), []string{"SQL-Review loaded", "sql-review shadowed", "SQL-Review shadowed", "sql_review loaded"})
	for _, i := range []int{1, 2} {
		if f := c.Found[i]; f.Winner != dir+"/one/a/SKILL.md" || f.Reason == "" {
			t.Errorf("%+v", f)
		}
	}
	if c.Diagnostics[0].File != dir+"/one/b/SKILL.md" || !strings.Contains(c.Diagnostics[0].Message, dir+"/one/a/SKILL.md") || strings.Contains(c.Diagnostics[0].Message, "identical") {
		t.Error(c.Diagnostics[0])
	}
	if c.Diagnostics[1].File != dir+"/two/a/SKILL.md" || !strings.Contains(c.Diagnostics[1].Message, "identical") {
		t.Error("c22: equal bytes are told:", c.Diagnostics[1])
	}
}

func TestJ18BrokenAndUntrustedTakeNoPart(t *testing.T) {
	dir := tree(t, map[string]string{
		"project/a/SKILL.md": say("a"), "user/a/SKILL.md": say("a"), "user/b/SKILL.md": say("b") + strings.Repeat("x", maxFile), "user/c/SKILL.md": say("b"),
	})
	project := Root{Dir: dir + "/project", Scope: Project}
	c := look(t, project, trusted(dir+"/user"))
	equal(t, found(c), []string{"a untrusted", "a loaded", "b broken", "b loaded"})
	d := having(t, c.Diagnostics, diag.SkillUntrusted)
	if d.File != dir+"/project" || !strings.Contains(d.Message, ": a") {
		t.Error(d)
	}
	project.Trusted = true
	equal(t, found(look(t, project, trusted(dir+"/user"))), []string{"a loaded", "a shadowed", "b broken", "b loaded"})
}

func TestJ2OverlappingRoots(t *testing.T) {
	dir := tree(t, map[string]string{"r/a/SKILL.md": say("a"), "r/b/SKILL.md": say("b")})
	c := look(t, trusted(dir+"/r"), trusted(dir+"/r/a"))
	equal(t, found(c), []string{"a loaded", "b loaded", "a shadowed"})
	if missed, problems := c.Search(t.Context()); len(missed)+len(problems) > 0 {
		t.Errorf("%v %v", missed, problems)
	}
	c = look(t, Root{Dir: dir + "/r", Scope: Project}, trusted(dir+"/r/a"))
	equal(t, found(c), []string{"a untrusted", "b untrusted", "a loaded"})
}

func TestDiscoverEndsWhenCancelled(t *testing.T) {
	dir := tree(t, map[string]string{"r/a/SKILL.md": say("a")})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Discover(ctx, []Root{trusted(dir + "/r")}); !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
}

func TestDiscoverHoldsNoDescriptors(t *testing.T) {
	dir := generate(t, 300)
	c := look(t, trusted(dir))
	before := descriptors(t)
	for _, f := range c.Found {
		if _, err := f.Read(t.Context()); err != nil {
			t.Fatal(err)
		}
		if _, _, err := f.Files(t.Context(), 0); err != nil {
			t.Fatal(err)
		}
	}
	if after := descriptors(t); after > before {
		t.Errorf("%d descriptors before, %d after", before, after)
	}
}

func descriptors(t *testing.T) int {
	t.Helper()
	list, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		t.Skip("this system does not list its descriptors")
	}
	return len(list)
}

func TestReadingLittle(t *testing.T) {
	long := "---\nname: long\ndescription: d\n---\n" + strings.Repeat("words\n", 100_000)
	late := strings.Repeat("\n", 5000) + "---\nname: late\ndescription: d\n---\n" + strings.Repeat("words\n", 100_000)
	fallback := "# Head\n\nParagraph.\n\n" + strings.Repeat("words\n", 100_000)
	counter := &counting{FS: fstest.MapFS{
		"long/SKILL.md": {Data: []byte(long)}, "late/SKILL.md": {Data: []byte(late)}, "plain/SKILL.md": {Data: []byte(fallback)},
	}}
	c := FromFS(counter, ".", Root{Dir: "/r", Trusted: true})
	equal(t, found(c), []string{"late loaded", "long loaded", "Head loaded"})
	if most := 3*headBytes + 2*moreBytes; counter.read > most {
		t.Errorf("%d bytes were read, more than %d", counter.read, most)
	}
}

// counting counts the bytes that are read.
type counting struct {
	fs.FS
	read int
}

func (c *counting) Open(name string) (fs.File, error) {
	f, err := c.FS.Open(name)
	if err != nil {
		return nil, err
	}
	return countingFile{f, c}, nil
}

func (c *counting) ReadDir(name string) ([]fs.DirEntry, error) { return fs.ReadDir(c.FS, name) }

func (c *counting) Sub(dir string) (fs.FS, error) {
	if dir == "." {
		return c, nil
	}
	return fs.Sub(c.FS, dir)
}

type countingFile struct {
	fs.File
	c *counting
}

func (f countingFile) Read(p []byte) (int, error) {
	n, err := f.File.Read(p)
	f.c.read += n
	return n, err
}
