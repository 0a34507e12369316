package skill

import (
	"errors"
	"strings"
	"testing"

	"github.com/promptc/promptc/engine/diag"
)

func TestJ21LinkedDirectories(t *testing.T) {
	dir := tree(t, map[string]string{
		"hub/gull/SKILL.md": say("gull"), "hub/gull/ref.md": "ref", "r/gull": "-> {T}/hub/gull", "r/tern": "-> ../hub/gull",
		"r/ok/SKILL.md": say("ok"), "r/trap": "-> /", "r/self": "-> {T}/r", "r/up": "-> ..", "r/dead": "-> {T}/gone",
		"r/ring1": "-> {T}/r/ring2", "r/ring2": "-> {T}/r/ring1", "r/file": "-> {T}/hub/gull/ref.md",
		"r/group": "-> {T}/hub",
	})
	c := look(t, Root{Dir: dir + "/r", Trusted: true, Depth: 6})
	equal(t, found(c), []string{"gull loaded", "ok loaded", "gull shadowed"})
	f := c.Found[0]
	if !f.Form.LinkedDir || f.Form.LinkedFile || f.Form.Target != dir+"/hub/gull" || f.Dir != dir+"/r/gull" {
		t.Errorf("%+v", f.Form)
	}
	if f := c.Found[2]; f.Winner != dir+"/r/gull/SKILL.md" || !strings.Contains(f.Reason, "same directory") {
		t.Errorf("visited once: %+v", f)
	}
	var got []string
	for _, d := range c.Diagnostics {
		got = append(got, string(d.Code)+" "+strings.TrimPrefix(d.File, dir+"/r/"))
	}
	equal(t, got, []string{"link-dangling dead", "link-loop ring1", "link-loop ring2", "link-loop self", "link-loop trap", "link-loop up", "skill-shadowed tern/SKILL.md"})
	files, _, err := f.Files(t.Context(), 0)
	if err != nil || len(files) != 1 || files[0].Path != "ref.md" {
		t.Errorf("%v %v", files, err)
	}
}

func TestA23ALoopInsideOfASkillIsNamed(t *testing.T) {
	dir := tree(t, map[string]string{"r/foo/SKILL.md": say("foo"), "r/foo/foo": "-> {T}/r/foo"})
	c := look(t, Root{Dir: dir + "/r", Trusted: true, Depth: 6})
	equal(t, found(c), []string{"foo loaded"})
	_, problems := c.Search(t.Context())
	if d := having(t, problems, diag.LinkLoop); d.File != dir+"/r/foo/foo" {
		t.Error(d)
	}
	if files, _, err := c.Found[0].Files(t.Context(), 0); err != nil || len(files) != 0 {
		t.Errorf("%v %v", files, err)
	}
}

func TestJ21LinkedFiles(t *testing.T) {
	dir := tree(t, map[string]string{
		"secret.txt": "TOKEN=abc\n", "allowed/S.md": say("allowed"), "other/x/SKILL.md": say("x"),
		"r/leak/SKILL.md": "-> {T}/secret.txt", "r/ok/SKILL.md": "-> {T}/allowed/S.md", "r/near/SKILL.md": "-> {T}/other/x/SKILL.md",
		"r/in/SKILL.md": "-> docs/real.md", "r/in/docs/real.md": say("in"), "r/gone/SKILL.md": "-> {T}/nowhere",
		"r/second/SKILL.md": "-> {T}/nowhere", "r/second/skill.md": say("second"), "r/dir/SKILL.md": "-> {T}/other",
	})
	root := trusted(dir + "/r")
	root.Targets = []string{dir + "/allowed"}
	c := look(t, root, trusted(dir+"/other"))
	equal(t, found(c), []string{"gone broken", "in loaded", "leak broken", "x loaded", "allowed loaded", "second loaded", "x shadowed"})
	leak := named(t, c, "leak")
	if leak.Description != noDescription || !leak.Form.LinkedFile || !strings.Contains(leak.Reason, "outside") || having(t, leak.Problems, diag.LinkOutside).Severity != diag.Warning {
		t.Errorf("%+v", leak)
	}
	if _, err := leak.Read(t.Context()); !errors.Is(err, ErrOutside) {
		t.Errorf("reading it: %v", err)
	}
	ok := named(t, c, "allowed")
	if having(t, ok.Problems, diag.LinkOutside).Severity != diag.Info || ok.Form.Target != dir+"/allowed" {
		t.Errorf("%+v", ok)
	}
	if content, err := ok.Read(t.Context()); err != nil || !strings.Contains(content.Body, "Body of allowed") || !content.Form.LinkedFile {
		t.Errorf("%v %v", content, err)
	}
	if in := named(t, c, "in"); len(in.Problems) != 0 || !in.Form.LinkedFile {
		t.Errorf("%+v", in)
	}
}

func TestJ7ADiskThatMayIgnoreCaseIsAskedForItsEntries(t *testing.T) {
	dir := tree(t, map[string]string{"r/a/SKILL.md": say("a"), "r/a/skill.MD": say("other")})
	buf := make([]byte, headBytes)
	if _, _, err := headOf(dir+"/r/a/SKILL.md", buf); !errors.Is(err, errNotExact) {
		t.Errorf("%v: the other spelling is there too", err)
	}
	equal(t, found(look(t, trusted(dir+"/r"))), []string{"a loaded"})
}
