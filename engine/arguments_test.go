package engine

import (
	"slices"
	"strings"
	"testing"
)

func TestP6Forms(t *testing.T) {
	for _, c := range []struct {
		name, body, args, hint string
		want                   string
		used                   bool
	}{
		{"all", "Task: $ARGUMENTS.", "10 slides", "", "Task: 10 slides.", true},
		{"twice", "$ARGUMENTS and $ARGUMENTS", "x", "", "x and x", true},
		{"by index from 0", "$ARGUMENTS[1] over $ARGUMENTS[0]", "a b", "", "b over a", true},
		{"by number from 1", "@$2 over @$1", "a b", "<to> <from>", "b over a", true},
		{"number beside all", "$ARGUMENTS: @$1", "a b", "", "a b: a", true},
		{"some words only", "$ARGUMENTS[0]!", "a b", "", "a!", false},
		{"no hint, no use", "@$1 costs $5", "a b", "", "@$1 costs $5", false},
		{"blank hint", "@$1", "a", " ", "@$1", false},
		{"index that is not there", "$ARGUMENTS[2] @$3 @$0", "a b", "h", "$ARGUMENTS[2] @$3 @$0", false},
		{"huge index", "$ARGUMENTS[99999999999999999999] @$99999999999999999999", "a", "h", "$ARGUMENTS[99999999999999999999] @$99999999999999999999", false},
		{"bracket of the text", "$ARGUMENTS[a] $ARGUMENTS[", "x", "", "x[a] x[", true},
		{"longer name", "$ARGUMENTS_DIR $ARGUMENTSX $ARGUMENTS", "x", "", "$ARGUMENTS_DIR $ARGUMENTSX x", true},
		{"no args", "Do [$ARGUMENTS]", "", "", "Do []", false},
		{"blank args", "Do [$ARGUMENTS]", " \n ", "", "Do []", false},
		{"outer blanks", "[$ARGUMENTS]", "  a  b ", "", "[a  b]", true},
		{"empty quoted word", "[@$1|@$2]", `"" b`, "h", "[|b]", true},
		{"digits after the number", "@$12", "a b", "h", "@$12", false},
		{"han", "为 $ARGUMENTS 做", "鲸鱼 十张", "", "为 鲸鱼 十张 做", true},
		{"nothing to fill", "plain", "a", "h", "plain", false},
	} {
		got, used := FillArguments(c.body, c.args, c.hint)
		if got != c.want || used != c.used {
			t.Errorf("%s: %q, %v; want %q, %v", c.name, got, used, c.want, c.used)
		}
	}
}

func TestD01DollarsInProseAndCodeStay(t *testing.T) {
	body := "awk '{print $1, $2}' costs $0.10, $5 or $$; ${1} $@ $* $# \\$1 US$7"
	for _, hint := range []string{"", "<file> <column>"} {
		if got, _ := FillArguments(body, "alpha bravo", hint); got != body {
			t.Errorf("hint %q: %q", hint, got)
		}
	}
	if got, _ := FillArguments(body+" $ARGUMENTS", "alpha bravo", ""); got != body+" alpha bravo" {
		t.Errorf("%q", got)
	}
}

func TestD03InsertedTextIsNotLookedAtAgain(t *testing.T) {
	args := `keep $& and $1 and ${x} and \1 @$1 $ARGUMENTS $ARGUMENTS[0]`
	if got, _ := FillArguments("Task: $ARGUMENTS!", args, ""); got != "Task: "+args+"!" {
		t.Errorf("%q", got)
	}
	// Neither do inserted and own text make a form together.
	if got, _ := FillArguments("@$1$1 @$2ARGUMENTS @$1[0]", "@ $", "h"); got != "@$1 $ARGUMENTS @[0]" {
		t.Errorf("%q", got)
	}
}

func TestD05Words(t *testing.T) {
	for args, want := range map[string][]string{
		`'hello world' "unfinished`:     {"hello world", "unfinished"},
		`"unfinished to the end`:        {"unfinished to the end"},
		`C:\new\table "C:\my dir\" x`:   {`C:\new\table`, `C:\my dir\`, "x"},
		`don't it's`:                    {"don't", "it's"},
		"a\tb\nc":                       {"a", "b", "c"},
		`"a"b" c`:                       {`a"b`, "c"},
		`--x="a b"`:                     {`--x="a`, `b"`},
		`""`:                            {""},
		`"`:                             {""},
		"":                              nil,
		`“Walfang in Öl” 'ein "Zitat"'`: {"“Walfang", "in", "Öl”", `ein "Zitat"`},
	} {
		if got := argumentWords(strings.TrimSpace(args)); !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", args, got, want)
		}
	}
}

func FuzzFillArguments(f *testing.F) {
	f.Add("Task: $ARGUMENTS[0] @$1 $5 $ARGUMENTS", `'a b' "c`, "<x>")
	f.Add("@$", "$", "")
	f.Add("$ARGUMENTS[$ARGUMENTS]", "0", "")
	f.Add("@$1$ARGUMENTS[", `\`, "h")
	f.Fuzz(func(t *testing.T, body, args, hint string) {
		got, used := FillArguments(body, args, hint)
		if strings.TrimSpace(hint) == "" && !strings.Contains(body, argumentsMark) && got != body {
			t.Errorf("filled without being asked: %q", got)
		}
		if args = strings.TrimSpace(args); used && args == "" {
			t.Error("nothing was used")
		}
		if got != body && strings.Count(body, "$") == 0 {
			t.Errorf("nothing to fill, but %q", got)
		}
		// With marks for arguments the pieces of the body are still there, in order.
		marked, _ := FillArguments(body, "\x00", "h")
		rest := body
		for piece := range strings.SplitSeq(marked, "\x00") {
			i := strings.Index(rest, piece)
			if i < 0 {
				t.Fatalf("%q is not of the body", piece)
			}
			rest = rest[i+len(piece):]
		}
	})
}
