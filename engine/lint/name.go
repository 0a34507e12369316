package lint

import (
	"context"
	"fmt"
	"path/filepath"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/promptc/promptc/engine/diag"
	"github.com/promptc/promptc/engine/skill"
)

// maxName is how long the open standard lets a name be, in characters.
const maxName = 64

var standardName = regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*$`)

// nameForm: 1 to 64 lower-case letters, digits and single hyphens.
func nameForm(_ context.Context, p *page) {
	f, ok := p.field("name")
	if !ok || p.found.Form.NameFrom != skill.FromFrontmatter {
		return
	}
	name := p.found.Name
	why := nameFault(name)
	if why == "" {
		return
	}
	d := diag.New(diag.NameForm, f.Value, "the name %q %s", name, why)
	if better := standardForm(name); better != "" && better != name {
		d = d.WithHint("write %s, and name the directory alike", better)
	}
	p.report(d)
}

// nameFault says what the open standard has against a name, or "".
func nameFault(name string) string {
	if n := utf8.RuneCountInString(name); n > maxName {
		return fmt.Sprintf("has %d characters, more than %d", n, maxName)
	}
	if standardName.MatchString(name) {
		return ""
	}
	for _, r := range name {
		switch {
		case r >= 'a' && r <= 'z', r >= '0' && r <= '9', r == '-':
		case invisible(r):
			return fmt.Sprintf("holds %U, which nobody sees", r)
		case r > unicode.MaxASCII:
			return fmt.Sprintf("holds %q; the standard wants lower-case ASCII letters, digits and hyphens", r)
		case unicode.IsUpper(r):
			return "holds capitals"
		case unicode.IsSpace(r):
			return "holds a blank"
		default:
			return fmt.Sprintf("holds %q", r)
		}
	}
	if strings.Contains(name, "--") {
		return "holds two hyphens in a row"
	}
	return "begins or ends with a hyphen"
}

// standardForm is the nearest name of the standard's form, or "".
func standardForm(name string) string {
	name = strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= '0' && r <= '9':
			return r
		case unicode.Is(unicode.Mn, r), invisible(r):
			return -1
		case r > unicode.MaxASCII && unicode.IsLetter(r):
			return utf8.RuneError
		}
		return '-'
	}, norm.NFD.String(strings.ToLower(name)))
	if strings.ContainsRune(name, utf8.RuneError) {
		return ""
	}
	name = strings.Join(strings.FieldsFunc(name, func(r rune) bool { return r == '-' }), "-")
	return strings.TrimRight(name[:min(len(name), maxName)], "-")
}

// nameDirectory: the name is the directory's.
func nameDirectory(_ context.Context, p *page) {
	f, ok := p.field("name")
	if dir := filepath.Base(p.found.Dir); ok && p.found.Form.NameFrom == skill.FromFrontmatter && p.found.Name != dir {
		p.say(diag.NameDirectory, f.Value, "the name %q is not the directory's, %q", p.found.Name, dir)
	}
}
