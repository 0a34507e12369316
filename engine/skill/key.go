package skill

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// Key is what names are compared by (J18): trimmed, in NFC and lower case, with
// inner blanks folded into one. It is no full case folding: ß stays ß.
func Key(name string) string {
	if isKey(name) {
		return name
	}
	name = strings.Join(strings.FieldsFunc(name, unicode.IsSpace), " ")
	return norm.NFC.String(strings.ToLower(norm.NFC.String(name)))
}

// isKey reports whether a name is its own key without looking further: printing
// ASCII without capitals and blanks.
func isKey(name string) bool {
	for i := range len(name) {
		if c := name[i]; c <= ' ' || c >= utf8.RuneSelf || 'A' <= c && c <= 'Z' {
			return false
		}
	}
	return true
}
