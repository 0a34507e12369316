package diag

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
	"testing"
)

func TestTableIsWhole(t *testing.T) {
	form := regexp.MustCompile(`^[a-z]+(-[a-z]+)*$`)
	seen := map[Code]bool{}
	for _, r := range Table() {
		if !form.MatchString(string(r.Code)) {
			t.Errorf("%q is not of the form of a code", r.Code)
		}
		if seen[r.Code] {
			t.Errorf("%s stands twice", r.Code)
		}
		seen[r.Code] = true
		if r.Summary == "" || r.Hint == "" || !strings.HasSuffix(r.Text, ".") {
			t.Errorf("%s lacks a summary, a hint or a text of whole sentences", r.Code)
		}
	}
}

func TestErrCarriesOnlyErrors(t *testing.T) {
	var l List
	l.Add(New(RootMissing, At("/a"), "gone"))
	if l.Err() != nil || l.Max() != Warning {
		t.Fatalf("a warning is no error: %v", l.Err())
	}
	l.Add(New(UnknownSkill, Pos{"/s.yaml", 3, 5}, "no skill %q", "x"))
	err := fmt.Errorf("render: %w", l.Err())
	if got := Of(err); len(got) != 1 || got[0].Where() != "/s.yaml:3:5" {
		t.Fatalf("got %v", got)
	}
	if Of(errors.New("x")) != nil {
		t.Fatal("a plain error carries no diagnostics")
	}
	if want := `/s.yaml:3:5: error: no skill "x" [unknown-skill]`; l[1].String() != want {
		t.Fatalf("got %s, want %s", l[1], want)
	}
}

func TestNearest(t *testing.T) {
	known := []string{"workspace", "strategy", "skills", "select", "system"}
	for in, want := range map[string]string{
		"strategi": "strategy", "stratgey": "strategy", "Skills": "skills", "selct": "select", "zzz": "", "sys": "system",
	} {
		if got := Nearest(in, known); got != want {
			t.Errorf("Nearest(%q) = %q, want %q", in, got, want)
		}
	}
}
