// Package promptc counts with package token.
package promptc

import "github.com/promptc/promptc/engine/token"

// New returns a function that counts the tokens of a text by that encoding.
func New(encoding string) (func(string) int, error) {
	c, err := token.Named(encoding)
	if err != nil {
		return nil, err
	}
	return c.Count, nil
}
