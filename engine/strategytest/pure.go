package strategytest

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"sync"

	"github.com/promptc/promptc/engine"
	"github.com/promptc/promptc/engine/skill"
)

// rounds is how often an input is rendered to see whether it always gives the
// same: an order taken from a map of four shows in all but one of 24^11 cases.
const rounds = 12

// print is a text that is equal for equal renderings, and only for those; nil and
// empty are one.
func print(r *engine.Rendering) string { return fmt.Sprintf("%+v", *r) }

func (u *suite) checkDeterministic() {
	for _, mk := range u.makers() {
		if first, other, ok := u.steady(mk); !ok {
			u.report("two renderings of one input (%s) differ: %s", label(mk()), difference(first, other))
		}
	}
}

// makers make the same input again and again.
func (u *suite) makers() []func() *engine.Input {
	all := four()
	return []func() *engine.Input{
		func() *engine.Input { return u.input(all) },
		func() *engine.Input { return u.input(all, selecting(all[1].Name)) },
	}
}

// steady renders the same input again and again, with other inputs in between.
// Where there is an error, other clauses report it.
func (u *suite) steady(mk func() *engine.Input) (first, other string, ok bool) {
	for i := range rounds {
		r, err := u.tryRender(u.ctx, mk())
		if err != nil {
			return "", "", true
		}
		if i == 0 {
			first = print(r)
		} else if other = print(r); other != first {
			return first, other, false
		}
		if i%3 == 0 {
			_, _ = u.tryRender(u.ctx, u.input(many(7)))
			_, _ = u.tryActivate(u.ctx, u.activating(many(7)), &engine.Request{Skill: "boat-0003-x", Text: "Text."})
		}
	}
	return first, first, true
}

// difference shows where two texts begin to differ.
func difference(a, b string) string {
	i := 0
	for i < len(a) && i < len(b) && a[i] == b[i] {
		i++
	}
	part := func(s string) string { return s[max(0, i-20):min(len(s), i+40)] }
	return fmt.Sprintf("%q and %q", part(a), part(b))
}

func (u *suite) checkUntouched() {
	for i, in := range u.variants() {
		before := u.variants()[i]
		if _, ok := u.render(in); !ok {
			continue
		}
		if !reflect.DeepEqual(in, before) {
			u.report("Render changed its input (%s)", label(before))
		}
	}
	in, before := u.activating(four()), u.activating(four())
	req, asked := request(in.Skills[1]), request(in.Skills[1])
	if _, ok := u.activate(in, req); ok && !(reflect.DeepEqual(in, before) && reflect.DeepEqual(req, asked)) {
		u.report("Activate changed its input or its request")
	}
}

func request(s skill.Skill) *engine.Request {
	return &engine.Request{
		Skill: s.Name, By: engine.ByModel, Args: "ten knots", Text: "Do as " + s.Name + " says.\n",
		Files: []skill.File{{Path: "references/notes.md", Size: 120}, {Path: "scripts/run.sh", Size: 80}}, More: 2,
	}
}

func (u *suite) checkCancelled() {
	ctx, cancel := context.WithCancel(u.ctx)
	cancel()
	if _, err := u.tryRender(ctx, u.input(four())); !errors.Is(err, context.Canceled) {
		u.report("Render with a cancelled context returns %v, not its error", err)
	}
	in := u.activating(four())
	if _, err := u.tryActivate(ctx, in, request(in.Skills[0])); !errors.Is(err, context.Canceled) {
		u.report("Activate with a cancelled context returns %v, not its error", err)
	}
}

// checkParallel calls from several goroutines at once. A strategy that already
// differs when it is called in turn cannot be judged so.
func (u *suite) checkParallel() {
	all := four()
	inputs := []func() *engine.Input{
		func() *engine.Input { return u.input(all) },
		func() *engine.Input { return u.input(all[1:]) },
		func() *engine.Input { return u.input(all, speaking("zh")) },
		func() *engine.Input { return u.input(many(30)) },
	}
	want := make([]string, len(inputs))
	for i, mk := range inputs {
		first, _, ok := u.steady(mk)
		if !ok || first == "" {
			return
		}
		want[i] = first
	}
	var wg sync.WaitGroup
	start := make(chan struct{})
	for range 2 {
		for i, mk := range inputs {
			wg.Go(func() {
				<-start
				for range rounds {
					r, err := u.tryRender(u.ctx, mk())
					if err != nil {
						u.report("Render in parallel: %v", err)
						return
					}
					if got := print(r); got != want[i] {
						u.report("Render in parallel differs: %s", difference(want[i], got))
						return
					}
				}
			})
		}
	}
	close(start)
	wg.Wait()
}

// backwards returns the skills in the other order.
func backwards(skills []skill.Skill) []skill.Skill {
	out := slices.Clone(skills)
	slices.Reverse(out)
	return out
}
