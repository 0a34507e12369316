package token

import (
	"flag"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"unicode"

	"github.com/pkoukk/tiktoken-go"
	loader "github.com/pkoukk/tiktoken-go-loader"
)

// reference returns tiktoken-go's own encoding of that name: its pattern, its ranks.
var reference = func() func(t testing.TB, name string) *tiktoken.Tiktoken {
	loaded := map[string]func() (*tiktoken.Tiktoken, error){}
	for _, name := range []string{"o200k_base", "cl100k_base", "p50k_base", "p50k_edit", "r50k_base"} {
		loaded[name] = sync.OnceValues(func() (*tiktoken.Tiktoken, error) {
			tiktoken.SetBpeLoader(loader.NewOfflineLoader())
			return tiktoken.GetEncoding(name)
		})
	}
	return func(t testing.TB, name string) *tiktoken.Tiktoken {
		t.Helper()
		r, err := loaded[name]()
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
}()

// compare fails where counting or encoding text differs from tiktoken-go.
func compare(t *testing.T, name, text string) {
	t.Helper()
	c, err := Named(name)
	if err != nil {
		t.Fatal(err)
	}
	want := reference(t, name).EncodeOrdinary(text)
	got := c.Encode(text)
	if !slices.Equal(got, want) {
		t.Fatalf("%s: Encode(%q)\n got %v\nwant %v", name, text, got, want)
	}
	if n := c.Count(text); n != len(want) {
		t.Fatalf("%s: Count(%q) = %d, want %d", name, text, n, len(want))
	}
}

// differs reports whether tiktoken-go is known to cut the text otherwise: it has a code point that Unicode 15
// and 16 class differently, or a contraction with the long s.
func differs(text string) bool {
	if strings.Contains(text, "'\u017F") {
		return true
	}
	return strings.ContainsFunc(text, func(r rune) bool {
		_, found := slices.BinarySearchFunc(differing, r, func(d differingRange, r rune) int {
			switch {
			case d.last < r:
				return -1
			case d.first > r:
				return 1
			}
			return 0
		})
		return found
	})
}

// randomText makes a text of everything that has ever split tokenizers: all scripts, marks, emoji sequences,
// every space, runs, contractions, spellings of special tokens, line ends, bytes that are not UTF-8.
func randomText(r *rand.Rand) string {
	var b strings.Builder
	for range 1 + r.IntN(12) {
		s := fragment(r)
		b.WriteString(s)
		if r.IntN(8) == 0 {
			b.WriteString(strings.Repeat(s, r.IntN(12)))
		}
	}
	return b.String()
}

var fragments = []string{
	"'s", "'T", "'re", "'VE", "'m", "'Ll", "'d", "'", "'r", "'l", "’s", "don't", "I'LL", "we'Ve",
	"<|endoftext|>", "<|endofprompt|>", "<|fim_prefix|>", "<|im_start|>",
	"\r\n", "\n", "\r", "\n\n\n", " \n", "\n ", "\t\n\t", "  ", " ", "\t", "/", "//\n/", "!/\r\n/", "\x00", "\x7f",
	"👩‍👩‍👧‍👦", "🏳️‍🌈", "👍🏽", "🇩🇪", "e\u0301", "\u0301", "\u200d", "\ufeff", "\ufffd", "ǅ", "ʰ", "ª", "ſ", "K", "İ",
	"the quick brown fox", " HTTPServer", "getElementById", "snake_case_name", "0x1F", "1234567", "٣٤٥", "Ⅷ", "½",
	"技能", "中文字符", "日本語の文章", "한국어 문장", "हिन्दी", "ไทย", "العربية", "עברית", "ქართული", "தமிழ்",
	"\xff", "\xc3", "\xe4\xb8", "\xf0\x9f\x98", "\xed\xa0\x80", "\xc0\x80", "\xf4\x90\x80\x80",
	"func main() {\n\tfmt.Println(\"hi\")\n}\n", "- [link](https://example.com/a?b=c&d=1)\n", "| a | b |\n|---|---|\n",
}

var spacesOf = []rune{0x09, 0x0a, 0x0b, 0x0c, 0x0d, 0x20, 0x85, 0xa0, 0x1680, 0x2000, 0x2001, 0x2002, 0x2003, 0x2004, 0x2005,
	0x2006, 0x2007, 0x2008, 0x2009, 0x200a, 0x2028, 0x2029, 0x202f, 0x205f, 0x3000, 0x180e, 0x200b}

func fragment(r *rand.Rand) string {
	switch r.IntN(12) {
	case 0, 1, 2:
		return fragments[r.IntN(len(fragments))]
	case 3:
		return string(spacesOf[r.IntN(len(spacesOf))])
	case 4:
		return string(rune(r.IntN(0x80)))
	case 5:
		return string(rune(r.IntN(0x3000)))
	case 6:
		return string(rune(r.IntN(unicode.MaxRune + 1)))
	case 7:
		return strings.Repeat(string(rune(r.IntN(0x800))), r.IntN(200))
	case 8: // a word of one script
		base, n := r.IntN(0x300)*0x80, 1+r.IntN(12)
		var b strings.Builder
		for range n {
			b.WriteRune(rune(base + r.IntN(0x80)))
		}
		return b.String()
	case 9: // an ASCII word, in any case
		var b strings.Builder
		for range 1 + r.IntN(14) {
			b.WriteByte("etaoinshrdlucmfwypvbgkjqxzETAOINSHRDLU"[r.IntN(38)])
		}
		return b.String()
	case 10:
		b := make([]byte, r.IntN(6))
		for i := range b {
			b[i] = byte(r.IntN(256))
		}
		return string(b)
	default:
		return " "
	}
}

// vocabularyText strings tokens of a vocabulary together, those with more than ASCII in them: where merging may
// begin with whole code points hangs on what may stand beside them.
func vocabularyText(r *rand.Rand, tokens []string) string {
	var b strings.Builder
	for range 2 + r.IntN(10) {
		b.WriteString(tokens[r.IntN(len(tokens))])
	}
	return b.String()
}

func wideTokens(t testing.TB, name string) []string {
	var tokens []string
	for token := range vocabulary(t, name) {
		if strings.ContainsFunc(token, func(r rune) bool { return r >= 0x80 }) {
			tokens = append(tokens, token)
		}
	}
	slices.Sort(tokens)
	return tokens
}

var randomStrings = flag.Int("strings", 3000, "how many random strings to compare with tiktoken-go")

func TestCountsAsTiktokenGo(t *testing.T) {
	names := []string{"o200k_base", "cl100k_base"}
	var tokens [][]string
	for _, name := range names {
		tokens = append(tokens, wideTokens(t, name))
	}
	r := rand.New(rand.NewPCG(1, 2))
	total, compared := *randomStrings, 0
	if testing.Short() {
		total = min(total, 300)
	}
	for n := range total {
		text := ""
		if n%4 == 0 {
			text = vocabularyText(r, tokens[n/4%2])
		} else {
			text = randomText(r)
		}
		if differs(text) {
			continue
		}
		compared++
		for _, name := range names {
			compare(t, name, text)
		}
	}
	t.Logf("%d strings compared, %d left out for a listed code point", compared, total-compared)
}

// FuzzCountsAsTiktokenGo takes any bytes. Its seeds are one of everything in fragments, and those in testdata.
func FuzzCountsAsTiktokenGo(f *testing.F) {
	for _, s := range fragments {
		f.Add(s)
		f.Add("a" + s + " " + s + "1")
	}
	f.Fuzz(func(t *testing.T, text string) {
		if differs(text) || len(text) > 10_000 {
			return
		}
		for _, name := range []string{"o200k_base", "cl100k_base"} {
			compare(t, name, text)
		}
	})
}

// The corpus lies beside the module where it is there at all; testdata/texts is its small twin.
func TestCountsTextsAsTiktokenGo(t *testing.T) {
	for _, root := range []string{"testdata/texts", "../../../shared/corpus"} {
		t.Run(filepath.Base(root), func(t *testing.T) {
			if _, err := os.Stat(root); err != nil {
				t.Skip(err)
			}
			files, most := 0, 150
			if testing.Short() {
				most = 10
			}
			err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
				if err != nil || !d.Type().IsRegular() || files == most && !*wholeCorpus {
					return err
				}
				data, err := os.ReadFile(path)
				if err != nil {
					return err
				}
				text := string(data)
				if files++; differs(text) || len(text) > 100_000 {
					return nil
				}
				for _, name := range []string{"o200k_base", "cl100k_base"} {
					compare(t, name, text)
				}
				return nil
			})
			if err != nil || files == 0 {
				t.Fatalf("%d files, %v", files, err)
			}
		})
	}
}

var wholeCorpus = flag.Bool("corpus", false, "compare the whole corpus with tiktoken-go, not only its first files")
