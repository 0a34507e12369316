package format

import (
	"encoding/json"
	"io"

	"github.com/promptc/promptc/engine"
	"github.com/promptc/promptc/engine/diag"
)

type promptJSON struct {
	Agent        string            `json:"agent"`
	Model        string            `json:"model"`
	Strategy     string            `json:"strategy"`
	Language     string            `json:"language"`
	System       string            `json:"system"`
	Sections     []sectionJSON     `json:"sections"`
	Messages     []engine.Message  `json:"messages"`
	Tools        []engine.Tool     `json:"tools"`
	Place        engine.Place      `json:"place"`
	Links        []linkJSON        `json:"links"`
	Launch       engine.Launch     `json:"launch"`
	ReadRoots    []string          `json:"read_roots"`
	Title        string            `json:"title"`
	TypedNothing bool              `json:"typed_nothing"`
	Skills       []engine.Used     `json:"skills"`
	Dropped      []engine.Dropped  `json:"dropped"`
	Usage        engine.Usage      `json:"usage"`
	Fingerprint  string            `json:"fingerprint"`
	Diagnostics  []diag.Diagnostic `json:"diagnostics"`
}

type sectionJSON struct {
	ID     string `json:"id"`
	Place  string `json:"place"` // system | first_message
	Text   string `json:"text"`
	Tokens int    `json:"tokens"`
}

type linkJSON struct {
	Path   string `json:"path"`
	Target string `json:"target"`
	Mode   string `json:"mode"` // link | copy
}

// writeJSON writes the whole prompt as one object, indented, lists never null.
func writeJSON(w io.Writer, p *engine.Prompt) error {
	out := promptJSON{
		Agent: p.Agent, Model: p.Model, Strategy: p.Strategy, Language: p.Language,
		System: p.SystemText(), Messages: list(p.Messages), Tools: list(p.Tools), Place: p.Place,
		Launch: Launch(p.Launch), ReadRoots: list(p.ReadRoots), Title: p.Title, TypedNothing: p.TypedNothing,
		Skills: list(p.Skills), Dropped: list(p.Dropped), Usage: p.Usage, Fingerprint: p.Fingerprint,
		Sections: []sectionJSON{}, Links: []linkJSON{}, Diagnostics: list([]diag.Diagnostic(p.Diagnostics)),
	}
	place := "system"
	if p.FirstMessage {
		place = "first_message"
	}
	for i, s := range p.System {
		out.Sections = append(out.Sections, sectionJSON{s.ID, place, s.Text, p.Usage.Sections[i]})
	}
	for _, l := range p.Links {
		mode := "link"
		if l.Copy {
			mode = "copy"
		}
		out.Links = append(out.Links, linkJSON{l.Path, l.Target, mode})
	}
	return Encode(w, out)
}

// Encode writes v as indented JSON with < > & as they are and a final line break.
func Encode(w io.Writer, v any) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(v)
}

// Launch gives l with an empty list and map where it has none.
func Launch(l engine.Launch) engine.Launch {
	l.Args = list(l.Args)
	if l.Env == nil {
		l.Env = map[string]string{}
	}
	return l
}

func list[T any](s []T) []T {
	if s == nil {
		return []T{}
	}
	return s
}
