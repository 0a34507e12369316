package main

import (
	"context"
	"fmt"
	"runtime"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"golang.org/x/sync/errgroup"

	"github.com/promptc/promptc/engine"
	"github.com/promptc/promptc/engine/diag"
	"github.com/promptc/promptc/engine/format"
	"github.com/promptc/promptc/engine/skill"
	"github.com/promptc/promptc/strategies/index"
)

type skillsView struct {
	Count       int               `json:"count"`
	Spec        string            `json:"spec"`
	Roots       []rootView        `json:"roots"`
	Skills      []skillView       `json:"skills"`
	Diagnostics []diag.Diagnostic `json:"diagnostics"`
}

type rootView struct {
	Dir    string          `json:"dir"`
	Scope  skill.Scope     `json:"scope"`
	Source string          `json:"source"`
	State  skill.RootState `json:"state"`
	Skills int             `json:"skills"`
}

type skillView struct {
	Name         string        `json:"name"`
	Description  string        `json:"description"`
	Path         string        `json:"path"`
	Dir          string        `json:"dir"`
	Scope        skill.Scope   `json:"scope"`
	Status       engine.State  `json:"status"`
	Reason       string        `json:"reason"`
	ShadowedBy   string        `json:"shadowed_by"`
	ArgumentHint string        `json:"argument_hint"`
	Files        int           `json:"files"`
	SHA256       *string       `json:"sha256,omitempty"` // of the whole file, "" where it cannot be read; nil: not asked for
	Tokens       *skillsTokens `json:"tokens,omitempty"` // nil: not asked for
}

type skillsTokens struct {
	Index int `json:"index"` // of its entry: name, description and path as the index strategy writes them
	Body  int `json:"body"`
}

func (a *app) skillsCommand() *cobra.Command {
	var asJSON, noTokens bool
	var match string
	c := &cobra.Command{
		Use:   "skills [NAME]",
		Short: "List every skill that is there, and what became of it",
		Args:  cobra.MaximumNArgs(1),
	}
	f := a.specFlags(c)
	c.Flags().StringVar(&match, "match", "", "only what a user could mean who typed `TEXT`, best first")
	c.Flags().BoolVar(&noTokens, "no-tokens", false, "read heads only, count nothing")
	c.Flags().BoolVar(&asJSON, "json", false, "for programs")
	c.RunE = func(c *cobra.Command, args []string) error {
		spec, err := a.loadSpec(f)
		if err != nil {
			return err
		}
		job, err := a.job(c.Context(), f, spec)
		if err != nil {
			return err
		}
		sel := engine.Select(spec, job.Catalog.Found)
		view := skillsView{Spec: spec.Path, Roots: []rootView{}, Skills: []skillView{}}
		for _, r := range job.Catalog.Roots {
			view.Roots = append(view.Roots, rootView{r.Root.Dir, r.Root.Scope, r.Root.Source, r.State, r.Skills})
		}
		suggest := c.Flags().Changed("match")
		var missed diag.List
		if !suggest { // a list to choose from has no need of what cannot be chosen
			_, missed = job.Catalog.Search(c.Context())
			if err := c.Context().Err(); err != nil {
				return err
			}
		}
		list := slices.Clone(job.Diagnostics)
		list.Add(job.Catalog.Diagnostics...)
		for _, found := range job.Catalog.Found {
			list.Add(found.Problems...)
		}
		list.Add(sel.Diagnostics...)
		list.Add(missed...)
		view.Diagnostics = listed([]diag.Diagnostic(list))
		standings := sel.All
		if len(args) == 1 {
			standings = named(standings, args[0])
			if len(standings) == 0 {
				return a.unknown(engine.NoSuchSkill(job.Catalog.Found, args[0], diag.Pos{}))
			}
		}
		if suggest {
			standings = matching(standings, match)
		}
		if view.Skills, err = viewsOf(c.Context(), job, standings, !noTokens); err != nil {
			return err
		}
		view.Count = len(view.Skills)
		if asJSON {
			if err := format.Encode(a.out, view); err != nil {
				return err
			}
			return a.finish(list.Errors())
		}
		if len(args) == 1 {
			a.printSkill(view.Skills, job)
			list = about(list, standings)
		} else {
			a.printSkills(view)
		}
		return a.finish(a.unlisted(list))
	}
	return c
}

// unlisted are the diagnostics that the list does not show already: it has a row
// for each root and for each skill that is hidden.
func (a *app) unlisted(list diag.List) diag.List {
	if a.verbose {
		return list
	}
	return slices.DeleteFunc(slices.Clone(list), func(d diag.Diagnostic) bool { return d.Code == diag.SkillHidden || isOptional(d) })
}

// about are the diagnostics that speak of the named skills' own files, and errors.
func about(list diag.List, named []engine.Standing) diag.List {
	return slices.DeleteFunc(slices.Clone(list), func(d diag.Diagnostic) bool {
		return d.Severity < diag.Error && !slices.ContainsFunc(named, func(st engine.Standing) bool { return inside(d.File, st.Dir) })
	})
}

// indexEntry is the entry that the index strategy writes for s: the figure comes
// from what builds the prompt.
func indexEntry(ctx context.Context, s skill.Skill) (string, error) {
	r, err := index.New().Render(ctx, &engine.Input{Skills: []skill.Skill{s}})
	if err != nil {
		return "", err
	}
	_, entry, _ := strings.Cut(r.Sections[0].Text, "\n\n")
	return entry, nil
}

