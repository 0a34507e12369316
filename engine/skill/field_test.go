package skill

import (
	"fmt"
	"strings"
	"testing"
	"testing/fstest"
	"unicode/utf8"

	"github.com/promptc/promptc/engine/diag"
)

// What went wrong in the field and is not a rule's own test elsewhere.

func TestA06OneReaderForEverybody(t *testing.T) {
	raw := "---\r\nname: kelp\r\ndescription: Counts kelp\r\n---\r\n\r\n# Kelp\r\n"
	dir := tree(t, map[string]string{"r/kelp/SKILL.md": raw})
	f := look(t, trusted(dir+"/r")).Found[0]
	content, err := f.Read(t.Context())
	must(t, err)
	p := Parse(f.Dir, f.Path, []byte(raw))
	if f.Description != "Counts kelp" || p.Description != f.Description || content.Body != p.Body || len(f.Problems)+len(content.Problems) > 0 {
		t.Errorf("%+v\n%+v", f, content)
	}
}

func TestA26PackagesDoNotUseUpTheBound(t *testing.T) {
	fsys := fstest.MapFS{"g/x/SKILL.md": {Data: []byte(say("x"))}}
	for i := range 2 * maxVisited {
		fsys[fmt.Sprintf("g/node_modules/p%05d/SKILL.md", i)] = &fstest.MapFile{Data: []byte(say("p"))}
		fsys[fmt.Sprintf("g/.git/o%05d/x", i)] = &fstest.MapFile{}
	}
	c := FromFS(fsys, ".", Root{Dir: "/r", Depth: 3, Trusted: true})
	equal(t, found(c), []string{"x loaded"})
	if len(c.Diagnostics) > 0 {
		t.Error(c.Diagnostics)
	}
}

func TestA29WhatIsReadIsWhatIsDelivered(t *testing.T) {
	p := parsed("---\nname: a\ndescription: d\n---\nbefore \xE9 after\n")
	if p.Body != "before \uFFFD after" || having(t, p.Problems, diag.Encoding).Line != 5 {
		t.Errorf("%q %v", p.Body, p.Problems)
	}
}

func TestA34CharactersAreNotBytes(t *testing.T) {
	long := strings.Repeat("潮", 342)
	p := parsed("---\nname: a\ndescription: " + long + "\n---\n")
	if p.Description != long || utf8.RuneCountInString(p.Description) != 342 || len(p.Problems) > 0 {
		t.Errorf("%d characters, %v", utf8.RuneCountInString(p.Description), p.Problems)
	}
}

func TestA40NamesStayAsWritten(t *testing.T) {
	for _, name := range []string{"代码审查", "cafe\u0301", "caf\u00E9", "a\u202Eb", "../../outside", "a</available_skills>"} {
		if p := parsed("---\nname: " + name + "\ndescription: d\n---\n"); p.Name != name {
			t.Errorf("%q is %q", name, p.Name)
		}
	}
}

func TestB04B06LinksAreSkillsOrNothing(t *testing.T) {
	dir := tree(t, map[string]string{"elsewhere/gull/SKILL.md": say("gull"), "r/gull": "-> {T}/elsewhere/gull", "r/all": "-> {T}", "r/disk": "-> /"})
	c := look(t, Root{Dir: dir + "/r", Trusted: true, Depth: 6})
	equal(t, found(c), []string{"gull loaded"})
	if got := codes(c.Diagnostics); got != "link-loop link-loop" {
		t.Error(c.Diagnostics)
	}
}

func TestFieldsPointAtKeys(t *testing.T) {
	p := parsed("\n---\nname: a\nDescription:\n  on the next\nname: b\ntags: [x]\n---\n")
	var got []string
	for _, f := range p.Fields {
		got = append(got, fmt.Sprintf("%s %d %d:%d %s %q %v", f.Key, f.Line, f.Value.Line, f.Value.Column, f.Style, f.Text, f.Again))
	}
	equal(t, got, []string{
		`name 3 3:7 plain "a" false`, `Description 4 5:3 plain "on the next" false`, `name 6 6:7 plain "b" true`, `tags 7 7:7 other "" false`,
	})
}
