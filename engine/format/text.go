package format

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/promptc/promptc/engine"
)

// Style puts the marks of a terminal around words; Plain leaves them as they are.
type Style struct{ Bold, Dim, Good, Bad func(string) string }

// Plain is for files and pipes.
var Plain = Style{Bold: same, Dim: same, Good: same, Bad: same}

func same(s string) string { return s }

// Text writes a view for people: every part under a ruled heading with its
// tokens, then what the host must do, what was left out, and the sum.
func Text(w io.Writer, p *engine.Prompt, style Style) error {
	t := textView{p: p, style: style, w: &errWriter{w: w}}
	t.sections()
	t.messages()
	t.tools()
	t.launch()
	t.summary()
	return t.w.err
}

type textView struct {
	p     *engine.Prompt
	style Style
	w     *errWriter
}

// errWriter keeps the first error, so that the view reads as text.
type errWriter struct {
	w   io.Writer
	err error
}

func (e *errWriter) printf(format string, args ...any) {
	if e.err == nil {
		_, e.err = fmt.Fprintf(e.w, format, args...)
	}
}

// width of a ruled heading in columns.
const width = 78

func (t *textView) heading(title, right string) {
	rule := max(2, width-utf8.RuneCountInString(title)-utf8.RuneCountInString(right)-6)
	if right != "" {
		right = " " + t.style.Dim(right)
	}
	t.w.printf("%s %s %s%s\n", t.style.Dim("──"), t.style.Bold(Visible(title)), t.style.Dim(strings.Repeat("─", rule)), right)
}

func (t *textView) tokens(n int) string {
	word := "tokens"
	if n == 1 {
		word = "token"
	}
	return fmt.Sprintf("%s %s", Number(n), word)
}

func (t *textView) sections() {
	if t.p.FirstMessage {
		return
	}
	for i, s := range t.p.System {
		t.heading("system · "+s.ID, t.tokens(t.p.Usage.Sections[i]))
		t.w.printf("%s\n\n", Visible(s.Text))
	}
}

func (t *textView) messages() {
	for _, m := range t.p.Messages {
		t.heading("message · "+string(m.Role), "")
		if m.Text != "" {
			t.w.printf("%s\n", Visible(m.Text))
		}
		for _, c := range m.Calls {
			t.w.printf("%s(%s)\n", Visible(c.Name), Visible(string(c.Arguments)))
		}
		t.w.printf("\n")
	}
}

func (t *textView) tools() {
	for _, tool := range t.p.Tools {
		t.heading("tool · "+tool.Name, "")
		t.w.printf("%s\n\n%s\n\n", Visible(tool.Description), Visible(string(tool.Parameters)))
	}
}

func (t *textView) launch() {
	p := t.p
	if len(p.Links) > 0 {
		where := "in the workspace"
		if p.Place.View {
			where = "in a view"
		}
		t.heading("links · "+where, "")
		t.w.printf("%s\n", Visible(p.Place.Dir))
		longest := 0
		for _, l := range p.Links {
			longest = max(longest, utf8.RuneCountInString(l.Path))
		}
		for _, l := range p.Links {
			mode := ""
			if l.Copy {
				mode = " (copy)"
			}
			t.w.printf("  %s%s → %s%s\n", l.Path, strings.Repeat(" ", longest-utf8.RuneCountInString(l.Path)), Visible(l.Target), mode)
		}
		t.w.printf("\n")
	}
	if !p.Launch.Empty() {
		t.heading("launch", "")
		for _, line := range LaunchLines(p.Launch) {
			t.w.printf("  %s\n", Visible(line))
		}
		t.w.printf("\n")
	}
	if len(p.ReadRoots) > 0 {
		t.heading("read roots", "")
		for _, r := range p.ReadRoots {
			t.w.printf("  %s\n", Visible(r))
		}
		t.w.printf("\n")
	}
}

// LaunchLines writes a launch for people, as a shell takes it: a line for each
// variable, then the arguments.
func LaunchLines(l engine.Launch) []string {
	var out []string
	for _, k := range slices.Sorted(maps.Keys(l.Env)) {
		out = append(out, k+"="+engine.ShellWord(l.Env[k]))
	}
	if len(l.Args) > 0 {
		words := make([]string, len(l.Args))
		for i, a := range l.Args {
			words[i] = engine.ShellWord(a)
		}
		out = append(out, strings.Join(words, " "))
	}
	return out
}

func (t *textView) summary() {
	p, u := t.p, t.p.Usage
	name := p.Strategy + " for " + p.Agent
	if p.Model != "" {
		name += " with " + p.Model
	}
	t.heading(name, "")
	rows := [][2]string{
		{"skills", skillCount(p)},
		{"system", Number(u.System)},
		{"messages", Number(u.Messages)},
		{"tools", Number(u.Tools)},
		{"total", t.tokens(u.Total) + ", " + tokenizer(u)},
	}
	if u.Framing != nil {
		rows = append(rows, [2]string{"framing", Number(*u.Framing) + " more, added by the provider"})
	}
	if u.Native != nil {
		rows = append(rows, [2]string{"native", Number(*u.Native) + " more, the agent's own list"})
	}
	rows = append(rows, [2]string{"print", p.Fingerprint})
	for _, r := range rows {
		t.w.printf("  %-9s %s\n", r[0], r[1])
	}
	for _, d := range p.Dropped {
		t.w.printf("  %-9s %s %s\n", "left out", Visible(d.Name), t.style.Dim("("+string(d.Reason)+")"))
	}
}

func skillCount(p *engine.Prompt) string {
	s := fmt.Sprintf("%d within reach", len(p.Skills))
	if n := len(p.Dropped); n > 0 {
		s += fmt.Sprintf(", %d left out", n)
	}
	return s
}

func tokenizer(u engine.Usage) string {
	s := u.Tokenizer
	if !u.Exact {
		s += " (estimate)"
	}
	switch u.ModelOwn {
	case true:
		return s + ", the model's own"
	case false:
		return s + ", not the model's own"
	}
	return s + ", whether the model's own: unknown"
}

// Number writes n with commas between groups of three digits.
func Number(n int) string {
	s := fmt.Sprint(n)
	neg := strings.HasPrefix(s, "-")
	s = strings.TrimPrefix(s, "-")
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	if neg {
		s = "-" + s
	}
	return s
}
