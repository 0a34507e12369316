package lint

import (
	"context"
	"regexp"
	"strings"

	"github.com/promptc/promptc/engine/diag"
)

var (
	// isolationLine is the shape of promptc's own lines in both languages, with any
	// number for the nonce.
	isolationLine = regexp.MustCompile("^-{3}.{0,80}`[^`]*`.{0,40}\\[\\d{6,}\\].*-{3}$")
	// promptTag are tags that only hosts put around skills, system texts and tool
	// results, and the marks of chat templates.
	promptTag = regexp.MustCompile(`^(?i:</?(?:available_skills|skill_content|activated_skill|skills_instructions|skill-context|agent_skills?|system-reminder|system_prompt|tool_results?|function_results?|command-instructions)(?:\s[^<>\n]*)?>|<\|(?:im_start|im_end|endoftext|system|user|assistant|start_header_id|end_header_id|eot_id)\|>|\[/?INST\]|<</?SYS>>)`)
	// plainTag are tags of hosts that authors use as well. One that closes what the
	// text has not opened closes something of the host's.
	plainTag = regexp.MustCompile(`^(?i)<(/?)(skills?|system|instructions|assistant|human|user|developer|description|name|location)>`)
)

// forged finds text that imitates what stands around a skill. In code it is most
// likely an example, so that it is an info there; in the frontmatter it is a warning,
// because descriptions of all skills stand together in a list.
func forged(_ context.Context, p *page) {
	for _, f := range p.content.Fields {
		if f.Again {
			continue
		}
		if tags := append(promptTags(f.Text), strayClosings(f.Text)...); len(tags) > 0 {
			p.say(diag.ForgedMarker, f.Value, "%s holds %s, which some hosts put around skills or messages", f.Key, shown(f.Text[tags[0][0]:tags[0][1]], 40))
		}
	}
	body := string(p.body)
	for _, form := range []struct {
		places [][]int
		what   string
	}{
		{linesLike(body, isolationLine.MatchString), "has the form of an isolation line of promptc"},
		{promptTags(body), "is a mark that some hosts put around skills or messages"},
		{strayClosings(body), "closes what the text has not opened, as some hosts close a skill"},
		{linesLike(body, isRole), "begins like another speaker's message"},
	} {
		for _, m := range form.places {
			if p.enough(diag.ForgedMarker) {
				continue
			}
			d := diag.New(diag.ForgedMarker, p.at(m[0]), "%s %s", shown(body[m[0]:m[1]], 60), form.what)
			if _, in := p.inCode(m[0]); in {
				d = d.As(diag.Info)
			}
			p.report(d)
		}
	}
}

// linesLike are the places of lines that begin with a capital or a dash and are like
// what is looked for.
func linesLike(text string, like func(string) bool) (out [][]int) {
	at := 0
	for l := range strings.Lines(text) {
		if line := strings.TrimSpace(l); line != "" && (line[0] == '-' || line[0] >= 'A' && line[0] <= 'Z') && like(line) {
			from := at + strings.Index(l, line)
			out = append(out, []int{from, from + len(line)})
		}
		at += len(l)
	}
	return out
}

// isRole reports whether a line begins another speaker's turn.
func isRole(line string) bool {
	role, rest, ok := strings.Cut(line, ":")
	return ok && (rest == "" || rest[0] == ' ') && (role == "Human" || role == "Assistant" || role == "System")
}

// promptTags are the places of tags that only hosts write.
func promptTags(text string) (out [][]int) {
	visit(text, promptTag, func(m []int) { out = append(out, m[:2]) })
	return out
}

// strayClosings are the places of plain tags that close what is not open.
func strayClosings(text string) (out [][]int) {
	open := map[string]int{}
	visit(text, plainTag, func(m []int) {
		name := strings.ToLower(text[m[4]:m[5]])
		switch {
		case m[2] == m[3]:
			open[name]++
		case open[name] > 0:
			open[name]--
		default:
			out = append(out, m[:2])
		}
	})
	return out
}

// visit calls found for each place at which a tag's form, anchored at its beginning,
// matches.
func visit(text string, form *regexp.Regexp, found func(m []int)) {
	for at := 0; at < len(text); {
		i := strings.IndexAny(text[at:], "<[")
		if i < 0 {
			return
		}
		at += i
		var m []int
		if maybeTag(text[at:]) {
			m = form.FindStringSubmatchIndex(text[at:])
		}
		if m == nil {
			at++
			continue
		}
		for k := range m {
			if m[k] >= 0 {
				m[k] += at
			}
		}
		found(m)
		at = m[1]
	}
}

// maybeTag reports whether a bracket has the beginning of a name behind it.
func maybeTag(text string) bool {
	name := strings.TrimLeft(text[1:min(len(text), 4)], "</|")
	return name != "" && (name[0]|0x20 >= 'a' && name[0]|0x20 <= 'z')
}
