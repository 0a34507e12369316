package engine

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"
	"golang.org/x/text/language"
	"golang.org/x/text/message"

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
	schema, err := jsonschema.UnmarshalJSON(bytes.NewReader(info.Options))
	if err != nil {
		return fmt.Errorf("its schema is not JSON: %w", err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("options.json", schema); err != nil {
		return fmt.Errorf("its schema cannot be used: %w", err)
	}
	compiled, err := c.Compile("options.json")
	if err != nil {
		return fmt.Errorf("its schema cannot be used: %w", err)
	}
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(raw))
	if err != nil {
		return err
	}
	err = compiled.Validate(value)
	if ve, ok := errors.AsType[*jsonschema.ValidationError](err); ok {
		return errors.New(strings.Join(reasons(ve), "; "))
	}
	return err
}

// reasons flattens a validation error to its leaves, each with its option.
func reasons(ve *jsonschema.ValidationError) []string {
	if len(ve.Causes) == 0 {
		text := ve.ErrorKind.LocalizedString(message.NewPrinter(language.English))
		if extra, ok := ve.ErrorKind.(*kind.AdditionalProperties); ok {
			text = fmt.Sprintf("unknown option %q", strings.Join(extra.Properties, ", "))
		}
		if len(ve.InstanceLocation) > 0 {
			text = strings.Join(ve.InstanceLocation, ".") + ": " + text
		}
		return []string{text}
	}
	var out []string
	for _, c := range ve.Causes {
		out = append(out, reasons(c)...)
	}
	return out
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
