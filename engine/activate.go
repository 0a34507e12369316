package engine

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"unicode/utf8"

	"github.com/promptc/promptc/engine/diag"
	"github.com/promptc/promptc/engine/skill"
)

// Ask is a wish for a skill's body, or for one of its files.
type Ask struct {
	Skill string
	File  string // slash-separated, relative to the skill's directory; "" is the body
	Args  string
	By    By
}

// Granted is what the conversation gains by an Ask.
type Granted struct {
	Skill    string
	Strategy string
	Text     string
	ArgsUsed bool
	// Diagnostics of severity error mean that nothing was granted.
	Diagnostics diag.List
}

// maxFiles caps the list of a skill's files in an activation.
const maxFiles = 50

// Activate gives the words for a skill under the strategy that job's spec
// chooses. An unknown skill or file, and one that may not be used, is a diagnostic
// of severity error.
func Activate(ctx context.Context, job *Job, ask Ask) (*Granted, error) {
	if len(job.Strategies) == 0 {
		return nil, errNoStrategies
	}
	if job.Counter == nil {
		return nil, errNoCounter
	}
	b, err := newBuilder(ctx, job)
	if err != nil {
		return nil, err
	}
	out := &Granted{Diagnostics: b.found}
	if b.found.Err() != nil {
		return out, nil
	}
	out.Strategy = b.info.Name
	st, d := b.askable(ask)
	if st == nil {
		out.Diagnostics.Add(d)
		return out, nil
	}
	act, err := b.activate(ctx, st, &ask, b.spec.Budget.Skill)
	switch {
	case errors.Is(err, ErrUnknownFile):
		out.Diagnostics.Add(diag.New(diag.UnknownFile, diag.At(st.Dir), "%v", err))
		return out, nil
	case err != nil:
		return nil, err
	}
	out.Skill, out.Text, out.ArgsUsed = st.Name, act.Text, act.ArgsUsed
	out.Diagnostics.Add(act.Diagnostics...)
	return out, nil
}

// askable finds the skill that may be had by whoever asks: the user may have a
// hidden one, the model one that is not only for the model.
func (b *builder) askable(ask Ask) (*Standing, diag.Diagnostic) {
	key := skill.Key(ask.Skill)
	var other *Standing
	for i := range b.sel.All {
		st := &b.sel.All[i]
		if skill.Key(st.Name) != key {
			continue
		}
		switch {
		case ask.By == ByUser && st.Form.NotForUsers && st.State == StateVisible:
			return nil, diag.New(diag.SkillUnavailable, diag.At(st.Path), "%q says user-invocable: false, so a user cannot select it", st.Name)
		case st.State == StateVisible, st.State == StateHidden && ask.By == ByUser:
			return st, diag.Diagnostic{}
		}
		other = st
	}
	if other != nil {
		return nil, diag.New(diag.SkillUnavailable, diag.At(other.Path), "%q cannot be used: %s", other.Name, other.Reason)
	}
	return nil, NoSuchSkill(b.job.Catalog.Found, ask.Skill, diag.Pos{})
}

// NoSuchSkill is the diagnostic for a name that no found skill has.
func NoSuchSkill(found []*skill.Found, name string, at diag.Pos) diag.Diagnostic {
	var known []string
	for _, f := range found {
		known = append(known, f.Name)
	}
	d := diag.New(diag.UnknownSkill, at, "no skill is named %q", name)
	if near := diag.Nearest(name, known); near != "" {
		d = d.WithHint("did you mean %q? `promptc skills` lists all", near)
	}
	return d
}

// activate asks the strategy for the words of a skill's body, filled with the
// arguments and cut to limit tokens (0: whole), or of one of its files.
func (b *builder) activate(ctx context.Context, st *Standing, ask *Ask, limit int) (*Activation, error) {
	req := &Request{Skill: st.Name, File: ask.File, Args: ask.Args, By: ask.By}
	s := st.Skill
	s.Dir, s.Path, s.Body = b.view(st.Dir), b.view(st.Path), ""
	var found diag.List
	var whole string
	used := false
	if ask.File != "" {
		text, err := b.readFile(ctx, st, ask.File)
		if err != nil {
			return nil, err
		}
		whole = text
		req.Text = text
	} else {
		content, err := b.contentOf(ctx, st)
		if err != nil {
			return nil, err
		}
		whole = content.Body
		req.Text, used = FillArguments(content.Body, ask.Args, st.ArgumentHint)
		if req.Files, req.More, err = st.Files(ctx, maxFiles); err != nil {
			return nil, fmt.Errorf("list the files of %s: %w", st.Name, err)
		}
	}
	if limit > 0 && len(req.Text) > limit {
		path := st.Path
		if ask.File != "" {
			path = st.Dir + "/" + ask.File
		}
		if cut, was := CutText(req.Text, limit, b.job.Counter.Count, b.note(path)); was {
			found.Add(diag.New(diag.SkillCut, diag.At(path), "the text of %q was cut from %d to %d tokens", st.Name, b.job.Counter.Count(req.Text), b.job.Counter.Count(cut)))
			req.Text = cut
		}
	}
	in := &Input{
		Agent: b.job.Agent, Workspace: b.spec.Workspace.Dir, Place: b.place, Language: b.spec.Language,
		Message: b.spec.Message, Skills: []skill.Skill{s}, Selected: b.selectedName(), Options: b.options,
		Template:  b.job.Templates[b.info.Name],
		Isolation: newIsolation(b.spec.Language, []string{whole}, append(b.texts(), req.Text)),
	}
	act, err := b.strategy.Activate(ctx, in, req)
	if err != nil {
		return nil, fmt.Errorf("strategy %s: activate %s: %w", b.info.Name, st.Name, err)
	}
	out := *act
	out.ArgsUsed = act.ArgsUsed || used
	out.Diagnostics = append(found, b.strategyDiagnostics(act.Diagnostics)...)
	return &out, nil
}

// contentOf reads a skill once.
func (b *builder) contentOf(ctx context.Context, st *Standing) (*skill.Content, error) {
	if c := b.content[st.Path]; c != nil {
		return c, nil
	}
	c, err := st.Read(ctx)
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", st.Path, err)
	}
	b.content[st.Path] = c
	return c, nil
}

// readFile reads a file of a skill as text, by real path inside of the skill
// only (P11). The error wraps ErrUnknownFile and says nothing of what lies
// elsewhere.
func (b *builder) readFile(ctx context.Context, st *Standing, name string) (string, error) {
	data, err := st.ReadFile(ctx, name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "", fmt.Errorf("%w: the skill %q has no file %q", ErrUnknownFile, st.Name, name)
	case errors.Is(err, skill.ErrOutside):
		return "", fmt.Errorf("%w: %q is not inside of the skill %q", ErrUnknownFile, name, st.Name)
	case errors.Is(err, skill.ErrTooLarge):
		return "", fmt.Errorf("%w: %q of the skill %q is too large to be given as text", ErrUnknownFile, name, st.Name)
	case ctx.Err() != nil:
		return "", ctx.Err()
	case err != nil:
		return "", fmt.Errorf("%w: %q of the skill %q cannot be read", ErrUnknownFile, name, st.Name)
	case !utf8.Valid(data):
		return "", fmt.Errorf("%w: %q of the skill %q is not text", ErrUnknownFile, name, st.Name)
	}
	return string(data), nil
}
