package agent

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/promptc/promptc/engine/skill"
	"github.com/promptc/promptc/engine/token"
)

// plank is one of n test skills: a name of 11 characters and a description of 150.
func plank(i int, dir string) skill.Skill {
	name := fmt.Sprintf("plank-%05d", i)
	desc := fmt.Sprintf("Planes board %05d to the wanted width, sands both faces and edges, and notes what was taken off. For when someone has wood that is still rough", i)
	for len(desc) < 150 {
		desc += "."
	}
	dir += "/" + name
	return skill.Skill{Name: name, Description: desc[:150], Dir: dir, Path: dir + "/SKILL.md"}
}

func planks(n int, dir string) []skill.Skill {
	var out []skill.Skill
	for i := range n {
		out = append(out, plank(i, dir))
	}
	return out
}

func lookup(t *testing.T, id string) Facts {
	t.Helper()
	f, ok := Lookup(id)
	if !ok {
		t.Fatalf("%s is not there", id)
	}
	return f
}

// TestListGrowsAsMeasured: characters that one more skill adds, as the recorded
// requests have them: the name, the description, the path and so many more.
func TestListGrowsAsMeasured(t *testing.T) {
	dir := "/w/skills"
	location := len(plank(0, dir).Path)
	for _, c := range []struct {
		id   string
		more int
	}{
		{"gemini-cli", 97 + location}, {"opencode", 97 + location}, {"codex", 37}, {"qwen-code", 104}, {"claude-code", 5}, {"copilot-cli", 94}, {"cline", 0},
	} {
		f := lookup(t, c.id)
		var sizes []int
		for _, n := range []int{1, 2, 12} {
			l := List(f, planks(n, dir), 1_000_000)
			if !l.Known || l.Tokens+l.Tool.Tokens == 0 {
				t.Errorf("%s: the list is not known", c.id)
			}
			sizes = append(sizes, len(l.Text))
		}
		want := 161 + c.more
		if c.id == "cline" {
			want = 0
		}
		if sizes[1]-sizes[0] != want || sizes[2]-sizes[0] != 11*want {
			t.Errorf("%s: one, two and twelve skills take %v characters, so one %d; want %d", c.id, sizes, sizes[1]-sizes[0], want)
		}
	}
}

// TestListPoints: the predicted tokens of every measured list and tool. The shapes
// know nothing of 20 and 60 skills.
func TestListPoints(t *testing.T) {
	data, err := os.ReadFile(filepath.Join("..", "..", "..", "shared", "native-points.json"))
	if err != nil {
		t.Skip("no measurement here")
	}
	var doc struct {
		Skills     []struct{ Name, Description string }
		Points     map[string]map[string]struct{ List, Tool int }
		PathTokens map[string]int `json:"path_tokens"`
	}
	if err := json.Unmarshal(data, &doc); err != nil {
		t.Fatal(err)
	}
	counter, err := token.Named("o200k_base")
	if err != nil {
		t.Fatal(err)
	}
	checked := 0
	for key, points := range doc.Points {
		id, mode, _ := strings.Cut(key, "/")
		f := lookup(t, id)
		window := map[string]int{"claude-code": 200_000, "codex": 272_000, "copilot-cli": 128_000}[id]
		if mode != "" {
			window = 1_000_000
		}
		dir := "/lab/" + f.Where.Into.Value
		for counter.Count(dir+"/sk-bravo-01/SKILL.md") < doc.PathTokens[id] {
			dir = "/a" + dir // as long as the measured one
		}
		for n, p := range points {
			var count int
			if _, err := fmt.Sscan(n, &count); err != nil {
				t.Fatal(err)
			}
			var set []skill.Skill
			for _, s := range doc.Skills[:count] {
				set = append(set, skill.Skill{Name: s.Name, Description: s.Description, Dir: dir + "/" + s.Name, Path: dir + "/" + s.Name + "/SKILL.md"})
			}
			l := List(f, set, window)
			tool := l.Tool.Tokens + counter.Count(l.Tool.Text)
			if l.Tool.Asked {
				tool = 0 // measured where nobody could be asked
			}
			near(t, fmt.Sprintf("%s, %d skills, list", key, count), l.Tokens+counter.Count(l.Text), p.List)
			near(t, fmt.Sprintf("%s, %d skills, tool", key, count), tool, p.Tool)
			checked++
		}
	}
	if checked < 40 {
		t.Errorf("only %d points were checked", checked)
	}
}

