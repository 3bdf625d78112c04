//go:build second

package main

// The next version of the program does more here.
func note(text string) {
	for _, letter := range text {
		sink = sink*31 + int(letter)
	}
}
