package agent

import (
	"slices"
	"strings"
	"testing"

	"github.com/promptc/promptc/engine/diag"
)

// TestPlainValuesOfTheMeasured has what running the agents showed.
func TestPlainValuesOfTheMeasured(t *testing.T) {
	for _, c := range []struct {
		id, version, skills, links, nameOf, read string
		unmodel, reads                           Answer
		view, readDir, headless                  string
		invoke, prompted                         string // interactive, and when headless
		encoding                                 string
	}{
		{"claude-code", "2.1.332", ".claude/skills", "follow", "directory", "Read{file_path}", Yes, No, "--add-dir {dir}", "--add-dir {dir}", "nothing", "/{name} {args}", "/{name} {args}", "claude"},
		{"codex", "0.171.0", ".agents/skills", "follow", "frontmatter", "{}", No, Yes, "nothing", "nothing", "nothing", "${name} {args}", "${name} {args}", "o200k_base"},
		{"gemini-cli", "0.61.0", ".gemini/skills", "follow", "frontmatter", "read_file{file_path}", No, Yes, "nothing", "--include-directories {dir}", "GEMINI_CLI_TRUST_WORKSPACE=true --approval-mode yolo", "/{name} {args}", "", "gemini"},
		{"qwen-code", "0.24.4", ".qwen/skills", "follow", "frontmatter", "read_file{file_path}", Yes, Yes, "nothing", "--include-directories {dir}", "--approval-mode yolo", "/{name} {args}", "/{name} {args}", "qwen"},
		{"opencode", "1.18.33", ".opencode/skills", "follow", "frontmatter", "read{filePath}", No, Yes, "OPENCODE_CONFIG_DIR={dir}/.opencode", "nothing", "nothing", "/{name} {args}", "", "unknown"},
		{"copilot-cli", "1.0.102", ".github/skills", "follow", "frontmatter", "view{path}", Yes, No, "--add-dir {dir}", "--add-dir {dir}", "nothing", "/{name} {args}", "", "unknown"},
		{"cline", "3.0.65", ".cline/skills", "follow", "frontmatter", "{}", No, Yes, "nothing", "nothing", "nothing", "", "", "unknown"},
		{"amp", "0.0.1790142911-g7618fb", ".agents/skills", "follow", "frontmatter", "{}", No, Unknown, "nothing", "nothing", "nothing", "", "", "unknown"},
	} {
		f, ok := Lookup(c.id)
		if !ok {
			t.Errorf("%s is not there", c.id)
			continue
		}
		a, found := f.At("", false)
		if len(found) != 0 {
			t.Errorf("%s: %v", c.id, found)
		}
		b, _ := f.At(c.version, true)
		for _, v := range []struct{ what, got, want string }{
			{"version", a.Version, c.version}, {"skills", a.Skills, c.skills}, {"links", a.Links, c.links}, {"name", a.NameOf, c.nameOf},
			{"read", a.Read.String(), c.read}, {"unmodel", string(a.Unmodel), string(c.unmodel)}, {"reads links", string(a.ReadsLink), string(c.reads)},
			{"view", a.View.String(), c.view}, {"read dir", a.ReadDir.String(), c.readDir}, {"not headless", a.Headless.String(), "nothing"},
			{"headless", b.Headless.String(), c.headless}, {"invoke", a.Invoke, c.invoke}, {"invoke headless", b.Invoke, c.prompted}, {"encoding", a.Encoding, c.encoding},
		} {
			if v.got != v.want {
				t.Errorf("%s: %s is %q, want %q", c.id, v.what, v.got, v.want)
			}
		}
		for _, need := range []Need{NeedNative, NeedLinks, NeedTools} {
			if got := a.Offers(need); got != Yes {
				t.Errorf("%s: %s is %s", c.id, need, got)
			}
		}
	}
}

// TestA7LinksOrCopies: an agent that does not follow links still takes skills.
func TestA7LinksOrCopies(t *testing.T) {
	for _, c := range []struct {
		id, links     string
		native, takes Answer
	}{
		{"kiro", "copy", Yes, Yes},
		{"crush", "whole", Yes, Yes},
		{"cursor", "unknown", Yes, Unknown},
		{"generic", "follow", Yes, Yes},
		{"ai4j", "follow", No, No},
		{"openskills", "follow", No, No},
		{"adk-go", "copy", Yes, No}, // its host names the directories
		{"windsurf", "unknown", Yes, Unknown},
	} {
		f, _ := Lookup(c.id)
		a, _ := f.At("", false)
		if a.Links != c.links || a.Offers(NeedNative) != c.native || a.Offers(NeedLinks) != c.takes {
			t.Errorf("%s: links %s, native %s, takes links %s; want %s, %s, %s", c.id, a.Links, a.Offers(NeedNative), a.Offers(NeedLinks), c.links, c.native, c.takes)
		}
	}
}

func TestGenericOffersAll(t *testing.T) {
	f, _ := Lookup("generic")
	a, _ := f.At("", false)
	for _, need := range []Need{NeedRead, NeedTools, NeedNative, NeedLinks} {
		if a.Offers(need) != Yes {
			t.Errorf("%s is %s", need, a.Offers(need))
		}
	}
	if a.Skills != ".agents/skills" {
		t.Errorf("its directory is %s", a.Skills)
	}
}

func TestVersionsThatWereNotMeasured(t *testing.T) {
	copilot, _ := Lookup("copilot-cli")
	for _, c := range []struct {
		version, links string
		said           bool
	}{
		{"", "follow", false}, {"1.0.102", "follow", false}, {"1.0.62", "follow", true}, {"1.0.61", "copy", true}, {"0.0.399", "copy", true}, {"2.0", "follow", true},
	} {
		a, found := copilot.At(c.version, false)
		if a.Links != c.links || a.Version != "1.0.102" {
			t.Errorf("copilot-cli %q: links %s, version %s", c.version, a.Links, a.Version)
		}
		said := len(found) == 1 && found[0].Code == diag.UnknownVersion && found[0].Severity == diag.Info && strings.Contains(found[0].Message, "1.0.102")
		if said != c.said || !c.said && len(found) > 0 {
			t.Errorf("copilot-cli %q: %v", c.version, found)
		}
	}
	claude, _ := Lookup("claude-code")
	if a, _ := claude.At("2.1.31", false); !a.View.Empty() {
		t.Error("2.1.31 loaded no skills of an --add-dir")
	}
	if a, _ := claude.At("2.1.32", false); a.View.Empty() {
		t.Error("2.1.32 loads skills of an --add-dir")
	}
	cursor, _ := Lookup("cursor")
	if a, found := cursor.At("2.4", false); a.Version != "" || len(found) != 1 || !strings.Contains(found[0].Message, "nothing was measured") {
		t.Errorf("cursor 2.4: %q, %v", a.Version, found)
	}
}

func TestPlainValuesAreTheCallersOwn(t *testing.T) {
	f, _ := Lookup("gemini-cli")
	a, _ := f.At("", true)
	a.Headless.Args[0], a.Headless.Env["GEMINI_CLI_TRUST_WORKSPACE"], a.Has[NeedRead] = "x", "x", No
	b, _ := f.At("", true)
	if slices.Contains(b.Headless.Args, "x") || b.Headless.Env["GEMINI_CLI_TRUST_WORKSPACE"] == "x" || b.Has[NeedRead] == No {
		t.Error("changing one answer changes the next")
	}
	var zero Agent
	if zero.Offers(NeedRead) != Unknown {
		t.Error("of an agent of which nothing is known something is known")
	}
}