func near(t *testing.T, what string, got, want int) {
	t.Helper()
	if off := math.Abs(float64(got - want)); off > 0.02*float64(want) {
		t.Errorf("%s: %d tokens, measured were %d", what, got, want)
	}
}

// TestClaudeKeepsWhatItsBudgetHolds: at 200k it was seen to keep the descriptions of
// 10 of 20 and 7 of 60 skills of this length, at 1M all.
func TestClaudeKeepsWhatItsBudgetHolds(t *testing.T) {
	f := lookup(t, "claude-code")
	for _, c := range []struct{ skills, window, kept int }{
		{5, 200_000, 5}, {20, 200_000, 10}, {60, 200_000, 7}, {20, 1_000_000, 20}, {60, 1_000_000, 60},
	} {
		set := planks(c.skills, "/w")
		l := List(f, set, c.window)
		if got := c.skills - len(l.Hidden); got != c.kept {
			t.Errorf("%d skills at %d: %d keep a description, %d were seen to", c.skills, c.window, got, c.kept)
		}
		for _, h := range l.Hidden {
			if h.What != "description" || strings.Contains(l.Text, h.Name+":") {
				t.Errorf("%s is hidden and listed: %+v", h.Name, h)
			}
		}
		for _, s := range set {
			if !strings.Contains(l.Text, "- "+s.Name) {
				t.Errorf("the name %s is not in the list", s.Name)
			}
		}
	}
	f.Index.Budget.Value.Percent = 2
	if l := List(f, planks(20, "/w"), 200_000); len(l.Hidden) != 0 {
		t.Errorf("twice the budget hides %d", len(l.Hidden))
	}
}

// TestCodexSharesItsBudget: with 200 skills of this length at 272k all descriptions
// were cut to 56 to 60 characters, 5,440 tokens of four bytes in all.
func TestCodexSharesItsBudget(t *testing.T) {
	f := lookup(t, "codex")
	if l := List(f, planks(60, "/w"), 272_000); len(l.Hidden) != 0 {
		t.Errorf("60 skills were whole, here %d are not", len(l.Hidden))
	}
	l := List(f, planks(200, "/w"), 272_000)
	if len(l.Hidden) != 200 {
		t.Errorf("%d of 200 are cut", len(l.Hidden))
	}
	used := 0
	for line := range strings.Lines(l.Text) {
		if !strings.HasPrefix(line, "- plank") {
			continue
		}
		used += (len(line) + 3) / 4
		_, rest, _ := strings.Cut(line, ": ")
		desc, _, _ := strings.Cut(rest, " (file: ")
		if n := len(desc); n < 52 || n > 64 {
			t.Errorf("a description of %d characters: %s", n, line)
		}
	}
	if own := 109; used < 5440-own-4 || used > 5440-own+4 {
		t.Errorf("the lines take %d tokens, and the agent's own %d", used, own)
	}
	if whole := List(f, nil, 272_000); l.Tokens >= whole.Tokens {
		t.Error("its own descriptions were not cut")
	}
	short := planks(200, "/w")
	short[7].Description = "Short."
	if l := List(f, short, 272_000); !strings.Contains(l.Text, "Short. (file: ") {
		t.Error("a short description was cut")
	}
	if l := List(f, planks(4_000, "/w"), 272_000); !hides(l, "skill") || strings.Contains(l.Text, "Planes") {
		t.Error("4,000 skills have room for their names")
	}
	if l := List(f, planks(60, "/w"), 0); !hides(l, "end") || len(l.Text) > 8_000 {
		t.Errorf("in an unknown window the budget is 8,000 characters, here %d", len(l.Text))
	}
}

func hides(l Listing, what string) bool {
	for _, h := range l.Hidden {
		if h.What == what {
			return true
		}
	}
	return false
}

