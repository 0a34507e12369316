package agent

// row is one thing that may be known: where it stands in agents.yaml, and where in Facts.
type row struct {
	topic, key string
	label      string // for people
	get        func(*Facts) anyFact
}

// table lists all that may be known, in the order in which people are told.
func table() []row {
	return []row{
		{"where", "dirs", "directories, the first wins", func(f *Facts) anyFact { return &f.Where.Dirs }},
		{"where", "into", "links go into", func(f *Facts) anyFact { return &f.Where.Into }},
		{"where", "walks", "looks further up", func(f *Facts) anyFact { return &f.Where.Walks }},
		{"where", "more", "and also", func(f *Facts) anyFact { return &f.Where.More }},
		{"where", "not", "does not read", func(f *Facts) anyFact { return &f.Where.Not }},
		{"where", "trusts", "trust", func(f *Facts) anyFact { return &f.Where.Trusts }},

		{"finds", "depth", "levels", func(f *Facts) anyFact { return &f.Finds.Depth }},
		{"finds", "inside", "skills in a skill", func(f *Facts) anyFact { return &f.Finds.Inside }},
		{"finds", "hidden", "hidden directories", func(f *Facts) anyFact { return &f.Finds.Hidden }},
		{"finds", "modules", "node_modules", func(f *Facts) anyFact { return &f.Finds.Modules }},
		{"finds", "ignored", "what git ignores", func(f *Facts) anyFact { return &f.Finds.Ignored }},
		{"finds", "any_case", "skill.md in lower case", func(f *Facts) anyFact { return &f.Finds.AnyCase }},

		{"links", "skill", "to a skill outside", func(f *Facts) anyFact { return &f.Links.Skill }},
		{"links", "inside", "to a skill in the workspace", func(f *Facts) anyFact { return &f.Links.Inside }},
		{"links", "user", "in the user's directory", func(f *Facts) anyFact { return &f.Links.User }},
		{"links", "whole", "the whole directory", func(f *Facts) anyFact { return &f.Links.Whole }},
		{"links", "group", "to a group of skills", func(f *Facts) anyFact { return &f.Links.Group }},
		{"links", "file", "SKILL.md alone", func(f *Facts) anyFact { return &f.Links.File }},
		{"links", "broken", "one that leads nowhere", func(f *Facts) anyFact { return &f.Links.Broken }},
		{"links", "cycle", "one that leads back", func(f *Facts) anyFact { return &f.Links.Cycle }},
		{"links", "best", "serves better", func(f *Facts) anyFact { return &f.Links.Best }},
		{"links", "reads", "reads files behind one", func(f *Facts) anyFact { return &f.Links.Reads }},
		{"links", "note", "how", func(f *Facts) anyFact { return &f.Links.Note }},

		{"frontmatter", "invalid_yaml", "invalid YAML", func(f *Facts) anyFact { return &f.Front.InvalidYAML }},
		{"frontmatter", "colon", "unquoted colon", func(f *Facts) anyFact { return &f.Front.Colon }},
		{"frontmatter", "none", "none at all", func(f *Facts) anyFact { return &f.Front.NoFrontmatter }},
		{"frontmatter", "unclosed", "no closing fence", func(f *Facts) anyFact { return &f.Front.Unclosed }},
		{"frontmatter", "late", "blank lines before it", func(f *Facts) anyFact { return &f.Front.Late }},
		{"frontmatter", "bom", "byte order mark", func(f *Facts) anyFact { return &f.Front.BOM }},
		{"frontmatter", "crlf", "CRLF", func(f *Facts) anyFact { return &f.Front.CRLF }},
		{"frontmatter", "utf16", "UTF-16", func(f *Facts) anyFact { return &f.Front.UTF16 }},
		{"frontmatter", "bad_bytes", "bytes that are not UTF-8", func(f *Facts) anyFact { return &f.Front.BadBytes }},
		{"frontmatter", "key_twice", "a key twice", func(f *Facts) anyFact { return &f.Front.KeyTwice }},
		{"frontmatter", "unknown_keys", "keys outside of the standard", func(f *Facts) anyFact { return &f.Front.UnknownKeys }},
		{"frontmatter", "no_name", "no name", func(f *Facts) anyFact { return &f.Front.NoName }},
		{"frontmatter", "name_from", "the name is", func(f *Facts) anyFact { return &f.Front.NameFrom }},
		{"frontmatter", "name_form", "names it takes", func(f *Facts) anyFact { return &f.Front.NameForm }},
		{"frontmatter", "name_map", "names it changes", func(f *Facts) anyFact { return &f.Front.NameMap }},
		{"frontmatter", "name_differs", "name is not the directory's", func(f *Facts) anyFact { return &f.Front.NameDiffers }},
		{"frontmatter", "no_description", "no description", func(f *Facts) anyFact { return &f.Front.NoDescription }},
		{"frontmatter", "empty_description", "empty description", func(f *Facts) anyFact { return &f.Front.EmptyDescription }},
		{"frontmatter", "description", "longest description", func(f *Facts) anyFact { return &f.Front.Description }},
		{"frontmatter", "block", "description as a | block", func(f *Facts) anyFact { return &f.Front.Block }},
		{"frontmatter", "unmodel", "respects disable-model-invocation", func(f *Facts) anyFact { return &f.Front.Unmodel }},

		{"twice", "keeps", "of one name it keeps", func(f *Facts) anyFact { return &f.Twice.Keeps }},
		{"twice", "says", "and says so", func(f *Facts) anyFact { return &f.Twice.Says }},
		{"twice", "note", "how", func(f *Facts) anyFact { return &f.Twice.Note }},

		{"use", "native", "loads skills by itself", func(f *Facts) anyFact { return &f.Use.Native }},
		{"use", "reads", "reads files", func(f *Facts) anyFact { return &f.Use.Reads }},
		{"use", "tools", "takes tools", func(f *Facts) anyFact { return &f.Use.Tools }},
		{"use", "read", "its tool for reading", func(f *Facts) anyFact { return &f.Use.Read }},
		{"use", "activate", "the model loads a skill by", func(f *Facts) anyFact { return &f.Use.Activate }},
		{"use", "result", "and gets", func(f *Facts) anyFact { return &f.Use.Result }},
		{"use", "wrapper", "around the body stand", func(f *Facts) anyFact { return &f.Use.Wrapper }},
		{"use", "around", "tokens around the body", func(f *Facts) anyFact { return &f.Use.Around }},
		{"use", "invoke", "the user types", func(f *Facts) anyFact { return &f.Use.Invoke }},
		{"use", "prompted", "also on the command line", func(f *Facts) anyFact { return &f.Use.Prompted }},
		{"use", "encoding", "tokenizer", func(f *Facts) anyFact { return &f.Use.Encoding }},

		{"index", "place", "place", func(f *Facts) anyFact { return &f.Index.Place }},
		{"index", "at", "exactly", func(f *Facts) anyFact { return &f.Index.At }},
		{"index", "shape", "a skill", func(f *Facts) anyFact { return &f.Index.Shape }},
		{"index", "fixed", "tokens of its own", func(f *Facts) anyFact { return &f.Index.Fixed }},
		{"index", "tool", "tool", func(f *Facts) anyFact { return &f.Index.Tool }},
		{"index", "budget", "budget", func(f *Facts) anyFact { return &f.Index.Budget }},
		{"index", "tree", "directory tree", func(f *Facts) anyFact { return &f.Index.Tree }},
		{"index", "base", "the rest of a first request", func(f *Facts) anyFact { return &f.Index.Base }},

		{"runs", "program", "command", func(f *Facts) anyFact { return &f.Runs.Program }},
		{"runs", "view", "a view is handed over by", func(f *Facts) anyFact { return &f.Runs.View }},
		{"runs", "read_dir", "a directory is made readable by", func(f *Facts) anyFact { return &f.Runs.ReadDir }},
		{"runs", "headless", "headless needs", func(f *Facts) anyFact { return &f.Runs.Headless }},
		{"runs", "trap", "headless trap", func(f *Facts) anyFact { return &f.Runs.Trap }},
		{"runs", "list", "lists its skills by", func(f *Facts) anyFact { return &f.Runs.List }},
	}
}

// Row is one fact for people.
type Row struct {
	Topic   string `json:"topic"`
	Fact    string `json:"fact"`
	Value   string `json:"value"` // "unknown" where nothing is known
	Source  string `json:"source"`
	How     How    `json:"how"`
	Version string `json:"version"`
	Date    string `json:"date"`
}

// Describe lists every fact, also those that are unknown, with its source.
func (f Facts) Describe() []Row {
	var out []Row
	for _, r := range table() {
		fact := r.get(&f)
		line := Row{Topic: r.topic, Fact: r.label, Value: fact.text()}
		if s := fact.origin(); s != nil {
			line.Source, line.How, line.Version, line.Date = s.From, s.How, s.Version, s.Date
		}
		out = append(out, line)
	}
	return out
}
