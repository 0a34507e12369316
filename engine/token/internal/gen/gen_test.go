package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"unicode"
)

func TestGeneratedFilesAreWhatGoGenerateWrites(t *testing.T) {
	if unicode.Version != "15.0.0" {
		t.Skipf("package unicode is at %s: the list of differing code points compares with 15.0.0", unicode.Version)
	}
	files, err := generate()
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		got, err := os.ReadFile(filepath.Join("../..", f.name))
		if err != nil {
			t.Error(err)
		} else if !bytes.Equal(got, f.data) {
			t.Errorf("%s is not what the generator writes: run go generate ./engine/token", f.name)
		}
	}
}

func TestVocabulariesThatDoNotFitTheTableAreRefused(t *testing.T) {
	bytesOnly := map[string]int{}
	for i := range 256 {
		bytesOnly[string([]byte{byte(i)})] = i
	}
	with := func(token string, rank int) map[string]int {
		m := map[string]int{token: rank}
		for k, v := range bytesOnly {
			m[k] = v
		}
		return m
	}
	if _, err := build(bytesOnly); err != nil {
		t.Errorf("bytes alone are a vocabulary: %v", err)
	}
	for name, ranks := range map[string]map[string]int{
		"a byte is missing":   {"a": 0},
		"an empty token":      with("", 300),
		"a token too long":    with(fmt.Sprintf("%0256d", 1), 300),
		"a rank out of range": with("ab", 1<<24),
	} {
		if _, err := build(ranks); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

// Of the three bytes of a code point, merging may make one unit at once only where no other token has a say.
func TestCodePointsAreUnitsOnlyWhereNoTokenReachesIntoThem(t *testing.T) {
	ranks := map[string]int{}
	for i := range 256 {
		ranks[string([]byte{byte(i)})] = i
	}
	for i, token := range []string{
		"\xe6\x8a", "\xe6\x8a\x80", // 技, in two steps
		"\xe8\x83", "x\xe8\x83", "\xe8\x83\xbd", // 能, and a token of x and its beginning
		"\xe4\xb8", "\xe4\xb8\xad", "\xadz", // 中, and a token of its end and z
		"\xe6\x96", "y\xe6\x96\x87", "\xe6\x96\x87", // 文, which comes after a token that holds it
	} {
		ranks[token] = 256 + i
	}
	bits := runeBits(ranks)
	of := func(r rune) byte { return bits[r/2] >> (4 * (r % 2)) & 0xF }
	for r, want := range map[rune]byte{
		'技': unit, '能': unit, 'x': unit | barsAfter, '中': unit, 'z': unit | barsBefore, '文': 0, '字': 0,
	} {
		if of(r) != want {
			t.Errorf("%c has bits %03b, want %03b", r, of(r), want)
		}
	}
}
