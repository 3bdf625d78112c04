// Package route has the bugs of another package.
package route

type Gate interface{ Lift(by int) }

type Harbor struct {
	gate  Gate
	depth map[int]int
}

func New() *Harbor { return &Harbor{depth: map[int]int{}} }

// Open is f03.
func (harbor *Harbor) Open(by int) {
	level := harbor.depth[by] + 1
	harbor.gate.Lift(level)
}

// Longest is f04.
func Longest(ways []*Harbor) int {
	best := -1
	for index, way := range ways {
		if way != nil && len(way.depth) > best {
			best = index
		}
	}
	return len(ways[len(ways)-1].depth) + best
}

// Steps is f05.
func Steps(graph map[string][]int, from string, value int) int {
	steps := graph[from]
	total := 100 * (value + 1)
	return total / len(steps)
}
