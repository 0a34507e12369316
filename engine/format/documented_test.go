package format_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/rogpeppe/go-internal/txtar"

	"github.com/promptc/promptc/engine/format"
)

// TestDocumentedRules holds every golden request that is fit to send to a JSON Schema
// of what its provider documents: no unknown key at any level, ids, names and texts in
// their form.
func TestDocumentedRules(t *testing.T) {
	files, err := filepath.Glob(filepath.Join("testdata", "request", "*.txtar"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no goldens: %v", err)
	}
	for _, name := range format.Providers() {
		data, err := os.ReadFile(filepath.Join("testdata", "schema", name+".json"))
		if err != nil {
			t.Fatal(err)
		}
		schema, err := resolved(data)
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			ar, err := txtar.ParseFile(file)
			if err != nil {
				t.Fatal(err)
			}
			said := map[string][]byte{}
			for _, f := range ar.Files {
				said[f.Name] = f.Data
			}
			if bytes.Contains(said[name+".txt"], []byte("error: ")) {
				continue
			}
			var v any
			if err := json.Unmarshal(said[name+".json"], &v); err != nil {
				t.Fatalf("%s: %v", file, err)
			}
			if err := schema.Validate(v); err != nil {
				t.Errorf("%s, %s: %v", file, name, err)
			}
		}
		// The schema tells something: what another provider takes is refused.
		for _, other := range format.Providers() {
			ar, err := txtar.ParseFile(filepath.Join("testdata", "request", "tool-loop.txtar"))
			if err != nil {
				t.Fatal(err)
			}
			for _, f := range ar.Files {
				if f.Name != other+".json" || other == name {
					continue
				}
				var v any
				if err := json.Unmarshal(f.Data, &v); err != nil {
					t.Fatal(err)
				}
				if schema.Validate(v) == nil {
					t.Errorf("the schema of %s takes a request to %s", name, other)
				}
			}
		}
	}
}

// resolved reads a JSON Schema; the error says why it is none.
func resolved(data []byte) (*jsonschema.Resolved, error) {
	var s jsonschema.Schema
	if err := json.Unmarshal(data, &s); err != nil {
		return nil, err
	}
	return s.Resolve(nil)
}

// toolFaults says where each fault of the field with tools (kind e) is kept from
// happening again. What is not about a request stands with its package.
var toolFaults = map[string]string{
	"e01": "TestE01LongNames",
	"e02": "TestE02DotsAndSlashes",
	"e04": "TestE01LongNames: a name is shortened, never left out",
	"e05": "TestE05TwoSearches",
	"e07": "TestE07SameServerTwice",
	"e08": "TestE08KeywordsByProvider",
	"e11": "TestE11NoParameters",
	"e13": "TestE13LongEnum",
	"e14": "TestE13LongEnum",
	"e16": "TestE16TooManyTools",
	"e17": "MCP: a list that changes",
	"e18": "MCP: a list that changes",
	"e19": "reading a skill's file: engine",
	"e21": "discovery: engine/skill",
	"e23": "arguments of a call: engine",
	"e24": "an unknown name in a call: engine",
	"e25": "TestE25LostCharacters",
}

// TestFieldCases: every fault of kind e has a place in toolFaults.
func TestFieldCases(t *testing.T) {
	f, err := os.Open(filepath.Join("..", "..", "..", "shared", "case-data", "field-cases.jsonl"))
	if err != nil {
		t.Skip("the cases from the field are not here")
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	n := 0
	for lines.Scan() {
		var c struct{ ID, Kind, What string }
		if err := json.Unmarshal(lines.Bytes(), &c); err != nil {
			t.Fatal(err)
		}
		if !strings.HasPrefix(c.Kind, "e_") {
			continue
		}
		n++
		if toolFaults[c.ID] == "" {
			t.Errorf("%s has no place: %s", c.ID, c.What)
		}
	}
	if n != len(toolFaults) {
		t.Errorf("%d cases, %d places", n, len(toolFaults))
	}
}
