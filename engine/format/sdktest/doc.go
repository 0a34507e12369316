// Package sdktest holds the requests of package format to the types of the providers'
// own Go SDKs. It is a module of its own, so that who uses promptc does not carry them.
//
//	cd engine/format/sdktest && go test ./...
package sdktest
