package engine

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/promptc/promptc/engine/diag"
	"github.com/promptc/promptc/engine/skill"
)

func TestInputSkill(t *testing.T) {
	in := &Input{Skills: []skill.Skill{{Name: "reef", Dir: "/1"}, {Name: "reef ", Dir: "/2"}, {Name: "two\nlines", Dir: "/3"}, {Name: "\u200b同", Dir: "/4"}, {Name: "a <b> & `c", Dir: "/5"}}}
	for name, want := range map[string]string{
		"reef": "/1", "reef ": "/2", // exactly before folded
		"two lines": "/3", "two\nlines": "/3", "同": "/4",
		"a &lt;b> & \\`c": "/5", "a &lt;b&gt; &amp; `c": "/5", "a <b> &  `c": "/5",
		" reef": "", // two read the same
		"Reef":  "", "": "", "tide": "",
	} {
		s, ok := in.Skill(name)
		if ok != (want != "") || ok && s.Dir != want {
			t.Errorf("%q: got %q, %v", name, s.Dir, ok)
		}
	}
}

func TestInputDecode(t *testing.T) {
	for _, c := range []struct{ options, want, err string }{
		{``, "default", ""}, {`{}`, "default", ""}, {`{"shape":"xml"}`, "xml", ""},
		{`{"shap":"xml"}`, "", "unknown field"}, {`{"shape":1}`, "", "cannot unmarshal"}, {`[`, "", "EOF"},
	} {
		v := struct {
			Shape string `json:"shape"`
		}{"default"}
		err := (&Input{Options: json.RawMessage(c.options)}).Decode(&v)
		if c.err == "" && (err != nil || v.Shape != c.want) || c.err != "" && (err == nil || !strings.Contains(err.Error(), c.err)) {
			t.Errorf("%s: got %q, %v", c.options, v.Shape, err)
		}
	}
}

func TestE24AnUnknownNameIsAnErrorWithTheNearest(t *testing.T) {
	in := &Input{Skills: []skill.Skill{{Name: "reader"}, {Name: "tide-table"}}}
	_, err := in.Answer(t.Context(), &Request{Skill: "raeder"})
	if !errors.Is(err, ErrUnknownSkill) || !strings.Contains(err.Error(), `"reader"`) || strings.Contains(err.Error(), "tide") {
		t.Errorf("got %v", err)
	}
	if _, err = in.Answer(t.Context(), &Request{Skill: "zebra"}); !errors.Is(err, ErrUnknownSkill) || err.Error() != `unknown skill "zebra"` {
		t.Errorf("got %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err = in.Answer(ctx, &Request{Skill: "reader"}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

func TestIsAbout(t *testing.T) {
	a, b := skill.Skill{Name: "reef", Path: "/a/SKILL.md"}, skill.Skill{Name: "reef-knot", Path: "/b/SKILL.md"}
	d := About(diag.SkillHidden, a, "is %s", "kept back")
	if d.Message != `skill "reef" is kept back` || !IsAbout(d, a) || IsAbout(d, b) {
		t.Errorf("got %v", d)
	}
	if d := diag.New(diag.SkillHidden, diag.Pos{}, `"reef-knot" is not shown`); !IsAbout(d, b) || IsAbout(d, a) {
		t.Errorf("by name: %v", d)
	}
	if IsAbout(diag.New(diag.SkillHidden, diag.Pos{}, "nothing"), skill.Skill{Name: "x"}) {
		t.Error("no path and no name is nobody")
	}
}
