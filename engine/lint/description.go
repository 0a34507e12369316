package lint

import (
	"context"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/promptc/promptc/engine/agent"
	"github.com/promptc/promptc/engine/diag"
	"github.com/promptc/promptc/engine/skill"
)

// maxDescription is how long the open standard lets a description be, in Unicode
// code points.
const maxDescription = 1024

// description is the written one, and where it stands.
func (p *page) description() (text string, at diag.Pos, ok bool) {
	f, ok := p.field("description")
	if !ok || p.found.Form.DescFrom != skill.FromFrontmatter {
		return "", diag.Pos{}, false
	}
	return p.found.Description, f.Value, true
}

// descriptionLong: 1,024 characters, whatever their bytes.
func descriptionLong(_ context.Context, p *page) {
	if text, at, ok := p.description(); ok && utf8.RuneCountInString(text) > maxDescription {
		p.say(diag.DescriptionLong, at, "the description has %d characters, more than %d", utf8.RuneCountInString(text), maxDescription)
	}
}

// whenWords are how people say when a skill is to be used, language by language.
var whenWords = regexp.MustCompile(`(?i)` + strings.Join([]string{
	`\b(when|whenever|while|during|before|after|if|unless|once|upon|until|as soon as|in case|any ?time|every ?time|asks?|asked|asking|wants?|mentions?|requests?|requested)\b`,
	`\b(use|used|useful|using|invoke|invoked|apply|applies|activate|activates|activated|trigger|triggers|triggered|load|consult|run|call|suited|suitable|intended|meant|ideal|designed|helpful) (this|it|only|for|to|on|by|with|at|in|as|proactively|automatically)\b`,
	`\btriggers?\b`, `\bfor (tasks|requests|questions|cases|situations|work)\b`, `\bneeds? to\b`, `\b(must|should) (be )?used?\b`,
	// German, French, Spanish, Portuguese, Italian, Turkish, Polish, Russian
	`\b(wenn|falls|sobald|sooft|quand|lorsque|dès que|si vous|cuando|quando|se o|qualora|kullan|gerektiğinde|istediğinde|gdy|kiedy|jeśli)`, `(когда|если|при )`,
	// Chinese
	`[当當]|时使用|時使用|时触发|时调用|的时候|用于|用於|适用|適用|场景|場景|情况|情況|如果|若|一旦|触发|觸發|需要`,
	// Japanese and Korean
	`場合|とき|時に|時、|際に|使用|利用|依頼|用|要求されたら|たら|때|경우|사용|요청|시 `,
}, "|"))

// descriptionWhen: the model chooses by the description alone. A skill that the
// model never sees needs none of this.
func descriptionWhen(_ context.Context, p *page) {
	text, at, ok := p.description()
	if !ok || p.content.Form.Unmodelled || p.content.Form.WhenToUse != "" || isSign(text) || whenWords.MatchString(text) {
		return
	}
	p.say(diag.DescriptionWhen, at, "the description does not say when to use the skill")
}

// descriptionBlock: which agents keep only the first line is what the facts say.
func descriptionBlock(_ context.Context, p *page) {
	_, at, ok := p.description()
	if form := p.content.Form; !ok || form.DescStyle != skill.Literal || form.DescLines < 2 {
		return
	}
	var cut []string
	for _, f := range agent.All() {
		if agent.Is(f.Front.Block, "first-line") {
			cut = append(cut, strings.TrimSpace(f.ID+" "+f.Version))
		}
	}
	if len(cut) > 0 {
		p.say(diag.DescriptionBlock, at, "the description is written as a | block of %d lines, of which only the first is kept by %s", p.content.Form.DescLines, strings.Join(cut, ", "))
	}
}

// descriptionSign: what a line reader leaves of a block scalar.
func descriptionSign(_ context.Context, p *page) {
	if text, at, ok := p.description(); ok && isSign(text) {
		p.say(diag.DescriptionSign, at, "the description is nothing but %q", text)
	}
}

func isSign(text string) bool {
	return !strings.ContainsFunc(text, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.Is(unicode.So, r) })
}

var angle = regexp.MustCompile(`<[^<>\s][^<>]*>`)

// descriptionMarkup: a placeholder in angle brackets is fine here. A forged tag is
// another rule's.
func descriptionMarkup(_ context.Context, p *page) {
	text, at, ok := p.description()
	if m := angle.FindString(text); ok && m != "" && len(promptTags(text)) == 0 {
		p.say(diag.DescriptionMarkup, at, "the description holds %s, which some products refuse", shown(m, 40))
	}
}
