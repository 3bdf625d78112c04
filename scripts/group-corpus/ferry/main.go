// Bugs in Go that the rules were not made for. Usage: ferry BUG ROUTE VALUE.
package main

import (
	"encoding/json"
	"os"
	"strconv"
	"strings"
	"sync"

	"ferry/route"
)

type Ticket struct {
	Name  string
	Stops []string
}

// f01
func parse(text string) Ticket {
	var ticket Ticket
	if err := json.Unmarshal([]byte(text), &ticket); err != nil {
		panic("bad ticket " + strconv.Quote(text))
	}
	return ticket
}

// f02
func (ticket Ticket) Stop(number int) string {
	parts := strings.Split(ticket.Name, "/")
	parts = append(parts, ticket.Stops...)
	return parts[number]
}

func sail(bug int, value int, again bool) int {
	switch bug {
	case 1:
		if again {
			return len(parse("{").Name)
		}
		return len(parse("text " + strconv.Itoa(value)).Name)
	case 2:
		if again {
			return len(Ticket{"a", []string{"b"}}.Stop(9))
		}
		return len(Ticket{Name: "a"}.Stop(value + 1))
	case 3:
		harbor := route.New()
		if again {
			harbor = &route.Harbor{}
		}
		harbor.Open(value)
		return 1
	case 4:
		return route.Longest(nil) + value
	default:
		return route.Steps(map[string][]int{"a": {1}}, "b", value)
	}
}

func main() {
	bug, _ := strconv.Atoi(os.Args[1])
	way, _ := strconv.Atoi(os.Args[2])
	value, _ := strconv.Atoi(os.Args[3])
	sum := 0
	switch way {
	case 0:
		sum = sail(bug, value, false)
	case 1:
		var group sync.WaitGroup
		group.Add(1)
		go func() {
			defer group.Done()
			sum = sail(bug, value, false)
		}()
		group.Wait()
	case 2:
		var once sync.Once
		once.Do(func() { sum = sail(bug, value, true) })
	default:
		defer func() { println("done") }()
		sum = sail(bug, value, true)
	}
	println(sum)
}
