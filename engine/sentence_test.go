package engine

import (
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/promptc/promptc/engine/token"
)

func TestC05TheSentenceThatSaysWhenIsKept(t *testing.T) {
	filler := "Reads a chart of the harbour and lists every berth with its depth. " + strings.Repeat("Works with old and with new charts, printed ones too. ", 8)
	zh := "读取港口的海图并列出每个泊位的水深。" + strings.Repeat("新旧海图都能处理，纸质的也可以。", 8)
	for _, c := range []struct{ text, keep string }{
		{filler + "Use when the user asks for a berth.", "Use when the user asks for a berth."},
		{filler + "Use for berths and tides. " + strings.Repeat("Needs no network. ", 5), "Use for berths and tides."},
		{filler + "Invoke this whenever a ship has to moor.", "Invoke this whenever a ship has to moor."},
		{zh + "当用户询问泊位时使用。", "当用户询问泊位时使用。"},
		{zh + "用于规划靠泊。" + strings.Repeat("不需要网络。", 9), "用于规划靠泊。"},
		{"Use when a ship moors. " + filler, "Use when a ship moors."},
	} {
		for limit := countWords(c.keep) + 4; limit < countWords(c.text); limit++ {
			out, cut := CutDescription(c.text, limit, countWords)
			if !cut || countWords(out) > limit || !strings.Contains(out, c.keep) || !strings.Contains(out, "…") {
				t.Fatalf("limit %d: %d tokens: %q", limit, countWords(out), out)
			}
		}
	}
}

// A few tokens too many cost a few tokens, and not the whole description.
func TestC06OverByLittleCostsLittle(t *testing.T) {
	text := strings.Repeat("Reads charts and lists berths by depth and by length, in order. ", 9)
	text = strings.TrimSpace(text)
	out, _ := CutDescription(text, countWords(text)-1, countWords)
	if got := countWords(out); got < countWords(text)*3/4 {
		t.Errorf("%d tokens of %d are left: %q", got, countWords(text), out)
	}
}

func TestC07AnyLimitCutsBetweenRunes(t *testing.T) {
	o200k := token.ForModel("").Count
	for _, text := range []string{
		"ふねがみなとにはいるときのしおのたかさをしらべて、さんばしのばしょをきめます。つかうのは、ふねのなまえとながさです。",
		"港の潮位を調べる、とても長い説明文です" + strings.Repeat("潮", 300),
		strings.Repeat("👩‍👩‍👧‍👦", 60),
		"Ein Text mit Umlauten: " + strings.Repeat("Häfen, Bögen, Flüsse; ", 30),
		"One.Two.Three e.g. this, i.e. that " + strings.Repeat("x", 400),
	} {
		for limit := range o200k(text) + 2 {
			out, cut := CutDescription(text, limit, o200k)
			if !utf8.ValidString(out) || o200k(out) > limit || cut != (o200k(text) > limit) || !cut && out != text {
				t.Fatalf("limit %d: %d tokens: %q", limit, o200k(out), out)
			}
			if cut && limit > 2 && !strings.Contains(out, "…") {
				t.Errorf("limit %d: the cut is not marked: %q", limit, out)
			}
		}
	}
}

func TestDescriptionLimitZeroIsNothing(t *testing.T) {
	if out, cut := CutDescription("Reads charts.", 0, countWords); out != "" || !cut {
		t.Errorf("%q, %v", out, cut)
	}
	if out, cut := CutDescription("", 0, countWords); out != "" || cut {
		t.Errorf("%q, %v", out, cut)
	}
}

func TestDescriptionsOfTheCorpus(t *testing.T) {
	o200k := token.ForModel("").Count
	r := rand.New(rand.NewPCG(4, 4))
	for _, f := range corpusTexts(t) {
		_, rest, _ := strings.Cut(string(f.Data), "description:")
		text, _, _ := strings.Cut(rest, "\n")
		text = strings.Trim(strings.TrimSpace(text), `"'`)
		for range 4 {
			limit := r.IntN(o200k(text) + 2)
			if out, _ := CutDescription(text, limit, o200k); o200k(out) > limit || !utf8.ValidString(out) {
				t.Errorf("%s: limit %d: %q", f.Name, limit, out)
			}
		}
	}
}
