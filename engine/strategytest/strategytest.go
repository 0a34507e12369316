// Package strategytest is the contract of engine.Strategy as a test suite.
//
// An author of a strategy calls Run in a test; a program that judges somebody
// else's strategy, maybe in another process, calls Check. Both go through the
// clauses in the order of Clauses, each with inputs of its own. For every clause
// Mutants has a strategy that breaks this clause and no other.
package strategytest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"

	"github.com/promptc/promptc/engine"
	"github.com/promptc/promptc/engine/agent"
)

// Finding is one way in which a strategy breaks a clause.
type Finding struct {
	Clause  string `json:"clause"`
	Message string `json:"message"`
}

func (f Finding) String() string { return f.Clause + ": " + f.Message }

// Clause is one obligation of a strategy.
type Clause struct {
	Name       string
	Obligation string // one sentence
	check      func(*suite)
}

// Clauses lists them in the order in which they are checked.
func Clauses() []Clause {
	return []Clause{
		{"info", "Info is complete, well formed and always the same.", (*suite).checkInfo},
		{"options", "The schema of the options compiles and refuses a key that it does not know; no options and {} mean the same.", (*suite).checkOptions},
		{"empty", "Given no skills, Render returns nothing.", (*suite).checkEmpty},
		{"deterministic", "Equal inputs give equal renderings, whatever was rendered before.", (*suite).checkDeterministic},
		{"untouched", "Render and Activate leave their arguments as they found them.", (*suite).checkUntouched},
		{"cancelled", "A cancelled context ends in its error.", (*suite).checkCancelled},
		{"parallel", "Calls in parallel give what calls one after the other give.", (*suite).checkParallel},
		{"order", "Skills appear in session order.", (*suite).checkOrder},
		{"growth", "Fewer skills or shorter texts never give more bytes for the same shape of tools.", (*suite).checkGrowth},
		{"reachable", "Every skill is in the Rendering, or named in a skill-hidden or skill-undeliverable diagnostic.", (*suite).checkReachable},
		{"sections", "A section that holds a body names its skill, and one that names a skill holds its body; ids are unique.", (*suite).checkSections},
		{"message", "The user's message never appears.", (*suite).checkMessage},
		{"tools", "Tool names and schemas are accepted by every provider.", (*suite).checkTools},
		{"asks", "A tool's Asks name a skill of the input or parameters of its schema.", (*suite).checkAsks},
		{"paths", "Links stay inside of the place and apart, and lead to skills; read roots are directories of skills.", (*suite).checkPaths},
		{"hostile", "No text of a skill leaves its entry, hides or turns text, or is executed; bodies stay byte for byte.", (*suite).checkHostile},
		{"diagnostics", "Diagnostics have a code of the table and one line that says something; good skills give no error.", (*suite).checkDiagnostics},
		{"activate", "Activate answers for every skill and file with exactly the text that it was given.", (*suite).checkActivate},
		{"unknown-skill", "Activate answers a skill that is not there with an error that wraps ErrUnknownSkill.", (*suite).checkUnknown},
		{"large", "Two thousand skills and texts of megabytes are taken whole.", (*suite).checkLarge},
	}
}

// Option changes what a strategy is judged with.
type Option func(*suite)

// WithOptions gives the strategy these options in every input.
func WithOptions(options json.RawMessage) Option {
	return func(s *suite) { s.options = options }
}

// WithAgent judges the strategy with this agent in place of one that can do
// everything.
func WithAgent(a agent.Agent) Option {
	return func(s *suite) { s.agent = a }
}

// Run judges s in one subtest a clause.
func Run(t *testing.T, s engine.Strategy, opts ...Option) {
	t.Helper()
	for _, c := range Clauses() {
		t.Run(c.Name, func(t *testing.T) {
			for _, f := range check(t.Context(), s, c, opts) {
				t.Errorf("%s\n%s", c.Obligation, f.Message)
			}
		})
	}
}

// Check judges s by every clause and returns what it breaks; nothing where it
// keeps the contract. It goes on after a finding. It ends early, with what it has,
// only where ctx ends.
func Check(ctx context.Context, s engine.Strategy, opts ...Option) []Finding {
	var found []Finding
	for _, c := range Clauses() {
		if ctx.Err() != nil {
			break
		}
		found = append(found, check(ctx, s, c, opts)...)
	}
	return found
}

// maxFindings is how many findings of one clause are reported.
const maxFindings = 3

func check(ctx context.Context, s engine.Strategy, c Clause, opts []Option) []Finding {
	u := &suite{ctx: ctx, strategy: s, clause: c.Name, agent: able()}
	for _, o := range opts {
		o(u)
	}
	if err := safely(func() error { u.info = s.Info(); return nil }); err != nil {
		u.report("Info: %v", err)
		return u.found
	}
	c.check(u)
	return u.found
}

// suite is the state of judging one clause.
type suite struct {
	ctx      context.Context
	strategy engine.Strategy
	info     engine.Info
	clause   string
	agent    agent.Agent
	options  json.RawMessage

	mu    sync.Mutex
	found []Finding
}

func (u *suite) report(format string, args ...any) {
	u.mu.Lock()
	defer u.mu.Unlock()
	f := Finding{Clause: u.clause, Message: fmt.Sprintf(format, args...)}
	if len(u.found) < maxFindings && !slices.Contains(u.found, f) {
		u.found = append(u.found, f)
	}
}

// render asks for a Rendering and reports where there is none.
func (u *suite) render(in *engine.Input) (*engine.Rendering, bool) {
	r, err := u.tryRender(u.ctx, in)
	if err != nil {
		u.report("Render(%s): %v", label(in), err)
		return nil, false
	}
	return r, true
}

func (u *suite) tryRender(ctx context.Context, in *engine.Input) (r *engine.Rendering, err error) {
	err = safely(func() error {
		var err error
		r, err = u.strategy.Render(ctx, in)
		return err
	})
	if err == nil && r == nil {
		err = errors.New("neither a Rendering nor an error")
	}
	return r, err
}

// activate asks for an Activation and reports where there is none.
func (u *suite) activate(in *engine.Input, req *engine.Request) (*engine.Activation, bool) {
	a, err := u.tryActivate(u.ctx, in, req)
	if err != nil {
		u.report("Activate(%q, file %q): %v", req.Skill, req.File, err)
		return nil, false
	}
	return a, true
}

func (u *suite) tryActivate(ctx context.Context, in *engine.Input, req *engine.Request) (a *engine.Activation, err error) {
	err = safely(func() error {
		var err error
		a, err = u.strategy.Activate(ctx, in, req)
		return err
	})
	if err == nil && a == nil {
		err = errors.New("neither an Activation nor an error")
	}
	return a, err
}

// safely turns a panic into an error, so that one fault does not end the suite.
func safely(f func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v", p)
		}
	}()
	return f()
}
