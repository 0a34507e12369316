package engine_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/promptc/promptc/engine"
	"github.com/promptc/promptc/engine/diag"
)

// What went wrong in the field and is not a rule's own test elsewhere.

// TestC06OneTokenOverCostsLittle: where the list is over by one token, nothing is
// dropped, only the longest descriptions get shorter, and most of the budget is used.
func TestC06OneTokenOverCostsLittle(t *testing.T) {
	files := map[string]string{}
	for i := range 10 {
		sentence := strings.Repeat("It does one more thing with the harbour. ", 1+i)
		files[fmt.Sprintf("s%d", i)] = md(fmt.Sprintf("s%d", i), sentence+"Use when asked.", "Body.")
	}
	whole := fit(t, jobOf(t, engine.Spec{}, files)).Usage.Total
	p := fit(t, jobOf(t, engine.Spec{Budget: engine.BudgetSpec{Prompt: whole - 1}}, files))
	cut := 0
	for _, d := range p.Diagnostics {
		if d.Code == diag.SkillCut {
			cut++
		}
	}
	if len(p.Skills) != 10 || len(p.Dropped) != 0 || cut != 1 || p.Usage.Total >= whole || p.Usage.Total < whole-15 {
		t.Errorf("%d skills, %d cut, %d of %d tokens", len(p.Skills), cut, p.Usage.Total, whole)
	}
}

// TestC19AChangeLeavesWhatStandsBefore: under layout cache, other knowledge and
// another selection change nothing before the part that they are in.
func TestC19AChangeLeavesWhatStandsBefore(t *testing.T) {
	at := func(knowledge, selected, strategy string) []engine.Section {
		spec := engine.Spec{System: "Rules.", Knowledge: knowledge, Layout: engine.Layout{Preset: "cache"}, Select: engine.SelectSpec{Skill: selected}}
		spec.Strategy.Name = strategy
		return fit(t, jobOf(t, spec, three)).System
	}
	for _, c := range []struct {
		strategy, one, other string
		same                 int
	}{{"index", "", "", 2}, {"index", "alpha", "beta", 2}, {"inject", "alpha", "beta", 1}} {
		a, b := at("It is Monday.", c.one, c.strategy), at("It is Tuesday.", c.other, c.strategy)
		for i := range c.same {
			if a[i] != b[i] {
				t.Errorf("%s: section %d differs: %q, %q", c.strategy, i, a[i], b[i])
			}
		}
		if last := len(a) - 1; a[last] == b[last] || a[last].ID != "knowledge" {
			t.Errorf("%s: %q", c.strategy, a[last])
		}
	}
}
