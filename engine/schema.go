package engine

import _ "embed"

//go:embed spec.schema.json
var specSchema []byte

// SpecSchema is the JSON Schema of a spec file, for editors.
func SpecSchema() []byte { return append([]byte(nil), specSchema...) }
