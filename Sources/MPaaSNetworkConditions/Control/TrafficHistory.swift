package import MPaaSSupport

/// The last samples of a server's traffic as rates of each proxy.
package struct TrafficHistory: Sendable {
  /// The traffic of one interval.
  package struct Rate: Sendable, Equatable {
    /// Bytes a second.
    package var down = 0.0
    package var up = 0.0
    package var requests = 0.0
    /// Milliseconds that deliveries to the client were held; nil where there were none.
    package var p50: Double?
    package var p95: Double?

    package init() {}
  }

  /// Samples that are kept.
  private static let kept = 120

  /// The newest one.
  package private(set) var sample: TrafficSample?
  /// By the proxy, the newest at the end.
  package private(set) var rates: [String: [Rate]] = [:]

  package init() {}

  /// Takes a sample that is newer than those before; proxies that it lacks are forgotten.
  package mutating func take(_ new: TrafficSample) {
    let seconds = max(new.time - (sample?.time ?? new.time), 0.001)
    let before = Dictionary((sample?.statistics ?? []).map { ($0.proxy, $0) }) { first, _ in first }
    for now in new.statistics {
      guard let old = before[now.proxy] else { continue }
      let all = (rates[now.proxy] ?? []) + [Self.rate(from: old, to: now, seconds)]
      rates[now.proxy] = Array(all.suffix(Self.kept))
    }
    rates = rates.filter { name, _ in new.statistics.contains { $0.proxy == name } }
    sample = new
  }

  private static func rate(from old: ProxyStatistics, to new: ProxyStatistics, _ seconds: Double) -> Rate {
    func perSecond(_ path: KeyPath<ProxyStatistics, Int64>) -> Double {
      Double(max(0, new[keyPath: path] - old[keyPath: path])) / seconds
    }
    var passed = ProxyStatistics.Traffic()
    for index in passed.delays.indices {
      passed.delays[index] = max(0, new.downstream.delays[index] - old.downstream.delays[index])
    }
    var rate = Rate()
    (rate.down, rate.up, rate.requests) = (
      perSecond(\.downstream.sent), perSecond(\.upstream.sent), perSecond(\.requests)
    )
    (rate.p50, rate.p95) = (passed.delay(atShare: 0.5), passed.delay(atShare: 0.95))
    return rate
  }

  /// The newest statistics of a proxy; nil where it has none.
  package func statistics(of name: String) -> ProxyStatistics? { sample?.statistics.first { $0.proxy == name } }

  /// The rate of the last interval; zero where there is none yet.
  package func rate(of name: String) -> Rate { rates[name]?.last ?? Rate() }

  /// The last sample as an object.
  package var json: JSONValue {
    var object: JSONValue.Object = [:]
    object["time"] = JSONValue(sample?.time ?? 0)
    object["profile"] = sample?.profile.map { .string($0) } ?? .null
    object["pressed"] = .array((sample?.pressed ?? []).map { .string($0) })
    object["proxies"] = .array((sample?.proxies ?? []).map { .object(self.object(of: $0)) })
    return .object(object)
  }

  private func object(of proxy: JSONValue.Object) -> JSONValue.Object {
    let name = proxy["name"]?.string ?? ""
    let rate = rate(of: name)
    let now = statistics(of: name) ?? ProxyStatistics(proxy: name)
    let toxics = (proxy["toxics"]?.array ?? []).compactMap(\.object)
    var object: JSONValue.Object = ["name": .string(name)]
    object["enabled"] = proxy["enabled"] ?? .bool(false)
    object["down_bits_per_second"] = JSONValue((rate.down * 8).rounded())
    object["up_bits_per_second"] = JSONValue((rate.up * 8).rounded())
    object["requests_per_second"] = JSONValue(rate.requests)
    object["open_connections"] = JSONValue(now.openConnections)
    object["held_bytes"] = JSONValue(now.downstream.held + now.upstream.held)
    object["delay_p50_ms"] = rate.p50.flatMap { JSONValue($0) } ?? .null
    object["delay_p95_ms"] = rate.p95.flatMap { JSONValue($0) } ?? .null
    object["toxics"] = .array(toxics.map { .string($0["name"]?.string ?? "") })
    return object
  }
}