func named(list []engine.Standing, name string) []engine.Standing {
	var out []engine.Standing
	for _, st := range list {
		if skill.Key(st.Name) == skill.Key(name) {
			out = append(out, st)
		}
	}
	return out
}

// viewsOf looks at several skills at a time; the views are in the order of list.
func viewsOf(ctx context.Context, job *engine.Job, list []engine.Standing, full bool) ([]skillView, error) {
	views := make([]skillView, len(list))
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(runtime.GOMAXPROCS(0))
	for i, st := range list {
		group.Go(func() (err error) {
			views[i], err = viewOf(ctx, job, st, full)
			return err
		})
	}
	return views, group.Wait()
}

func viewOf(ctx context.Context, job *engine.Job, st engine.Standing, full bool) (skillView, error) {
	v := skillView{
		Name: st.Name, Description: st.Description, Path: st.Path, Dir: st.Dir, Scope: st.Scope,
		Status: st.State, Reason: st.Reason, ShadowedBy: st.Winner, ArgumentHint: st.ArgumentHint,
	}
	files, more, err := st.Files(ctx, 10_000)
	if err == nil {
		v.Files = len(files) + more
	} else if ctx.Err() != nil {
		return v, ctx.Err()
	}
	if !full {
		return v, nil
	}
	entry, err := indexEntry(ctx, st.Skill)
	if err != nil {
		return v, err
	}
	v.Tokens, v.SHA256 = &skillsTokens{Index: job.Counter.Count(entry)}, new(string)
	content, err := st.Read(ctx)
	if err != nil {
		return v, ctx.Err() // it is broken, and its reason says so
	}
	*v.SHA256 = content.SHA256
	v.Tokens.Body = job.Counter.Count(content.Body)
	return v, nil
}

// printSkills writes a row for each root and two lines for each skill.
func (a *app) printSkills(view skillsView) {
	style := a.style()
	if view.Spec != "" {
		fmt.Fprintf(a.out, "%s %s\n", style.Dim("spec"), format.Visible(view.Spec))
	}
	for _, r := range view.Roots {
		state := string(r.State)
		if r.State == skill.RootOK {
			state = fmt.Sprintf("%d found", r.Skills)
		}
		fmt.Fprintf(a.out, "%s %s %s\n", style.Dim("root"), format.Visible(r.Dir), style.Dim(fmt.Sprintf("(%s, %s, %s)", r.Scope, r.Source, state)))
	}
	name, scope := 0, 0
	for _, s := range view.Skills {
		name = max(name, min(columns(format.Visible(s.Name)), 32))
		scope = max(scope, len(s.Scope))
	}
	counted := false
	for _, s := range view.Skills {
		head := pad(string(s.Scope), scope) + "  "
		if s.Tokens != nil {
			counted = true
			head += fmt.Sprintf("%6s %7s  ", format.Number(s.Tokens.Index), format.Number(s.Tokens.Body))
		}
		left := max(name, columns(format.Visible(s.Name))) + 2
		text := clip(format.Visible(strings.Join(strings.Fields(s.Description), " ")), max(24, a.width()-left-len(head)))
		if s.Status != engine.StateVisible {
			status := strings.ToUpper(string(s.Status))
			reason := status + ": " + s.Reason
			if by, ok := strings.CutPrefix(s.Reason, string(s.Status)); ok {
				reason = status + by // SHADOWED by …
			}
			text = hang(reason, left+len(head), a.width()) // a reason is never cut
		}
		fmt.Fprintf(a.out, "%s%s%s%s\n", style.Bold(format.Visible(s.Name)), strings.Repeat(" ", left-columns(format.Visible(s.Name))), style.Dim(head), text)
		fmt.Fprintf(a.out, "  %s\n", style.Dim(format.Visible(s.Path)))
	}
	what := "skills"
	if view.Count == 1 {
		what = "skill"
	}
	legend := ""
	if counted {
		legend = "; the numbers are tokens of the index entry and of the body"
	}
	fmt.Fprintln(a.out, style.Dim(fmt.Sprintf("%d %s%s", view.Count, what, legend)))
}

// printSkill writes all that is known of the skills of one name.
func (a *app) printSkill(list []skillView, job *engine.Job) {
	style := a.style()
	for i, s := range list {
		if i > 0 {
			fmt.Fprintln(a.out)
		}
		fmt.Fprintln(a.out, style.Bold(format.Visible(s.Name)))
		rows := [][2]string{{"status", string(s.Status)}, {"reason", s.Reason}, {"scope", string(s.Scope)}, {"path", s.Path}, {"description", s.Description}, {"arguments", s.ArgumentHint}, {"files", fmt.Sprint(s.Files)}}
		if s.Tokens != nil {
			rows = append(rows, [2]string{"sha256", *s.SHA256}, [2]string{"tokens", fmt.Sprintf("%s in the index, %s as a body (%s)", format.Number(s.Tokens.Index), format.Number(s.Tokens.Body), job.Counter.Name())})
		}
		for _, r := range rows {
			if r[1] != "" {
				fmt.Fprintf(a.out, "  %-12s %s\n", r[0], hang(r[1], 15, a.width()))
			}
		}
	}
}
