package token

//go:generate go run ./internal/gen

// What the patterns of the encodings ask of a code point, as bits. The classes follow Unicode 16, as the Rust
// original does; differing.go lists where tiktoken-go, on Unicode 15, has another class.
const (
	isUpper   = 1 << iota // may stand in the upper part of a word: Lu Lt Lm Lo M
	isLower               // may stand in the lower part of a word: Ll Lm Lo M
	isLetter              // L
	isNumber              // N
	isSpace               // White_Space
	isNewline             // \r \n
	isSymbol              // none of space, letter, number: marks are symbols too
	isTail                // \r \n /, what o200k_base draws to the symbols before it
)

// classAt returns the class of the code point at i and its length in bytes. The text is valid UTF-8.
func classAt(s string, i int) (class uint8, size int) {
	if b := s[i]; b < 0x80 {
		return classBlocks[b], 1
	}
	return wideClass(s, i)
}

// wideClass is classAt for a code point that is not ASCII.
func wideClass(s string, i int) (class uint8, size int) {
	var r uint32
	switch b := uint32(s[i]); {
	case b < 0xE0:
		r, size = b&0x1F<<6|uint32(s[i+1])&0x3F, 2
	case b < 0xF0:
		r, size = b&0x0F<<12|uint32(s[i+1])&0x3F<<6|uint32(s[i+2])&0x3F, 3
	default:
		r, size = b&0x07<<18|uint32(s[i+1])&0x3F<<12|uint32(s[i+2])&0x3F<<6|uint32(s[i+3])&0x3F, 4
	}
	return classBlocks[int(classIndex[r>>7])<<7|int(r&127)], size
}

// differingRange is a run of code points that are of one class here and of another one for tiktoken-go.
type differingRange struct {
	first, last rune
	class       string
}
