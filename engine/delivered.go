package engine

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/promptc/promptc/engine/diag"
	"github.com/promptc/promptc/engine/skill"
)

// selected explains what the session makes of a skill: shadowing, trust, the set,
// and then what the prompt does with it.
func (x *explainer) selected() {
	f := x.found
	if _, broken := brokenBy(f); broken || f.Status == skill.Missed {
		return
	}
	x.shadowing()
	x.trust()
	// Whether it would be in the set does not hang on the steps before.
	loaded := *f
	loaded.Status = skill.Loaded
	sel := Select(x.job.Spec, []*skill.Found{&loaded})
	st := sel.All[0]
	x.enabled(st)
	if st.State != StateDisabled {
		x.visible(st)
	}
	if f.Status == skill.Loaded && st.State == StateVisible {
		x.delivered()
	}
}

func (x *explainer) shadowing() {
	f := x.found
	if f.Status == skill.Shadowed {
		winner := f.Winner
		why := "it has the same name and comes first"
		if strings.Contains(f.Reason, "same directory") {
			why = f.Reason
		}
		step := x.fail(StepShadowing, "shadowed by %s: %s", winner, why)
		if i := slices.IndexFunc(x.job.Catalog.Found, func(o *skill.Found) bool { return o.Path == winner }); i >= 0 && x.job.Catalog.Found[i].Root != f.Root {
			step.fix("change name: in %s, or name its root %s before %s", ShellWord(f.Path), ShellWord(x.dirOf(f)), ShellWord(x.dirOf(x.job.Catalog.Found[i])))
		} else {
			step.fix("change name: in %s, or remove one of the two", ShellWord(f.Path))
		}
		return
	}
	var others, rivals []string
	for _, o := range x.job.Catalog.Found {
		switch {
		case o == f:
		case o.Winner == f.Path:
			others = append(others, o.Path)
		case skill.Key(o.Name) == skill.Key(f.Name) && o.Status == skill.Loaded:
			rivals = append(rivals, o.Path)
		}
	}
	switch {
	case len(rivals) > 0:
		x.ok(StepShadowing, "it takes no part in the contest of names; %s has its name now", strings.Join(rivals, ", "))
	case len(others) > 0:
		x.ok(StepShadowing, "it comes first, and shadows %s", strings.Join(others, ", "))
	default:
		x.ok(StepShadowing, "nothing comes before it under its name")
	}
}

func (x *explainer) dirOf(f *skill.Found) string { return x.job.Catalog.Roots[f.Root].Dir }

func (x *explainer) trust() {
	f := x.found
	switch {
	case f.Status == skill.Untrusted:
		x.fail(StepTrust, "a skill of the project, which is not trusted").fix("look at %s, then use --trust", ShellWord(f.Dir))
	case f.Scope == skill.Project:
		x.ok(StepTrust, "a skill of the project, which is trusted")
	default:
		x.ok(StepTrust, "a %s skill needs no trust", f.Scope)
	}
}

// enabled says whether the skill is in the set of the session, and by which words.
func (x *explainer) enabled(st Standing) {
	s, key := x.job.Spec, skill.Key(x.found.Name)
	by := func(list string, names []string) string {
		i := slices.IndexFunc(names, func(n string) bool { return skill.Key(n) == key })
		if i < 0 {
			return ""
		}
		at := s.At(fmt.Sprintf("%s.%d", list, i))
		return cmp.Or(diag.Diagnostic{File: at.File, Line: at.Line}.Where(), "the spec")
	}
	var auto []string
	if s.Skills.Auto != nil {
		auto = *s.Skills.Auto
	}
	disabled, enabled, autos := by("skills.disable", s.Skills.Disable), by("skills.enable", s.Skills.Enable), by("skills.auto", auto)
	switch {
	case st.State == StateDisabled && disabled != "":
		x.fail(StepEnabled, "disabled by %s", disabled).fix("take %q out of disable", x.found.Name)
	case st.State == StateDisabled:
		why := "auto names others"
		if s.Skills.Auto == nil {
			why = "enable names others, and then only those are in the set"
		}
		x.fail(StepEnabled, "not in the set of this session: %s", why).fix("add --enable %s, or to enable in the spec", ShellWord(x.found.Name))
	case enabled != "":
		x.ok(StepEnabled, "enabled by %s", enabled)
	case autos != "":
		x.ok(StepEnabled, "in the set by %s", autos)
	case s.Skills.Auto == nil && len(s.Skills.Enable) == 0:
		x.ok(StepEnabled, "in the set, as every skill that is not disabled")
	default:
		x.ok(StepEnabled, "selected by the user")
	}
}

