package lint

import (
	"context"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/promptc/promptc/engine/diag"
)

// hidden looks through the whole skill file for characters that nobody sees.
func hidden(_ context.Context, p *page) { p.hiddenIn(p.found.Path, p.text) }

// hiddenIn reports each run of invisible characters in the text of a file.
func (p *page) hiddenIn(file, text string) {
	line, column := 1, 1
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRuneInString(text[i:])
		switch {
		case r == '\n':
			line, column = line+1, 0
		case r >= utf8.RuneSelf && invisible(r) || r < ' ' && r != '\t' && r != '\r' || r == 0x7F:
			run := runOf(text[i:])
			if !needed(text, i, run) && !p.enough(diag.HiddenCharacter) {
				p.report(describe(diag.Pos{File: file, Line: line, Column: column}, run))
			}
			i, column = i+len(run), column+utf8.RuneCountInString(run)
			continue
		}
		i, column = i+size, column+1
	}
}

// runOf is the run of invisible characters that text begins with.
func runOf(text string) string {
	end := strings.IndexFunc(text, func(r rune) bool {
		return !invisible(r) && (r >= ' ' && r != 0x7F || r == '\t' || r == '\n' || r == '\r')
	})
	if end < 0 {
		return text
	}
	return text[:end]
}

// invisible reports whether a character shows nothing by itself: format characters,
// tags, variation selectors, fillers.
func invisible(r rune) bool {
	switch {
	case r < 0x80:
		return false
	case r == 0x00AD, r == 0x034F, r == 0x061C, r == 0x115F, r == 0x1160, r == 0x17B4, r == 0x17B5, r == 0x3164, r == 0xFFA0, r == 0xFEFF:
		return true
	case r >= 0x180B && r <= 0x180F, r >= 0x200B && r <= 0x200F, r >= 0x202A && r <= 0x202E, r >= 0x2060 && r <= 0x206F:
		return true
	case r >= 0xFE00 && r <= 0xFE0F, r >= 0xFFF0 && r <= 0xFFFB, r >= 0x80 && r <= 0x9F && r != 0x85:
		return true
	case r >= 0x1D173 && r <= 0x1D17A, r >= 0xE0000 && r <= 0xE0FFF:
		return true
	}
	return false
}

func isTag(r rune) bool { return r >= 0xE0000 && r <= 0xE007F }

func isOverride(r rune) bool { return r >= 0x202A && r <= 0x202E || r >= 0x2066 && r <= 0x2069 }

// needed reports whether a run belongs to what is visible around it: a joiner or a
// variation selector in an emoji, a subdivision's flag, a joiner in a script that
// needs it, a break between words in one that writes none, a variation of an ideograph, a direction mark beside letters that run
// from right to left.
func needed(text string, at int, run string) bool {
	before, _ := utf8.DecodeLastRuneInString(text[:at])
	after, _ := utf8.DecodeRuneInString(text[at+len(run):])
	if before == 0x1F3F4 && strings.HasSuffix(run, "\U000E007F") && len(run) <= 7*4 {
		return strings.IndexFunc(run, func(r rune) bool { return !isTag(r) }) < 0
	}
	runes := []rune(run)
	if len(runes) > 2 {
		return false
	}
	for i, r := range runes {
		switch {
		case r == 0xFE0E || r == 0xFE0F:
			if i > 0 || !pictured(before) && before != '#' && before != '*' && (before < '0' || before > '9') {
				return false
			}
		case r == 0x200D && (pictured(before) || i > 0) && pictured(after):
		case (r == 0x200C || r == 0x200D) && joins(before):
		case r == 0x200B && unicode.In(before, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar, unicode.Tibetan):
		case r >= 0xFE00 && r <= 0xFE0D || r >= 0xE0100 && r <= 0xE01EF:
			if !unicode.In(before, unicode.Han, unicode.So, unicode.Sm) {
				return false
			}
		case r >= 0x180B && r <= 0x180F:
			if !unicode.Is(unicode.Mongolian, before) {
				return false
			}
		case r == 0x200E || r == 0x200F || r == 0x061C:
			if !rightToLeft(before) && !rightToLeft(after) {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// pictured reports whether r may be a part of an emoji.
func pictured(r rune) bool {
	return unicode.In(r, unicode.So, unicode.Sk) || r >= 0x2190 && r <= 0x21FF || r >= 0x1F000 && r <= 0x1FAFF || r == 0x203C || r == 0x2049 || r == 0x00A9 || r == 0x00AE || r == 0x3030 || r == 0x303D || r == 0xFE0F
}

// joins reports whether r is of a script in which a joiner changes what is seen.
func joins(r rune) bool {
	return unicode.In(r, unicode.Arabic, unicode.Syriac, unicode.Devanagari, unicode.Bengali, unicode.Gurmukhi, unicode.Gujarati, unicode.Oriya,
		unicode.Tamil, unicode.Telugu, unicode.Kannada, unicode.Malayalam, unicode.Sinhala, unicode.Khmer, unicode.Myanmar, unicode.Mongolian)
}

func rightToLeft(r rune) bool {
	return unicode.In(r, unicode.Arabic, unicode.Hebrew, unicode.Syriac, unicode.Thaana, unicode.Nko)
}

// describe says what a run holds. Text in tag characters is shown in plain ones.
func describe(at diag.Pos, run string) diag.Diagnostic {
	var tags strings.Builder
	tagged, override := 0, false
	for _, r := range run {
		if isTag(r) {
			tagged++
			if r > 0xE0020 && r < 0xE007F {
				tags.WriteRune(r - 0xE0000)
			} else if r == 0xE0020 {
				tags.WriteByte(' ')
			}
		}
		override = override || isOverride(r)
	}
	first, _ := utf8.DecodeRuneInString(run)
	n := utf8.RuneCountInString(run)
	switch {
	case tagged > 0:
		return diag.New(diag.HiddenCharacter, at, "%s hidden in tag characters: %q", counted(tagged, "character"), shown(tags.String(), 80)).As(diag.Error)
	case override:
		return diag.New(diag.HiddenCharacter, at, "%s: the text is shown in another order than the model reads", named(first, n)).As(diag.Error)
	}
	return diag.New(diag.HiddenCharacter, at, "%s", named(first, n))
}

// named is a character by its number and its kind.
func named(r rune, n int) string {
	kind := "an invisible character"
	switch {
	case r == 0x200B || r == 0x2060 || r == 0xFEFF:
		kind = "a zero-width blank"
	case r == 0x200C || r == 0x200D:
		kind = "a zero-width joiner"
	case r == 0x200E || r == 0x200F || r == 0x061C || isOverride(r):
		kind = "a direction mark"
	case r == 0x00AD:
		kind = "a soft hyphen"
	case r >= 0xFE00 && r <= 0xFE0F || r >= 0xE0100 && r <= 0xE01EF:
		kind = "a variation selector"
	case unicode.IsControl(r):
		kind = "a control character"
	}
	s := fmt.Sprintf("%U, %s", r, kind)
	if n > 1 {
		s += fmt.Sprintf(", and %d more behind it", n-1)
	}
	return s
}
