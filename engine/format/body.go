package format

import (
	"bytes"
	"encoding/json"
)

// object is a JSON object whose keys keep their order.
type object []member

type member struct {
	key   string
	value any // object, []object, []json.RawMessage, json.RawMessage, or what encoding/json takes
}

func (o *object) add(key string, value any) { *o = append(*o, member{key, value}) }

// bytes writes the body of a request: a line for each key and each item of a list,
// so that people can read it and compare two. Values that are there as JSON stand in
// it byte for byte.
func (o object) bytes() []byte {
	var b bytes.Buffer
	o.write(&b, "")
	b.WriteByte('\n')
	return b.Bytes()
}

func (o object) write(b *bytes.Buffer, indent string) {
	b.WriteByte('{')
	for i, m := range o {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString("\n" + indent + "  ")
		b.Write(marshal(m.key))
		b.WriteString(": ")
		switch v := m.value.(type) {
		case object:
			v.write(b, indent+"  ")
		case []object:
			writeList(b, indent+"  ", v, func(o object) { o.write(b, indent+"    ") })
		case []json.RawMessage:
			writeList(b, indent+"  ", v, func(raw json.RawMessage) { b.Write(raw) })
		case json.RawMessage:
			b.Write(v)
		default:
			b.Write(marshal(v))
		}
	}
	b.WriteString("\n" + indent + "}")
}

func writeList[T any](b *bytes.Buffer, indent string, list []T, write func(T)) {
	b.WriteByte('[')
	for i, item := range list {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString("\n" + indent + "  ")
		write(item)
	}
	if len(list) > 0 {
		b.WriteString("\n" + indent)
	}
	b.WriteByte(']')
}

// marshal writes v on one line with < > & as they are. It is for values of this
// package, which always encode: a RawMessage in them was checked before.
func marshal(v any) json.RawMessage {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		panic("format: " + err.Error())
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}

// arguments is what a call has as arguments, as an object; ok is false where that
// was something else, which then stands under the key "arguments".
func arguments(raw json.RawMessage) (out json.RawMessage, ok bool) {
	trimmed := bytes.TrimSpace(raw)
	switch {
	case len(trimmed) == 0 || string(trimmed) == "null":
		return json.RawMessage("{}"), true
	case !json.Valid(trimmed):
		return marshal(map[string]string{"arguments": string(raw)}), false
	case trimmed[0] != '{':
		return marshal(map[string]json.RawMessage{"arguments": trimmed}), false
	}
	return trimmed, true
}

// argumentText reads arguments that a provider sends as text.
func argumentText(text string) json.RawMessage {
	switch {
	case text == "":
		return json.RawMessage("{}")
	case json.Valid([]byte(text)):
		return json.RawMessage(text)
	}
	return marshal(text) // what a model wrote although it is no JSON
}

// textOfArguments writes them as text, the way a provider wants it.
func textOfArguments(raw json.RawMessage) string {
	var text string
	if json.Unmarshal(raw, &text) == nil {
		return text // it was no JSON when it came
	}
	if len(raw) == 0 {
		return "{}"
	}
	return string(raw)
}

// content is a text, or a list of typed parts, as most providers have it.
type content struct {
	text  string
	parts []json.RawMessage
	list  bool
}

func contentOf(raw json.RawMessage) (content, bool) {
	var c content
	if empty(raw) {
		return c, true
	}
	if json.Unmarshal(raw, &c.text) == nil {
		return c, true
	}
	c.list = true
	return c, json.Unmarshal(raw, &c.parts) == nil
}

// empty says whether raw says nothing: absent, null, or an empty text or list.
func empty(raw json.RawMessage) bool {
	switch string(bytes.TrimSpace(raw)) {
	case "", "null", "[]", "{}", `""`:
		return true
	}
	return false
}
