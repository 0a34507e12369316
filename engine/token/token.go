// Package token counts tokens: exactly, offline, in time linear in the text. ForModel gives the counter that
// comes nearest to what a model's provider counts, Named the one of an encoding; Count is what both are for.
//
// Text is always ordinary text: the spelling of a special token counts as the characters it is made of. Bytes
// that are not UTF-8 count as U+FFFD, one for each byte, as tiktoken-go has it.
//
// Nothing here reads a file, the environment or the network, and nothing is computed before the first count.
// All counters are safe for parallel use.
package token

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Frame is what a provider adds around the text of a request, in tokens: for each message, once for each
// request, for each tool, and once where there are tools. Source says where the figures come from; where it is
// empty the framing is unknown and only text can be counted. It is an unnamed type, so that an interface
// declared elsewhere can ask for it without importing this package.
type Frame = struct {
	Message, Request, Tool, ToolSet int
	Source                          string
}

// Whether a counter's encoding is the one the model itself was trained with.
const (
	OwnTrue    = "true"
	OwnFalse   = "false"
	OwnUnknown = "unknown"
)

// Calibration turns tokens of an encoding into tokens of a model whose tokenizer is not at hand.
type Calibration struct {
	Factor float64 // what a count is multiplied by; 1 where nothing is known
	Low    float64 // the range the factor was seen in, by text; 0 and 0: unknown
	High   float64
	Source string // who measured it, on what; "" where nothing is known
	Date   string // when, as YYYY-MM-DD
}

// A Counter counts the tokens of a text under one encoding, for one model or for none. It is immutable.
type Counter struct {
	encoding
	calibration Calibration
	own         string
	frame       Frame
}

// encoding is a named way to cut a text into tokens.
type encoding struct {
	name  string
	exact bool // false: only an estimate, whatever the factor
	coder
}

// A coder does the work of an encoding.
type coder interface {
	// count returns the tokens of text. Above limit it may stop, and returns some number above limit.
	count(text string, limit int) int
	// encode returns the ranks of the tokens of text, or nil where the encoding has no tokens to name.
	encode(text string) []int
	// lines returns the tokens that begin in each line of text.
	lines(text string) []int
}

// Named returns the counter of the encoding with that name, for no particular model. An error lists the names.
func Named(tokenizer string) (*Counter, error) {
	for _, e := range encodings() {
		if e.name == tokenizer {
			return &Counter{encoding: e, calibration: Calibration{Factor: 1}, own: OwnUnknown}, nil
		}
	}
	return nil, fmt.Errorf("unknown tokenizer %q: there are %s", tokenizer, strings.Join(Names(), ", "))
}

// Names returns what Named knows, the usual ones first.
func Names() []string {
	var names []string
	for _, e := range encodings() {
		names = append(names, e.name)
	}
	return names
}

// Name returns the encoding's name, followed by the factor where counts are calibrated: "o200k_base*1.08".
func (c *Counter) Name() string {
	if c.calibration.Factor == 1 {
		return c.name
	}
	return c.name + "*" + strconv.FormatFloat(c.calibration.Factor, 'g', -1, 64)
}

// Exact reports whether counts equal those of the encoding in Name. It is false for calibrated counts and for
// bytes4. Whether the encoding is the model's own is another question: see Own.
func (c *Counter) Exact() bool { return c.exact && c.calibration.Factor == 1 }

// Own reports whether the encoding is the model's own: OwnTrue, OwnFalse or OwnUnknown.
func (c *Counter) Own() string { return c.own }

// Frame returns the provider's framing; its Source is empty where that is unknown.
func (c *Counter) Frame() Frame { return c.frame }

// Calibration returns the factor in use and where it comes from.
func (c *Counter) Calibration() Calibration { return c.calibration }

// Calibrated returns a counter like c whose counts are multiplied by factor instead of the factor of c. A
// factor that is not a positive number returns c.
func (c *Counter) Calibrated(factor float64, source string) *Counter {
	if !(factor > 0) || math.IsInf(factor, 0) {
		return c
	}
	d := *c
	d.calibration = Calibration{Factor: factor, Source: source}
	return &d
}

// Count returns the number of tokens of text, rounded to the nearest whole number where it is calibrated.
func (c *Counter) Count(text string) int { return c.scaled(c.count(text, math.MaxInt)) }

// Within reports whether Count(text) <= max. It looks at the length first, and stops counting once max is
// passed, so that it never costs more than reading a text of about max tokens.
func (c *Counter) Within(text string, max int) bool {
	if c.scaled(len(text)) <= max && (len(text) == 0 || utf8.ValidString(text)) {
		return true // no token is shorter than a byte
	}
	limit := max
	if f := c.calibration.Factor; f != 1 {
		limit = int(math.Min(math.MaxInt32, math.Ceil((float64(max)+1)/f)))
	}
	return c.scaled(c.count(text, limit)) <= max
}

// Encode returns the ranks of the tokens of text, or nil for an encoding that has none (bytes4). The factor of
// a calibrated counter has no part in it.
func (c *Counter) Encode(text string) []int { return c.encode(text) }

func (c *Counter) scaled(n int) int {
	if c.calibration.Factor == 1 {
		return n
	}
	return int(math.Round(float64(n) * c.calibration.Factor))
}

// encodings lists every encoding of this build.
func encodings() []encoding {
	return slices.Concat(ownEncodings(), tiktokenEncodings(), []encoding{{"bytes4", false, bytes4{}}})
}

// bytes4 is the estimate that Codex and Crush go by: four bytes to a token, rounded up.
type bytes4 struct{}

func (bytes4) count(text string, _ int) int { return (len(text) + 3) / 4 }
func (bytes4) encode(string) []int          { return nil }
