/// The network of a program that environment variables lead to a forward proxy of ours.
package struct ProxyNetwork: RunNetwork {
  private let proxies: ProxyCollection
  private let address: String
  private let bypass: [String]
  private let thread: SerialThread

  package var mode: ConditionedRun.Mode { .proxy }

  /// - Parameter bypass: Names that are reached directly.
  package init(bypass: [String], seed: UInt64) async throws(NetworkError) {
    thread = try SerialThread()
    proxies = ProxyCollection()
    self.bypass = bypass
    let proxy = try await proxies.add(
      ProxyDefinition(name: "run", kind: .forward, listen: "127.0.0.1:0", seed: seed))
    address = proxy.listen
  }

  package func setLayer(_ layer: String, _ toxics: [Toxic]) async throws(NetworkError) {
    try await proxies.setLayer(layer, toxics)
  }

  package func statistics() async -> [ProxyStatistics] { await proxies.statistics() }

  package func run(_ program: ChildProgram) async throws(NetworkError) -> ChildProgram.End {
    var program = program
    program.environment = ProxyVariables.environment(program.environment, through: address, bypass: bypass)
    let ready = program
    return try await thread.attempt { () throws(NetworkError) in try ready.run() }
  }

  package func end() async { await proxies.shutdown() }
}
