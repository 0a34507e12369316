package skill

import (
	"bytes"
	"context"
	"strings"

	"github.com/promptc/promptc/engine/diag"
)

// contest decides between skills of one name (J18-J20): the first that may be used
// is loaded, the others are shadowed. Broken and untrusted ones take no part. One
// directory that was reached in two ways counts once.
func (c *Catalog) contest(ctx context.Context) {
	first := make(map[string]*Found, len(c.Found))
	places := c.places()
	untrusted := make([][]string, len(c.Roots))
	for i, f := range c.Found {
		switch {
		case f.Status == Broken:
			continue
		case !c.Roots[f.Root].Trusted:
			c.set(i, Untrusted, "it is a "+string(f.Scope)+" skill, and that is not trusted", "")
			untrusted[f.Root] = append(untrusted[f.Root], f.Name)
			continue
		}
		if winner := places[f.realDir()]; winner != nil {
			c.set(i, Shadowed, "it is the same directory as "+winner.Dir, winner.Path)
			c.Diagnostics.Add(diag.New(diag.SkillShadowed, diag.At(f.Path), "%q is the same directory as %s, which was found first", f.Name, winner.Dir).As(diag.Info).
				WithHint("remove the link or the root that leads to it a second time"))
			continue
		}
		if winner := first[f.key]; winner != nil {
			c.shadow(ctx, i, winner)
			continue
		}
		c.set(i, Loaded, "", "")
		first[f.key] = c.Found[i]
		if places != nil {
			places[f.realDir()] = c.Found[i]
		}
	}
	for i, names := range untrusted {
		if len(names) > 0 {
			c.Diagnostics.Add(c.Roots[i].distrust(names))
		}
	}
}

// places is a map for skills by real directory, or nil where no directory can be
// reached in two ways.
func (c *Catalog) places() map[string]*Found {
	for _, f := range c.Found {
		if f.Form.LinkedDir {
			return map[string]*Found{}
		}
	}
	for i, a := range c.Roots {
		for _, b := range c.Roots[i+1:] {
			if a.Real != "" && b.Real != "" && (under(a.Real, b.Real) || under(b.Real, a.Real)) {
				return map[string]*Found{}
			}
		}
	}
	return nil
}

func (f *Found) realDir() string {
	if f.Form.LinkedDir {
		return f.Form.Target
	}
	rel, ok := strings.CutPrefix(f.Dir, f.rootDir)
	if !ok {
		return f.Dir
	}
	return f.rootReal + rel
}

func (c *Catalog) shadow(ctx context.Context, i int, winner *Found) {
	f := c.Found[i]
	c.set(i, Shadowed, "the skill at "+winner.Path+" has the same name and comes first", winner.Path)
	d := diag.New(diag.SkillShadowed, diag.At(f.Path), "%q is shadowed by %s", f.Name, winner.Path)
	if sameBytes(ctx, f, winner) {
		d.Message += "; the two files are identical"
		d = d.WithHint("remove one of the two")
	}
	c.Diagnostics.Add(d)
}

func sameBytes(ctx context.Context, a, b *Found) bool {
	if a.Stamp.Size != b.Stamp.Size {
		return false
	}
	one, err := a.bytes(ctx)
	if err != nil {
		return false
	}
	two, err := b.bytes(ctx)
	return err == nil && bytes.Equal(one, two)
}

// set gives a skill its status. One that an earlier catalogue has is not changed
// but copied.
func (c *Catalog) set(i int, status Status, reason, winner string) {
	f := c.Found[i]
	if f.Status == status && f.Reason == reason && f.Winner == winner {
		return
	}
	if f.Status != "" {
		clone := *f
		f = &clone
		c.Found[i] = f
	}
	f.Status, f.Reason, f.Winner = status, reason, winner
}

func (r *RootReport) distrust(names []string) diag.Diagnostic {
	const most = 5
	list := strings.Join(names[:min(len(names), most)], ", ")
	if len(names) > most {
		list += ", …"
	}
	return diag.New(diag.SkillUntrusted, diag.At(r.Dir), "%s in %s not used, because the %s is not trusted: %s", counted(len(names), "skill", "skills"), r.Dir+isAre(len(names)), r.Scope, list)
}

func isAre(n int) string {
	if n == 1 {
		return " is"
	}
	return " are"
}
