package lint

import (
	"context"

	"github.com/promptc/promptc/engine/diag"
)

// rule is one check. It may report under several codes, and only under those.
type rule struct {
	codes []diag.Code
	check func(context.Context, *page)
}

// rules are looked at from top to bottom. What Parse and Discover report already
// (fences, encodings, repairs, links, names of files) needs no rule here.
func rules() []rule {
	return []rule{
		{[]diag.Code{diag.NameForm}, nameForm},
		{[]diag.Code{diag.NameDirectory}, nameDirectory},
		{[]diag.Code{diag.DescriptionLong}, descriptionLong},
		{[]diag.Code{diag.DescriptionWhen}, descriptionWhen},
		{[]diag.Code{diag.DescriptionBlock}, descriptionBlock},
		{[]diag.Code{diag.DescriptionSign}, descriptionSign},
		{[]diag.Code{diag.DescriptionMarkup}, descriptionMarkup},
		{[]diag.Code{diag.FrontmatterUnknownKey}, unknownKeys},
		{[]diag.Code{diag.CompatibilityLong}, compatibility},
		{[]diag.Code{diag.KeyType}, metadataTypes},
		{[]diag.Code{diag.AllowedToolsForm}, allowedTools},
		{[]diag.Code{diag.BodyEmpty, diag.BodyLong}, bodySize},
		{[]diag.Code{diag.ReferenceMissing, diag.ReferenceOutside, diag.AbsolutePath, diag.WindowsPath}, references},
		{[]diag.Code{diag.AbsolutePath, diag.WindowsPath}, machinePaths},
		{[]diag.Code{diag.ScriptNotExecutable}, scripts},
		{[]diag.Code{diag.ArgumentUndeclared, diag.ArgumentUnused}, arguments},
		{[]diag.Code{diag.ArgumentCollision}, collisions},
		{[]diag.Code{diag.CommandMarker}, commands},
		{[]diag.Code{diag.ForgedMarker}, forged},
		{[]diag.Code{diag.HiddenCharacter}, hidden},
		{[]diag.Code{diag.Secret, diag.ScanBound}, secrets},
		{[]diag.Code{diag.HiddenCharacter, diag.Secret, diag.Encoding, diag.ScanBound}, otherFiles},
		{[]diag.Code{diag.LinkOutside, diag.LinkDangling}, links},
	}
}

// raised are warnings that are errors here, where somebody named the skill: promptc
// does not load it, or what it means differs from reader to reader.
var raised = []diag.Code{
	diag.SkillBroken, diag.NotALink, diag.WrongFileName, diag.KeyDuplicate,
	diag.RootMissing, diag.RootUnreadable, diag.RootRefused,
}
