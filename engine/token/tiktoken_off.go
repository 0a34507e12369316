//go:build notiktoken

package token

// tiktokenEncodings is empty in a build without tiktoken-go and its vocabularies.
func tiktokenEncodings() []encoding { return nil }
