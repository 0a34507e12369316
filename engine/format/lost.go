package format

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/promptc/promptc/engine"
	"github.com/promptc/promptc/engine/diag"
)

func each[T any](list []T, f func(T) json.RawMessage) []json.RawMessage {
	var out []json.RawMessage
	for _, x := range list {
		out = append(out, f(x))
	}
	return out
}

// resultOf is a tool's answer made of what its content holds.
func resultOf(content []part, reply string, failed bool) part {
	out := part{kind: resultPart, reply: reply, failed: failed}
	var texts []string
	for _, p := range content {
		switch p.kind {
		case textPart:
			texts = append(texts, p.text)
		case imagePart:
			out.images = append(out.images, p.image)
		}
	}
	out.text = strings.Join(texts, "\n\n")
	return out
}

// textResult says what of a result is lost where only its text is sent.
func (e *encoder) textResult(t turn, p part) {
	if p.failed {
		e.noPlace("message %d: %s has no mark for a tool call that failed; its text must say so", t.from+1, e.rules.name).as(diag.Info).hint("nothing, if the text says so")
	}
	if len(p.images) > 0 {
		e.noPlace("message %d: %s takes no pictures in a tool's answer; %d left out", t.from+1, e.rules.name, len(p.images)).hint("send them in a message of the user")
	}
}

// noImages names pictures where only a user's message can have them.
func (e *encoder) noImages(t turn) {
	if n := len(t.of(imagePart)); n > 0 {
		e.noPlace("message %d: %s takes pictures from the user only; %d left out", t.from+1, e.rules.name, n).hint("send them in a message of the user")
	}
}

func (e *encoder) noImagesIn(t turn, role engine.Role) {
	if t.role == role {
		e.noImages(t)
	}
}

// results writes the answers of tools that stand in a user's message, where the
// provider has them in messages of their own.
func (e *encoder) results(t turn, host provider) []json.RawMessage {
	if list := t.of(resultPart); len(list) > 0 {
		return host.messages(e, turn{role: engine.RoleTool, parts: list, from: t.from})
	}
	return nil
}

// leftovers are the keys of a message that decode does not understand and that say
// something.
func leftovers(raw json.RawMessage, known []string) []part {
	n, err := parseNode(raw)
	if err != nil || !n.isObject() {
		return nil
	}
	var out []part
	for _, key := range n.keys {
		if !slices.Contains(known, key) && !slices.Contains(minorKeys, key) && !empty(n.fields[key].bytes()) {
			out = append(out, part{kind: otherPart, what: key})
		}
	}
	return out
}

// minorKeys say nothing that another provider would want.
var minorKeys = []string{"id", "type", "status", "object", "model", "cache_control", "stop_reason", "stop_sequence", "usage", "annotations", "phase"}
