package engine

import (
	"fmt"
	"slices"
	"testing"

	"github.com/promptc/promptc/engine/skill"
)

func TestP10AskToolSchema(t *testing.T) {
	name, file, args := Param{"name", "which <one>"}, Param{"file", ""}, Param{"args", ""}
	hundred := make([]string, MaxEnum)
	for i := range hundred {
		hundred[i] = fmt.Sprint("s", i)
	}
	for _, c := range []struct {
		tool AskTool
		want string
		asks Asks
	}{
		{AskTool{Skill: name, File: file, Args: args, Enum: []string{"a", `b"`}},
			`{"type":"object","properties":{"name":{"type":"string","description":"which <one>","enum":["a","b\""]},"args":{"type":"string"},"file":{"type":"string"}},"required":["name"]}`,
			Asks{SkillParam: "name", FileParam: "file", ArgsParam: "args"}},
		{AskTool{Skill: name, Enum: append(hundred, "one too many")},
			`{"type":"object","properties":{"name":{"type":"string","description":"which <one>"}},"required":["name"]}`,
			Asks{SkillParam: "name"}},
		{AskTool{Fixed: "reef", Skill: name, Enum: []string{"a"}, File: file},
			`{"type":"object","properties":{"file":{"type":"string"}},"required":[]}`,
			Asks{Skill: "reef", FileParam: "file"}},
		{AskTool{Fixed: "reef"}, // E11: properties are always there
			`{"type":"object","properties":{},"required":[]}`, Asks{Skill: "reef"}},
		{AskTool{Skill: name, File: file, FileNeeded: true},
			`{"type":"object","properties":{"name":{"type":"string","description":"which <one>"},"file":{"type":"string"}},"required":["name","file"]}`,
			Asks{SkillParam: "name", FileParam: "file"}},
	} {
		got := c.tool.Tool()
		if string(got.Parameters) != c.want || got.Asks != c.asks {
			t.Errorf("got  %s %+v\nwant %s %+v", got.Parameters, got.Asks, c.want, c.asks)
		}
	}
}

func TestSkillNamesAreWhatAModelWrites(t *testing.T) {
	skills := []skill.Skill{{Name: "reef"}, {Name: "two\nlines"}, {Name: "a\u200b"}, {Name: "a"}, {Name: "\u200b"}}
	if got, want := SkillNames(skills), []string{"reef", "two lines", "a\u200b", "a", "\u200b"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	in := &Input{Skills: skills}
	for i, name := range SkillNames(skills) {
		if s, ok := in.Skill(name); !ok || s.Name != skills[i].Name {
			t.Errorf("%q leads to %q, %v", name, s.Name, ok)
		}
	}
}
