package lint

import (
	"strconv"
	"strings"

	"github.com/promptc/promptc/engine/diag"
)

// GitHub is the report as workflow commands, one a line, which GitHub Actions shows
// beside the lines of a change. Paths below dir are relative to it.
func (r *Report) GitHub(dir string) string {
	var b strings.Builder
	for _, d := range r.Diagnostics {
		kind := "notice"
		if d.Severity > diag.Info {
			kind = d.Severity.String()
		}
		b.WriteString("::" + kind + " file=" + property(relative(dir, d.File)))
		if d.Line > 0 {
			b.WriteString(",line=" + strconv.Itoa(d.Line))
		}
		if d.Column > 0 {
			b.WriteString(",col=" + strconv.Itoa(d.Column))
		}
		message := d.Message
		if d.Hint != "" {
			message += "\n" + d.Hint
		}
		b.WriteString(",title=" + property(string(d.Code)) + "::" + commandText(message) + "\n")
	}
	return b.String()
}

// commandText escapes what would end a workflow command.
func commandText(s string) string {
	return strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A").Replace(s)
}

func property(s string) string {
	return strings.NewReplacer(":", "%3A", ",", "%2C").Replace(commandText(s))
}
