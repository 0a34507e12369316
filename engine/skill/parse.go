package skill

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/promptc/promptc/engine/diag"
)

// Parsed is what the bytes of a skill file say.
type Parsed struct {
	Skill    // with its Body, and Dir and Path as they were given
	Form     Form
	Problems diag.List
	Broken   string // why the skill cannot be loaded, as one sentence; "" where it can
	BodyLine int    // the line in the file at which Body begins, from 1
	Fields   []Field
}

// Field is one key of the frontmatter, for those who point at it.
type Field struct {
	Key   string // as written
	Line  int    // of the key, in the file
	Value diag.Pos
	Text  string // of a scalar, as YAML reads it; "" of a list or a map
	Style Style
	Again bool // the key stands there before, and that one counts
}

// maxFile is how large a skill file may be, in bytes.
const maxFile = 1 << 20

// Parse reads the bytes of the skill file at path, which lies in dir. It is a pure
// function and never fails: what cannot be read is in Problems, what forbids the
// use of the skill in Broken. The name and the description are never empty.
func Parse(dir, path string, raw []byte) Parsed {
	p, _ := parse(dir, path, raw, true)
	return p
}

// parse reads a file of which raw is all, or only the beginning. enough is false
// where it was only the beginning and more is needed for everything but the body.
func parse(dir, path string, raw []byte, all bool) (p Parsed, enough bool) {
	r := reader{all: all}
	r.out.Dir, r.out.Path, r.out.Form.FileName = dir, path, fileName(path)
	if len(raw) > maxFile {
		r.breaks(tooLarge)
		r.all = true
		r.read(wholeLines(raw[:moreBytes]))
		r.out.Body = ""
		return r.out, true
	}
	if !all {
		raw = wholeLines(raw)
	}
	enough = r.read(raw)
	return r.out, enough
}

// reader reads one file.
type reader struct {
	all   bool // the whole file is there
	out   Parsed
	cut   cut
	block string // as it was read: with the repairs
	told  map[diag.Code]int
}

func (r *reader) read(raw []byte) (enough bool) {
	d := decode(raw)
	f := &r.out.Form
	f.BOM, f.Encoding, f.Newline = d.bom, d.encoding, d.newline
	r.encoding(&d)
	if target, ok := gitLink(d.text); ok && r.all {
		r.breaks("the file holds nothing but the path %s: it is a link that git did not make", target)
		r.out.Problems.Add(diag.New(diag.NotALink, diag.At(r.out.Path), "%s", r.out.Broken).As(diag.Warning))
		r.out.Name, r.out.Description = dirName(r.out.Dir), noDescription
		f.NameFrom, f.DescFrom = FromDirectory, FromDefault
		return true
	}
	r.cut = cutText(d.text)
	c := &r.cut
	f.Fence, f.FenceLine, f.Closed = c.fence, c.fenceLine, c.closed
	r.out.Body, r.out.BodyLine = c.body, c.bodyLine
	if !r.all && (strings.HasPrefix(d.encoding, "utf-16") || !c.closed && (c.fence || strings.Count(d.text, "\n") <= 2*lateLines)) {
		return false
	}
	r.frontmatter()
	r.untold()
	f.NameFrom, f.DescFrom = FromFrontmatter, FromFrontmatter
	if r.out.Name == "" || r.out.Description == "" || f.YAML == RepairedYAML || f.YAML == LinesYAML {
		if !r.fallBack(d.text) && !r.all {
			return false
		}
	}
	return true
}

// maxReports is how many problems of one code are told apart in one file.
const maxReports = 20

// report adds a problem at a line and column of the block. From the twentieth of a
// code on they are only counted.
func (r *reader) report(code diag.Code, line, col int, format string, args ...any) {
	if r.told == nil {
		r.told = map[diag.Code]int{}
	}
	if r.told[code]++; r.told[code] <= maxReports {
		r.out.Problems.Add(diag.New(code, r.at(line, col), format, args...))
	}
}

