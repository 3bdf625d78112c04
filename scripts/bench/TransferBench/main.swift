/// Measures; a script of scripts/bench runs it.
func main() {}
main()
