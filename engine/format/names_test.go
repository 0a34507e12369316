package format_test

import (
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/promptc/promptc/engine/format"
)

var (
	everywhere  = regexp.MustCompile(`^[a-zA-Z0-9_-]{1,64}$`)
	geminiStart = regexp.MustCompile(`^[a-zA-Z_]`)
)

// names maps tools for every provider and holds the result to the rules: the form,
// one to one, and back.
func names(t *testing.T, tools ...format.ToolName) map[string]*format.ToolNames {
	t.Helper()
	out := map[string]*format.ToolNames{}
	for _, p := range format.Providers() {
		n, err := format.NameTools(p, tools)
		if err != nil {
			t.Fatal(err)
		}
		seen := map[string]format.ToolName{}
		for _, tool := range tools {
			host := n.Host(tool)
			if !everywhere.MatchString(host) || p == "gemini" && !geminiStart.MatchString(host) {
				t.Errorf("%s: %q is no name of a tool", p, host)
			}
			if other, ok := seen[host]; ok && other != tool {
				t.Errorf("%s: %v and %v are both %q", p, tool, other, host)
			}
			seen[host] = tool
			if back, ok := n.Owner(host); !ok || back != tool {
				t.Errorf("%s: %v is %q, which is %v", p, tool, host, back)
			}
		}
		out[p] = n
	}
	return out
}

// TestE01LongNames: 65 characters with the prefix are refused, so the name is
// shortened, with a hash, and maps back.
func TestE01LongNames(t *testing.T) {
	long := format.ToolName{Space: strings.Repeat("s", 45), Name: strings.Repeat("n", 18)}
	fits := format.ToolName{Space: strings.Repeat("s", 44), Name: strings.Repeat("n", 18)}
	other := format.ToolName{Space: strings.Repeat("s", 45), Name: strings.Repeat("n", 17) + "m"}
	for p, n := range names(t, long, fits, other) {
		if got := n.Host(fits); got != fits.Space+"__"+fits.Name {
			t.Errorf("%s: a name of 64 characters became %q", p, got)
		}
		if got := n.Host(long); !strings.HasPrefix(got, strings.Repeat("s", 45)) {
			t.Errorf("%s: %q does not begin as the name does", p, got)
		}
	}
}

// TestE02DotsAndSlashes: what MCP allows and a provider does not is mapped, and two
// names that would be one stay two.
func TestE02DotsAndSlashes(t *testing.T) {
	names(t, format.ToolName{Name: "admin.tools/list"}, format.ToolName{Name: "admin_tools_list"}, format.ToolName{Name: "admin/tools.list"}, format.ToolName{Name: "admin tools list"}, format.ToolName{Name: ""}, format.ToolName{Name: "."}, format.ToolName{Name: ".."})
}

// TestE05TwoSearches: tools of one name from two servers are told apart in a stable
// manner: neither order nor further tools change a name.
func TestE05TwoSearches(t *testing.T) {
	harbour, library := format.ToolName{Space: "harbour", Name: "search"}, format.ToolName{Space: "library", Name: "search"}
	alone := names(t, harbour)
	both := names(t, library, harbour, format.ToolName{Name: "search"})
	for p := range both {
		if a, b := alone[p].Host(harbour), both[p].Host(harbour); a != b || a != "harbour__search" {
			t.Errorf("%s: alone %q, beside another %q", p, a, b)
		}
	}
	// Two whose parts join to the same text.
	for p, n := range names(t, format.ToolName{Space: "a", Name: "b__c"}, format.ToolName{Space: "a__b", Name: "c"}) {
		if n.Host(format.ToolName{Space: "a", Name: "b__c"}) == "a__b__c" {
			t.Errorf("%s: one of two that want a name has it", p)
		}
	}
}

// TestE07SameServerTwice: both are kept under distinct names.
func TestE07SameServerTwice(t *testing.T) {
	names(t, format.ToolName{Space: "staging", Name: "deploy"}, format.ToolName{Space: "production", Name: "deploy"})
}

// TestE25LostCharacters: names of which nothing is left in ASCII stay distinct.
func TestE25LostCharacters(t *testing.T) {
	names(t, format.ToolName{Space: "skills", Name: "翻訳"}, format.ToolName{Space: "skills", Name: "要約"}, format.ToolName{Space: "skills", Name: "校正"}, format.ToolName{Name: "翻訳"}, format.ToolName{Name: "要約"})
}

// TestE02NamesHangOnTheSet: any order of any names gives the same one-to-one map.
func TestE02NamesHangOnTheSet(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	letters := []rune("ab_-./ é9")
	for range 300 {
		var tools []format.ToolName
		for range 2 + r.IntN(8) {
			word := func(n int) string {
				var b strings.Builder
				for range n {
					b.WriteRune(letters[r.IntN(len(letters))])
				}
				return b.String()
			}
			tool := format.ToolName{Space: word(r.IntN(3)), Name: word(r.IntN(4))}
			if !slices.Contains(tools, tool) {
				tools = append(tools, tool)
			}
		}
		first := names(t, tools...)
		r.Shuffle(len(tools), func(i, j int) { tools[i], tools[j] = tools[j], tools[i] })
		second := names(t, tools...)
		for p := range first {
			for _, tool := range tools {
				if a, b := first[p].Host(tool), second[p].Host(tool); a != b {
					t.Fatalf("%s: %v is %q or %q, by the order", p, tool, a, b)
				}
			}
		}
	}
}

// TestE01NamesThatImitateAHash: a tool that is called as another one would be
// renamed keeps its name.
func TestE01NamesThatImitateAHash(t *testing.T) {
	dotted := format.ToolName{Name: "a.b"}
	n, err := format.NameTools("openai-chat", []format.ToolName{dotted})
	if err != nil {
		t.Fatal(err)
	}
	thief := format.ToolName{Name: n.Host(dotted)}
	for p, n := range names(t, dotted, thief) {
		if got := n.Host(thief); got != thief.Name {
			t.Errorf("%s: %q became %q", p, thief.Name, got)
		}
	}
}
