package tool

import (
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/promptc/promptc/engine"
	"github.com/promptc/promptc/engine/diag"
	"github.com/promptc/promptc/engine/skill"
)

func named(name string) skill.Skill {
	return skill.Skill{Name: name, Description: "About " + name + ".", Dir: "/s/" + name, Path: "/s/" + name + "/SKILL.md"}
}

func many(n int) []skill.Skill {
	out := make([]skill.Skill, n)
	for i := range out {
		out[i] = named(fmt.Sprintf("skill-%03d", i))
	}
	return out
}

func render(t *testing.T, options string, skills ...skill.Skill) *engine.Rendering {
	t.Helper()
	in := &engine.Input{Language: "en", Skills: skills}
	if options != "" {
		in.Options = json.RawMessage(options)
	}
	r, err := New().Render(t.Context(), in)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

type param struct {
	Type string
	Enum []string
}

func params(t *testing.T, tool engine.Tool) (map[string]param, []string) {
	t.Helper()
	var s struct {
		Properties map[string]param
		Required   []string
	}
	if err := json.Unmarshal(tool.Parameters, &s); err != nil {
		t.Fatal(err)
	}
	return s.Properties, s.Required
}

func TestD12OneToolWithEnumArgumentsAndFile(t *testing.T) {
	r := render(t, "", named("b"), named("a"))
	if len(r.Tools) != 1 || len(r.Sections) != 0 || len(r.Links) != 0 || len(r.ReadRoots) != 0 {
		t.Fatalf("got %+v", r)
	}
	tool := r.Tools[0]
	p, required := params(t, tool)
	if tool.Name != "activate_skill" || !slices.Equal(p["name"].Enum, []string{"b", "a"}) || len(p) != 3 ||
		p["args"].Type != "string" || p["file"].Type != "string" || !slices.Equal(required, []string{"name"}) {
		t.Errorf("got %s %s", tool.Name, tool.Parameters)
	}
	if want := (engine.Asks{SkillParam: "name", FileParam: "file", ArgsParam: "args"}); tool.Asks != want {
		t.Errorf("asks %+v", tool.Asks)
	}
	if !strings.Contains(tool.Description, "\n- b: About b.\n- a: About a.") {
		t.Errorf("described as\n%s", tool.Description)
	}
}

// TestD12Presets holds each preset to the facts: name, parameters, enum.
func TestD12Presets(t *testing.T) {
	want := map[string]string{
		"adk-go":                "load_skill{name} load_skill_resource{resource_path,skill_name}",
		"claude-code":           "Skill{args,skill}",
		"cline":                 "skills{args,skill}",
		"copilot-cli":           "skill{skill}",
		"eino":                  "skill{skill}",
		"gemini-cli":            "activate_skill{name enum}",
		"goose":                 "load_skill{args,name}",
		"langchain4j":           "activate_skill{skill_name} read_skill_resource{relative_path,skill_name}",
		"opencode":              "skill{name}",
		"qwen-code":             "skill{skill}",
		"spring-ai-agent-utils": "Skill{command}",
	}
	got := map[string]string{}
	for preset := range presets() {
		var tools []string
		for _, tool := range render(t, `{"preset":"`+preset+`"}`, named("a")).Tools {
			p, _ := params(t, tool)
			var names []string
			for _, name := range slices.Sorted(maps.Keys(p)) {
				if len(p[name].Enum) > 0 {
					name += " enum"
				}
				names = append(names, name)
			}
			tools = append(tools, tool.Name+"{"+strings.Join(names, ",")+"}")
		}
		got[preset] = strings.Join(tools, " ")
	}
	if !maps.Equal(got, want) {
		t.Errorf("got  %v\nwant %v", got, want)
	}
}

func TestD12OptionsWinOverThePreset(t *testing.T) {
	tool := render(t, `{"preset":"langchain4j","name":"read_skill_resource","param":"which","style":"names"}`, named("a")).Tools
	if tool[0].Name != "read_skill_resource" || tool[0].Asks.SkillParam != "which" || strings.Contains(tool[0].Description, "About a") || tool[1].Name == tool[0].Name {
		t.Errorf("got %+v", tool)
	}
}

func TestP10AboveAHundredNamesThereIsACatalogue(t *testing.T) {
	for _, style := range []string{"full", "names"} {
		for n, enum := range map[int]bool{100: true, 101: false} {
			tool := render(t, `{"style":"`+style+`"}`, many(n)...).Tools[0]
			p, _ := params(t, tool)
			if got := len(p["name"].Enum) == n; got != enum || !got && p["name"].Enum != nil {
				t.Errorf("%s, %d skills: enum of %d", style, n, len(p["name"].Enum))
			}
			if listed := strings.Contains(tool.Description, "skill-000"); listed != (style == "full" || !enum) {
				t.Errorf("%s, %d skills: names in the description: %v", style, n, listed)
			}
		}
	}
}

func TestE16TooManyToolsBecomeOne(t *testing.T) {
	if r := render(t, `{"mode":"each"}`, many(128)...); len(r.Tools) != 128 || len(r.Diagnostics) != 0 {
		t.Errorf("128 skills give %d tools, %v", len(r.Tools), r.Diagnostics)
	}
	r := render(t, `{"mode":"each"}`, many(129)...)
	if len(r.Tools) != 1 || len(r.Diagnostics) != 1 || r.Diagnostics[0].Code != diag.ToolLimit {
		t.Errorf("129 skills give %d tools, %v", len(r.Tools), r.Diagnostics)
	}
	if p, _ := params(t, r.Tools[0]); p["name"].Type != "string" {
		t.Errorf("got %s", r.Tools[0].Parameters)
	}
}

// A skill's files are had by a tool, else by the host's own reading tool.
func TestP11FilesAreReachable(t *testing.T) {
	options := []string{"", `{"mode":"each"}`, `{"mode":"each","preset":"gemini-cli"}`, `{"mode":"each","preset":"claude-code"}`}
	for preset := range presets() {
		options = append(options, `{"preset":"`+preset+`"}`)
	}
	for _, o := range options {
		r := render(t, o, named("a"))
		asked := slices.ContainsFunc(r.Tools, func(t engine.Tool) bool { return t.Asks.FileParam != "" })
		if readable := slices.Equal(r.ReadRoots, []string{"/s/a"}); readable == asked {
			t.Errorf("%s: by a tool %v, readable %v", o, asked, r.ReadRoots)
		}
	}
}

var form = regexp.MustCompile(`^[a-zA-Z0-9_-]{1,64}$`)

func TestE25NamesStayApart(t *testing.T) {
	names := []string{
		"潮汐", "航线", "日志", "a.b", "a_b", "a b", "a/b", "", ".", "__", strings.Repeat("x", 64), strings.Repeat("x", 65), strings.Repeat("x", 66),
		"admin.tools/list", "skill_b14af081", "航线规划",
	}
	for _, prefix := range []string{"", "use", strings.Repeat("p", 45), strings.Repeat("p", 64)} {
		n := namer{prefix: prefix, taken: map[string]bool{}}
		seen := map[string]string{}
		for _, name := range names {
			got := n.name(name)
			if !form.MatchString(got) {
				t.Errorf("%q becomes %q", name, got)
			}
			if other, ok := seen[got]; ok {
				t.Errorf("%q and %q both become %q", other, name, got)
			}
			seen[got] = name
		}
	}
}

func FuzzName(f *testing.F) {
	for _, s := range []string{"tide-table", "a.b", "潮汐", "", strings.Repeat("x", 70), "\xff", "a_b"} {
		f.Add("", s, s+"!")
		f.Add("use", s, "_"+s)
	}
	f.Fuzz(func(t *testing.T, prefix, a, b string) {
		if prefix != "" && !form.MatchString(prefix) {
			t.Skip() // the schema of the options refuses it
		}
		n := namer{prefix: prefix, taken: map[string]bool{}}
		x, y := n.name(a), n.name(b)
		if !form.MatchString(x) || !form.MatchString(y) || x == y {
			t.Errorf("%q and %q become %q and %q", a, b, x, y)
		}
	})
}
