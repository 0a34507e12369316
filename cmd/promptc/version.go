package main

import (
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"

	"github.com/promptc/promptc/engine/format"
)

// version and commit are set by a release build, which keeps everything else of the
// repository out of the program; else what Go put in is used.
var version, commit string

type versionInfo struct {
	Version  string `json:"version"`
	Commit   string `json:"commit"`
	Date     string `json:"date"`
	Modified bool   `json:"modified"`
	Go       string `json:"go"`
	Platform string `json:"platform"`
}

func readVersion() versionInfo {
	v := versionInfo{Version: version, Commit: commit, Go: runtime.Version(), Platform: runtime.GOOS + "/" + runtime.GOARCH}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return v
	}
	if v.Version == "" {
		v.Version = info.Main.Version
	}
	if v.Commit != "" {
		return v
	}
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			v.Commit = s.Value
		case "vcs.time":
			v.Date = s.Value
		case "vcs.modified":
			v.Modified = s.Value == "true"
		}
	}
	return v
}

func (a *app) versionCommand() *cobra.Command {
	var asJSON bool
	c := &cobra.Command{Use: "version", Short: "Print version and commit"}
	c.Flags().BoolVar(&asJSON, "json", false, "for programs")
	c.RunE = func(*cobra.Command, []string) error {
		v := readVersion()
		if asJSON {
			return format.Encode(a.out, v)
		}
		at := v.Commit
		if at == "" {
			at = "unknown"
		}
		if v.Modified {
			at += ", modified"
		}
		_, err := fmt.Fprintf(a.out, "promptc %s (commit %s, %s, %s)\n", v.Version, at, v.Go, v.Platform)
		return err
	}
	return c
}
