package token

import (
	"strings"
	"testing"
	"time"
)

func TestRowsOfModelsAreWellFormed(t *testing.T) {
	seen := map[string]string{}
	for _, f := range families() {
		if _, err := Named(f.Encoding); err != nil && f.Encoding != "p50k_base" && f.Encoding != "r50k_base" {
			t.Errorf("%s: %v", f.Family, err)
		}
		if f.Own != OwnTrue && f.Own != OwnFalse && f.Own != OwnUnknown {
			t.Errorf("%s: own is %q", f.Family, f.Own)
		}
		for _, p := range f.Prefixes {
			if p == "" || p != strings.ToLower(p) {
				t.Errorf("%s: prefix %q", f.Family, p)
			}
			if other, ok := seen[p]; ok {
				t.Errorf("%s: prefix %q is also in %s", f.Family, p, other)
			}
			seen[p] = f.Family
			if got := familyOf(p); got == nil || got.Family != f.Family {
				t.Errorf("%s: a model named %q goes elsewhere", f.Family, p)
			}
		}
		if c := f.Calibration; c != nil {
			if f.Own == OwnTrue {
				t.Errorf("%s: its own encoding needs no factor", f.Family)
			}
			if c.Source == "" || !(0 < c.Low && c.Low <= c.Factor && c.Factor <= c.High) {
				t.Errorf("%s: %+v", f.Family, *c)
			}
			if _, err := time.Parse(time.DateOnly, c.Date); err != nil {
				t.Errorf("%s: %v", f.Family, err)
			}
		}
		if f.Frame != nil && f.Frame.Source == "" {
			t.Errorf("%s: framing without a source", f.Family)
		}
	}
}
