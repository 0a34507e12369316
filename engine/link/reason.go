package link

import (
	"errors"
	"io/fs"
	"os"
)

// Cause is the kind of a reason, for callers that branch.
type Cause string

const (
	NoCause       Cause = ""
	Exists        Cause = "exists"         // something that promptc did not make has the name
	Changed       Cause = "changed"        // a copy is not as it was made
	OtherSession  Cause = "other-session"  // another session's link to another skill has the name
	LinkedParent  Cause = "linked-parent"  // a directory on the way is a link
	Ancestor      Cause = "ancestor"       // the target holds the place of the link
	NameClash     Cause = "name-clash"     // two wanted links are one on some disks
	NotLocal      Cause = "not-local"      // the path leads out of the place
	SourceMissing Cause = "source-missing" // the target holds no skill file
	NoPrivilege   Cause = "no-privilege"   // this account may not make links
	NoLinks       Cause = "no-links"       // the file system has no links
	NoPermission  Cause = "no-permission"  // this account may not write there
	ReadOnly      Cause = "read-only"      // the file system is mounted read-only
	DiskFull      Cause = "disk-full"
	Dead          Cause = "dead"      // made, and no skill file could be opened through it
	TooLarge      Cause = "too-large" // more than a copy may hold
	OtherDevice   Cause = "other-device"
	System        Cause = "system" // any other refusal
)

// causeOf sorts what the system said.
func causeOf(err error) Cause {
	switch {
	case errors.Is(err, errTooLarge):
		return TooLarge
	case noPrivilege(err):
		return NoPrivilege
	case diskFull(err):
		return DiskFull
	case readOnly(err):
		return ReadOnly
	case noLinks(err), errors.Is(err, errors.ErrUnsupported):
		return NoLinks
	case otherDevice(err):
		return OtherDevice
	case errors.Is(err, fs.ErrExist):
		return Exists
	case errors.Is(err, fs.ErrPermission):
		return NoPermission
	}
	return System
}

// reasonOf is a clause for err that names no path twice.
func reasonOf(err error) (Cause, string) {
	cause := causeOf(err)
	switch cause {
	case Exists:
		return cause, "something has appeared at this path"
	case NoPrivilege:
		return cause, "this account has no privilege to make links"
	case NoPermission:
		return cause, "this account may not write there"
	case NoLinks:
		return cause, "the file system has no links"
	case ReadOnly:
		return cause, "the place is read-only"
	case DiskFull:
		return cause, "the disk is full"
	case OtherDevice:
		return cause, "the agent's directory is on another file system than the place, so that a copy cannot be moved there in one step"
	}
	if e, ok := errors.AsType[*fs.PathError](err); ok {
		return cause, e.Op + ": " + e.Err.Error()
	}
	if e, ok := errors.AsType[*os.LinkError](err); ok {
		return cause, e.Op + ": " + e.Err.Error()
	}
	return cause, err.Error()
}

// hint says what to do.
func (c Cause) hint() string {
	switch c {
	case Exists:
		return "move it away or rename the skill, then run `promptc link` again; the other links are not affected"
	case Changed:
		return "save what you changed elsewhere and remove the copy, then run it again"
	case OtherSession:
		return "remove that one with `promptc unlink --session ID`, or use another session's view"
	case LinkedParent:
		return "replace that link by a directory, or use a temporary workspace (--temporary)"
	case Ancestor:
		return "keep the skills outside of the workspace's own tree, or use a view"
	case NameClash:
		return "rename one of the two skills"
	case SourceMissing, Dead:
		return "check that the skill's directory still is where it was found, with `promptc skills`"
	case NoPrivilege, NoPermission:
		return "check who owns the directory and its permissions"
	case ReadOnly:
		return "use a view, or a workspace that can be written"
	case DiskFull:
		return "make room, then run it again; it continues where it stopped"
	case NoLinks, OtherDevice:
		return "use a workspace on another file system"
	case TooLarge:
		return "move what the skill does not need out of its directory"
	}
	return ""
}
