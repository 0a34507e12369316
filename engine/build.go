package engine

import (
	"cmp"
	"context"
	"encoding/json"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"text/template"

	"github.com/promptc/promptc/engine/agent"
	"github.com/promptc/promptc/engine/diag"
	"github.com/promptc/promptc/engine/skill"
)

// builder holds what does not change while a prompt is fitted into its budget.
type builder struct {
	job      *Job
	spec     *Spec
	sel      *Selection
	strategy Strategy
	info     Info
	place    Place
	options  json.RawMessage
	order    []string

	system  string
	history []Message
	content map[string]*skill.Content // by path: what was read
	views   map[string]string         // what a model reads of a path -> the path
	cuts    map[cutKey]cutText

	found diag.List
}

// newBuilder does all that can be done before the first rendering. What is wrong
// with spec or skills stands in builder.found.
func newBuilder(ctx context.Context, job *Job) (*builder, error) {
	b := &builder{
		job: job, spec: job.Spec,
		sel:     Select(job.Spec, job.Catalog.Found),
		content: map[string]*skill.Content{}, views: map[string]string{}, cuts: map[cutKey]cutText{},
	}
	b.found.Add(job.Diagnostics...)
	b.found.Add(job.Catalog.Diagnostics...)
	for _, f := range job.Catalog.Found {
		b.found.Add(f.Problems...)
	}
	b.strict()
	b.found.Add(b.sel.Diagnostics...)
	var found diag.List
	b.strategy, b.place, found = choose(job)
	b.found.Add(found...)
	b.history, found = b.spec.messages()
	b.found.Add(found...)
	b.baseText()
	if b.strategy == nil || b.found.Err() != nil {
		return b, nil
	}
	b.info = b.strategy.Info()
	if slices.Contains(b.info.Needs, agent.NeedLinks) {
		b.sel.withHidden()
	}
	b.options, found = options(b.spec, b.info)
	b.found.Add(found...)
	var err error
	if b.order, err = b.spec.Layout.order(b.info.Bodies); err != nil {
		b.found.Add(layoutDiagnostic(b.spec, err))
	}
	return b, b.read(ctx)
}

// strict makes shadowing an error where the spec asks for it (J20).
func (b *builder) strict() {
	if !b.spec.Strict {
		return
	}
	for i, d := range b.found {
		if d.Code == diag.SkillShadowed {
			b.found[i] = d.As(diag.Error)
		}
	}
}

// baseText fills the base prompt, which is a template only where vars are given (D4).
func (b *builder) baseText() {
	b.system = b.spec.System
	if len(b.spec.Vars) == 0 {
		return
	}
	at := b.spec.At("system")
	t, err := template.New("system").Option("missingkey=error").Parse(b.spec.System)
	if err == nil {
		var out strings.Builder
		if err = t.Execute(&out, b.spec.Vars); err == nil {
			b.system = out.String()
			return
		}
	}
	b.found.Add(diag.New(diag.TemplateFailed, at, "%s", strings.TrimPrefix(err.Error(), "template: ")))
}

// read gets the texts that the strategy renders, the selected skill's, and with
// Inspect every one. A skill that cannot be read any more is dropped (J12).
func (b *builder) read(ctx context.Context) error {
	selected := b.sel.Selected
	var kept []Standing
	for _, st := range b.sel.Set {
		isSelected := selected != nil && st.Found == selected.Found
		wanted := b.job.Inspect || isSelected || b.info.Bodies == AllBodies || b.info.Bodies == SelectedBodies && selected == nil
		if wanted {
			c, err := st.Read(ctx)
			if ctx.Err() != nil {
				return ctx.Err()
			}
			if err != nil {
				d := diag.New(diag.SkillBroken, diag.At(st.Path), "%q cannot be read: %v", st.Name, reason(err))
				if isSelected {
					d = d.As(diag.Error)
				}
				b.found.Add(d)
				b.drop(st, StateBroken)
				continue
			}
			b.content[st.Path] = c
		}
		kept = append(kept, st)
	}
	b.sel.Set = kept
	return nil
}

