package agent

import "testing"

func TestAllDecode(t *testing.T) {
	for _, f := range All() {
		a, _ := f.At("", false)
		t.Logf("%+v", a)
		for _, r := range f.Describe() {
			if f.ID == "gemini-cli" {
				t.Log(r.Topic, r.Fact, r.Value)
			}
		}
	}
}
