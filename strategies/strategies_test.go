package strategies_test

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/promptc/promptc/engine"
	"github.com/promptc/promptc/engine/skill"
	"github.com/promptc/promptc/strategies"
)

func TestBundledAreFourInOrder(t *testing.T) {
	var names []string
	for _, s := range strategies.Bundled() {
		names = append(names, s.Info().Name)
	}
	if !slices.Equal(names, []string{"index", "inject", "symlink", "tool"}) {
		t.Errorf("got %v", names)
	}
}

var block = regexp.MustCompile(`{{define "([a-z-]+)\.([a-z]+)"}}`)

// TestWordsExistInEveryLanguage looks at the .tmpl files as text: a block that
// lacks a language would only fail where it is used.
func TestWordsExistInEveryLanguage(t *testing.T) {
	files, err := filepath.Glob("*/*.tmpl")
	if err != nil || len(files) == 0 {
		t.Fatalf("no words: %v", err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		have := map[string][]string{}
		for _, m := range block.FindAllStringSubmatch(string(text), -1) {
			have[m[1]] = append(have[m[1]], m[2])
		}
		for name, languages := range have {
			if !slices.Equal(languages, engine.Languages()) {
				t.Errorf("%s: %q is there in %v, wanted in %v", file, name, languages, engine.Languages())
			}
		}
	}
}

// TestOneDescriptionPerRequest: whatever the strategy, a skill's description is
// sent once at the most (C20), and no strategy sends a body that nobody asked for.
func TestOneDescriptionPerRequest(t *testing.T) {
	s := skill.Skill{Name: "reef", Description: "Charts a reef like no other.", Dir: "/s/reef", Path: "/s/reef/SKILL.md", Body: "A body like no other."}
	for _, strategy := range strategies.Bundled() {
		r, err := strategy.Render(t.Context(), &engine.Input{Language: "en", Skills: []skill.Skill{s}, Place: engine.Place{Dir: "/w"}})
		if err != nil {
			t.Fatal(err)
		}
		var text strings.Builder
		for _, p := range r.Sections {
			text.WriteString(p.Text)
		}
		for _, p := range r.Tools {
			text.WriteString(p.Description + string(p.Parameters))
		}
		name := strategy.Info().Name
		if n := strings.Count(text.String(), s.Description); n > 1 {
			t.Errorf("%s describes a skill %d times", name, n)
		}
		if got := strings.Contains(text.String(), s.Body); got != (name == "inject") {
			t.Errorf("%s: the body is there: %v", name, got)
		}
	}
}
