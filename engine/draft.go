package engine

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/promptc/promptc/engine/diag"
)

// draft is one rendering under given limits: a whole prompt, measured.
type draft struct {
	in        *Input
	used      []Standing // the skills that are left, in session order
	rendering *Rendering
	sections  []Section
	messages  []Message

	title        string
	typedNothing bool

	perSection                              []int
	systemTokens, messageTokens, toolTokens int

	found diag.List
}

func (d *draft) total() int { return d.systemTokens + d.messageTokens + d.toolTokens }

// carries says whether a section holds the body of the named skill.
func (d *draft) carries(name string) bool {
	return slices.ContainsFunc(d.sections, func(s Section) bool { return s.Skill == name })
}

// draft renders with the l.Skills most important skills and texts within l.
func (b *builder) draft(ctx context.Context, rank []int, l Limits) (*draft, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	d := &draft{}
	kept := slices.Sorted(slices.Values(rank[:min(l.Skills, len(rank))]))
	in := &Input{
		Agent: b.job.Agent, Workspace: b.spec.Workspace.Dir, Place: b.place, Language: b.spec.Language,
		Message: b.spec.Message, Options: b.options, Template: b.job.Templates[b.info.Name], Selected: b.selectedName(),
	}
	in.Skills = slices.Grow(in.Skills, len(kept))
	d.used = slices.Grow(d.used, len(kept))
	var bodies []string
	for _, i := range kept {
		st := b.sel.Set[i]
		d.used = append(d.used, st)
		s := st.Skill
		s.Dir, s.Path = b.view(st.Dir), b.view(st.Path)
		s.Native = b.job.Catalog.Roots[st.Root].Root.Native
		s.Description = b.cutDescription(d, st, l.Description)
		s.Body = ""
		if b.rendersBody(st) {
			bodies = append(bodies, b.content[st.Path].Body)
			s.Body = b.cutBody(d, st, b.content[st.Path].Body, l.Body)
		}
		in.Skills = append(in.Skills, s)
	}
	in.Isolation = newIsolation(b.spec.Language, bodies, b.texts())
	d.in = in
	var err error
	if d.rendering, err = b.strategy.Render(ctx, in); err != nil {
		return nil, fmt.Errorf("strategy %s: %w", b.info.Name, err)
	}
	d.found.Add(b.strategyDiagnostics(d.rendering.Diagnostics)...)
	sections := arrange(b.order, b.system, b.spec.Knowledge, d.rendering.Sections)
	placed := b.spec.Place != "first_message" || len(b.history) == 0
	if placed {
		d.sections = sections
	}
	if err := b.converse(ctx, d, l); err != nil {
		return nil, err
	}
	b.measure(d)
	return d, nil
}

func (b *builder) rendersBody(st Standing) bool {
	switch b.info.Bodies {
	case AllBodies:
		return true
	case SelectedBodies:
		return b.sel.Selected == nil || b.sel.Selected.Found == st.Found
	}
	return false
}

// texts are those in which no nonce may occur.
func (b *builder) texts() []string {
	out := []string{b.system, b.spec.Knowledge, b.spec.Message, b.spec.Select.Args}
	for _, m := range b.history {
		out = append(out, m.Text)
		for _, c := range m.Calls {
			out = append(out, string(c.Arguments))
		}
	}
	for _, st := range b.sel.Set {
		out = append(out, st.Name, st.Description, st.Path)
		if c := b.content[st.Path]; c != nil {
			out = append(out, c.Body)
		}
	}
	return out
}

// strategyDiagnostics are a strategy's, with the files as they are on disk.
func (b *builder) strategyDiagnostics(list diag.List) diag.List {
	out := slices.Clone(list)
	for i := range out {
		out[i].File = b.real(out[i].File)
	}
	return out
}

type cutKey struct {
	path        string
	description bool
	limit       int
}

type cutText struct {
	text   string
	cut    bool
	before int
	after  int
}

func (b *builder) cutBody(d *draft, st Standing, body string, limit int) string {
	return b.cut(d, st, cutKey{st.Path, false, limit}, body, func() (string, bool) {
		return CutText(body, limit, b.job.Counter.Count, b.note(st.Path))
	})
}

func (b *builder) cutDescription(d *draft, st Standing, limit int) string {
	return b.cut(d, st, cutKey{st.Path, true, limit}, st.Description, func() (string, bool) {
		return CutDescription(st.Description, limit, b.job.Counter.Count)
	})
}

// cut cuts once for each limit; a text that cannot exceed it is never counted.
func (b *builder) cut(d *draft, st Standing, key cutKey, text string, run func() (string, bool)) string {
	if len(text) <= key.limit {
		return text
	}
	c, ok := b.cuts[key]
	if !ok {
		c.text, c.cut = run()
		if c.cut {
			c.before, c.after = b.job.Counter.Count(text), b.job.Counter.Count(c.text)
		}
		b.cuts[key] = c
	}
	if c.cut {
		what := "body"
		if key.description {
			what = "description"
		}
		d.found.Add(diag.New(diag.SkillCut, diag.At(st.Path), "the %s of %q was cut from %d to %d tokens", what, st.Name, c.before, c.after))
	}
	return c.text
}