func (x *explainer) visible(st Standing) {
	f := x.found
	switch {
	case st.State == StateHidden:
		x.fail(StepVisible, "it says disable-model-invocation, so only a user can choose it").
			fix("choose it with --select %s, or remove disable-model-invocation from %s", ShellWord(f.Name), ShellWord(f.Path))
	case f.Form.Unmodelled:
		x.ok(StepVisible, "it says disable-model-invocation, and the user selected it")
	case f.Form.NotForUsers:
		x.ok(StepVisible, "the model may choose it; it says user-invocable: false, so a user may not")
	default:
		x.ok(StepVisible, "the model may choose it")
	}
}

// delivered explains what the prompt does with a skill of the set.
func (x *explainer) delivered() {
	p, f := x.Prompt, x.found
	if errs := p.Diagnostics.Errors(); len(errs) > 0 && len(p.Skills) == 0 {
		x.fail(StepStrategy, "no prompt is built: %s [%s]", errs[0].Message, errs[0].Code).Fix = errs[0].Hint
		return
	}
	var why Drop
	if i := slices.IndexFunc(p.Dropped, func(d Dropped) bool { return d.Path == f.Path }); i >= 0 {
		why = p.Dropped[i].Reason
	}
	if d, ok := x.said(diag.SkillHidden, diag.SkillUndeliverable); ok && (why == DropHidden || why == DropUndeliverable) {
		x.fail(StepStrategy, "%s: %s", p.Strategy, d.Message).Fix = d.Hint
		return
	}
	if d, ok := x.said(diag.SkillBroken); ok && why == DropBroken {
		x.fail(StepStrategy, "%s", d.Message).Fix = d.Hint
		return
	}
	x.strategy()
	x.budget(why)
}

// said finds a diagnostic of the prompt about the skill.
func (x *explainer) said(codes ...diag.Code) (diag.Diagnostic, bool) {
	i := slices.IndexFunc(x.Prompt.Diagnostics, func(d diag.Diagnostic) bool {
		return d.File == x.found.Path && slices.Contains(codes, d.Code)
	})
	if i < 0 {
		return diag.Diagnostic{}, false
	}
	return x.Prompt.Diagnostics[i], true
}

func (x *explainer) strategy() {
	detail := x.Prompt.Strategy
	if info, ok := x.info(); ok {
		detail += ": " + strings.TrimSuffix(info.Summary, ".")
	}
	for _, d := range x.Prompt.Diagnostics {
		if d.Code == diag.StrategyPassedOver {
			detail += "; " + d.Message
		}
	}
	x.ok(StepStrategy, "%s", detail)
}

func (x *explainer) info() (Info, bool) {
	i := slices.IndexFunc(x.job.Strategies, func(s Strategy) bool { return s.Info().Name == x.Prompt.Strategy })
	if i < 0 {
		return Info{}, false
	}
	return x.job.Strategies[i].Info(), true
}

func (x *explainer) budget(why Drop) {
	f, budget, used := x.found, x.job.Spec.Budget, x.Prompt.Usage
	total := fmt.Sprintf("the prompt has %d tokens (%s)", used.Total, used.Tokenizer)
	if why == DropBudget {
		detail := "valid, but left out by the budget"
		if d, ok := x.said(diag.SkillDropped); ok {
			detail = "valid, but " + strings.TrimPrefix(d.Message, fmt.Sprintf("%q was ", f.Name))
		}
		x.fail(StepBudget, "%s; %s", detail, total).fix("add --pin %s, raise --budget above %d, or --disable what is not needed", ShellWord(f.Name), budget.Prompt)
		return
	}
	limit := "no limit is set"
	if budget.Prompt > 0 {
		limit = fmt.Sprintf("within the budget of %d tokens", budget.Prompt)
	}
	var cuts []string
	for _, d := range x.Prompt.Diagnostics {
		if d.Code == diag.SkillCut && d.File == f.Path {
			cuts = append(cuts, d.Message)
		}
	}
	if len(cuts) == 0 {
		x.ok(StepBudget, "%s; %s", limit, total)
		return
	}
	x.ok(StepBudget, "%s; %s; %s", limit, total, strings.Join(cuts, "; ")).fix("raise the budget, or shorten %s", ShellWord(f.Path))
}
