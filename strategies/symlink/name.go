package symlink

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"

	"github.com/promptc/promptc/engine/skill"
)

// namer gives each skill a directory of its own below the agent's skills
// directory (A24). Names never meet: not exactly, not in another case, not in
// another composition of Unicode, because on many disks those are one.
type namer struct {
	fold  cases.Caser
	taken map[string]string // folded directory -> the skill's name that has it
}

func newNamer() *namer { return &namer{fold: cases.Fold(), taken: map[string]string{}} }

// folded is equal for two names that are one directory on some disks.
func (n *namer) folded(name string) string {
	for i := 0; i < len(name); i++ {
		if name[i] >= utf8.RuneSelf {
			return n.fold.String(norm.NFC.String(name))
		}
	}
	return strings.ToLower(name)
}

// name returns the directory for s, and the name of the skill with which it
// would have been one, or "".
func (n *namer) name(s skill.Skill) (dir, clash string) {
	plain := directory(s.Name)
	dir = plain
	for i := 0; ; i++ {
		other, ok := n.taken[n.folded(dir)]
		if !ok {
			break
		}
		if clash == "" {
			clash = other
		}
		dir = suffixed(plain, fmt.Sprintf("%s\x00%s\x00%d", s.Name, s.Dir, i))
	}
	n.taken[n.folded(dir)] = s.Name
	return dir, clash
}

// Limits of a directory's name: 64 characters as in the open standard, and the
// bytes that every file system takes.
const (
	maxRunes = 64
	maxBytes = 255
	hashSize = 8 // hex digits
)

// directory maps a name to that of a directory: one path element, not hidden,
// with letters, marks, numbers, dots, underscores and hyphens. A name that is
// such an element stays as it is; from any other the runs of other characters
// become a hyphen and a hash of the name is appended, so that different names
// stay different.
func directory(name string) string {
	kept := norm.NFC.String(name)
	safe := sanitized(kept)
	if safe == kept && safe != "" && utf8.RuneCountInString(safe) <= maxRunes && len(safe) <= maxBytes && !reserved(safe) {
		return safe
	}
	return suffixed(safe, name)
}

func sanitized(name string) string {
	var b strings.Builder
	gap := false
	for _, r := range name {
		if r == utf8.RuneError || !unicode.IsLetter(r) && !unicode.IsMark(r) && !unicode.IsNumber(r) && !strings.ContainsRune("._-", r) {
			gap = true
			continue
		}
		if gap && b.Len() > 0 {
			b.WriteByte('-')
		}
		gap = false
		b.WriteRune(r)
	}
	// A dot or hyphen in front hides a directory or looks like a flag; a dot at
	// the end is lost on Windows.
	return strings.Trim(b.String(), ".-")
}

// suffixed shortens name so that a hash of full fits behind it.
func suffixed(name, full string) string {
	sum := sha256.Sum256([]byte(full))
	hash := hex.EncodeToString(sum[:])[:hashSize]
	runes := []rune(name)
	for len(runes) > 0 && (len(runes) > maxRunes-hashSize-1 || len(string(runes)) > maxBytes-hashSize-1) {
		runes = runes[:len(runes)-1]
	}
	short := strings.TrimRight(string(runes), ".-")
	switch {
	case short == "":
		short = "skill"
	case reserved(short):
		short = strings.ReplaceAll(short, ".", "-") // a device stays one whatever follows the dot
	}
	return short + "-" + hash
}

// reserved says whether a directory of that name is not one like others: devices
// of Windows, with or without an extension, and the one that agents skip.
func reserved(name string) bool {
	base, _, _ := strings.Cut(strings.ToLower(name), ".")
	switch base {
	case "con", "prn", "aux", "nul", "conin$", "conout$":
		return true
	}
	if len(base) == 4 && (strings.HasPrefix(base, "com") || strings.HasPrefix(base, "lpt")) && base[3] >= '0' && base[3] <= '9' {
		return true
	}
	return strings.EqualFold(name, "node_modules")
}
