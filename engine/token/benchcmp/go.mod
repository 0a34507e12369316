module github.com/promptc/promptc/engine/token/benchcmp

go 1.26.0

replace github.com/promptc/promptc => ../../..

require (
	github.com/pkoukk/tiktoken-go v0.1.8
	github.com/pkoukk/tiktoken-go-loader v0.0.2
	github.com/promptc/promptc v0.0.0-00010101000000-000000000000
	github.com/tiktoken-go/tokenizer v0.10.0
)

require (
	github.com/dlclark/regexp2 v1.11.5 // indirect
	github.com/dlclark/regexp2/v2 v2.5.1 // indirect
	github.com/google/uuid v1.3.0 // indirect
)
