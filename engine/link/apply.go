package link

import (
	"context"
)

// Plan says what Apply would do, with the same outcomes and reasons, and changes
// nothing. What only shows when it is tried (no privilege, a full disk) it cannot
// know.
func Plan(ctx context.Context, set Set) (*Report, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	r, err := newRun(set, system{})
	if err != nil {
		return nil, err
	}
	defer r.close()
	if err := r.compared(); err != nil {
		return nil, err
	}
	if set.Into && len(set.Wants) > 0 {
		if _, warning := findGit(r.real); warning != "" {
			r.warnGit(warning)
		}
	}
	return &r.report, nil
}

// PlanRemove says what Remove would do, and changes nothing.
func PlanRemove(ctx context.Context, state string, m *Manifest) (*Report, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	r, err := endOf(state, m, system{})
	if err != nil {
		return nil, err
	}
	defer r.close()
	if err := r.compared(); err != nil {
		return nil, err
	}
	return &r.report, nil
}

// Apply makes the place hold exactly the set: it makes what is missing, repairs
// what is ours and wrong, and removes what is ours and no longer wanted. What it
// did not make it leaves alone. Doing it twice changes nothing the second time.
// Two processes at one place wait for each other; ctx ends the wait.
//
// An error means that the work could not be done or stopped in the middle; the
// Report, if there is one, then holds what was done. What went wrong with a single
// link is a Result, and spoils none of the others.
func Apply(ctx context.Context, set Set) (*Report, error) { return apply(ctx, set, system{}) }

func apply(ctx context.Context, set Set, sys system) (*Report, error) {
	r, err := newRun(set, sys)
	if err != nil {
		return nil, err
	}
	return r.locked(ctx)
}

// Remove undoes what a manifest lists, as far as it still is as it was made;
// whatever is not is left, with the reason. Directories made on the way go once
// they are empty. Doing it twice is fine: the second time there is nothing left.
func Remove(ctx context.Context, state string, m *Manifest) (*Report, error) {
	return remove(ctx, state, m, system{})
}

func remove(ctx context.Context, state string, m *Manifest, sys system) (*Report, error) {
	r, err := endOf(state, m, sys)
	if err != nil {
		return nil, err
	}
	return r.locked(ctx)
}