func (b *builder) drop(st Standing, state State) {
	for i := range b.sel.All {
		if b.sel.All[i].Found == st.Found {
			b.sel.All[i].State = state
		}
	}
}

// build renders, fits and lays out.
func (b *builder) build(ctx context.Context) (*Prompt, error) {
	p := &Prompt{
		Agent: b.job.Agent.ID, Version: b.job.Agent.Version, Model: b.spec.Model,
		Language: cmp.Or(b.spec.Language, Languages()[0]), FirstMessage: b.spec.Place == "first_message",
	}
	if b.strategy != nil {
		p.Strategy = b.info.Name
	}
	if b.found.Err() != nil {
		p.Diagnostics = b.found
		return p, nil
	}
	d, err := b.fitted(ctx)
	if err != nil {
		return nil, err
	}
	b.found.Add(d.found...)
	b.found.Add(checkRendering(b.info.Name, d.in, d.rendering, b.spec.ReservedTools)...)
	p.System = d.sections
	p.Messages = d.messages
	p.Tools = d.rendering.Tools
	p.Place, p.Links, p.Launch = b.place, b.realLinks(d.rendering.Links), b.realLaunch(d.rendering.Launch)
	p.ReadRoots = b.realRoots(d.rendering.ReadRoots)
	p.Title, p.TypedNothing = d.title, d.typedNothing
	p.Stable = stable(p.System, b.info.Bodies)
	b.account(p, d)
	p.Usage = b.usage(d)
	p.Fingerprint = fingerprint(p)
	p.Diagnostics = append(b.found, verifyIsolation(d)...)
	return p, nil
}

// fitted gives the draft that is within the budget, or the full one where there
// is none.
func (b *builder) fitted(ctx context.Context) (*draft, error) {
	rank := importance(b.skills(), func(name string) bool { return b.sel.Pinned[skill.Key(name)] }, b.selectedName(), b.spec.Rank, b.spec.Message)
	full := b.ceiling()
	budget := b.spec.Budget.Prompt
	if budget == 0 {
		return b.draft(ctx, rank, full)
	}
	drafts := map[Limits]*draft{}
	found, over, err := fit(full, b.least(), budget, func(l Limits) (int, error) {
		d, err := b.draft(ctx, rank, l)
		if err != nil {
			return 0, err
		}
		drafts[l] = d
		return d.total(), nil
	})
	if err != nil {
		return nil, err
	}
	d := drafts[found]
	if d == nil {
		if d, err = b.draft(ctx, rank, found); err != nil {
			return nil, err
		}
	}
	if over > 0 {
		what := "the base prompt with the pinned and selected skills at their shortest"
		if b.least() == 0 {
			what = "the prompt without any skill"
		}
		b.found.Add(diag.New(diag.OverBudget, b.spec.At("budget.prompt"), "%s is %d tokens over the budget of %d (%s)", what, over, budget, b.job.Counter.Name()))
	}
	for _, i := range rank[min(found.Skills, len(rank)):] {
		st := b.sel.Set[i]
		b.found.Add(diag.New(diag.SkillDropped, diag.At(st.Path), "%q was left out: the budget of %d tokens holds %d of %d skills", st.Name, budget, found.Skills, len(rank)))
	}
	return d, nil
}

func (b *builder) skills() []skill.Skill {
	out := make([]skill.Skill, len(b.sel.Set))
	for i, st := range b.sel.Set {
		out[i] = st.Skill
	}
	return out
}

func (b *builder) selectedName() string {
	if b.sel.Selected == nil {
		return ""
	}
	return b.sel.Selected.Name
}

// least is how many skills may never be dropped.
func (b *builder) least() int {
	n := 0
	for _, st := range b.sel.Set {
		if b.sel.Pinned[skill.Key(st.Name)] || b.sel.Selected != nil && st.Found == b.sel.Selected.Found {
			n++
		}
	}
	return n
}

