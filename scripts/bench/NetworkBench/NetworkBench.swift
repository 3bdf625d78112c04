import MPaaSNetwork

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// The servers, clients and proxies that `scripts/bench/network` measures with.
@main struct NetworkBench {
  static func main() async throws {
    let words = Array(CommandLine.arguments.dropFirst())
    func word(_ place: Int) -> String { place < words.count ? words[place] : "" }
    func number(_ place: Int, _ otherwise: Int) -> Int { Int(word(place)) ?? otherwise }
    signal(SIGPIPE, SIG_IGN)
    switch word(0) {
    case "serve": Server.run(port: UInt16(number(1, 0)))
    case "proxy": try await Proxies.run(listen: word(1), upstream: word(2), threads: number(3, 0), kind: word(4))
    case "throughput": try Client.throughput(word(1), seconds: number(2, 5), connections: number(3, 1))
    case "roundtrip": try Client.roundTrips(word(1), count: number(2, 20_000))
    case "connections": try Client.connections(word(1), count: number(2, 10_000), atOnce: number(3, 8))
    case "idle": try Client.idle(word(1), count: number(2, 10_000))
    case "churn": try await Churn.run(seconds: number(1, 5))
    case "engine": EngineSpeed.run()
    case "integrity":
      EngineIntegrity.run(megabytes: number(1, 1000), settings: number(2, 500), seed: UInt64(number(3, 1)))
    default:
      print(
        """
        NetworkBench serve PORT
        NetworkBench proxy LISTEN UPSTREAM [THREADS]
        NetworkBench throughput ADDRESS [SECONDS [CONNECTIONS]]
        NetworkBench roundtrip ADDRESS [COUNT]
        NetworkBench connections ADDRESS [COUNT [AT-ONCE]]
        NetworkBench idle ADDRESS [COUNT]
        NetworkBench churn [SECONDS]
        NetworkBench engine
        NetworkBench integrity [MEGABYTES [SETTINGS [SEED]]]
        """)
    }
  }
}
