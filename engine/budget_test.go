package engine

import (
	"errors"
	"math/rand/v2"
	"slices"
	"testing"
)

// texts is a made-up prompt: so many tokens for each skill's body and description.
type texts struct {
	base, frame        int // of the whole prompt, of each skill
	body, descriptions []int
	noise              func(Limits) int
}

func (x texts) measure(l Limits) (int, error) {
	n := x.base
	for i := range min(l.Skills, len(x.body)) {
		n += x.frame + min(x.body[i], l.Body) + min(x.descriptions[i], l.Description)
	}
	if x.noise != nil {
		n += x.noise(l)
	}
	return n, nil
}

func randomTexts(r *rand.Rand) texts {
	x := texts{base: r.IntN(300), frame: 1 + r.IntN(40)}
	for range r.IntN(9) {
		x.body = append(x.body, r.IntN(500))
		x.descriptions = append(x.descriptions, r.IntN(60))
	}
	return x
}

func (x texts) ceiling() Limits {
	l := Limits{Skills: len(x.body)}
	for i := range x.body {
		l.Body, l.Description = max(l.Body, x.body[i]), max(l.Description, x.descriptions[i])
	}
	return l
}

// best looks at every Limits from the largest down.
func best(ceiling Limits, least, budget int, measure func(Limits) (int, error)) (Limits, bool) {
	for skills := ceiling.Skills; skills >= least; skills-- {
		for body := ceiling.Body; body >= min(bodyFloor, ceiling.Body); body-- {
			for description := ceiling.Description; description >= 0; description-- {
				if description > 0 && description < min(descriptionFloor, ceiling.Description) {
					continue
				}
				l := Limits{skills, body, description}
				if n, _ := measure(l); n <= budget {
					return l, true
				}
			}
		}
	}
	return Limits{}, false
}

func TestFitIsTheLargestThatFits(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 5))
	dropped, cut, failed := 0, 0, 0
	for range 400 {
		x := randomTexts(r)
		full, _ := x.measure(x.ceiling())
		least := r.IntN(len(x.body) + 1)
		budget := r.IntN(full + 50)
		want, ok := best(x.ceiling(), least, budget, x.measure)
		got, over, err := fit(x.ceiling(), least, budget, x.measure)
		if err != nil {
			t.Fatal(err)
		}
		if !ok {
			failed++
			shortest := Limits{Skills: least, Body: min(bodyFloor, x.ceiling().Body)}
			if n, _ := x.measure(shortest); got != shortest || over != n-budget || over <= 0 {
				t.Errorf("%+v, least %d, budget %d: got %v, %d over; the shortest has %d tokens", x, least, budget, got, over, n)
			}
			continue
		}
		if got != want || over != 0 {
			t.Errorf("%+v, least %d, budget %d: got %v (%d over), want %v", x, least, budget, got, over, want)
		}
		if got.Skills < len(x.body) {
			dropped++
		} else if got != x.ceiling() {
			cut++
		}
	}
	if dropped < 20 || cut < 20 || failed < 20 {
		t.Errorf("only %d with dropped skills, %d with cut texts, %d too big: the test shows little", dropped, cut, failed)
	}
}

// What is cut may be counted as more than before; what is found fits all the same.
func TestFitNeverOverBudgetWhereCuttingGrows(t *testing.T) {
	r := rand.New(rand.NewPCG(6, 6))
	for range 400 {
		x := randomTexts(r)
		seed := r.Uint64()
		x.noise = func(l Limits) int {
			return rand.New(rand.NewPCG(seed, uint64(l.Skills<<40|l.Body<<20|l.Description))).IntN(30)
		}
		least := r.IntN(len(x.body) + 1)
		budget := 20 + r.IntN(2000)
		asked := map[Limits]int{}
		got, over, err := fit(x.ceiling(), least, budget, func(l Limits) (int, error) {
			asked[l]++
			return x.measure(l)
		})
		if err != nil {
			t.Fatal(err)
		}
		n, _ := x.measure(got)
		if over == 0 && n > budget || over > 0 && n-budget != over || got.Skills < least {
			t.Errorf("%v: %d tokens, budget %d, over %d, least %d", got, n, budget, over, least)
		}
		for l, n := range asked {
			if n > 1 {
				t.Errorf("%v was measured %d times", l, n)
			}
		}
	}
}

func TestFitMeasuresSeldom(t *testing.T) {
	x := texts{base: 500, frame: 30}
	for i := range 1000 {
		x.body = append(x.body, 100+i*9)
		x.descriptions = append(x.descriptions, 20+i%300)
	}
	calls := 0
	for _, budget := range []int{600, 5_000, 50_000, 250_000, 4_000_000, 9_000_000} {
		calls = 0
		if _, _, err := fit(x.ceiling(), 3, budget, func(l Limits) (int, error) { calls++; return x.measure(l) }); err != nil {
			t.Fatal(err)
		}
		if calls > 40 {
			t.Errorf("budget %d: measured %d times", budget, calls)
		}
	}
	if fit(x.ceiling(), 3, 9_000_000, func(l Limits) (int, error) { calls++; return x.measure(l) }); calls != 2 {
		t.Errorf("a prompt that fits is measured once, not %d times", calls-1)
	}
}

func TestFitKeepsThePinned(t *testing.T) {
	x := texts{base: 10, frame: 5, body: []int{300, 300, 300}, descriptions: []int{40, 40, 40}}
	got, over, _ := fit(x.ceiling(), 2, 100, x.measure)
	if want := (Limits{Skills: 2, Body: bodyFloor}); got != want || over != 10+2*(5+bodyFloor)-100 {
		t.Errorf("got %v, %d over", got, over)
	}
}

// A larger number of skills may be fewer tokens, as where a list of names in a
// schema turns into one word; the smallest that is kept is then too big, the largest not.
func TestFitTakesAllWhereAllFit(t *testing.T) {
	measure := func(l Limits) (int, error) {
		if l.Skills > 100 {
			return 500, nil
		}
		return 400 + 5*l.Skills, nil
	}
	if got, over, _ := fit(Limits{Skills: 120}, 40, 550, measure); got.Skills != 120 || over != 0 {
		t.Errorf("%v, %d over", got, over)
	}
}

func TestFitStopsAtAnError(t *testing.T) {
	failed := errors.New("render failed")
	for after := range 12 {
		calls := 0
		_, _, err := fit(Limits{900, 4000, 100}, 0, 3000, func(l Limits) (int, error) {
			if calls++; calls > after {
				return 0, failed
			}
			return l.Skills*10 + l.Body + l.Description, nil
		})
		if !errors.Is(err, failed) || calls != after+1 {
			t.Errorf("after %d: %v, %d calls", after, err, calls)
		}
	}
}

func TestFitWithNothing(t *testing.T) {
	got, over, err := fit(Limits{}, 0, 10, func(Limits) (int, error) { return 12, nil })
	if got != (Limits{}) || over != 2 || err != nil {
		t.Errorf("%v, %d over, %v", got, over, err)
	}
	var seen []Limits
	got, _, _ = fit(Limits{Skills: 2, Body: 90, Description: 8}, 0, 100, func(l Limits) (int, error) {
		seen = append(seen, l)
		return l.Skills*45 + l.Body/9 + l.Description*3, nil
	})
	if got != (Limits{Skills: 2, Body: 90}) || !slices.Contains(seen, got) {
		t.Errorf("limits below their floors: %v", got)
	}
}
