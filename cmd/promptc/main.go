// Command promptc gives skills to AI agents and says what they cost.
//
// Each verb is one file here; resolve.go turns the names in a spec into
// strategies and counters, and flags.go lays the flags over a spec.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime/debug"
	"syscall"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/promptc/promptc/engine"
	"github.com/promptc/promptc/engine/diag"
)

func main() { os.Exit(run()) }

// Exit codes: 0 fine, 1 a diagnostic of severity error, 2 usage, 3 we failed.
const (
	exitFine = iota
	exitDiagnostic
	exitUsage
	exitFailed
)

func run() int {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(400) // most calls end before a collection would pay
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ctx, stop) // a second interrupt ends the program at once
	out := &output{w: os.Stdout}
	a := &app{in: &input{ctx: ctx, r: os.Stdin}, out: out, err: os.Stderr}
	a.terminal = term.IsTerminal(int(os.Stdout.Fd()))
	a.color = a.terminal && os.Getenv("NO_COLOR") == ""
	env, err := engine.SystemEnv()
	if err == nil {
		a.env = env
		err = a.command().ExecuteContext(ctx)
	}
	if err == nil {
		err = out.err
	}
	return a.exit(err)
}

// output keeps the first error of writing, so that a verb which prints line by
// line cannot end well where its data did not arrive.
type output struct {
	w   io.Writer
	err error
}

func (o *output) Write(p []byte) (int, error) {
	if o.err != nil {
		return 0, o.err
	}
	n, err := o.w.Write(p)
	o.err = err
	return n, err
}

// input is a reader whose Read ends with ctx, also where nothing is there to be
// read. The read that was under way is then left behind, for a program that ends.
type input struct {
	ctx context.Context
	r   io.Reader
}

func (i *input) Read(p []byte) (int, error) {
	type read struct {
		data []byte
		err  error
	}
	done := make(chan read, 1)
	go func() {
		buf := make([]byte, len(p)) // p is the caller's again once Read has returned
		n, err := i.r.Read(buf)
		done <- read{buf[:n], err}
	}()
	select {
	case <-i.ctx.Done():
		return 0, i.ctx.Err()
	case r := <-done:
		return copy(p, r.data), r.err
	}
}

// app is the program's own world: its streams and its environment.
type app struct {
	in       io.Reader
	out, err io.Writer
	terminal bool // stdout is one
	color    bool
	env      engine.Env
	quiet    bool
	verbose  bool
}

func (a *app) command() *cobra.Command {
	root := &cobra.Command{
		Use:           "promptc",
		Short:         "Give skills to AI agents, and know what they cost",
		Long:          "promptc gets Agent Skills to a model in one of four ways (index, inject, symlink, tool),\ncounts what each costs, and says why a skill is or is not seen.",
		SilenceErrors: true,
		SilenceUsage:  true,
	}
	root.SetIn(a.in)
	root.SetOut(a.out)
	root.SetErr(a.err)
	root.SetFlagErrorFunc(func(c *cobra.Command, err error) error { return usage(c, "%v", err) })
	root.PersistentFlags().BoolVar(&a.quiet, "quiet", false, "print errors only, no warnings and notes")
	root.PersistentFlags().BoolVar(&a.verbose, "verbose", false, "print every diagnostic, also when one kind repeats")
	root.AddCommand(
		a.renderCommand(), a.skillsCommand(), a.explainCommand(), a.activateCommand(),
		a.linkCommand(), a.unlinkCommand(), a.agentsCommand(), a.strategiesCommand(),
		a.tokensCommand(), a.initCommand(), a.schemaCommand(), a.versionCommand(),
	)
	a.completeRest(root)
	for _, c := range root.Commands() {
		wrapArgs(c)
	}
	return root
}

// wrapArgs makes a wrong number of arguments a usage error.
func wrapArgs(c *cobra.Command) {
	check := c.Args
	if check == nil {
		check = func(c *cobra.Command, args []string) error {
			if len(args) > 0 {
				return fmt.Errorf("%s takes no arguments, got %q", c.CommandPath(), args[0])
			}
			return nil
		}
	}
	c.Args = func(c *cobra.Command, args []string) error {
		if err := check(c, args); err != nil {
			return usage(c, "%v", err)
		}
		return nil
	}
}

// usageError is a wrong call; its text says how to call.
type usageError struct{ msg string }

func (e usageError) Error() string { return e.msg }

func usage(c *cobra.Command, format string, args ...any) error {
	return usageError{fmt.Sprintf(format, args...) + fmt.Sprintf("\n  see `%s --help`", c.CommandPath())}
}

// diagnosed says that errors were printed as diagnostics already.
type diagnosed struct{ code int }

func (diagnosed) Error() string { return "diagnostics of severity error" }

func (a *app) exit(err error) int {
	if err == nil {
		return exitFine
	}
	if d, ok := errors.AsType[diagnosed](err); ok {
		return d.code
	}
	if list := diag.Of(err); list != nil {
		a.report(list)
		return code(list)
	}
	if errors.Is(err, context.Canceled) {
		fmt.Fprintln(a.err, "promptc: interrupted")
		return exitFailed
	}
	if isUnknownCommand(err) {
		err = usageError{err.Error() + "\n  see `promptc --help`"}
	}
	fmt.Fprintf(a.err, "promptc: %v\n", err)
	if _, ok := errors.AsType[usageError](err); ok {
		return exitUsage
	}
	return exitFailed
}

// isUnknownCommand recognises cobra's only usage error that does not pass through
// a flag or an argument check.
func isUnknownCommand(err error) bool {
	if _, ok := errors.AsType[usageError](err); ok {
		return false
	}
	_, scanErr := fmt.Sscanf(err.Error(), "unknown command %q", new(string))
	return scanErr == nil
}
