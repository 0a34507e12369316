package strategytest_test

import (
	"encoding/json"
	"slices"
	"testing"

	"github.com/promptc/promptc/engine/strategytest"
	"github.com/promptc/promptc/strategies"
)

// TestBundledKeepTheContract judges the bundled strategies under every option
// that changes what is rendered.
func TestBundledKeepTheContract(t *testing.T) {
	options := map[string][]string{
		"index":   {`{}`, `{"shape":"xml"}`, `{"load":"tool"}`, `{"load":"marker","shape":"xml"}`},
		"inject":  {`{}`},
		"symlink": {`{}`, `{"mode":"copy"}`},
		"tool": {`{}`, `{"mode":"each"}`, `{"mode":"each","name":"use","style":"names"}`, `{"style":"names"}`, `{"name":"load","param":"skill"}`,
			`{"preset":"adk-go"}`, `{"preset":"claude-code"}`, `{"preset":"cline"}`, `{"preset":"gemini-cli"}`, `{"preset":"gemini-cli","mode":"each"}`},
	}
	for _, s := range strategies.Bundled() {
		sets := options[s.Info().Name]
		if len(sets) == 0 {
			t.Errorf("no options are judged for %s", s.Info().Name)
		}
		for _, o := range sets {
			t.Run(s.Info().Name+o, func(t *testing.T) {
				strategytest.Run(t, s, strategytest.WithOptions(json.RawMessage(o)))
			})
		}
	}
}

func TestSoundKeepsTheContract(t *testing.T) {
	strategytest.Run(t, strategytest.Sound())
}

// TestEachMutantBreaksItsClauseAlone is the test of the suite: every clause has a
// mutant, its check finds it, and no other check does.
func TestEachMutantBreaksItsClauseAlone(t *testing.T) {
	var want, have []string
	for _, c := range strategytest.Clauses() {
		want = append(want, c.Name)
	}
	for _, m := range strategytest.Mutants() {
		have = append(have, m.Clause)
		t.Run(m.Clause, func(t *testing.T) {
			found := strategytest.Check(t.Context(), m.Strategy)
			if !slices.ContainsFunc(found, func(f strategytest.Finding) bool { return f.Clause == m.Clause }) {
				t.Errorf("not found: %s", m.Fault)
			}
			for _, f := range found {
				if f.Clause != m.Clause {
					t.Errorf("another clause finds it: %s", f)
				} else {
					t.Log(f)
				}
			}
		})
	}
	if !slices.Equal(want, have) {
		t.Errorf("clauses %v\nmutants %v", want, have)
	}
}
