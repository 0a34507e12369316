package engine

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"github.com/promptc/promptc/engine/diag"
	"github.com/promptc/promptc/engine/skill"
)

// Skill returns the skill of that name, as it is written. A name that no skill
// has exactly counts for the only one that a model may have seen as that.
func (in *Input) Skill(name string) (skill.Skill, bool) {
	var found skill.Skill
	n := 0
	for _, s := range in.Skills {
		if s.Name == name {
			return s, true
		}
		if seenAs(s.Name, name) {
			found = s
			n++
		}
	}
	return found, n == 1
}

// seenAs says whether a model that was shown a skill's name may write it so:
// folded, and escaped as a line or as XML.
func seenAs(name, written string) bool {
	folded := Fold(name)
	return Fold(written) == folded || written == EscapeLine(folded) || written == EscapeXML(folded)
}

// Decode reads Options into v, which holds the defaults; no options leave it as
// it is. An unknown key is an error: the engine validates before, a test may not.
func (in *Input) Decode(v any) error {
	if len(in.Options) == 0 {
		return nil
	}
	d := json.NewDecoder(bytes.NewReader(in.Options))
	d.DisallowUnknownFields()
	if err := d.Decode(v); err != nil {
		return fmt.Errorf("options: %w", err)
	}
	return nil
}

// Answer grants req as every bundled strategy does (A16, D12): the text between
// its isolation lines, the skill's directory, and its files. Where Input has no
// such skill the error wraps ErrUnknownSkill and names the nearest ones.
func (in *Input) Answer(ctx context.Context, req *Request) (*Activation, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	s, ok := in.Skill(req.Skill)
	if !ok {
		return nil, in.Unknown(req.Skill)
	}
	return &Activation{Text: in.Isolation.Answer(s, req)}, nil
}

// Unknown is the error for a name that no skill has; it wraps ErrUnknownSkill.
func (in *Input) Unknown(name string) error {
	names := make([]string, len(in.Skills))
	for i, s := range in.Skills {
		names[i] = s.Name
	}
	near := diag.NearestN(name, names, 3)
	if len(near) == 0 {
		return fmt.Errorf("%w %q", ErrUnknownSkill, name)
	}
	for i := range near {
		near[i] = strconv.Quote(near[i])
	}
	return fmt.Errorf("%w %q, nearest: %s", ErrUnknownSkill, name, strings.Join(near, ", "))
}

// About makes a diagnostic about one skill: at its file, with its quoted name
// before the words. IsAbout recognises it.
func About(code diag.Code, s skill.Skill, format string, args ...any) diag.Diagnostic {
	return diag.New(code, diag.At(s.Path), "skill %q %s", s.Name, fmt.Sprintf(format, args...))
}

// IsAbout says whether d speaks about s: at its file, or with its name in double
// quotes. So a skill that a strategy keeps back is accounted for.
func IsAbout(d diag.Diagnostic, s skill.Skill) bool {
	return s.Path != "" && d.File == s.Path || strings.Contains(d.Message, strconv.Quote(s.Name))
}
