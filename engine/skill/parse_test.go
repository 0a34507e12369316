package skill

import (
	"strings"
	"testing"

	"github.com/promptc/promptc/engine/diag"
)

// parsed reads raw as the skill file of the directory /r/folder.
func parsed(t *testing.T, raw string) Parsed {
	t.Helper()
	return Parse("/r/folder", "/r/folder/SKILL.md", []byte(raw))
}

// codes are the codes of l, joined.
func codes(l diag.List) string {
	var out []string
	for _, d := range l {
		out = append(out, string(d.Code))
	}
	return strings.Join(out, " ")
}

func TestJ8Minimal(t *testing.T) {
	p := parsed(t, "---\nname: alpha\ndescription: Alpha desc.\n---\n\n# Title\n\nBody.\n")
	if p.Name != "alpha" || p.Description != "Alpha desc." || p.Body != "# Title\n\nBody." || p.BodyLine != 6 || codes(p.Problems) != "" || p.Broken != "" {
		t.Fatalf("%+v", p)
	}
}
