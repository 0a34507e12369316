package token

import (
	_ "embed"
	"encoding/json"
	"strings"
	"sync"
)

//go:embed models.json
var modelsJSON []byte

// family is a row of models.json.
type family struct {
	Family      string
	Prefixes    []string
	Encoding    string
	Own         string
	Calibration *Calibration
	Frame       *Frame
}

var families = sync.OnceValue(func() []family {
	var file struct{ Families []family }
	if err := json.Unmarshal(modelsJSON, &file); err != nil {
		panic("token: models.json is embedded and must decode: " + err.Error())
	}
	return file.Families
})

// ForModel returns the counter for a model: the encoding of its family, calibrated where that is not the
// model's own and somebody measured the factor. A model that no row of models.json fits, and the empty name,
// get o200k_base with Own "unknown". Names may carry a provider: "openai/gpt-5", "us.anthropic.claude-…".
func ForModel(model string) *Counter {
	f := familyOf(model)
	if f == nil {
		f = &family{Encoding: "o200k_base", Own: OwnUnknown}
	}
	c, err := Named(f.Encoding)
	if err != nil { // an older encoding, in a build without it
		c, _ = Named("o200k_base")
		return c
	}
	c.own = f.Own
	if f.Calibration != nil {
		c.calibration = *f.Calibration
	}
	if f.Frame != nil {
		c.frame = *f.Frame
	}
	return c
}

// Pick returns the counter for a model under a tokenizer that the user named, or ForModel(model) where the
// user named none. The factor measured for the model is not applied to a named tokenizer.
func Pick(model, tokenizer string) (*Counter, error) {
	of := ForModel(model)
	if tokenizer == "" {
		return of, nil
	}
	c, err := Named(tokenizer)
	if err != nil {
		return nil, err
	}
	c.frame = of.frame
	switch {
	case of.own == OwnTrue && of.name == c.name:
		c.own = OwnTrue
	case of.own != OwnUnknown:
		c.own = OwnFalse
	}
	return c, nil
}

// familyOf returns the row for a model, or nil. It tries the whole name first, then what follows each "/",
// "." or ":", so that the name of a provider or of a region before it does no harm.
func familyOf(model string) *family {
	name := strings.ToLower(strings.TrimSpace(model))
	for name != "" {
		var best *family
		longest := 0
		for i := range families() {
			f := &families()[i]
			for _, p := range f.Prefixes {
				if len(p) > longest && begins(name, p) {
					best, longest = f, len(p)
				}
			}
		}
		if best != nil {
			return best
		}
		i := strings.IndexAny(name, "/.:")
		if i < 0 {
			return nil
		}
		name = name[i+1:]
	}
	return nil
}

// begins reports whether name starts with prefix and not within a longer number or word: "o1" begins "o1-mini"
// but not "o12", "qwen" begins "qwen3" but not "qwentin".
func begins(name, prefix string) bool {
	rest, ok := strings.CutPrefix(name, prefix)
	if !ok || rest == "" {
		return ok
	}
	last, next := prefix[len(prefix)-1], rest[0]
	return !(digit(last) && digit(next)) && !(letter(last) && letter(next))
}

func digit(b byte) bool  { return '0' <= b && b <= '9' }
func letter(b byte) bool { return 'a' <= b && b <= 'z' }
