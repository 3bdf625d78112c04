import MPaaSNetwork

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Our proxy by itself, without the command around it.
enum Proxies {
  static func run(listen: String, upstream: String, threads: Int, kind: String) async throws {
    let proxies = ProxyCollection(threads: threads > 0 ? threads : nil)
    let kind = ProxyDefinition.Kind(rawValue: kind) ?? .tcp
    try await proxies.add(ProxyDefinition(name: "bench", kind: kind, listen: listen, upstream: upstream))
    print("ready")
    fflush(nil)
    while true { try await Task.sleep(for: .seconds(3600)) }
  }
}