// TestCopilotNamesTheRest: 58 of 60 skills of this length were whole.
func TestCopilotNamesTheRest(t *testing.T) {
	f := lookup(t, "copilot-cli")
	if l := List(f, planks(58, "/w"), 128_000); len(l.Hidden) != 0 {
		t.Errorf("of 58 skills %d are hidden", len(l.Hidden))
	}
	l := List(f, planks(60, "/w"), 128_000)
	if len(l.Hidden) != 2 || !strings.HasSuffix(l.Text, "plank-00058, plank-00059\n") || strings.Count(l.Text, "<skill>") != 58 {
		t.Errorf("of 60 skills %d are hidden: …%s", len(l.Hidden), l.Text[len(l.Text)-120:])
	}
}

func TestListWritesFieldsAsTheAgentDoes(t *testing.T) {
	s := skill.Skill{Name: "net", Description: "a <b> & \"c\"\nd", Dir: "/s & t/net", Path: "/s & t/net/SKILL.md", Extra: json.RawMessage(`{"when_to_use":"at sea"}`)}
	other := skill.Skill{Name: "Called", Description: "x", Dir: "/s/boat", Path: "/s/boat/SKILL.md"}
	for _, c := range []struct{ id, has string }{
		{"gemini-cli", "<description>a <b> & \"c\"\nd</description>\n    <location>/s & t/net/SKILL.md<"},
		{"opencode", "<description>a <b> & \"c\"\nd</description>\n    <location>/s &amp; t/net/SKILL.md<"},
		{"qwen-code", "\na &lt;b&gt; &amp; &quot;c&quot;\nd (project)\n"},
		{"copilot-cli", "<description>a &lt;b&gt; &amp; &quot;c&quot;\nd</description>"},
		{"claude-code", "- net: a &lt;b&gt; & \"c\" d - at sea\n"},
		{"codex", "- net: a <b> & \"c\" d (file: r1/net/SKILL.md)\n"},
		{"codex", "- `r1` = `/s & t`\n- `r2` = `/s`\n"},
		{"claude-code", "- boat (Called): x\n"},
	} {
		if l := List(lookup(t, c.id), []skill.Skill{s, other}, 1_000_000); !strings.Contains(l.Text, c.has) {
			t.Errorf("%s: %q is not in\n%s", c.id, c.has, l.Text)
		}
	}
}

func TestListsTools(t *testing.T) {
	set := planks(3, "/w")
	cline := List(lookup(t, "cline"), set, 0)
	if cline.Place != "tool" || cline.Text != "" || cline.Tool.Text != "plank-00000, plank-00001, plank-00002" || len(cline.Hidden) != 3 {
		t.Errorf("cline: %+v", cline)
	}
	if none := List(lookup(t, "cline"), nil, 0); none.Tool.Name != "" || none.Tool.Tokens != 0 || !none.Known {
		t.Errorf("cline has no tool without skills: %+v", none)
	}
	gemini := List(lookup(t, "gemini-cli"), set, 0)
	if !gemini.Tool.Asked || strings.Count(gemini.Tool.Text, "plank-00001") != 2 {
		t.Errorf("gemini-cli: %+v", gemini.Tool)
	}
	if l := List(lookup(t, "cursor"), set, 0); l.Known || l.Text != "" {
		t.Errorf("nobody knows what cursor's list costs: %+v", l)
	}
}

func TestListLeavesTheSetAlone(t *testing.T) {
	set := []skill.Skill{plank(2, "/w"), plank(1, "/w")}
	first := List(lookup(t, "qwen-code"), set, 0)
	if set[0].Name != "plank-00002" || strings.Index(first.Text, "plank-00001") > strings.Index(first.Text, "plank-00002") {
		t.Error("the list is not sorted, or the set is")
	}
	if second := List(lookup(t, "qwen-code"), set, 0); second.Text != first.Text {
		t.Error("twice the same gives two lists")
	}
	if l := List(lookup(t, "gemini-cli"), set, 0); strings.Index(l.Text, "plank-00001") < strings.Index(l.Text, "plank-00002") {
		t.Error("gemini-cli does not sort")
	}
}
