package token_test

import (
	"strings"
	"testing"

	"github.com/promptc/promptc/engine/token"
)

func TestEmptyAndUnknownModelsCountByO200kOfUnknownOwner(t *testing.T) {
	for _, model := range []string{"", "  ", "made-up-model", "o12", "adamant", "yield", "gpt", "/", "acme/next.2:latest"} {
		c := token.ForModel(model)
		if c.Name() != "o200k_base" || !c.Exact() || c.Own() != token.OwnUnknown || c.Frame().Source != "" || c.Calibration().Source != "" {
			t.Errorf("ForModel(%q) = %s, exact %v, own %s, frame %+v", model, c.Name(), c.Exact(), c.Own(), c.Frame())
		}
	}
	if got := token.ForModel("").Count("hello world"); got != 2 {
		t.Errorf("Count(hello world) = %d, want 2", got)
	}
}

func TestModelsCountByTheEncodingOfTheirFamily(t *testing.T) {
	for _, want := range []struct {
		model, name, own string
		exact            bool
	}{
		{"gpt-4o-mini", "o200k_base", "true", true},
		{"gpt-4o", "o200k_base", "true", true},
		{"gpt-5.1-codex", "o200k_base", "true", true},
		{"openai/gpt-5", "o200k_base", "true", true},
		{"o3", "o200k_base", "true", true},
		{"o1-mini", "o200k_base", "true", true},
		{"openai/gpt-oss-120b", "o200k_base", "true", true},
		{"gpt-4", "cl100k_base", "true", true},
		{"gpt-4-turbo", "cl100k_base", "true", true},
		{"gpt-4.1-nano", "o200k_base", "true", true},
		{"gpt-3.5-turbo", "cl100k_base", "true", true},
		{"ft:gpt-3.5-turbo:acme", "cl100k_base", "true", true},
		{"Claude-Sonnet-4-5", "o200k_base*1.22", "false", false},
		{"us.anthropic.claude-3-haiku-20240307-v1:0", "o200k_base*1.22", "false", false},
		{"anthropic/claude-opus-4.7", "o200k_base*1.59", "false", false},
		{"claude-opus-4-20250514", "o200k_base*1.22", "false", false},
		{"claude-sonnet-5", "o200k_base*1.59", "false", false},
		{"gemini-3.1-pro", "o200k_base*1.08", "false", false},
		{"models/gemini-2.5-flash", "o200k_base*1.08", "false", false},
		{"Qwen/Qwen3-Coder", "o200k_base*1.01", "false", false},
		{"meta-llama/Llama-3.3-70B", "o200k_base", "false", true},
		{"meta.llama4-scout", "o200k_base", "false", true},
		{"deepseek-chat", "o200k_base*1.03", "false", false},
		{"deepseek-r1-distill-qwen-32b", "o200k_base*1.01", "false", false},
		{"mistral-large-latest", "o200k_base*1.04", "false", false},
		{"grok-4", "o200k_base", "unknown", true},
	} {
		c := token.ForModel(want.model)
		if c.Name() != want.name || c.Own() != want.own || c.Exact() != want.exact {
			t.Errorf("ForModel(%q) = %s, own %s, exact %v; want %+v", want.model, c.Name(), c.Own(), c.Exact(), want)
		}
	}
}

func TestACalibratedCountIsTheEncodingsTimesTheFactor(t *testing.T) {
	text := strings.Repeat("Reads the release notes aloud. ", 40)
	plain, claude := token.ForModel("").Count(text), token.ForModel("claude-sonnet-4")
	if got, want := claude.Count(text), int(float64(plain)*1.22+0.5); got != want {
		t.Errorf("claude counts %d, want %d (%d by o200k_base)", got, want, plain)
	}
	if cal := claude.Calibration(); cal.Source == "" || cal.Date == "" || cal.Low >= cal.Factor || cal.High <= cal.Factor {
		t.Errorf("calibration without its source, date or range: %+v", cal)
	}
	own := claude.Calibrated(1.5, "my own bill")
	if own.Name() != "o200k_base*1.5" || own.Exact() || own.Calibration().Source != "my own bill" || claude.Name() != "o200k_base*1.22" {
		t.Errorf("Calibrated(1.5) = %s, exact %v, of %s", own.Name(), own.Exact(), claude.Name())
	}
	if back := claude.Calibrated(1, "measured"); back.Name() != "o200k_base" || !back.Exact() || back.Count(text) != plain {
		t.Errorf("a factor of 1 is the encoding itself, got %s, exact %v", back.Name(), back.Exact())
	}
	for _, bad := range []float64{0, -1} {
		if token.ForModel("").Calibrated(bad, "").Name() != "o200k_base" {
			t.Errorf("factor %v is taken", bad)
		}
	}
}

func TestATokenizerThatIsNamedOverridesTheModels(t *testing.T) {
	for _, want := range []struct{ model, tokenizer, name, own string }{
		{"claude-sonnet-4", "o200k_base", "o200k_base", "false"},
		{"claude-sonnet-4", "", "o200k_base*1.22", "false"},
		{"gpt-4o", "o200k_base", "o200k_base", "true"},
		{"gpt-4o", "cl100k_base", "cl100k_base", "false"},
		{"", "cl100k_base", "cl100k_base", "unknown"},
		{"gpt-4o", "bytes4", "bytes4", "false"},
	} {
		c, err := token.Pick(want.model, want.tokenizer)
		if err != nil || c.Name() != want.name || c.Own() != want.own {
			t.Errorf("Pick(%q, %q) = %v, %v; want %+v", want.model, want.tokenizer, c, err, want)
		}
	}
	if _, err := token.Pick("gpt-4o", "o200k"); err == nil || !strings.Contains(err.Error(), "cl100k_base") {
		t.Errorf("an unknown tokenizer: %v", err)
	}
}

func TestFramingIsKnownOnlyWithASource(t *testing.T) {
	for model, known := range map[string]bool{"gpt-4o": true, "gpt-4": true, "claude-sonnet-4": true, "gpt-5": false, "gemini-2.5-pro": false} {
		f := token.ForModel(model).Frame()
		if (f.Source != "") != known || known != (f.Message > 0 && f.Request > 0 && f.ToolSet > 0) {
			t.Errorf("%s: %+v", model, f)
		}
	}
}