// untold says how many problems were only counted.
func (r *reader) untold() {
	for _, code := range []diag.Code{diag.YAMLRepaired, diag.YAMLLost, diag.KeyDuplicate, diag.KeyType} {
		if n := r.told[code] - maxReports; n > 0 {
			r.out.Problems.Add(diag.New(code, r.at(0, 0), "%s of this kind", counted(n, "more finding", "more findings")))
		}
	}
}

func (r *reader) at(line, col int) diag.Pos {
	if col > 0 {
		col += utf8.RuneCountInString(r.cut.indent)
	}
	return diag.Pos{File: r.out.Path, Line: r.lineOf(line), Column: col}
}

// lineOf is the line in the file of a line of the block.
func (r *reader) lineOf(line int) int {
	if line == 0 {
		return r.cut.fenceLine
	}
	return r.cut.blockLine + line - 1
}

// breaks notes why the skill cannot be used: the first reason stays.
func (r *reader) breaks(format string, args ...any) {
	if r.out.Broken == "" {
		r.out.Broken = fmt.Sprintf(format, args...)
	}
}

func (r *reader) encoding(d *decoded) {
	path := r.out.Path
	if d.bom && d.encoding == "utf-8" || d.bom && d.encoding == "invalid" {
		r.out.Problems.Add(diag.New(diag.BOM, diag.Pos{File: path, Line: 1, Column: 1}, "the file starts with a byte order mark"))
	}
	if strings.HasPrefix(d.encoding, "utf-16") {
		r.out.Problems.Add(diag.New(diag.Encoding, diag.At(path), "the file is %s, not UTF-8; it was decoded", strings.ToUpper(d.encoding)))
	}
	if d.bad > 0 {
		r.out.Problems.Add(diag.New(diag.Encoding, diag.Pos{File: path, Line: d.badLine, Column: d.badCol}, "%s not UTF-8 text; U+FFFD stands in the place of each", counted(d.bad, "byte is", "bytes are")))
	}
}

