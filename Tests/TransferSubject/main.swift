/// What tests kill; see the tests of its name.
func main() {}
main()
