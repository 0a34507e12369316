package lint

import (
	"net/url"
	"path/filepath"
	"slices"
	"strings"

	"github.com/promptc/promptc/engine/diag"
)

// The parts of SARIF 2.1.0 that code scanning reads.
type (
	sarifLog struct {
		Schema  string     `json:"$schema"`
		Version string     `json:"version"`
		Runs    []sarifRun `json:"runs"`
	}
	sarifRun struct {
		Tool       sarifTool           `json:"tool"`
		ColumnKind string              `json:"columnKind"`
		BaseIDs    map[string]sarifURI `json:"originalUriBaseIds"`
		Results    []sarifResult       `json:"results"`
	}
	sarifTool struct {
		Driver sarifDriver `json:"driver"`
	}
	sarifDriver struct {
		Name    string      `json:"name"`
		Version string      `json:"version,omitempty"`
		Rules   []sarifRule `json:"rules"`
	}
	sarifRule struct {
		ID      string      `json:"id"`
		Short   sarifText   `json:"shortDescription"`
		Full    sarifText   `json:"fullDescription"`
		Help    sarifText   `json:"help"`
		Default sarifConfig `json:"defaultConfiguration"`
	}
	sarifText struct {
		Text string `json:"text"`
	}
	sarifConfig struct {
		Level string `json:"level"`
	}
	sarifResult struct {
		RuleID    string          `json:"ruleId"`
		RuleIndex int             `json:"ruleIndex"`
		Level     string          `json:"level"`
		Message   sarifText       `json:"message"`
		Locations []sarifLocation `json:"locations"`
	}
	sarifLocation struct {
		Physical sarifPhysical `json:"physicalLocation"`
	}
	sarifPhysical struct {
		Artifact sarifURI     `json:"artifactLocation"`
		Region   *sarifRegion `json:"region,omitempty"`
	}
	sarifURI struct {
		URI    string `json:"uri"`
		BaseID string `json:"uriBaseId,omitempty"`
	}
	sarifRegion struct {
		Line   int `json:"startLine"`
		Column int `json:"startColumn,omitempty"`
	}
)

// sarifBase names the directory to which the log's paths are relative.
const sarifBase = "SRCROOT"

// SARIF is the report as a SARIF 2.1.0 log, to be encoded as JSON. Paths below dir
// are relative to it. Only the rules that found something are listed.
func (r *Report) SARIF(dir, version string) any {
	run := sarifRun{
		Tool:       sarifTool{sarifDriver{Name: "promptc", Version: version, Rules: []sarifRule{}}},
		ColumnKind: "unicodeCodePoints",
		BaseIDs:    map[string]sarifURI{sarifBase: {URI: fileURI(dir) + "/"}},
		Results:    []sarifResult{},
	}
	rules := &run.Tool.Driver.Rules
	for _, row := range diag.Table() {
		if slices.ContainsFunc(r.Diagnostics, func(d diag.Diagnostic) bool { return d.Code == row.Code }) {
			*rules = append(*rules, sarifRule{string(row.Code), sarifText{row.Summary}, sarifText{row.Text}, sarifText{row.Hint}, sarifConfig{sarifLevel(row.Severity)}})
		}
	}
	for _, d := range r.Diagnostics {
		index := slices.IndexFunc(*rules, func(r sarifRule) bool { return r.ID == string(d.Code) })
		message := d.Message
		if d.Hint != "" {
			message += " (" + d.Hint + ")"
		}
		at := sarifPhysical{Artifact: sarifURI{URI: fileURI(d.File)}}
		if rel := relative(dir, d.File); rel != d.File {
			at.Artifact = sarifURI{(&url.URL{Path: rel}).EscapedPath(), sarifBase}
		}
		if d.Line > 0 {
			at.Region = &sarifRegion{d.Line, d.Column}
		}
		run.Results = append(run.Results, sarifResult{string(d.Code), index, sarifLevel(d.Severity), sarifText{message}, []sarifLocation{{at}}})
	}
	return sarifLog{"https://json.schemastore.org/sarif-2.1.0.json", "2.1.0", []sarifRun{run}}
}

func sarifLevel(s diag.Severity) string {
	if s == diag.Info {
		return "note"
	}
	return s.String()
}

func fileURI(path string) string {
	path = filepath.ToSlash(path)
	if !strings.HasPrefix(path, "/") {
		path = "/" + path
	}
	return (&url.URL{Scheme: "file", Path: strings.TrimSuffix(path, "/")}).String()
}

// relative is path with slashes, relative to dir where it lies below it; else path
// as it is.
func relative(dir, path string) string {
	if rel, err := filepath.Rel(dir, path); err == nil && filepath.IsLocal(rel) {
		return filepath.ToSlash(rel)
	}
	return path
}
