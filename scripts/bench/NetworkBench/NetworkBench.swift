import MPaaSNetwork

@main struct NetworkBench {
  static func main() async throws {}
}
