package link

import (
	"fmt"
	"strings"
	"testing"

	"github.com/promptc/promptc/engine/agent"
)

// lists are the forms in which CLIs print their skills, in the words of nobody.
var lists = map[string]string{
	"objects": `[{"name":"own","location":"<built-in>","content":"x"},{"name":"heron","description":"d","location":"/ws/.a/skills/heron/SKILL.md"}]`,
	"paths":   "[WARN] careful\n[\n {\"name\": \"own\", \"path\": \"own\"}, {\"name\": \"heron\", \"path\": \"/ws/.a/skills/heron\"}]\n",
	"wrapped": `{"skills":[{"name":"own"},{"name":"heron","baseDir":"/ws/.a/skills/heron/"}]}`,
	"prompt": `[{"role":"developer","content":[{"type":"text","text":"before"},{"type":"text","text":"## Skills\n### Skill roots\n- ` + "`r0` = `/own`" +
		`\n- ` + "`r1` = `/ws/.a/skills`" + `\n### Available skills\n- own: Words: more of them. (file: r0/own/SKILL.md)\n- heron: Watches (grey) herons. (file: r1/heron/SKILL.md)\n- not one\n"}]}]`,
	"lines": "Discovered:\n\nown [Enabled] [Built-in]\n  Description: words\n  Location:    <none>\n\nheron [Enabled]\n  Description: Location: nowhere\n  Location:    /ws/.a/skills/heron/SKILL.md\n\n",
}

func TestReadListKnowsTheForms(t *testing.T) {
	for form, text := range lists {
		for _, text := range []string{text, strings.ReplaceAll(text, "\n", "\r\n")} {
			list, ok := ReadList([]byte(text))
			if !ok || len(list) != 2 || list[0].Name != "own" || list[1] != (Shown{"heron", "/ws/.a/skills/heron"}) {
				t.Errorf("%s: %+v, %v", form, list, ok)
			}
		}
	}
	for _, text := range []string{"", "hello", "[1, 2]", `{"skills": 3}`, `[{"title": "x"}]`, "[", "{\n[\n{", "Location: /x/SKILL.md", "error: name\nLocation: here"} {
		if list, ok := ReadList([]byte(text)); ok {
			t.Errorf("%q: %+v", text, list)
		}
	}
	if list, ok := ReadList([]byte("[]")); !ok || len(list) != 0 {
		t.Errorf("an empty list is one: %+v, %v", list, ok)
	}
	if list, ok := ReadList([]byte("No skills discovered.\n")); !ok || len(list) != 0 {
		t.Errorf("no skills: %+v, %v", list, ok)
	}
	if list, _ := ReadList([]byte(`[{"name":"x","path":"C:\\ws\\skills\\x\\SKILL.md"}]`)); list[0].Dir != "C:/ws/skills/x" {
		t.Errorf("got %+v", list)
	}
}

func FuzzReadList(f *testing.F) {
	for _, text := range lists {
		f.Add([]byte(text))
	}
	f.Add([]byte("{\n{\n{\n{\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		list, ok := ReadList(data)
		if !ok && len(list) > 0 {
			t.Fatal("skills of what is no list")
		}
		for _, s := range list {
			if s.Dir != "" && !strings.HasPrefix(s.Dir, "/") && s.Dir[1] != ':' {
				t.Fatalf("%q is not absolute", s.Dir)
			}
		}
	})
}

func TestP8CompareHoldsTheListAgainstTheAnswer(t *testing.T) {
	x := Answer{
		Skills: []Checked{
			{Name: "a", Path: "s/a", ListedName: "a", Listed: agent.Yes}, {Name: "b", Path: "s/b", ListedName: "b", Listed: agent.Yes},
			{Name: "c", Path: "s/c", Listed: agent.No}, {Name: "d", Path: "s/d", ListedName: "d", Listed: agent.Unknown},
		},
		Extras: []Extra{{Name: "inner"}},
	}
	names := Names{}
	for _, s := range x.Skills {
		names[s.Path] = []string{"/ws/" + s.Path, "/real/" + s.Path, "/hub/" + s.Name}
	}
	for _, c := range []struct {
		list []Shown
		want string
	}{
		{[]Shown{{"a", "/ws/s/a"}, {"b", "/real/s/b"}, {"own", ""}, {"else", "/elsewhere/x"}}, "2 [] [] []"},
		{[]Shown{{"A as it is called", "/hub/a"}, {"b", ""}}, "2 [] [] []"},
		{[]Shown{{"b", "/ws/s/b"}}, "1 [a] [] []"},
		{[]Shown{{"a", "/ws/s/a"}, {"b", "/ws/s/b"}, {"x", "/real/s/x"}}, "2 [] [{x /real/s/x}] []"},
		{[]Shown{{"a", "/ws/s/a"}, {"b", "/ws/s/b"}, {"inner", "/ws/s/a/more/inner"}}, "2 [] [] []"},
		{[]Shown{{"a", "/ws/s/a"}, {"b", "/ws/s/b"}, {"c", "/ws/s/c"}, {"d", "/ws/s/d"}}, "4 [] [] [c]"},
		{nil, "0 [a b] [] []"},
	} {
		v := Compare(x, c.list, names, []string{"/ws/s", "/real/s"})
		if got := fmt.Sprint(len(v.Listed), v.Missing, v.Unexpected, v.Surprising); got != c.want || !v.Ran {
			t.Errorf("%v: %s, want %s", c.list, got, c.want)
		}
	}
}
