package tool

import (
	"crypto/sha256"
	"encoding/hex"
	"strconv"
	"strings"
)

// maxName is the longest name of a tool that every provider takes (P10).
const maxName = 64

// hashSize is how many hex digits tell names apart where characters were lost.
const hashSize = 8

// namer gives each skill a tool name that matches ^[a-zA-Z0-9_-]{1,64}$. Names
// are unique: where a character is lost or a name is taken, a hash of the skill's
// name follows (e25).
type namer struct {
	prefix string
	taken  map[string]bool
}

func (n namer) name(skill string) string {
	plain := skill
	if n.prefix != "" {
		plain = n.prefix + "_" + skill
	}
	name := allowed(plain)
	if name == "" || name != plain || len(name) > maxName {
		name = suffixed(name, skill)
	}
	for i := 0; n.taken[name]; i++ {
		name = suffixed(allowed(plain), skill+"\x00"+strconv.Itoa(i))
	}
	n.taken[name] = true
	return name
}

// allowed keeps the characters that a tool name may have; each run of others
// becomes an underscore.
func allowed(name string) string {
	var b strings.Builder
	gap := false
	for _, r := range name {
		if r < 0x80 && (r == '_' || r == '-' || '0' <= r && r <= '9' || 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z') {
			if gap && b.Len() > 0 {
				b.WriteByte('_')
			}
			gap = false
			b.WriteRune(r)
		} else {
			gap = true
		}
	}
	return b.String()
}

// suffixed shortens name so that a hash of full fits behind it.
func suffixed(name, full string) string {
	sum := sha256.Sum256([]byte(full))
	name = strings.TrimRight(name[:min(len(name), maxName-hashSize-1)], "_")
	if name == "" {
		name = "skill"
	}
	return name + "_" + hex.EncodeToString(sum[:])[:hashSize]
}
