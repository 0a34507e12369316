package agent

import (
	"strings"
	"testing"
)

func TestJ2Expand(t *testing.T) {
	env := world(map[string]string{"A": "/a", "EMPTY": "", "TRICK": "${A}~"})
	for _, c := range []struct{ in, want string }{
		{"", ""},
		{"plain/path", "plain/path"},
		{"~", "/home/u"},
		{"~/x", "/home/u/x"},
		{"x/~/y", "x/~/y"},
		{"~user/x", "~user/x"},
		{"${A}/x", "/a/x"},
		{"${A}${A}", "/a/a"},
		{"${A:-b}", "/a"},
		{"${NONE:-b}/c", "b/c"},
		{"${NONE:-~/.x}/skills", "/home/u/.x/skills"},
		{"${NONE:-${ALSO:-${A}}/z}/w", "/a/z/w"},
		{"${EMPTY:-b}", "b"},
		{"${NONE:-}", ""},
		{"${TRICK}", "${A}~"},
		{"$A/x", "$A/x"},
		{"a}b", "a}b"},
	} {
		if got, err := Expand(c.in, env); err != nil || got != c.want {
			t.Errorf("%q gives %q, %v; want %q", c.in, got, err, c.want)
		}
	}
	for _, c := range []struct{ in, says string }{
		{"${NONE}/x", "NONE is not set"},
		{"${EMPTY}/x", "EMPTY is not set"},
		{"${NONE:-${ALSO}}", "ALSO is not set"},
		{"${A/x", "no }"},
		{"${}", "not the name of a variable"},
		{"${1A}", "not the name of a variable"},
		{"${A B:-c}", "not the name of a variable"},
	} {
		if got, err := Expand(c.in, env); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%q gives %q, %v; want an error that says %q", c.in, got, err, c.says)
		}
	}
	if _, err := Expand("~/x", Env{}); err == nil || !strings.Contains(err.Error(), "home directory") {
		t.Errorf("without a home directory: %v", err)
	}
}

// FuzzExpand: never a panic, never a variable left that could have been replaced,
// and text without signs is not touched.
func FuzzExpand(f *testing.F) {
	for _, s := range []string{"~/.claude", "${A:-~}/x", "${A:-${B:-c}}", "${", "${}", "a}b{c", "${A:-}${B}"} {
		f.Add(s, "/v")
	}
	f.Fuzz(func(t *testing.T, path, value string) {
		env := Env{Home: "/h", Lookup: func(key string) (string, bool) { return value, key == "A" }}
		got, err := Expand(path, env)
		switch {
		case err != nil && !strings.Contains(path, "${"):
			t.Errorf("%q: %v", path, err)
		case err == nil && !strings.HasPrefix(path, "~") && !strings.Contains(path, "${") && got != path:
			t.Errorf("%q became %q", path, got)
		case err == nil && value != "" && !strings.Contains(value, "{") && strings.Contains(got, "${A}"):
			t.Errorf("%q left a variable: %q", path, got)
		}
	})
}
