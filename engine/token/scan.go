package token

import (
	"math/bits"
	"strings"
)

// A scanner returns the end of the piece of s that begins at i: what the pattern of its encoding matches there.
// No token crosses the end of a piece. The text is valid UTF-8 and i < len(s); the piece is never empty. Over a
// whole text, each byte is looked at a bounded number of times.
type scanner func(s string, i int) int

// scanO200k cuts as the pattern of o200k_base:
//
//	[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?
//	[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?
//	\p{N}{1,3}
//	 ?[^\s\p{L}\p{N}]+[\r\n/]*
//	\s*[\r\n]+
//	\s+(?!\S)
//	\s+
func scanO200k(s string, i int) int {
	if end := asciiCaseWord(s, i); end > 0 {
		return end
	}
	class, size := classAt(s, i)
	j := i + size
	switch {
	case class&isLetter != 0:
		end, _ := caseWord(s, i)
		return end
	case class&isNumber != 0:
		return digits(s, j)
	case class&(isUpper|isLower) != 0: // a mark: before a word, or a word by itself
		if end, lower := caseWord(s, j); lower {
			return end
		}
		return contraction(s, j)
	case class&isNewline != 0:
		return spaces(s, i, j)
	case j == len(s):
		return j
	}
	next, _ := classAt(s, j)
	switch {
	case next&(isUpper|isLower) != 0: // any one character but a newline goes with the word after it
		end, _ := caseWord(s, j)
		return end
	case class&isSymbol != 0 || s[i] == ' ' && next&isSymbol != 0:
		return while(s, while(s, j, isSymbol), isTail)
	}
	return spaces(s, i, j)
}

// caseWord returns the end of the word at i, upper case before lower case, with its contraction. It reports
// whether the word has a lower part, which the pattern tries first: where the upper letters are not followed by
// a lower one, the word ends with the last character that may be either. The end of no word is i.
func caseWord(s string, i int) (end int, lower bool) {
	either := -1
	for i < len(s) {
		class, size := classAt(s, i)
		if class&isUpper == 0 {
			if class&isLower != 0 {
				return contraction(s, while(s, i+size, isLower)), true
			}
			break
		}
		i += size
		if class&isLower != 0 {
			either = i
		}
	}
	if either >= 0 {
		return contraction(s, either), true
	}
	return contraction(s, i), false
}

// scanCl100k cuts as the pattern of cl100k_base:
//
//	(?i:'s|'t|'re|'ve|'m|'ll|'d)
//	[^\r\n\p{L}\p{N}]?\p{L}+
//	\p{N}{1,3}
//	 ?[^\s\p{L}\p{N}]+[\r\n]*
//	\s*[\r\n]+
//	\s+(?!\S)
//	\s+
func scanCl100k(s string, i int) int {
	if end := asciiWord(s, i); end > 0 {
		return end
	}
	class, size := classAt(s, i)
	j := i + size
	switch {
	case class&isLetter != 0:
		return while(s, j, isLetter)
	case class&isNumber != 0:
		return digits(s, j)
	case class&isNewline != 0:
		return spaces(s, i, j)
	case j == len(s):
		return j
	}
	if end := contraction(s, i); end > i {
		return end
	}
	next, _ := classAt(s, j)
	switch {
	case next&isLetter != 0:
		return while(s, j, isLetter)
	case class&isSymbol != 0 || s[i] == ' ' && next&isSymbol != 0:
		return while(s, while(s, j, isSymbol), isNewline)
	}
	return spaces(s, i, j)
}

// asciiCaseWord is scanO200k for the usual word: at most one ASCII character that goes before a word, at most
// one upper case letter, lower case letters, and then some other ASCII. It returns 0 where the piece at i is
// something else.
func asciiCaseWord(s string, i int) int {
	i = pastLead(s, i)
	if i+9 > len(s) {
		return 0
	}
	if s[i]-'A' < 26 {
		i++
	}
	end := 0
	if other := notLower(load64(s, i)); other != 0 {
		end = i + bits.TrailingZeros64(other)/8
	} else {
		end = lowerRun(s, i+8)
	}
	if end == i || end == len(s) || s[end] >= 0x80 || s[end] == '\'' {
		return 0
	}
	return end
}

// asciiWord is scanCl100k for the usual word: at most one ASCII character that goes before a word, letters, and
// then some other ASCII. It returns 0 where the piece at i is something else.
func asciiWord(s string, i int) int {
	if s[i] == '\'' {
		return 0
	}
	i = pastLead(s, i)
	if i+8 > len(s) {
		return 0
	}
	end := 0
	if other := notLower(load64(s, i) | 0x20*ones); other != 0 {
		end = i + bits.TrailingZeros64(other)/8
	} else {
		end = letterRun(s, i+8)
	}
	if end == i || end == len(s) || s[end] >= 0x80 {
		return 0
	}
	return end
}

// pastLead returns what follows the ASCII character at i if that is one which goes before a word, or i.
func pastLead(s string, i int) int {
	if b := s[i]; b < 0x80 && classBlocks[b]&(isLetter|isNumber|isNewline) == 0 {
		i++
	}
	return i
}

// while returns the end of the run at i of code points that have one of the bits.
func while(s string, i int, bits uint8) int {
	for i < len(s) {
		if b := s[i]; b < 0x80 {
			if classBlocks[b]&bits == 0 {
				break
			}
			i++
			continue
		}
		class, size := wideClass(s, i)
		if class&bits == 0 {
			break
		}
		i += size
	}
	return i
}

// digits returns the end of a number of at most three digits, the first of which ends at i.
func digits(s string, i int) int {
	for range 2 {
		if i == len(s) {
			break
		}
		class, size := classAt(s, i)
		if class&isNumber == 0 {
			break
		}
		i += size
	}
	return i
}

// spaces returns the end of the piece of white space that begins at i with a code point ending at j: all up to
// the last newline of the run; without one, all that is left of the text or all but the last code point, which
// belongs to what follows; but never nothing.
func spaces(s string, i, j int) int {
	newline, last := -1, i
	if s[i] == '\n' || s[i] == '\r' {
		newline = j
	}
	for j < len(s) {
		class, size := classAt(s, j)
		if class&isSpace == 0 {
			break
		}
		last = j
		j += size
		if class&isNewline != 0 {
			newline = j
		}
	}
	switch {
	case newline >= 0:
		return newline
	case j == len(s) || last == i:
		return j
	}
	return last
}

// contraction returns the end of the English contraction at i, in either case, or i where there is none. U+017F,
// the long s, folds to s: the Rust original goes by that, tiktoken-go does not. The one text known to show it is
// " I'\u017F", since o200k_base has the token " I'".
func contraction(s string, i int) int {
	if i+1 >= len(s) || s[i] != '\'' {
		return i
	}
	rest := s[i+1:]
	switch rest[0] | 0x20 {
	case 's', 't', 'm', 'd':
		return i + 2
	case 'r', 'v':
		if len(rest) > 1 && rest[1]|0x20 == 'e' {
			return i + 3
		}
	case 'l':
		if len(rest) > 1 && rest[1]|0x20 == 'l' {
			return i + 3
		}
	}
	if strings.HasPrefix(rest, "\u017F") {
		return i + 3
	}
	return i
}
