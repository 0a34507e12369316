package agent

import (
	"encoding/json"
	"os"
	"testing"
	"fmt"
	"strings"

	"github.com/promptc/promptc/engine/skill"
	"github.com/promptc/promptc/engine/token"
)

func TestPointsTry(t *testing.T) {
	data, err := os.ReadFile("../../../shared/native-points.json")
	if err != nil { t.Skip(err) }
	var doc struct {
		Skills []struct{ Name, Description string }
		Points map[string]map[string]struct{ List, Chars, Tool, Tree int }
	}
	if err := json.Unmarshal(data, &doc); err != nil { t.Fatal(err) }
	c, _ := token.Named("o200k_base")
	for key, pts := range doc.Points {
		id, _, _ := strings.Cut(key, "/")
		f, _ := Lookup(id)
		for _, n := range []int{0, 1, 5, 20, 60} {
			p, ok := pts[fmt.Sprint(n)]
			if !ok { continue }
			var set []skill.Skill
			dir := "/home/u/work/n/project/" + f.Where.Into.Value
			for _, s := range doc.Skills[:n] {
				set = append(set, skill.Skill{Name: s.Name, Description: s.Description, Dir: dir + "/" + s.Name, Path: dir + "/" + s.Name + "/SKILL.md"})
			}
			window := 272000
			if id == "claude-code" { window = 200000 }
			if strings.Contains(key, "/") { window = 1000000 }
			l := List(f, set, window)
			if n == 1 { t.Logf("%s path %d chars %d tokens", key, len(set[0].Path), c.Count(set[0].Path)) }
			got := l.Tokens + c.Count(l.Text)
			tool := l.Tool.Tokens + c.Count(l.Tool.Text)
			t.Logf("%-28s %2d list %5d want %5d (%+.2f%%)  tool %d want %d hidden %d chars %d", key, n, got, p.List, 100*float64(got-p.List)/float64(max(1,p.List)), tool, p.Tool, len(l.Hidden), chars(l.Text))
		}
	}
}
