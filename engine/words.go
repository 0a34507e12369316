package engine

import (
	_ "embed"
	"fmt"
	"strings"
	"sync"
	"text/template"
)

// Words are the templates of one language. What the model reads stands in .tmpl
// files; a file holds blocks that are named BLOCK.LANGUAGE.
type Words struct {
	set      *template.Template
	language string
}

// Languages are those that the words exist in; the first one is the default.
func Languages() []string { return []string{"en", "zh"} }

// ParseWords reads a .tmpl file with one {{define "BLOCK.LANGUAGE"}} a block. It
// panics where the file does not parse: the files are embedded.
func ParseWords(name, text string) *template.Template {
	return template.Must(template.New(name).Option("missingkey=error").Parse(text))
}

// In picks a language out of parsed words; an unknown one is English.
func In(set *template.Template, language string) Words {
	if language != "zh" {
		language = "en"
	}
	return Words{set: set, language: language}
}

// Fill returns the block filled with data, without the line breaks around it.
func (w Words) Fill(block string, data any) (string, error) {
	t := w.set.Lookup(block + "." + w.language)
	if t == nil {
		return "", fmt.Errorf("no words for %q in %q", block, w.language)
	}
	var b strings.Builder
	if err := t.Execute(&b, data); err != nil {
		return "", err
	}
	return strings.Trim(b.String(), "\n"), nil
}

//go:embed engine.tmpl
var engineWords string

var parsedWords = sync.OnceValue(func() *template.Template { return ParseWords("engine", engineWords) })

// words are the engine's own.
func words(language string) Words { return In(parsedWords(), language) }
