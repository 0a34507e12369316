package strategytest

import (
	"bytes"
	"encoding/json"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/promptc/promptc/engine"
	"github.com/promptc/promptc/engine/agent"
	"github.com/promptc/promptc/engine/diag"
)

var nameForm = regexp.MustCompile(`^[a-z][a-z0-9]*(-[a-z0-9]+)*$`)

func (u *suite) checkInfo() {
	i := u.info
	if !nameForm.MatchString(i.Name) || len(i.Name) > 64 {
		u.report("the name %q is not lower-case letters, digits and single hyphens, 64 at most", i.Name)
	}
	if strings.TrimSpace(i.Summary) == "" || strings.ContainsAny(i.Summary, "\r\n") {
		u.report("the summary %q is not one sentence", i.Summary)
	}
	known := []agent.Need{agent.NeedRead, agent.NeedTools, agent.NeedNative, agent.NeedLinks}
	for n, need := range i.Needs {
		if !slices.Contains(known, need) || slices.Contains(i.Needs[:n], need) {
			u.report("the need %q is unknown or stands twice", need)
		}
	}
	if !slices.Contains([]engine.Bodies{engine.NoBodies, engine.SelectedBodies, engine.AllBodies}, i.Bodies) {
		u.report("bodies %q is none of \"\", selected and all", i.Bodies)
	}
	again := u.strategy.Info()
	if i.Name != again.Name || i.Summary != again.Summary || !slices.Equal(i.Needs, again.Needs) ||
		i.Bodies != again.Bodies || !bytes.Equal(i.Options, again.Options) {
		u.report("Info changes from call to call")
	}
}

func (u *suite) checkOptions() {
	if len(u.info.Options) > 0 {
		u.checkSchema()
	}
	none := u.input(four())
	none.Options = nil
	empty := u.input(four())
	empty.Options = json.RawMessage(`{}`)
	a, okA := u.render(none)
	b, okB := u.render(empty)
	if !okA || !okB {
		return
	}
	if _, _, steady := u.steady(func() *engine.Input { return u.input(four()) }); steady && print(a) != print(b) {
		u.report("no options and {} give different renderings: %s", difference(print(a), print(b)))
	}
	// The engine refuses an unknown key before it asks; a strategy may refuse it
	// too or pass over it, and must not be thrown off by it.
	odd := u.input(four())
	odd.Options = json.RawMessage(`{"no-such-option":{"a":[1,null]}}`)
	if _, err := u.tryRender(u.ctx, odd); err != nil && strings.HasPrefix(err.Error(), "panic") {
		u.report("Render with an unknown option: %v", err)
	}
}

func (u *suite) checkSchema() {
	var doc jsonschema.Schema
	if err := json.Unmarshal(u.info.Options, &doc); err != nil {
		u.report("the schema of the options is not JSON Schema: %v", err)
		return
	}
	schema, err := doc.Resolve(nil)
	if err != nil {
		u.report("the schema of the options does not compile: %v", err)
		return
	}
	if err := schema.Validate(map[string]any{}); err != nil {
		u.report("the schema refuses {}: an option is required")
	}
	if schema.Validate(map[string]any{"no-such-option": 1.0}) == nil {
		u.report("the schema takes a key that it does not know: add \"additionalProperties\": false")
	}
	if schema.Validate("text") == nil {
		u.report("the schema takes a text in place of an object: add \"type\": \"object\"")
	}
}

func (u *suite) checkEmpty() {
	for _, language := range engine.Languages() {
		r, ok := u.render(u.input(nil, speaking(language)))
		if !ok {
			return
		}
		v := reflect.ValueOf(*r)
		for i := range v.NumField() {
			name := v.Type().Field(i).Name
			empty := v.Field(i).Kind() == reflect.Slice && v.Field(i).Len() == 0
			if l, ok := v.Field(i).Interface().(engine.Launch); ok {
				empty = l.Empty()
			}
			if name != "Diagnostics" && !empty {
				u.report("without skills, %s holds %v", name, v.Field(i))
			}
		}
	}
}

func (u *suite) checkDiagnostics() {
	for _, in := range append(u.variants(), u.input(four(), placed(engine.Place{})), u.input(hostile())) {
		r, ok := u.render(in)
		if !ok {
			continue
		}
		good := in.Place.Dir != "" && in.Agent.ID == able().ID
		for _, d := range r.Diagnostics {
			row, known := diag.Lookup(d.Code)
			switch {
			case !known:
				u.report("the code %q is not in the table", d.Code)
			case strings.TrimSpace(d.Message) == "" || strings.ContainsAny(d.Message, "\r\n"):
				u.report("the message of %s is not one line: %q", row.Code, d.Message)
			case d.Severity < diag.Info || d.Severity > diag.Error:
				u.report("the severity of %s is none: %d", row.Code, int(d.Severity))
			case d.File != "" && !filepath.IsAbs(d.File) && !strings.HasPrefix(d.File, "/"):
				u.report("the file of %s is not absolute: %q", row.Code, d.File)
			case good && d.Severity == diag.Error:
				u.report("good skills (%s) give an error: %s", label(in), d)
			}
		}
	}
}
