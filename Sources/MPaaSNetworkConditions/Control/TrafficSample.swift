package import MPaaSSupport

/// The proxies of a server of the control API, and what passed through them until a time.
package struct TrafficSample: Sendable {
  /// Asks for a document of the API by its path.
  package typealias Ask = @Sendable (_ path: [String]) async throws -> JSONValue

  /// Seconds since 1970.
  package var time: Double
  /// As the API writes them, sorted by their names.
  package var proxies: [JSONValue.Object]
  package var statistics: [ProxyStatistics]
  /// The profile that holds.
  package var profile: String?
  /// The buttons that are down.
  package var pressed: [String]

  package init(
    time: Double, proxies: [JSONValue.Object], statistics: [ProxyStatistics], profile: String? = nil,
    pressed: [String] = []
  ) {
    self.time = time
    self.proxies = proxies
    self.statistics = statistics
    self.profile = profile
    self.pressed = pressed
  }

  /// Asks a server.
  ///
  /// - Parameter names: The proxies that are wanted; all where there are none. Each is asked for, so that one that is
  ///   not there is refused.
  /// - Throws: Errors of `ask`.
  package init(of names: [String], _ ask: Ask) async throws {
    for name in names { _ = try await ask(["proxies", name]) }
    let isWanted = { (name: String) in names.isEmpty || names.contains(name) }
    let all = try await ask(["proxies"]).object ?? [:]
    let statistics = try await ask(["statistics"]).object ?? [:]
    let profiles = try await ask(["profiles"]).object ?? [:]
    let buttons = try await ask(["buttons"]).object ?? [:]
    self.init(
      time: statistics["time"]?.double ?? 0,
      proxies: all.sorted { $0.key < $1.key }.compactMap(\.value.object).filter { isWanted($0["name"]?.string ?? "") },
      statistics: (statistics["proxies"]?.array ?? []).compactMap(\.object).map(ProxyStatistics.init)
        .filter { isWanted($0.proxy) },
      profile: profiles["applied"]?.object.map { $0["name"]?.string ?? "" },
      pressed: (buttons["pressed"]?.array ?? []).compactMap(\.string))
  }
}
