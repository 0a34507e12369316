// Package engine turns a spec into a prompt.
//
// The route is one way:
//
//	spec.yaml --LoadSpec--> Spec --Load--> Job --Build--> Prompt
//
// LoadSpec reads the file strictly; Load finds agent, templates and skills and
// returns a Job, to which the caller adds the candidates for a strategy and a
// token counter; Build chooses the strategy, selects the skills, fits them into
// the budget, lets the strategy render, and lays the prompt out. Build writes
// nothing and reads only through package skill. What a host does after the first
// turn is the Session's.
//
// An error means that promptc could not do its work; what is wrong with the
// user's files is in Prompt.Diagnostics, and Prompt.Err says whether the prompt
// is fit to send.
package engine

import (
	"context"
	"errors"

	"github.com/promptc/promptc/engine/agent"
	"github.com/promptc/promptc/engine/diag"
	"github.com/promptc/promptc/engine/skill"
)

// Job is everything that Build needs. Load fills it but for Strategies and
// Counter, which are the caller's to set.
type Job struct {
	Spec       *Spec
	Agent      agent.Agent
	Facts      agent.Facts
	Catalog    *skill.Catalog
	Templates  map[string]string // strategy -> the spec's own words
	Strategies []Strategy        // candidates: strategies.Bundled() and plugins that the user allowed
	Counter    Counter
	Policy     *Policy // what `strategy: auto` means; nil: there is none

	View      string // a directory of promptc's own for this session, outside of any workspace; "" where there is none
	PathBase  string // where set, paths that a model reads are relative to it
	ModelOwn  string // is the counter the model's own: "true", "false"; else unknown
	Inspect   bool   // read every listed SKILL.md whole, for its hash and tokens
	Stateless bool   // a Session answers every request in full: the host cannot say what it forgot

	Diagnostics diag.List // what Load found
}

var (
	errNoStrategies = errors.New("the job has no strategies: set Job.Strategies, for example to strategies.Bundled()")
	errNoCounter    = errors.New("the job has no token counter: set Job.Counter, for example to token.ForModel(model)")
)

// Build assembles the prompt that job asks for. Equal jobs give equal prompts,
// byte for byte.
func Build(ctx context.Context, job *Job) (*Prompt, error) {
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
	return b.build(ctx)
}
