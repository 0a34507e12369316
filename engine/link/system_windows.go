//go:build windows

package link

import (
	"encoding/binary"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"unicode/utf16"

	"golang.org/x/sys/windows"
)

func noPrivilege(err error) bool { return errors.Is(err, windows.ERROR_PRIVILEGE_NOT_HELD) }

func diskFull(err error) bool {
	return errors.Is(err, windows.ERROR_DISK_FULL) || errors.Is(err, windows.ERROR_HANDLE_DISK_FULL)
}
func readOnly(err error) bool    { return errors.Is(err, windows.ERROR_WRITE_PROTECT) }
func otherDevice(err error) bool { return errors.Is(err, windows.ERROR_NOT_SAME_DEVICE) }

func noLinks(err error) bool {
	return errors.Is(err, windows.ERROR_INVALID_FUNCTION) || errors.Is(err, windows.ERROR_NOT_SUPPORTED)
}

// makeJunction makes path a junction to target, which must be an absolute path on
// a local disk. Unlike a symbolic link it needs no privilege.
func makeJunction(target, path string) error {
	fail := func(err error) error { return &os.LinkError{Op: "junction", Old: target, New: path, Err: err} }
	target = filepath.Clean(target)
	if len(filepath.VolumeName(target)) != 2 {
		return fail(errors.New("a junction leads to a local disk only"))
	}
	if err := os.Mkdir(path, 0o755); err != nil {
		return fail(err)
	}
	if err := setMountPoint(path, target); err != nil {
		os.Remove(path)
		return fail(err)
	}
	return nil
}

// setMountPoint writes the reparse data: the tag, sizes, four offsets and
// lengths in bytes, then the substitute and the print name, each ended by a zero.
func setMountPoint(path, target string) error {
	name, err := windows.UTF16PtrFromString(path)
	if err != nil {
		return err
	}
	h, err := windows.CreateFile(name, windows.GENERIC_WRITE, 0, nil, windows.OPEN_EXISTING,
		windows.FILE_FLAG_OPEN_REPARSE_POINT|windows.FILE_FLAG_BACKUP_SEMANTICS, 0)
	if err != nil {
		return err
	}
	defer windows.CloseHandle(h)
	substitute, shown := utf16.Encode([]rune(`\??\`+target)), utf16.Encode([]rune(target))
	put := binary.LittleEndian.AppendUint16
	var names []byte
	for _, part := range [][]uint16{substitute, {0}, shown, {0}} {
		for _, u := range part {
			names = put(names, u)
		}
	}
	buf := binary.LittleEndian.AppendUint32(nil, windows.IO_REPARSE_TAG_MOUNT_POINT)
	buf = put(buf, uint16(8+len(names)))
	buf = put(buf, 0)
	buf = put(buf, 0)
	buf = put(buf, uint16(2*len(substitute)))
	buf = put(buf, uint16(2*len(substitute)+2))
	buf = put(buf, uint16(2*len(shown)))
	buf = append(buf, names...)
	var n uint32
	return windows.DeviceIoControl(h, windows.FSCTL_SET_REPARSE_POINT, &buf[0], uint32(len(buf)), nil, 0, &n, nil)
}

// junctionTarget reads a junction, which Lstat reports as irregular.
func junctionTarget(path string, info os.FileInfo) (string, bool) {
	if info.Mode()&os.ModeIrregular == 0 {
		return "", false
	}
	target, err := os.Readlink(path)
	return target, err == nil
}

func samePath(a, b string) bool {
	return strings.EqualFold(filepath.Clean(a), filepath.Clean(b))
}

const executables = false

func tryLock(f *os.File) (bool, error) {
	err := windows.LockFileEx(windows.Handle(f.Fd()), windows.LOCKFILE_EXCLUSIVE_LOCK|windows.LOCKFILE_FAIL_IMMEDIATELY, 0, 1, 0, new(windows.Overlapped))
	if errors.Is(err, windows.ERROR_LOCK_VIOLATION) {
		return false, nil
	}
	return err == nil, err
}

// syncDir does nothing: windows keeps names by itself.
func syncDir(string) error { return nil }
