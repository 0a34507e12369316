// Package strategies lists the bundled strategies. A new one is a directory here
// and a line in Bundled.
package strategies

import (
	"github.com/promptc/promptc/engine"
	"github.com/promptc/promptc/strategies/index"
	"github.com/promptc/promptc/strategies/inject"
	"github.com/promptc/promptc/strategies/symlink"
	"github.com/promptc/promptc/strategies/tool"
)

// Bundled are the strategies that promptc brings, in the order of their names.
func Bundled() []engine.Strategy {
	return []engine.Strategy{
		index.New(),
		inject.New(),
		symlink.New(),
		tool.New(),
	}
}
