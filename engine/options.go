package engine

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/promptc/promptc/engine/diag"
)

// options are those of the spec for the strategy that was chosen, checked by the
// strategy's own schema. They belong to the strategy that the spec names: a
// fallback gets none.
func options(spec *Spec, info Info) (json.RawMessage, diag.List) {
	named := spec.Strategy.Name
	if named == "" {
		named = DefaultStrategy
	}
	if len(spec.Strategy.Options) == 0 || info.Name != named {
		return nil, nil
	}
	at := spec.At("strategy.options")
	raw, err := json.Marshal(spec.Strategy.Options)
	if err != nil {
		return nil, diag.List{diag.New(diag.UnknownOption, at, "the options cannot be written as JSON: %v", err)}
	}
	if err := checkOptions(info, raw); err != nil {
		d := diag.New(diag.UnknownOption, at, "strategy %q: %v", info.Name, err)
		known := optionNames(info.Options)
		for _, key := range slices.Sorted(maps.Keys(spec.Strategy.Options)) {
			if near := diag.Nearest(key, known); near != "" && !slices.Contains(known, key) {
				d = d.WithHint("did you mean %q? `promptc strategies` shows all options", near)
				break
			}
		}
		return nil, diag.List{d}
	}
	return raw, nil
}

// checkOptions holds raw to the schema of info.
func checkOptions(info Info, raw json.RawMessage) error {
	if len(info.Options) == 0 {
		return errors.New("it takes no options")
	}
	var schema jsonschema.Schema
	if err := json.Unmarshal(info.Options, &schema); err != nil {
		return fmt.Errorf("its schema cannot be used: %w", err)
	}
	compiled, err := schema.Resolve(nil)
	if err != nil {
		return fmt.Errorf("its schema cannot be used: %w", err)
	}
	var value map[string]any
	if err := json.Unmarshal(raw, &value); err != nil {
		return err
	}
	if err := compiled.Validate(value); err != nil {
		return errors.New(strings.Join(reasons(&schema, value, err), "; "))
	}
	return nil
}

// reasons says in plain words what is wrong with each option: one that there is not,
// a word that is not among those that it takes. What else may be wrong is said as the
// schema's reader says it.
func reasons(schema *jsonschema.Schema, value map[string]any, err error) []string {
	var out []string
	for _, key := range slices.Sorted(maps.Keys(value)) {
		option, known := schema.Properties[key]
		switch {
		case !known && len(schema.PatternProperties) == 0:
			out = append(out, fmt.Sprintf("unknown option %q", key))
		case known && len(option.Enum) > 0 && !slices.ContainsFunc(option.Enum, func(e any) bool { return fmt.Sprint(e) == fmt.Sprint(value[key]) }):
			words := make([]string, len(option.Enum))
			for i, e := range option.Enum {
				words[i] = fmt.Sprint(e)
			}
			out = append(out, fmt.Sprintf("%s: %q is not one of %s", key, fmt.Sprint(value[key]), strings.Join(words, ", ")))
		}
	}
	if out != nil {
		return out
	}
	text := strings.TrimPrefix(err.Error(), "validating root: ")
	if rest, ok := strings.CutPrefix(text, "validating /properties/"); ok {
		text = rest
	}
	return []string{text}
}

func optionNames(schema json.RawMessage) []string {
	var s struct {
		Properties map[string]json.RawMessage `json:"properties"`
	}
	if json.Unmarshal(schema, &s) != nil {
		return nil
	}
	return slices.Sorted(maps.Keys(s.Properties))
}
