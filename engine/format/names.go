package format

import (
	"maps"
	"slices"
	"strconv"
	"strings"
)

// A ToolName is a tool as its owner calls it. Space tells owners apart, for
// example the servers that a host takes tools from; "" is none.
type ToolName struct{ Space, Name string }

// ToolNames maps tools to the names that a provider takes, and back. It is one to
// one, and hangs on the set of tools only, not on their order: a tool keeps its name
// when others come and go, unless one of them wants that very name.
type ToolNames struct {
	host  map[ToolName]string
	owner map[string]ToolName
	rules rules
}

// maxName is the longest name of a tool that every provider takes, hashSize how
// many hex digits tell names apart that would be one (P10).
const (
	maxName  = 64
	hashSize = 8
)

// NameTools gives every tool a name that the named provider takes: its own, behind
// its space and two underscores where it has one. Where a character is lost, the
// name is too long, or two would be one, a hash follows. The error is for an unknown
// format; a tool that stands twice counts once.
func NameTools(format string, tools []ToolName) (*ToolNames, error) {
	p, err := providerOf(format)
	if err != nil {
		return nil, err
	}
	return nameTools(p.rules(), tools), nil
}

func nameTools(r rules, tools []ToolName) *ToolNames {
	n := &ToolNames{host: map[ToolName]string{}, owner: map[string]ToolName{}, rules: r}
	wanted := map[string]map[ToolName]bool{}
	for _, t := range tools {
		name := t.plain()
		if wanted[name] == nil {
			wanted[name] = map[ToolName]bool{}
		}
		wanted[name][t] = true
	}
	var rest []ToolName
	for name, who := range wanted {
		for t := range who {
			if len(who) == 1 && n.fits(name) {
				n.set(t, name)
			} else {
				rest = append(rest, t)
			}
		}
	}
	slices.SortFunc(rest, func(a, b ToolName) int { return strings.Compare(a.Space+"\x00"+a.Name, b.Space+"\x00"+b.Name) })
	for _, t := range rest {
		name := n.hashed(t, 0)
		for i := 1; n.taken(name); i++ {
			name = n.hashed(t, i)
		}
		n.set(t, name)
	}
	return n
}

func (n *ToolNames) set(t ToolName, host string) { n.host[t], n.owner[host] = host, t }

func (n *ToolNames) taken(host string) bool {
	_, ok := n.owner[host]
	return ok
}

// Host is the provider's name for t. One that NameTools was not given is named as
// if it were alone.
func (n *ToolNames) Host(t ToolName) string {
	if name, ok := n.host[t]; ok {
		return name
	}
	if name := t.plain(); n.fits(name) {
		return name
	}
	return n.hashed(t, 0)
}

// Owner is the tool that a provider's name stands for; ok is false where it is none
// of those that were named.
func (n *ToolNames) Owner(host string) (ToolName, bool) {
	t, ok := n.owner[host]
	return t, ok
}

// Tools lists the tools that were named, sorted by the provider's names.
func (n *ToolNames) Tools() []ToolName {
	var out []ToolName
	for _, name := range slices.Sorted(maps.Keys(n.owner)) {
		out = append(out, n.owner[name])
	}
	return out
}

func (t ToolName) plain() string {
	if t.Space == "" {
		return t.Name
	}
	return t.Space + "__" + t.Name
}

func (n *ToolNames) fits(name string) bool {
	return name != "" && len(name) <= maxName && kept(name) == name && !(n.rules.letterFirst && !letter(name[0]))
}

func letter(c byte) bool { return c == '_' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' }

// kept is name with each run of characters that a name may not have as one
// underscore.
func kept(name string) string {
	var b strings.Builder
	gap := false
	for i := range len(name) {
		c := name[i]
		if letter(c) || c == '-' || '0' <= c && c <= '9' {
			if gap {
				b.WriteByte('_')
			}
			gap = false
			b.WriteByte(c)
		} else {
			gap = true
		}
	}
	if gap {
		b.WriteByte('_')
	}
	return b.String()
}

// hashed is what is left of the name, and a hash of all of it.
func (n *ToolNames) hashed(t ToolName, try int) string {
	name := strings.Trim(kept(t.plain()), "_")
	name = strings.TrimRight(name[:min(len(name), maxName-hashSize-2)], "_-")
	if name == "" {
		name = "tool"
	}
	if n.rules.letterFirst && !letter(name[0]) {
		name = "_" + name
	}
	whole := t.Space + "\x00" + t.Name
	if try > 0 {
		whole += "\x00" + strconv.Itoa(try)
	}
	return name + "_" + short(whole, hashSize)
}
