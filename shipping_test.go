package promptc_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
)

func text(t *testing.T, name string) string {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// TestReleaseBuild: what goreleaser builds, what the image holds and what .ci/build
// makes is one program: the same flags, and of the repository only version and commit.
func TestReleaseBuild(t *testing.T) {
	var c struct {
		Version int
		Before  struct{ Hooks []string }
		Builds  []struct {
			Main, Binary string
			Env          []string
			Flags        []string
			Ldflags      []string
			Goos, Goarch []string
			Mod          string `yaml:"mod_timestamp"`
		}
		Archives []struct {
			Files []struct{ Src string }
		}
	}
	if err := yaml.Unmarshal([]byte(text(t, ".goreleaser.yaml")), &c); err != nil {
		t.Fatal(err)
	}
	if c.Version != 2 || len(c.Builds) != 1 || len(c.Archives) != 1 {
		t.Fatalf("one build and one archive: %+v", c)
	}
	b := c.Builds[0]
	if b.Main != "./cmd/promptc" || !slices.Equal(b.Env, []string{"CGO_ENABLED=0"}) || b.Mod != "{{ .CommitTimestamp }}" {
		t.Errorf("the build is %+v", b)
	}
	if !slices.Equal(b.Goos, []string{"linux", "darwin", "windows"}) || !slices.Equal(b.Goarch, []string{"amd64", "arm64"}) {
		t.Errorf("it is for %v, %v", b.Goos, b.Goarch)
	}
	script := strings.Join(strings.Fields(strings.ReplaceAll(text(t, ".ci/build"), "\\\n", " ")), " ")
	ld := strings.NewReplacer("{{ .Version }}", "$version", "{{ .FullCommit }}", "$commit").Replace(strings.Join(b.Ldflags, " "))
	if want := "CGO_ENABLED=0 GOFLAGS= go build " + strings.Join(b.Flags, " ") + ` -ldflags "` + ld + `" -o "$out" ./cmd/promptc`; !strings.HasSuffix(script, want) {
		t.Errorf(".ci/build does not end with\n%s\nbut is\n%s", want, script)
	}
	for _, f := range c.Archives[0].Files {
		if strings.HasPrefix(f.Src, "completions/") {
			continue // made by the hook
		}
		if found, err := filepath.Glob(f.Src); err != nil || len(found) == 0 {
			t.Errorf("the archive holds %s, which is not there", f.Src)
		}
	}
	if !strings.Contains(strings.Join(c.Before.Hooks, "\n"), "promptc completion $shell > completions/promptc.$shell") {
		t.Errorf("nothing makes the completions: %q", c.Before.Hooks)
	}
}

// TestImage: the image holds a static program, runs as nobody, and is built with the
// Go of go.mod.
func TestImage(t *testing.T) {
	var steps [][]string
	for line := range strings.Lines(text(t, "Dockerfile")) {
		if f := strings.Fields(line); len(f) > 0 && !strings.HasPrefix(f[0], "#") {
			steps = append(steps, f)
		}
	}
	last := 0
	for i, f := range steps {
		if f[0] == "FROM" {
			last = i
		}
	}
	if steps[last][1] != "scratch" {
		t.Errorf("the image is made from %s", steps[last][1])
	}
	version := regexp.MustCompile(`(?m)^go (\d+\.\d+)`).FindStringSubmatch(text(t, "go.mod"))[1]
	if want := []string{"FROM", "golang:" + version, "AS", "build"}; !slices.Equal(steps[0], want) {
		t.Errorf("it is built by %v, want %v", steps[0], want)
	}
	user := slices.IndexFunc(steps, func(f []string) bool { return f[0] == "USER" })
	if user < last || !regexp.MustCompile(`^[1-9]\d*:[1-9]\d*$`).MatchString(steps[user][1]) {
		t.Errorf("it does not run as a number that is not root: %v", steps[max(user, 0)])
	}
	if !slices.ContainsFunc(steps[:last], func(f []string) bool {
		return strings.Join(f, " ") == `RUN sh .ci/build /promptc "$VERSION" "$COMMIT"`
	}) {
		t.Error("the program in it is not that of .ci/build")
	}
	for _, f := range steps[last:] {
		if f[0] == "RUN" || f[0] == "ADD" {
			t.Errorf("the image runs or fetches something: %v", f)
		}
	}
	// What the build needs is not kept from it.
	for line := range strings.Lines(text(t, ".dockerignore")) {
		line = strings.TrimSpace(line)
		for _, needed := range []string{"engine", "strategies", "cmd", ".ci", "go.mod", "LICENSE"} {
			if line == needed || line == "*" {
				t.Errorf(".dockerignore keeps %s out", needed)
			}
		}
	}
}

// TestReleaseIsReproducible: two builds at two places are one file, which names its
// version and its commit and no place.
func TestReleaseIsReproducible(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the program twice")
	}
	list, err := exec.CommandContext(t.Context(), "git", "ls-files", "-z", "--cached", "--others", "--exclude-standard").Output()
	if err != nil {
		t.Skip("no working tree of git")
	}
	other := t.TempDir()
	for name := range strings.SplitSeq(strings.TrimRight(string(list), "\x00"), "\x00") {
		data, err := os.ReadFile(name)
		if err != nil || strings.Contains(name, "testdata/") || strings.HasSuffix(name, "_test.go") {
			continue // deleted in the working tree, a link, or not part of the program
		}
		to := filepath.Join(other, name)
		if err := os.MkdirAll(filepath.Dir(to), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(to, data, 0o777); err != nil {
			t.Fatal(err)
		}
	}
	commit := strings.Repeat("c0ffee", 7)[:40]
	build := func(dir string) ([]byte, string) {
		out := filepath.Join(t.TempDir(), "promptc")
		cmd := exec.CommandContext(t.Context(), "sh", filepath.Join(dir, ".ci", "build"), out, "1.2.3", commit)
		if msg, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, msg)
		}
		data, err := os.ReadFile(out)
		if err != nil {
			t.Fatal(err)
		}
		return data, out
	}
	here, err := filepath.Abs(".")
	if err != nil {
		t.Fatal(err)
	}
	a, program := build(here)
	b, _ := build(other)
	if !bytes.Equal(a, b) {
		t.Error("two builds differ")
	}
	for _, place := range []string{here, other, os.Getenv("HOME") + "/"} {
		if len(place) > 1 && bytes.Contains(a, []byte(place)) {
			t.Errorf("the program names the place %s", place)
		}
	}
	said, err := exec.CommandContext(t.Context(), program, "version").Output()
	if err != nil || !strings.HasPrefix(string(said), "promptc 1.2.3 (commit "+commit+",") {
		t.Errorf("it says %q, %v", said, err)
	}
}