// ceiling is the largest limit that changes anything: the spec's own, or the
// longest text's bytes, which no token count exceeds.
func (b *builder) ceiling() Limits {
	l := Limits{Skills: len(b.sel.Set), Body: b.spec.Budget.Skill, Description: b.spec.Budget.Description}
	longestBody, longestDescription := 0, 0
	for _, st := range b.sel.Set {
		longestDescription = max(longestDescription, len(st.Description))
		if c := b.content[st.Path]; c != nil {
			longestBody = max(longestBody, len(c.Body))
		}
	}
	if l.Body == 0 {
		l.Body = longestBody
	}
	if l.Description == 0 {
		l.Description = longestDescription
	}
	return l
}

// account lists what is in the model's reach and what is not.
func (b *builder) account(p *Prompt, d *draft) {
	out := b.sel.dropped()
	hidden := map[string]Drop{}
	for _, x := range d.rendering.Diagnostics {
		path := cmp.Or(b.views[x.File], x.File)
		switch x.Code {
		case diag.SkillHidden:
			hidden[path] = DropHidden
		case diag.SkillUndeliverable:
			hidden[path] = DropUndeliverable
		}
	}
	used := make(map[*skill.Found]bool, len(d.used))
	for _, st := range d.used {
		used[st.Found] = true
	}
	for _, st := range b.sel.Set {
		switch why, gone := hidden[st.Path]; {
		case !used[st.Found]:
			out = append(out, Dropped{Name: st.Name, Reason: DropBudget, Path: st.Path})
		case gone && !d.carries(st.Name):
			out = append(out, Dropped{Name: st.Name, Reason: why, Path: st.Path})
		default:
			u := Used{Name: st.Name, Path: st.Path, Scope: st.Scope}
			if c := b.content[st.Path]; c != nil {
				u.SHA256 = c.SHA256
				u.Tokens = b.job.Counter.Count(string(c.Raw))
			}
			p.Skills = append(p.Skills, u)
		}
	}
	p.Dropped = out
}

// view is how a model reads a path: as it is, or relative to the job's base.
func (b *builder) view(path string) string {
	if b.job.PathBase == "" {
		return path
	}
	rel, err := filepath.Rel(b.job.PathBase, path)
	if err != nil {
		return path
	}
	rel = filepath.ToSlash(rel)
	b.views[rel] = path
	return rel
}

func (b *builder) real(path string) string { return cmp.Or(b.views[path], path) }

func (b *builder) realLinks(links []Link) []Link {
	out := slices.Clone(links)
	for i := range out {
		out[i].Target = b.real(out[i].Target)
	}
	return out
}

func (b *builder) realRoots(roots []string) []string {
	out := make([]string, len(roots))
	for i, r := range roots {
		out[i] = b.real(r)
	}
	return out
}

func (b *builder) realLaunch(l Launch) Launch {
	out := Launch{Args: slices.Clone(l.Args), Env: maps.Clone(l.Env)}
	for i, a := range out.Args {
		out.Args[i] = b.real(a)
	}
	for k, v := range out.Env {
		out.Env[k] = b.real(v)
	}
	return out
}

// invocation is what a user types so that the agent loads a skill by itself;
// ok is false where that is not how this strategy delivers, or is not known.
func (b *builder) invocation(name, args string) (string, bool) {
	if b.job.Agent.Invoke == "" || !slices.Contains(b.info.Needs, agent.NeedNative) {
		return "", false
	}
	return strings.TrimSpace(strings.NewReplacer("{name}", name, "{args}", args).Replace(b.job.Agent.Invoke)), true
}

func (b *builder) note(path string) func(int) string {
	return func(left int) string {
		return words(b.spec.Language).Say("cut-note", cutNote{Left: left, Path: EscapeLine(Slash(b.view(path)))})
	}
}

type cutNote struct {
	Left int
	Path string
}
