//go:build unix

package main

import (
	"os/exec"
	"syscall"
)

// endGroup makes the end of cmd's context end what cmd has started as well.
func endGroup(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
}