// converse makes the messages: the history byte for byte, then the user's own
// (D7, D8, D10). A selected skill that no section carries is activated in front
// of the user's text, so that every strategy obeys a selection.
func (b *builder) converse(ctx context.Context, d *draft, l Limits) error {
	text, err := b.userText(ctx, d, l)
	if err != nil {
		return err
	}
	if b.spec.Place == "first_message" && len(b.history) == 0 {
		text = firstMessage(b.spec.Language, d.sections, text)
	}
	d.messages = slices.Clone(b.history)
	if text != "" {
		d.messages = append(d.messages, Message{Role: RoleUser, Text: text})
	}
	return nil
}

func (b *builder) userText(ctx context.Context, d *draft, l Limits) (string, error) {
	text, args := b.spec.Message, b.spec.Select.Args
	selected := b.sel.Selected
	if selected == nil {
		return text, nil
	}
	if text == "" {
		d.title = "/[" + selected.Name + "]"
		d.typedNothing = args == ""
	}
	var parts []string
	if !d.carries(selected.Name) {
		if call, ok := b.invocation(b.calledName(d, selected), args); ok {
			if text != "" {
				call += "\n\n" + text
			}
			return call, nil
		}
		act, err := b.activate(ctx, selected, &Ask{Skill: selected.Name, Args: args, By: ByUser}, l.Body)
		if err != nil {
			return "", err
		}
		d.found.Add(act.Diagnostics...)
		parts = append(parts, act.Text)
		if act.ArgsUsed {
			args = ""
		}
	}
	if text != "" {
		parts = append(parts, text)
	}
	if args != "" {
		parts = append(parts, "ARGUMENTS: "+args)
	}
	if text == "" && b.spec.Select.Args == "" {
		parts = append(parts, "/["+selected.Name+"]")
	}
	return strings.Join(parts, "\n\n"), nil
}

// calledName is the name by which the agent knows a linked skill: that of its
// directory where it goes by directories.
func (b *builder) calledName(d *draft, st *Standing) string {
	if b.job.Agent.NameOf == "directory" {
		for _, l := range d.rendering.Links {
			if b.real(l.Target) == st.Dir {
				return l.Path[strings.LastIndexByte(l.Path, '/')+1:]
			}
		}
	}
	return st.Name
}

// measure counts the text of every part once.
func (b *builder) measure(d *draft) {
	count := b.job.Counter.Count
	for _, s := range d.sections {
		d.perSection = append(d.perSection, count(s.Text))
	}
	switch {
	case b.spec.Place == "first_message":
	case len(d.sections) == 1: // the whole is its only part
		d.systemTokens = d.perSection[0]
	default:
		d.systemTokens = count(joinSections(d.sections))
	}
	for _, m := range d.messages {
		d.messageTokens += count(m.Text)
		for _, c := range m.Calls {
			d.messageTokens += count(c.Name) + count(string(c.Arguments))
		}
	}
	for _, t := range d.rendering.Tools {
		d.toolTokens += count(toolText(t))
	}
}

// toolText is a tool as compact JSON, the form in which providers take it.
func toolText(t Tool) string {
	data, err := json.Marshal(t)
	if err != nil {
		// Parameters that are not JSON: checkRendering refuses them.
		return t.Name + t.Description + string(t.Parameters)
	}
	return string(data)
}

func (b *builder) usage(d *draft) Usage {
	u := Usage{
		Tokenizer: b.job.Counter.Name(), Exact: b.job.Counter.Exact(), ModelOwn: "unknown",
		System: d.systemTokens, Messages: d.messageTokens, Tools: d.toolTokens, Total: d.total(), Sections: d.perSection,
	}
	switch b.job.ModelOwn {
	case "true":
		u.ModelOwn = true
	case "false":
		u.ModelOwn = false
	}
	if f := b.job.Counter.Frame(); f.Source != "" {
		framing := f.Request + f.Message*len(d.messages) + f.Tool*len(d.rendering.Tools)
		if len(d.sections) > 0 && b.spec.Place != "first_message" {
			framing += f.Message
		}
		if len(d.rendering.Tools) > 0 {
			framing += f.ToolSet
		}
		u.Framing = &framing
	}
	return u
}

// verifyIsolation looks for each isolation line in all that the model gets: each
// must stand there exactly as often as a section put it there (D13).
func verifyIsolation(d *draft) diag.List {
	var found diag.List
	if d.in.Isolation.Nonce == "" {
		return nil
	}
	want := map[string]int{}
	for _, s := range d.sections {
		if s.Skill != "" {
			want[s.Skill]++
		}
	}
	if len(want) == 0 {
		return nil
	}
	var all strings.Builder
	all.WriteString(joinSections(d.sections))
	for _, m := range d.messages {
		all.WriteString("\n")
		all.WriteString(m.Text)
	}
	lines := map[string]int{}
	for line := range strings.Lines(all.String()) {
		if strings.Contains(line, d.in.Isolation.Nonce) {
			lines[strings.TrimRight(line, "\n")]++
		}
	}
	repeat := 1
	if len(d.messages) > 0 && strings.Contains(d.messages[len(d.messages)-1].Text, d.in.Isolation.Nonce) {
		repeat = 2 // placed in the first message: counted as section and as message
	}
	names := map[string]int{}
	for name, n := range want {
		names[EscapeName(name)] += n
	}
	for _, s := range d.sections {
		if s.Skill == "" {
			continue
		}
		n := names[EscapeName(s.Skill)] * repeat
		if lines[d.in.Isolation.Head(s.Skill)] != n || lines[d.in.Isolation.Tail(s.Skill)] != n {
			found.Add(diag.New(diag.IsolationFailed, diag.Pos{}, "the isolation lines of %q do not stand alone in the prompt", s.Skill))
		}
	}
	return found
}
