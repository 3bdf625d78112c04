// Bugs in Go. Usage: harbor BUG ROUTE VALUE; the route says by which callers, and on which thread, a bug is reached.
package main

import (
	"errors"
	"fmt"
	"os"
	"sort"
	"strconv"
	"strings"
)

type Crane struct {
	name  string
	loads []int
	limit map[string]int
}

type Mover interface{ Move(by int) int }

type Yard[T any] struct{ items []T }

// g01
func (crane *Crane) Load(index int) int {
	note("load")
	return crane.loads[index]
}

// g02
func (crane *Crane) Limit(name string) {
	note("limit")
	crane.limit[name] = 3
}

// g03
func (crane *Crane) Name() int {
	note("name")
	return len(crane.name) + len(crane.loads)
}

// g04
func Shift(mover interface{}, by int) int {
	note("shift")
	return mover.(Mover).Move(by)
}

// g05
func Share(total int, among int) int {
	note("share")
	return total / among
}

// g06
func Dock(ships chan int) {
	note("dock")
	close(ships)
	close(ships)
}

// g07
func Sail(to string) error {
	note("sail")
	if strings.HasPrefix(to, "no") {
		panic(errors.New("no way to " + to))
	}
	return nil
}

// g08: the closure is the bug's place.
func Sorted(cranes []*Crane) string {
	note("sorted")
	sort.Slice(cranes, func(left int, right int) bool { return cranes[left].name < cranes[right].name })
	return cranes[0].name
}

// g09
func (yard *Yard[T]) Slice(from int, to int) int {
	note("slice")
	return len(yard.items[from:to])
}

// g10
func Climb(level int) int {
	var room [64]int
	room[level&63] = level
	return Climb(level+1) + room[3]
}

var sink int

func enter(bug int, value int) {
	crane := &Crane{name: "a", loads: []int{1}}
	switch bug {
	case 1:
		sink = crane.Load(4 + value)
	case 2:
		crane.Limit("n" + strconv.Itoa(value))
	case 3:
		sink = missing(value).Name()
	case 4:
		sink = Shift(value, 1)
	case 5:
		sink = Share(value, len(crane.limit))
	case 6:
		Dock(make(chan int, value))
	case 7:
		fmt.Println(Sail("nowhere" + strconv.Itoa(value)))
	case 8:
		sink = len(Sorted([]*Crane{crane, nil, crane}))
	case 9:
		sink = (&Yard[int]{items: []int{1, 2}}).Slice(value+3, 1)
	default:
		sink = Climb(value)
	}
}

func missing(value int) *Crane {
	if value < 0 {
		return &Crane{}
	}
	return nil
}

// Other callers of the same functions.
func replay(bug int) {
	crane := &Crane{name: "b"}
	switch bug {
	case 1:
		sink = crane.Load(0) + 1
	case 2:
		crane.Limit("other")
		sink++
	case 3:
		sink = missing(3).Name() + 1
	case 4:
		sink = Shift("text", 2) + 1
	case 5:
		sink = Share(1000, len(crane.loads)) + 1
	case 6:
		Dock(make(chan int, 9))
		sink++
	case 7:
		fmt.Println(Sail("north"))
		sink++
	case 8:
		sink = len(Sorted([]*Crane{nil, crane, crane, crane})) + 1
	case 9:
		sink = (&Yard[string]{items: []string{"a"}}).Slice(9, 12) + 1
	default:
		sink = Climb(1000) + 1
	}
}

func main() {
	bug, _ := strconv.Atoi(os.Args[1])
	route, _ := strconv.Atoi(os.Args[2])
	value, _ := strconv.Atoi(os.Args[3])
	switch route {
	case 0:
		enter(bug, value)
	case 1:
		done := make(chan bool)
		go func() {
			enter(bug, value)
			done <- true
		}()
		<-done
	case 2:
		replay(bug)
	default:
		for _, job := range []func(int, int){enter} {
			job(bug, value)
		}
	}
}
