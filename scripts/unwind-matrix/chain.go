// The same for Go: it says that it is ready, and then spins at the end of a chain of calls.
package main

import "fmt"

var sink int

//go:noinline
func um_spin(depth int) int {
	fmt.Println("ready")
	for depth < 100 {
		sink += depth
	}
	return depth
}

//go:noinline
func um_deep(depth int, numbers [5]int) int {
	if depth > 0 {
		return um_deep(depth-1, numbers) + numbers[depth]
	}
	return um_spin(depth) + 1
}

func main() {
	fmt.Println(um_deep(4, [5]int{1, 2, 3, 4, 5}))
}