func counted(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

// frontmatter reads the block, in up to three steps (J11).
func (r *reader) frontmatter() {
	c := &r.cut
	switch {
	case c.fence && !c.closed:
		r.out.Problems.Add(diag.New(diag.FrontmatterUnclosed, diag.Pos{File: r.out.Path, Line: c.fenceLine, Column: 1}, "the opening fence at line %d has no closing fence: no key is read", c.fenceLine))
		r.forbid(c.unclosed, c.fenceLine, nil, "stands in a frontmatter that nothing closes")
		return
	case !c.fence && c.late > 0:
		r.out.Problems.Add(diag.New(diag.FrontmatterLate, diag.Pos{File: r.out.Path, Line: c.late, Column: 1}, "something stands before the fence at line %d, so what follows is not frontmatter", c.late))
		r.forbid(c.lateText, c.late, nil, "stands in a block that is not frontmatter, because something stands before it")
		return
	case !c.fence:
		r.out.Problems.Add(diag.New(diag.NoFrontmatter, diag.Pos{File: r.out.Path, Line: 1}, "the file has no frontmatter"))
		return
	case c.fenceLine > 1:
		r.out.Problems.Add(diag.New(diag.FrontmatterLate, diag.Pos{File: r.out.Path, Line: c.fenceLine, Column: 1}, "%s before the opening fence", counted(c.fenceLine-1, "blank line stands", "blank lines stand")))
	}
	r.block = c.block
	var fixed [8]entry
	entries, ok := plainEntries([]byte(c.block), fixed[:0])
	r.out.Form.YAML = ValidYAML
	if !ok {
		var err error
		if entries, err = yamlEntries(c.block); err != nil {
			if bounded(err) {
				r.breaks("%v", err)
				return
			}
			entries = r.recover(err)
		}
	}
	r.fields(entries)
	r.take(entries)
}

func (r *reader) fields(entries []entry) {
	for i, e := range entries {
		again := slices.ContainsFunc(entries[:i], func(o entry) bool { return strings.EqualFold(o.key, e.key) })
		r.out.Fields = append(r.out.Fields, Field{Key: e.key, Line: r.lineOf(e.line), Value: r.at(e.at, e.col), Text: e.text, Style: e.style, Again: again})
	}
}

// recover reads a block that is not valid YAML as it stands.
func (r *reader) recover(err error) []entry {
	f := &r.out.Form
	if y, ok := errors.AsType[*yamlError](err); ok {
		f.YAMLError, f.YAMLLine = y.text, r.lineOf(max(1, y.line))
	}
	edits := quoteEdits(r.cut.block)
	if len(edits) > 0 {
		repaired := quoted(r.cut.block, edits)
		if entries, err := yamlEntries(repaired); err == nil {
			f.YAML, r.block = RepairedYAML, repaired
			r.repaired(edits)
			return entries
		}
	}
	f.YAML = LinesYAML
	entries, gone := lineEntries(r.cut.block)
	r.report(diag.YAMLRepaired, max(1, f.YAMLLine-r.cut.blockLine+1), 0, "the frontmatter is not valid YAML (%s) and was read line by line, which gave %s", f.YAMLError, keyList(entries))
	for _, l := range gone {
		r.report(diag.YAMLLost, l.line, 1, "lost: %s", l.what)
	}
	r.forbid(r.cut.block, r.cut.blockLine-1, entries, "could not be recovered")
	return entries
}

// repaired reports each repair with the line as it stands and as it would be right.
func (r *reader) repaired(edits []edit) {
	f := &r.out.Form
	f.Colon, f.YAMLLine = true, r.lineOf(edits[0].line)
	for _, e := range edits {
		f.Colon = f.Colon && e.colon
		why := "starts with a sign that YAML reserves"
		if e.colon {
			why = "holds a colon and a blank"
		} else if strings.ContainsRune("\"'", rune(r.cut.block[e.from])) {
			why = "is not one quoted text"
		}
		whole := r.cut.block[strings.LastIndexByte(r.cut.block[:e.from], '\n')+1 : e.to]
		before := whole[:len(whole)-(e.to-e.from)]
		r.report(diag.YAMLRepaired, e.line, e.col, "the value %s and is not quoted: %s is read as %s", why, shorten(whole), shorten(before+quote(r.cut.block[e.from:e.to])))
		if e.mangles(before, r.cut.block[e.from:e.to]) {
			r.forbid(whole, r.lineOf(e.line)-1, nil, "is a list that cannot be read")
		}
		if e.lines > 1 {
			_, rest, _ := strings.Cut(r.cut.block[e.from:e.to], "\n")
			r.forbid(rest, r.lineOf(e.line), nil, "was taken as the text of another key")
		}
	}
}

// forbid breaks the skill where text, which begins on the line behind after, holds
// a restriction that none of the entries was read from.
func (r *reader) forbid(text string, after int, entries []entry, why string) {
	line := unreadRestriction(text, entries)
	if line == 0 {
		return
	}
	l := strings.TrimSpace(strings.Split(text, "\n")[line-1])
	r.out.Problems.Add(diag.New(diag.YAMLLost, diag.Pos{File: r.out.Path, Line: after + line, Column: 1}, "lost: the restriction %s %s", quoteLine(l), why))
	r.breaks("the restriction %s %s", quoteLine(l), why)
}

func keyList(entries []entry) string {
	if len(entries) == 0 {
		return "no key"
	}
	var keys []string
	for _, e := range entries {
		keys = append(keys, e.key)
	}
	return strings.Join(keys, ", ")
}

// shorten quotes what stands in a file, with its middle left out where it is long.
func shorten(line string) string {
	line = oneLine(line)
	const most, keep = 300, 140
	if runes := []rune(line); len(runes) > most {
		line = string(runes[:keep]) + " … " + string(runes[len(runes)-keep:])
	}
	return "`" + line + "`"
}

func quoteLine(l string) string { return shorten(l) }

// gitLink reports whether a file holds nothing but a relative path: a symbolic
// link as git writes it where it may not make one.
func gitLink(text string) (target string, ok bool) {
	target = strings.TrimSuffix(text, "\n")
	if target == "" || len(target) > 1024 || strings.ContainsAny(target, " \t\n:<>|\"*?`#") {
		return "", false
	}
	climbs := strings.HasPrefix(target, "../") || strings.HasPrefix(target, "./")
	return target, climbs || strings.Contains(target, "/") && strings.EqualFold(filepath.Ext(target), ".md")
}
