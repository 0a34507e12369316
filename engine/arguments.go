package engine

import (
	"slices"
	"strconv"
	"strings"
)

// FillArguments puts what the user typed behind a skill's name into the skill's text
// (P6). These forms are filled, all of them in one pass from left to right:
//
//	$ARGUMENTS     args as they were typed, outer blanks removed
//	$ARGUMENTS[n]  word n of args, counted from 0
//	@$n            word n of args, counted from 1
//
// They are filled only where the skill declares an argument-hint or the body holds
// $ARGUMENTS somewhere; any other text comes back byte for byte. A bare $5 is a price
// or a shell's own variable, and stays, as does a form for which args has no word, and
// a longer name such as $ARGUMENTS_DIR. What was inserted is data: it is never looked
// at again, whatever signs it holds. Without args $ARGUMENTS becomes nothing.
//
// used says whether the text holds all of args now, so that they need not be said
// again: $ARGUMENTS was filled, or each of the words was.
func FillArguments(body, args, hint string) (text string, used bool) {
	if strings.TrimSpace(hint) == "" && !strings.Contains(body, argumentsMark) || !strings.Contains(body, "$") {
		return body, false
	}
	args = strings.TrimSpace(args)
	words := argumentWords(args)
	filled := make([]bool, len(words))
	var out strings.Builder
	for {
		i := strings.IndexByte(body, '$')
		if i < 0 {
			break
		}
		before, after := body[:i], body[i:]
		form := formAt(before, after)
		switch {
		case form.size == 0 || form.word >= len(words):
			out.WriteString(body[:i+1])
			body = body[i+1:]
			continue
		case form.word == allWords:
			out.WriteString(before)
			out.WriteString(args)
			used = args != ""
		default:
			out.WriteString(before[:len(before)-form.before])
			out.WriteString(words[form.word])
			filled[form.word] = true
		}
		body = after[form.size:]
	}
	out.WriteString(body)
	return out.String(), used || len(words) > 0 && !slices.Contains(filled, false)
}

const argumentsMark = "$ARGUMENTS"

// form is a place to fill: size bytes from the dollar sign on and before bytes in
// front of it; size 0 is none.
type form struct{ before, size, word int }

// allWords is the word of $ARGUMENTS without an index.
const allWords = -1

// formAt reads the form at the dollar sign that after begins with.
func formAt(before, after string) form {
	rest, ok := strings.CutPrefix(after, argumentsMark)
	if !ok {
		n := digits(after[1:])
		word, err := strconv.Atoi(after[1 : 1+n])
		if err != nil || word < 1 || !strings.HasSuffix(before, "@") {
			return form{}
		}
		return form{before: 1, size: 1 + n, word: word - 1}
	}
	if rest != "" && (rest[0] == '_' || isDigit(rest[0]) || rest[0] < 0x80 && isLetter(rest[0])) {
		return form{}
	}
	all := form{size: len(argumentsMark), word: allWords}
	if rest == "" || rest[0] != '[' {
		return all
	}
	n := digits(rest[1:])
	if n == 0 || 1+n >= len(rest) || rest[1+n] != ']' {
		return all // the bracket is the text's own
	}
	word, err := strconv.Atoi(rest[1 : 1+n])
	if err != nil {
		return form{} // larger than any number of words
	}
	return form{size: len(argumentsMark) + n + 2, word: word}
}

func digits(s string) int {
	n := 0
	for n < len(s) && isDigit(s[n]) {
		n++
	}
	return n
}

func isDigit(b byte) bool { return b >= '0' && b <= '9' }

// argumentWords splits args at blanks. Words in single or double quotes stay
// together, without the quotes; one that is never closed reaches to the end. A quote
// inside of a word (don't) and every backslash are the word's own.
func argumentWords(args string) []string {
	var words []string
	for {
		args = strings.TrimLeft(args, " \t\r\n")
		if args == "" {
			return words
		}
		if q := args[0]; q == '"' || q == '\'' {
			if end := closingQuote(args[1:], q); end >= 0 {
				words = append(words, args[1:1+end])
				args = args[1+end+1:]
			} else {
				return append(words, args[1:])
			}
			continue
		}
		end := strings.IndexAny(args, " \t\r\n")
		if end < 0 {
			return append(words, args)
		}
		words = append(words, args[:end])
		args = args[end:]
	}
}

// closingQuote finds the quote that a blank or the end follows.
func closingQuote(s string, q byte) int {
	for i := range len(s) {
		if s[i] == q && (i+1 == len(s) || strings.IndexByte(" \t\r\n", s[i+1]) >= 0) {
			return i
		}
	}
	return -1
}
