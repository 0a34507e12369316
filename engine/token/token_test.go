package token_test

import (
	"testing"

	"github.com/promptc/promptc/engine/token"
)

func TestEmptyModelCountsByO200kOfUnknownOwner(t *testing.T) {
	c := token.ForModel("")
	if c.Name() != "o200k_base" || !c.Exact() || c.Own() != "unknown" || c.Frame().Source != "" {
		t.Errorf("ForModel(\"\") = %s, exact %v, own %s, frame %+v", c.Name(), c.Exact(), c.Own(), c.Frame())
	}
	if got := c.Count("hello world"); got != 2 {
		t.Errorf("Count(hello world) = %d, want 2", got)
	}
}
