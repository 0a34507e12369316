package engine

// Limits are what a prompt is fitted by. A larger one always shows at least as much.
type Limits struct {
	Skills      int // how many are kept, the most important first
	Body        int // tokens of a body, its note included
	Description int // tokens of a description; 0: names only
}

// The least that a text is cut to while a prompt is fitted, in tokens.
const (
	bodyFloor        = 200
	descriptionFloor = 20
)

// fit finds the lexicographically largest Limits up to ceiling whose whole prompt, as
// measure has it, is within budget: first as many skills as possible with every text
// at its floor, then the longest bodies, then the longest descriptions. A floor above
// the ceiling is the ceiling; below the floor of descriptions there is only 0. least
// skills are never dropped: where even they do not fit, fit returns them at their
// shortest, and over says by how many tokens they are too big.
//
// The prompt of found is never over budget unless over says so. Where measure grows
// with each limit, found is the largest that there is. Where it does not (a tokenizer
// may count more for less, a list of names turn into a string), each number found by
// halving is one that was measured to fit. measure is asked once for each Limits at
// most, and about as often as the ceilings have binary digits.
func fit(ceiling Limits, least int, budget int, measure func(Limits) (int, error)) (found Limits, over int, err error) {
	f := fitter{budget: budget, measure: measure, known: map[Limits]int{}}
	if f.fits(ceiling) {
		return ceiling, 0, f.err
	}
	least = min(least, ceiling.Skills)
	found = Limits{Skills: least, Body: min(bodyFloor, ceiling.Body)}
	found.Skills = f.largest(least, ceiling.Skills, func(n int) bool {
		return f.fits(Limits{Skills: n, Body: found.Body})
	})
	if !f.fits(found) {
		return found, f.known[found] - budget, f.err
	}
	found.Body = f.largest(found.Body, ceiling.Body, func(n int) bool {
		return f.fits(Limits{Skills: found.Skills, Body: n})
	})
	floor := min(descriptionFloor, ceiling.Description)
	if least := (Limits{found.Skills, found.Body, floor}); floor > 0 && f.fits(least) {
		found.Description = f.largest(floor, ceiling.Description, func(n int) bool {
			return f.fits(Limits{found.Skills, found.Body, n})
		})
	}
	return found, 0, f.err
}

// fitter remembers what was measured.
type fitter struct {
	budget  int
	measure func(Limits) (int, error)
	known   map[Limits]int
	err     error // the first one; nothing is measured after it
}

func (f *fitter) fits(l Limits) bool {
	n, ok := f.known[l]
	if !ok && f.err == nil {
		if n, f.err = f.measure(l); f.err == nil {
			f.known[l] = n
		}
	}
	return f.err == nil && n <= f.budget
}

// largest gives the largest number from low to high for which ok holds, where ok
// holds for none after it fails for one. Otherwise it is one for which ok holds, or
// low where that was not found.
func (f *fitter) largest(low, high int, ok func(int) bool) int {
	if high <= low || ok(high) {
		return max(low, high)
	}
	for high-low > 1 {
		if middle := low + (high-low)/2; ok(middle) {
			low = middle
		} else {
			high = middle
		}
	}
	return low
}
