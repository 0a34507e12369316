package engine

import (
	"bufio"
	"bytes"
	"encoding/json"
	"testing"
)

// FuzzJSONText: the text is what encoding/json writes, so that a fingerprint can be
// computed by anybody.
func FuzzJSONText(f *testing.F) {
	for _, s := range []string{"", "plain", "a\nb \"c\" \\ d\te\r\b\f\x00\x1f\x7f", "<&> 潮汐 \u2028\u2029 \U0001F30A", "bad \xff\xc3( \xed\xa0\x80 \uFFFD", "\n", "\xe2\x80"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		var want, got bytes.Buffer
		enc := json.NewEncoder(&want)
		enc.SetEscapeHTML(false)
		if err := enc.Encode(s); err != nil {
			t.Fatal(err)
		}
		w := bufio.NewWriter(&got)
		jsonText(w, s)
		if err := w.Flush(); err != nil {
			t.Fatal(err)
		}
		if got.String()+"\n" != want.String() {
			t.Errorf("%q, want %q", got.String(), want.String())
		}
	})
}
