package token

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"unicode"
)

// The goldens are of another implementation: testdata/unicode16.mjs runs the Rust original.
func TestCodePointsNewInUnicode16CountAsTheOriginalCountsThem(t *testing.T) {
	data, err := os.ReadFile("testdata/unicode16.json")
	if err != nil {
		t.Fatal(err)
	}
	var golden map[string]map[string]struct {
		Counts [][3]int
		Ranks  string
	}
	if err := json.Unmarshal(data, &golden); err != nil {
		t.Fatal(err)
	}
	if len(golden) != 2 {
		t.Fatalf("goldens for %d encodings, want 2", len(golden))
	}
	listed := 0
	for _, d := range differing {
		listed += int(d.last-d.first) + 1
	}
	for name, contexts := range golden {
		c, err := Named(name)
		if err != nil {
			t.Fatal(err)
		}
		for context, want := range contexts {
			hash, seen := sha256.New(), 0
			for _, run := range want.Counts {
				for r := run[0]; r <= run[1]; r++ {
					seen++
					text := strings.ReplaceAll(context, "@", string(rune(r)))
					ranks := c.Encode(text)
					if len(ranks) != run[2] || c.Count(text) != run[2] {
						t.Errorf("%s: %q counts %d and encodes to %v, want %d tokens", name, text, c.Count(text), ranks, run[2])
					}
					for _, rank := range ranks {
						fmt.Fprintln(hash, rank)
					}
				}
			}
			if seen != listed {
				t.Errorf("%s: goldens for %d code points in %q, listed are %d", name, seen, context, listed)
			}
			if got := hex.EncodeToString(hash.Sum(nil)); got != want.Ranks {
				t.Errorf("%s: other ranks than the original's for the code points in %q", name, context)
			}
		}
	}
}

// As npm tiktoken 1.0.22 encodes it; tiktoken-go makes four tokens of it.
func TestTheLongSIsAContraction(t *testing.T) {
	c, err := Named("o200k_base")
	if err != nil {
		t.Fatal(err)
	}
	if got, want := c.Encode(" I'\u017Fx"), []int{3413, 70067, 87}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

func TestClassesDifferFromThoseOfGoWhereListedOnly(t *testing.T) {
	if unicode.Version != "15.0.0" {
		t.Skipf("package unicode is at %s: the list compares with 15.0.0", unicode.Version)
	}
	for r := rune(0); r <= unicode.MaxRune; r++ {
		if 0xD800 <= r && r < 0xE000 {
			continue
		}
		s := string(r)
		got, size := classAt(s, 0)
		if size != len(s) {
			t.Fatalf("U+%04X is %d bytes long, want %d", r, size, len(s))
		}
		if same := got == classInGo(r); same == differs(s) {
			t.Errorf("U+%04X: class %08b here, %08b in package unicode, listed as differing: %v", r, got, classInGo(r), differs(s))
		}
	}
}

// classInGo is the class of a code point by package unicode.
func classInGo(r rune) (class uint8) {
	switch {
	case unicode.IsSpace(r):
		class = isSpace
	case unicode.In(r, unicode.Lu, unicode.Lt):
		class = isLetter | isUpper
	case unicode.Is(unicode.Ll, r):
		class = isLetter | isLower
	case unicode.IsLetter(r):
		class = isLetter | isUpper | isLower
	case unicode.IsNumber(r):
		class = isNumber
	case unicode.IsMark(r):
		class = isSymbol | isUpper | isLower
	default:
		class = isSymbol
	}
	if r == '\r' || r == '\n' {
		class |= isNewline
	}
	if strings.ContainsRune("\r\n/", r) {
		class |= isTail
	}
	return class
}
