package diag

import "slices"

// Code names a kind of diagnostic. The constants are for callers that branch;
// what each means stands in the table below.
type Code string

const (
	UnknownKey            Code = "unknown-key"
	SpecSyntax            Code = "spec-syntax"
	SpecValue             Code = "spec-value"
	UnsetVariable         Code = "unset-variable"
	TemplateFailed        Code = "template-failed"
	SpecUntrustedKey      Code = "spec-untrusted-key"
	UnknownAgent          Code = "unknown-agent"
	UnknownVersion        Code = "unknown-version"
	UnknownStrategy       Code = "unknown-strategy"
	UnknownSkill          Code = "unknown-skill"
	UnknownFile           Code = "unknown-file"
	UnknownOption         Code = "unknown-option"
	SkillConflict         Code = "skill-conflict"
	SkillUnavailable      Code = "skill-unavailable"
	RootMissing           Code = "root-missing"
	RootUnreadable        Code = "root-unreadable"
	NoRoots               Code = "no-roots"
	RootDuplicate         Code = "root-duplicate"
	RootBlank             Code = "root-blank"
	RootRefused           Code = "root-refused"
	TooDeep               Code = "too-deep"
	Nested                Code = "nested"
	SkippedDirectory      Code = "skipped-directory"
	ScanBound             Code = "scan-bound"
	LinkLoop              Code = "link-loop"
	LinkOutside           Code = "link-outside"
	LinkDangling          Code = "link-dangling"
	NotALink              Code = "not-a-link"
	WrongFileName         Code = "wrong-file-name"
	FileNameCase          Code = "file-name-case"
	NoFrontmatter         Code = "no-frontmatter"
	FrontmatterUnclosed   Code = "frontmatter-unclosed"
	FrontmatterLate       Code = "frontmatter-late"
	YAMLRepaired          Code = "yaml-repaired"
	YAMLLost              Code = "yaml-lost"
	KeyDuplicate          Code = "key-duplicate"
	KeyType               Code = "key-type"
	NameFallback          Code = "name-fallback"
	DescriptionFallback   Code = "description-fallback"
	BOM                   Code = "bom"
	Encoding              Code = "encoding"
	SkillBroken           Code = "skill-broken"
	SkillShadowed         Code = "skill-shadowed"
	SkillUntrusted        Code = "skill-untrusted"
	SkillHidden           Code = "skill-hidden"
	SkillUndeliverable    Code = "skill-undeliverable"
	SkillCut              Code = "skill-cut"
	SkillDropped          Code = "skill-dropped"
	OverBudget            Code = "over-budget"
	ToolClash             Code = "tool-clash"
	ToolLimit             Code = "tool-limit"
	StrategyPassedOver    Code = "strategy-passed-over"
	NoStrategy            Code = "no-strategy"
	NeedUnknown           Code = "need-unknown"
	WorkspaceNotTemporary Code = "workspace-not-temporary"
	LinkConflict          Code = "link-conflict"
	LinkFailed            Code = "link-failed"
	PlaceMissing          Code = "place-missing"
	PlaceRefused          Code = "place-refused"
	GitExclude            Code = "git-exclude"
	VerifySkipped         Code = "verify-skipped"
	VerifyFailed          Code = "verify-failed"
	RenderingRefused      Code = "rendering-refused"
	PluginFailed          Code = "plugin-failed"
	NameForm              Code = "name-form"
	NameClash             Code = "name-clash"
	HistorySystem         Code = "history-system"
	FormatNoPlace         Code = "format-no-place"
	FormatIncomplete      Code = "format-incomplete"
	ToolAdapted           Code = "tool-adapted"
	ToolRefused           Code = "tool-refused"
	HistoryInvalid        Code = "history-invalid"
	FileUnreadable        Code = "file-unreadable"
	IsolationFailed       Code = "isolation-failed"
	ConfigInvalid         Code = "config-invalid"
	NoSkills              Code = "no-skills"
	NameDirectory         Code = "name-directory"
	DescriptionLong       Code = "description-long"
	DescriptionWhen       Code = "description-when"
	DescriptionBlock      Code = "description-block"
	DescriptionSign       Code = "description-sign"
	DescriptionMarkup     Code = "description-markup"
	BodyEmpty             Code = "body-empty"
	BodyLong              Code = "body-long"
	ReferenceMissing      Code = "reference-missing"
	ReferenceOutside      Code = "reference-outside"
	AbsolutePath          Code = "absolute-path"
	WindowsPath           Code = "windows-path"
	ScriptNotExecutable   Code = "script-not-executable"
	FrontmatterUnknownKey Code = "frontmatter-unknown-key"
	CompatibilityLong     Code = "compatibility-long"
	AllowedToolsForm      Code = "allowed-tools-form"
	ArgumentUndeclared    Code = "argument-undeclared"
	ArgumentUnused        Code = "argument-unused"
	ArgumentCollision     Code = "argument-collision"
	HiddenCharacter       Code = "hidden-character"
	ForgedMarker          Code = "forged-marker"
	CommandMarker         Code = "command-marker"
	Secret                Code = "secret"
	ListBudget            Code = "list-budget"
	FixRefused            Code = "fix-refused"
)

