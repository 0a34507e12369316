package skill

import (
	"slices"
	"strings"

	"github.com/promptc/promptc/engine/diag"
)

// The frontmatter keys that promptc reads; all others are kept in Skill.Extra.
var (
	knownKeys    = []string{"name", "description", "argument-hint", "allowed-tools", "disable-model-invocation", "user-invocable", "when_to_use", "license", "compatibility", "metadata"}
	textKeys     = []string{"name", "description", "argument-hint", "when_to_use", "license", "compatibility"}
	restrictions = []string{"allowed-tools", "disable-model-invocation"}
)

// take fills skill and form from the entries of a block. Keys ignore case, and the
// first of two equal ones wins.
func (r *reader) take(entries []entry) {
	var rest []entry
	for i, e := range entries {
		key := strings.ToLower(e.key)
		same := func(o entry) bool { return strings.EqualFold(o.key, e.key) }
		if first := slices.IndexFunc(entries[:i], same); first >= 0 {
			o := entries[first]
			if o.key != "<<" {
				r.report(diag.KeyDuplicate, e.line, 1, "the key %q stands on line %d already, as %q: that one is used", e.key, r.lineOf(o.line), o.key)
			}
			continue
		}
		switch key {
		case "name":
			r.out.Form.NameKey = true
			r.out.Name = oneLine(r.textOf(e))
		case "description":
			r.takeDescription(e)
		case "argument-hint":
			r.out.ArgumentHint = r.hintOf(e)
		default:
			rest = append(rest, e)
			r.takeRest(key, e)
		}
	}
	var err error
	if r.out.Extra, err = extraJSON(rest); err != nil {
		r.breaks("%v", err)
	}
}

func (r *reader) takeDescription(e entry) {
	f := &r.out.Form
	f.DescKey, f.DescStyle, f.DescLines = true, e.style, e.lines
	r.out.Description = oneLine(r.textOf(e))
	f.DescEmpty = r.out.Description == "" && e.style != Other
}

// takeRest notes what promptc must know of a key that it otherwise only keeps.
func (r *reader) takeRest(key string, e entry) {
	f := &r.out.Form
	switch key {
	case "allowed-tools":
		f.AllowedKey = true
	case "disable-model-invocation":
		f.Unmodelled = r.restriction(e, true)
	case "user-invocable":
		f.NotForUsers = !r.restriction(e, false)
	case "when_to_use":
		if e.style != Other && !e.null() {
			f.WhenToUse = oneLine(e.text)
		}
	}
}

// restriction is a value that is yes or no. One that is neither counts as what
// shows the skill to fewer: unknown for the key that hides it from the model.
func (r *reader) restriction(e entry, hides bool) bool {
	if e.null() {
		return !hides
	}
	value, ok := boolOf(e.text)
	if e.style == Other || !ok {
		r.report(diag.KeyType, e.at, e.col, "%s is neither true nor false; it counts as %v", e.key, hides)
		return hides
	}
	return value
}

// boolOf reads yes and no in the spellings that YAML readers know.
func boolOf(text string) (value, ok bool) {
	switch strings.ToLower(strings.TrimSpace(text)) {
	case "true", "yes", "on", "y", "1":
		return true, true
	case "false", "no", "off", "n", "0":
		return false, true
	}
	return false, false
}

// textOf is a scalar as it is written; a collection is reported and is "".
func (r *reader) textOf(e entry) string {
	if e.style == Other {
		r.report(diag.KeyType, e.at, e.col, "%s is a list or a map, not text: it is not used", e.key)
		return ""
	}
	if e.null() {
		return ""
	}
	return e.text
}

// hintOf takes an argument hint as it is written, also where YAML sees a list in
// its brackets.
func (r *reader) hintOf(e entry) string {
	if e.style != Other {
		return oneLine(r.textOf(e))
	}
	var parts []string
	for i, l := range strings.Split(r.block, "\n") {
		if i+1 >= e.at && i+1 < e.at+e.lines {
			if i+1 == e.line {
				_, l, _ = strings.Cut(l, ":")
			}
			parts = append(parts, strings.TrimPrefix(strings.TrimSpace(l), "- "))
		}
	}
	return oneLine(strings.Join(parts, " "))
}

// null reports whether the value is YAML's nothing.
func (e *entry) null() bool { return e.extra.plain && isNull(e.text) }

// oneLine trims text and folds each line end with the blanks around it into one
// blank, so that a description is one paragraph.
func oneLine(text string) string {
	text = strings.TrimSpace(text)
	if strings.IndexByte(text, '\n') < 0 {
		return text
	}
	var b strings.Builder
	for l := range strings.SplitSeq(text, "\n") {
		if l = strings.TrimSpace(l); l == "" {
			continue
		}
		if b.Len() > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(l)
	}
	return b.String()
}