// Row is what the table says of a code. Text is for `promptc explain CODE`.
type Row struct {
	Code     Code
	Severity Severity // the default; a caller may raise or lower it
	Summary  string
	Hint     string
	Text     string
}

// Table returns all rows, ordered as the route of the data meets them.
func Table() []Row { return slices.Clone(table) }

// Lookup returns the row of code.
func Lookup(code Code) (Row, bool) {
	i := slices.IndexFunc(table, func(r Row) bool { return r.Code == code })
	if i < 0 {
		return Row{}, false
	}
	return table[i], true
}

// Codes returns the names of all codes, in the table's order.
func Codes() []string {
	out := make([]string, len(table))
	for i, r := range table {
		out[i] = string(r.Code)
	}
	return out
}

var table = []Row{
	{UnknownKey, Error,
		"a key that this place does not have",
		"remove it, or use the nearest known key",
		"A spec file is read strictly: a key that promptc does not know is most often a slip of the pen, and ignoring it would quietly give another prompt. The message names the nearest key of that place."},
	{SpecSyntax, Error,
		"the spec file is not valid YAML",
		"correct the line; JSON is valid as well",
		"The spec could not be read as YAML, so nothing was rendered. The place is the one that the YAML reader gives."},
	{SpecValue, Error,
		"a value in the spec that cannot be used",
		"see `promptc schema` for what each key takes",
		"The key is known, but its value has the wrong type, is not one of the words that it takes, or contradicts another one."},
	{UnsetVariable, Error,
		"a ${VAR} in the spec has no value",
		"set the variable, or give a default as ${VAR:-default}",
		"Paths in a spec may name environment variables. One that is not set and has no default would turn into a different path, so it is an error."},
	{TemplateFailed, Error,
		"a template could not be filled",
		"give the variable under vars, or correct the template",
		"`system` is a text/template as soon as vars are given, and `templates` always are. A variable that is missing, or template syntax that does not parse, stops the render before anything is printed."},
	{SpecUntrustedKey, Warning,
		"a key of a spec that was found, not named, was ignored",
		"name the file with --spec to use all of its keys",
		"A promptc.yaml that lies in the working directory is project content: it may come from a stranger's repository. Its trust, temporary, into, templates, allow_targets, plugin strategies and roots outside of its own directory are ignored until the file is named with --spec."},
	{UnknownAgent, Error,
		"an agent that the facts do not have",
		"run `promptc agents` for the list",
		"The agent decides which directories are read, what a link needs and what a list costs. promptc knows the agents of its agents.yaml; `generic` fits any host."},
	{UnknownVersion, Info,
		"no measured facts for this version of the agent",
		"facts of the nearest known version are used",
		"Facts about agents carry the version at which they were seen. For another version promptc uses the newest known ones and says so."},
	{UnknownStrategy, Error,
		"a strategy that is neither bundled nor an installed plugin",
		"run `promptc strategies` for the list",
		"Bundled are index, inject, symlink and tool. Others are plugins named promptc-strategy-NAME in directories that the user names; a spec or a repository can never bring one."},
	{UnknownSkill, Error,
		"a skill that no root has",
		"run `promptc skills` for the list",
		"A skill that is selected, enabled, disabled or pinned by name must exist in one of the roots, otherwise the prompt would not be what was asked for. The message names the nearest ones."},
	{UnknownFile, Error,
		"a file that the skill does not have, or that may not be read",
		"the list of its files comes with the skill's text",
		"A file of a skill is read by its path relative to the skill's directory, and only where it really lies inside of it: no absolute path, no .., no link that leads out."},
	{UnknownOption, Error,
		"an option that the strategy does not take, or a value that it refuses",
		"run `promptc strategies` for the options",
		"Every strategy states its options as a JSON Schema; promptc checks them before the strategy is asked."},
	{SkillConflict, Error,
		"one skill is both enabled and disabled",
		"remove it from one of the two lists",
		"enable and disable name the same skill, so what was meant cannot be known."},
	{SkillUnavailable, Error,
		"a named skill is there but cannot be used",
		"the message gives the reason; `promptc explain NAME` shows every step",
		"The selected, enabled or pinned skill exists but is broken, untrusted, disabled or not for users to invoke."},
	{RootMissing, Warning,
		"a root directory that does not exist",
		"create it, or correct the path; the other roots were used",
		"A root that is not there is never fatal, because most agents' default directories are optional, and never silent, because a slip in the path makes every skill in it vanish."},
	{RootUnreadable, Warning,
		"a root that is not a directory or may not be read",
		"check the path and its permissions",
		"The root exists but is a file, or the system refused to list it, so none of its skills was found."},
	{NoRoots, Warning,
		"there is no directory to look for skills in",
		"name one with --root DIR",
		"The agent has no skills directories of its own and none was named, so there is nothing to find."},
	{RootDuplicate, Info,
		"the same directory is named as a root twice",
		"remove one of the two",
		"Two roots lead to the same real directory; it is scanned once, at the place of the first."},
	{RootBlank, Warning,
		"a root without a path",
		"remove it, or give it a path",
		"A blank root, or one that expands to nothing, would mean the working directory by accident; it is left out."},
	{RootRefused, Warning,
		"a root that is the file system's root or the home directory",
		"name the directory that holds the skills",
		"Reading all of a disk or a home directory as skills is never what was meant, and would let the model read it."},
	{TooDeep, Warning,
		"a skill lies deeper than this root is scanned",
		"give the root a larger depth, or move the skill up",
		"By default only the direct children of a root are looked at. The skill file is there, but no agent with these directories would list it."},
	{Nested, Warning,
		"a skill file inside of another skill",
		"move it out; what lies inside a skill is its resource",
		"A directory with a skill file is a leaf: nothing below it is a skill of its own. Some agents do list such files, most do not."},
	{SkippedDirectory, Info,
		"a directory that was not looked into",
		"move the skills, or name the directory as a root",
		"Hidden directories and node_modules are not entered while looking for skills; the bound on visited directories ends a scan too. Each is named, so that nothing vanishes without a word."},
	{ScanBound, Warning,
		"the scan of a root was ended by its bound",
		"name a more precise root, or a smaller depth",
		"At most 2,000 directories below the first level are visited in a root. What lies beyond was not looked at."},
	{LinkLoop, Warning,
		"a link that leads back into its own path",
		"remove the link",
		"Following it would find the same skill again and again. It was visited once."},
	{LinkOutside, Warning,
		"a link that leads outside of all roots",
		"put its target under a root, or name it with --allow-target",
		"A linked skill directory is followed. A SKILL.md that is itself a link, or a link inside of a skill, is followed only to places under a root or an allowed target: otherwise a skill could hand any file to the model."},
	{LinkDangling, Warning,
		"a link whose target does not exist",
		"remove the link, or restore its target",
		"The entry is there, its target is not. Agents pass over it without a word."},
	{NotALink, Error,
		"a skill file that holds only a relative path: a link that git did not make",
		"set core.symlinks in git and check the file out again",
		"Where git may not make symbolic links it writes their target as text. The file is one line that is a path; it is never shown to the model as instructions."},
	{WrongFileName, Warning,
		"a skill file under another spelling",
		"rename it to SKILL.md",
		"SKILL.md is the name, skill.md is read as well. Another spelling works by accident on disks that ignore case and is invisible elsewhere."},
	{FileNameCase, Info,
		"skill.md instead of SKILL.md",
		"rename it to SKILL.md: most agents look for exactly that",
		"promptc reads skill.md, but of the agents that were measured nearly all look for exactly SKILL.md."},
	{NoFrontmatter, Warning,
		"a skill file without frontmatter",
		"begin the file with a block of name and description between --- lines",
		"Name and description were taken from the first heading and paragraph, or from the directory. Most agents drop such a skill silently."},
	{FrontmatterUnclosed, Warning,
		"an opening fence without a closing one",
		"add a line with --- after the last key",
		"The file starts a frontmatter block that never ends. No key is read from it, because body lines would become keys; name and description come from the text."},
	{FrontmatterLate, Warning,
		"frontmatter that does not start on the first line",
		"move the opening --- to the first line",
		"Blank lines before the block are forgiven here, and something else before it means that it is not frontmatter. Several agents demand the fence on the first line."},
	{YAMLRepaired, Warning,
		"frontmatter that is not valid YAML was read after a repair",
		"`promptc lint --fix` writes the corrected line",
		"A plain value that holds a colon and a blank, or starts with a sign that YAML reserves, must be quoted. promptc quotes it for reading and shows the corrected line. Half of the agents drop such a skill, most of them silently."},
	{YAMLLost, Warning,
		"a part of the frontmatter could not be recovered",
		"correct the frontmatter as YAML",
		"The block is not valid YAML, and reading it line by line did not give back every key. The message names what was lost."},
	{KeyDuplicate, Warning,
		"a frontmatter key stands twice",
		"remove one of the two",
		"The first one is used. YAML readers disagree (first, last, refuse), so the skill would differ from agent to agent."},
	{KeyType, Warning,
		"a frontmatter value of the wrong type",
		"write it as text in quotes",
		"Name and description are text. A list or map in their place is not used as one."},
	{NameFallback, Warning,
		"the skill's name does not come from its frontmatter",
		"add name: to the frontmatter",
		"The first heading, else the directory, gave the name. Many agents drop a skill without a name."},
	{DescriptionFallback, Warning,
		"the skill's description does not come from its frontmatter",
		"add description: to the frontmatter, saying what it does and when to use it",
		"The first paragraph, else a fixed sentence, stands in. Many agents drop a skill without a description, and a model can hardly choose it."},
	{BOM, Warning,
		"the file starts with a byte order mark",
		"save it as UTF-8 without BOM",
		"promptc strips it. Agents that look for --- at the first byte do not see the frontmatter."},
	{Encoding, Warning,
		"bytes that are not UTF-8",
		"save the file as UTF-8",
		"UTF-16 is decoded, any other byte that is not UTF-8 was replaced by U+FFFD, in exactly the text that is delivered."},
	{SkillBroken, Warning,
		"a skill that cannot be loaded",
		"correct the file; the other skills are not affected",
		"The file is too large, empty, unreadable, or a restriction in its frontmatter could not be recovered: it then fails closed rather than open."},
	{SkillShadowed, Warning,
		"a skill hidden by another one of the same name",
		"rename one of the two, or change the order of the roots",
		"Names are compared trimmed, in NFC and lower case. The first root wins, inside of a root the first path; the winner's path is given. strict makes this an error."},
	{SkillUntrusted, Warning,
		"skills of a project that is not trusted",
		"check them, then use --trust",
		"Skills of project scope come with the repository, maybe a stranger's. They are listed for people and kept from the model until the project is trusted: by a spec that was named, by --trust, or in the user's config."},
	{SkillHidden, Info,
		"a skill that is not shown to the model",
		"select it by name to use it",
		"The skill says disable-model-invocation, or the strategy keeps it out of its list. The user can still select it."},
	{SkillUndeliverable, Warning,
		"a skill that this strategy cannot deliver to this agent",
		"choose another strategy, or see the message for the cure",
		"The agent would not load the skill in this way, for example because it ignores disable-model-invocation."},
	{SkillCut, Warning,
		"a text was shortened to stay within the budget",
		"raise the budget, or shorten the skill",
		"Bodies and descriptions are cut at paragraph ends; the note in the text names the whole file, and the message gives tokens before and after."},
	{SkillDropped, Warning,
		"a skill was left out to stay within the budget",
		"raise the budget, pin the skill, or disable others",
		"The least important skills go first: pinned and selected ones never. The message gives the budget and what the skill would have cost."},
	{OverBudget, Error,
		"the prompt cannot be made to fit the budget",
		"raise the budget, or shorten what is named",
		"The base prompt alone, or together with pinned and selected skills at their shortest, is larger than the budget. The message says by how much."},
	{ToolClash, Error,
		"a tool name that is taken",
		"give the tool another name with --option name=…",
		"Two tools of one name make providers refuse the whole request. The name is in reserved_tools, or two tools of the strategy share it."},
	{ToolLimit, Warning,
		"more tools, or a longer description of one, than a provider takes",
		"use one tool for all skills (--option mode=one), or fewer skills",
		"With one tool a skill the request may hold more tools than providers accept (128), and would be refused as a whole. One tool for all skills was made instead. In a request to a provider it is an error, and a description that some deployments refuse for its length is a note."},
	{StrategyPassedOver, Warning,
		"a strategy was passed over for the next one",
		"see the message for what it would need",
		"The strategy needs something that the agent or the place does not have by the facts. The next one of the chain was used."},
	{NoStrategy, Error,
		"no strategy of the chain can be used",
		"name a fallback that needs less, for example inject",
		"Every strategy that was asked for needs something that is not there. The warnings before name what."},
	{NeedUnknown, Info,
		"the facts do not say whether the agent has what the strategy needs",
		"try it, or use `promptc link --check`",
		"A need counts as met where the facts do not know. That is said, so that a failure does not surprise."},
	{WorkspaceNotTemporary, Info,
		"the workspace is the user's own, so links go elsewhere",
		"use --temporary for a throw-away workspace, or --into-workspace to link into this one",
		"Links in a user's project end in a commit. Without --into-workspace a view outside of the workspace is used where the agent has a launch for one, else the fallback."},
	{LinkConflict, Error,
		"something that promptc did not make is where a link should be",
		"move it away, or rename the skill; the other links were made",
		"promptc never replaces what it did not make: a file, a directory or somebody else's link."},
	{LinkFailed, Error,
		"a link could not be made or removed",
		"see the message for the reason",
		"The system refused: no privilege, no space, a read-only place, or a source that is gone. The other links were made."},
	{PlaceMissing, Error,
		"there is no place in which links may be made",
		"use --temporary, --into-workspace, or name a fallback",
		"The workspace is the user's own and the agent has no launch for a view outside of it."},
	{PlaceRefused, Error,
		"a directory in which promptc makes no links",
		"name a workspace of its own, or leave --workspace out to get a temporary one",
		"Links are made in a workspace or in a view, each of one session. The root of the file system, the home directory and another session's view are refused."},
	{GitExclude, Warning,
		"something to know about links in a git repository",
		"see the message; `git status` shows whether the links are ignored",
		"With --into-workspace the links are named in the repository's info/exclude, so that they enter no commit. In a worktree that file is shared by all worktrees; where it cannot be written, the links have to be kept out of commits by hand."},
	{VerifySkipped, Warning,
		"the agent's own list could not be asked for",
		"install the agent's CLI, or use --check, which goes by the facts alone",
		"--verify runs the command by which the agent's CLI lists its skills without a model. The CLI is not installed, has no such command, takes a view only in another way, or printed no list."},
	{VerifyFailed, Error,
		"the agent's own list differs from what was linked",
		"`promptc link --check` shows what the facts say of each skill; report a fact that is wrong",
		"With --verify the agent's CLI was run in the prepared workspace, with a home directory of its own. A linked skill is not in its list, or the list has one out of the same directory that was not linked."},
	{RenderingRefused, Error,
		"a strategy returned something that is not allowed",
		"report it to the author of the strategy",
		"What a strategy returns is checked before use: links stay local, targets and read roots are skills' own directories, tool names are free and well formed, text is UTF-8."},
	{PluginFailed, Error,
		"a strategy plugin failed",
		"see the last lines of its output in the message",
		"The plugin could not be started, ended in the middle of a call, or did not answer in time."},
	{NameForm, Warning,
		"a name outside of the open standard's form",
		"use lower-case letters, digits and single hyphens, 64 characters at most",
		"The standard wants 1 to 64 lower-case letters, digits and hyphens, none at either end and no two in a row. Some agents drop the skill, some change the name."},
	{NameClash, Warning,
		"two names that become one on some disks",
		"rename one of the two",
		"The names differ only in case or in how Unicode composes them; on many disks one link would overwrite the other."},
	{HistoryInvalid, Error,
		"the history cannot be read",
		"give a JSON list of {role, text}",
		"The history is used byte for byte, so a form that is not understood is refused rather than guessed."},
	{HistorySystem, Info,
		"a history that brings a system prompt of its own",
		"give the base prompt with --system or in the spec, or take it out of the history",
		"A request to a provider often begins with a system prompt. It is no message: it becomes the base prompt where there is none, and is left out where the spec or --system gives one."},
	{FormatNoPlace, Warning,
		"something that the request format has no place for",
		"see the message for what the host must do itself",
		"Providers differ in what a request can hold: reasoning of another provider, sound, links, the mark of a failed tool call. Whatever is not in the request is named, so that the host can see to it."},
	{FormatIncomplete, Info,
		"a request that lacks what the provider demands",
		"see the message for the flag that gives it",
		"A prompt need not name a model, a limit for the answer or a message, and a provider may demand each of them. A missing limit is filled in where the provider takes no request without one; a missing model or message is the host's to add."},
	{ToolAdapted, Info,
		"a tool was changed to what the provider accepts",
		"nothing, unless the model needs what was taken out",
		"Providers refuse a whole request for one tool name with a wrong character or one keyword too many in a schema. Names are mapped one to one and back, keywords that are not on the provider's list go into the description or are left out, and arguments are checked by promptc in any case."},
	{ToolRefused, Error,
		"a tool that the provider will refuse",
		"change the tool as the message says",
		"The provider's documented rules do not allow the tool, and no change that keeps its meaning would help. A request with it would be refused as a whole."},
	{FileUnreadable, Error,
		"a file that was named cannot be read",
		"check the path and its permissions",
		"A file named in a flag or a spec is read when the spec is loaded, before anything is printed."},
	{IsolationFailed, Error,
		"the isolation lines of a skill could not be kept unique",
		"remove the line that imitates an isolation line",
		"After layout promptc looks for each isolation line in the whole prompt; it must stand there exactly once."},
	{ConfigInvalid, Error,
		"a key or a value of the user's own config that cannot be used",
		"correct config.yaml; PROMPTC_CONFIG names another file",
		"The user's config is $XDG_CONFIG_HOME/promptc/config.yaml, or the file that PROMPTC_CONFIG names. It is read strictly, because a slip in it would quietly switch off a rule or trust another directory. The message names the nearest key or word."},
	{NoSkills, Warning,
		"a path below which there is no skill file",
		"name a SKILL.md, the directory that holds it, or the directory of several skills",
		"lint was asked to check a path and found nothing there to check. That is most often a slip in the path, so it is said rather than counted as clean."},
	{NameDirectory, Warning,
		"a name that is not its directory's",
		"rename the directory, or correct name: in the frontmatter",
		"The open standard wants the name to equal the directory. Some agents drop a skill where the two differ, some call it by its directory, so that a user types another name than the one in the file."},
	{DescriptionLong, Warning,
		"a description of more than 1,024 characters",
		"shorten it; what the model needs for its choice comes first",
		"The open standard allows 1,024 characters, which are counted as Unicode code points and not as bytes. Some agents cut a longer one, and then lose its end; one rejects the whole skill."},
	{DescriptionWhen, Info,
		"a description that does not say when to use the skill",
		"add a sentence that begins with \"Use when\" and names what the user says or does",
		"A model chooses a skill by its description alone. One that says only what the skill does leaves the choice to chance."},
	{DescriptionBlock, Info,
		"a description in a block that some agents cut",
		"write it on one line, in quotes where it holds a colon",
		"A description written as a | block is valid YAML, but agents that were measured keep only its first line. The message names them."},
	{DescriptionSign, Warning,
		"a description that is nothing but signs",
		"write what the skill does and when to use it",
		"A description such as >- or | is what a line reader leaves of a block scalar. No model can choose by it."},
	{DescriptionMarkup, Info,
		"a description with something in angle brackets",
		"write the placeholder in capitals instead, where the skill is to be uploaded elsewhere",
		"promptc escapes it, so nothing can go wrong here; some products refuse a description that holds < or >."},
	{BodyEmpty, Warning,
		"a skill without instructions",
		"write what the model is to do",
		"There is nothing behind the frontmatter. Activating the skill would tell the model nothing, and some frameworks fail on an empty body."},
	{BodyLong, Warning,
		"a body beyond what the open standard recommends",
		"move details into files below references/ and name them in the body",
		"The standard recommends less than 5,000 tokens and 500 lines, because the whole body enters the conversation when the skill is used, and some agents keep only its beginning after a compaction."},
	{ReferenceMissing, Warning,
		"a path to a file that the skill does not have",
		"add the file, or correct the path",
		"The body names a file relative to the skill's directory, and there is none. A model that tries to read it loses a turn. Markdown links count, and paths in code spans where the directory is the skill's own."},
	{ReferenceOutside, Warning,
		"a path that leads out of the skill",
		"move the file into the skill's directory",
		"A skill is handed over as one directory: linked, copied or uploaded. What lies outside of it is not there then, and hosts do not let a model read it."},
	{AbsolutePath, Warning,
		"an absolute path",
		"write it relative to the skill's directory, with forward slashes",
		"The path holds on one machine, or for one agent's own directory. Paths in a skill are relative to the directory of its SKILL.md."},
	{WindowsPath, Warning,
		"a path with backslashes",
		"use forward slashes, which every system reads",
		"Outside of Windows the backslash is part of the name, so the file is not found."},
	{ScriptNotExecutable, Warning,
		"a script that may not be executed",
		"run `chmod +x` on it, or name its interpreter in the body",
		"The file is meant to be run, and its mode does not allow that. A model that calls it gets an error first. Not looked at on Windows, nor where the body calls the script through an interpreter."},
	{FrontmatterUnknownKey, Info,
		"a frontmatter key that neither the standard nor a known agent has",
		"put it below metadata, or correct its spelling",
		"The open standard knows name, description, license, compatibility, metadata and allowed-tools; agents add their own. An unknown key is kept, but strict readers refuse the skill, and a misspelt one does nothing."},
	{CompatibilityLong, Warning,
		"a compatibility text of more than 500 characters",
		"shorten it to what must be there for the skill to work",
		"The open standard allows 500 characters, counted as Unicode code points."},
	{AllowedToolsForm, Warning,
		"allowed-tools in a form that agents read differently",
		"write the tools as one text, separated by blanks: Read Grep Bash(git:*)",
		"The open standard wants one text separated by blanks. Lists and commas are read by some agents only; a bracket that is never closed, or an empty value, means something else to each of them."},
	{ArgumentUndeclared, Info,
		"arguments that are used and not declared",
		"add argument-hint: to the frontmatter",
		"The body is filled with what the user types behind the skill's name, but nothing tells the user what that should be."},
	{ArgumentUnused, Info,
		"arguments that are declared and not used",
		"put $ARGUMENTS where they belong, or remove the declaration",
		"The frontmatter announces arguments and the body has no place for them. promptc and most agents then add them behind the text; others lose them."},
	{ArgumentCollision, Info,
		"a dollar sign and a digit that some agents replace",
		"write $ARGUMENTS[0] for an argument, and avoid $1 in prose and examples",
		"Some agents replace $1 and its like by words that the user typed, wherever they stand: a price or a field of awk turns into nonsense. promptc never touches a bare $1. Where the skill takes arguments this is a warning."},
	{HiddenCharacter, Warning,
		"a character that nobody sees",
		"remove it; `promptc lint` gives its place",
		"Zero-width characters, direction marks and tag characters do not show in an editor, but a model reads them: text can be hidden in them, or shown in another order than it has. Direction overrides and tag characters are errors. Joiners in emoji and in scripts that need them are fine."},
	{ForgedMarker, Warning,
		"text that imitates the marks around a skill or a message",
		"write it in other words, or without the brackets",
		"The text looks like an isolation line of promptc, like the end of a list of skills, or like the beginning of another role's message. promptc keeps it in its place; other hosts may not, and a model may believe it."},
	{CommandMarker, Info,
		"a command that some agents run before the model sees the text",
		"say in words what to run, where the skill is to work everywhere",
		"promptc never runs anything that stands in a skill: the marker reaches the model as text. Claude Code runs it and puts its output there."},
	{Secret, Error,
		"something that has the form of a key or password",
		"revoke it, then remove it from the file and from the history",
		"Whatever stands in a skill goes to a model and to everybody who installs it. Only the beginning of what was found is shown. Placeholders are not reported."},
	{ListBudget, Warning,
		"an agent's own list has no room for all skills",
		"shorten the descriptions, or give the agent fewer skills",
		"Agents bound the list of skills that they show to their model, by characters or by a part of its window. What does not fit loses its end, its whole description, or its place, and no agent tells the user. --window gives another size."},
	{FixRefused, Error,
		"a file that --fix did not rewrite",
		"see the message; nothing was changed in this file",
		"A linked file is rewritten only where it really lies inside of the path that was given, and no file is overwritten that changed meanwhile or cannot be replaced as a whole."},
}
