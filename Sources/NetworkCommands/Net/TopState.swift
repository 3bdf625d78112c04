import MPaaSNetworkConditions
import MPaaSSupport
import MPaaSTerminal

/// What a dashboard knows: the last samples of each proxy, and which one is chosen.
struct TopState: Presentable {
  /// What passed in one interval.
  struct Rate: Sendable {
    /// Bytes a second.
    var down = 0.0
    var up = 0.0
    var requests = 0.0
    /// Milliseconds that deliveries to the client were held; nil where there were none.
    var p50: Double?
    var p95: Double?
  }

  /// Samples that are kept.
  private static let kept = 120

  let catalogue: Catalogue
  let address: String
  private(set) var sample: TopSample?
  private(set) var rates: [String: [Rate]] = [:]
  private(set) var chosen = 0
  /// What was said last: a pressed button, an error.
  var message: StyledText?

  init(catalogue: Catalogue, address: String) {
    self.catalogue = catalogue
    self.address = address
  }

  var proxies: [JSONValue.Object] { sample?.proxies ?? [] }
  var chosenProxy: JSONValue.Object? { proxies.indices.contains(chosen) ? proxies[chosen] : nil }

  mutating func choose(by distance: Int) {
    chosen = max(0, min(chosen + distance, proxies.count - 1))
  }

  mutating func take(_ new: TopSample) {
    let seconds = max(new.time - (sample?.time ?? new.time), 0.001)
    let before = Dictionary((sample?.statistics ?? []).map { ($0.proxy, $0) }) { first, _ in first }
    for now in new.statistics {
      guard let old = before[now.proxy] else { continue }
      let all = (rates[now.proxy] ?? []) + [Self.rate(from: old, to: now, seconds)]
      rates[now.proxy] = Array(all.suffix(Self.kept))
    }
    rates = rates.filter { name, _ in new.statistics.contains { $0.proxy == name } }
    sample = new
    choose(by: 0)
  }

  private static func rate(from old: ProxyStatistics, to new: ProxyStatistics, _ seconds: Double) -> Rate {
    func perSecond(_ path: KeyPath<ProxyStatistics, Int64>) -> Double {
      Double(max(0, new[keyPath: path] - old[keyPath: path])) / seconds
    }
    var passed = ProxyStatistics.Traffic()
    for index in passed.delays.indices {
      passed.delays[index] = max(0, new.downstream.delays[index] - old.downstream.delays[index])
    }
    return Rate(
      down: perSecond(\.downstream.sent), up: perSecond(\.upstream.sent), requests: perSecond(\.requests),
      p50: passed.delay(atShare: 0.5), p95: passed.delay(atShare: 0.95))
  }

  func statistics(of name: String) -> ProxyStatistics? { sample?.statistics.first { $0.proxy == name } }

  func rate(of name: String) -> Rate { rates[name]?.last ?? Rate() }

  /// A line for each proxy, for what is no terminal.
  func document(_ catalogue: Catalogue) -> Document {
    let lines = proxies.map { proxy in
      let name = proxy.text("name")
      let rate = rate(of: name)
      let held = statistics(of: name).map { $0.downstream.held + $0.upstream.held } ?? 0
      return StyledText(
        catalogue.text(
          "text.net-top-line",
          [
            "name": name, "down": Self.bits(rate.down), "up": Self.bits(rate.up),
            "connections": "\(statistics(of: name)?.openConnections ?? 0)",
            "held": ByteCount(UInt64(max(0, held))).description,
            "p50": Self.milliseconds(rate.p50), "p95": Self.milliseconds(rate.p95), "toxics": "\(proxy.toxics.count)",
          ]))
    }
    return Document(lines: lines)
  }

  func encode(to encoder: any Encoder) throws { try json.encode(to: encoder) }

  /// The last sample as an object.
  var json: JSONValue {
    var object: JSONValue.Object = [:]
    object["time"] = JSONValue(sample?.time ?? 0)
    object["profile"] = sample?.profile.map { .string($0) } ?? .null
    object["pressed"] = .array((sample?.pressed ?? []).map { .string($0) })
    object["proxies"] = .array(proxies.map { .object(self.object(of: $0)) })
    return .object(object)
  }

  private func object(of proxy: JSONValue.Object) -> JSONValue.Object {
    let name = proxy.text("name")
    let rate = rate(of: name)
    let now = statistics(of: name) ?? ProxyStatistics(proxy: name)
    var object: JSONValue.Object = ["name": .string(name)]
    object["enabled"] = proxy["enabled"] ?? .bool(false)
    object["down_bits_per_second"] = JSONValue((rate.down * 8).rounded())
    object["up_bits_per_second"] = JSONValue((rate.up * 8).rounded())
    object["requests_per_second"] = JSONValue(rate.requests)
    object["open_connections"] = JSONValue(now.openConnections)
    object["held_bytes"] = JSONValue(now.downstream.held + now.upstream.held)
    object["delay_p50_ms"] = rate.p50.flatMap { JSONValue($0) } ?? .null
    object["delay_p95_ms"] = rate.p95.flatMap { JSONValue($0) } ?? .null
    object["toxics"] = .array(proxy.toxics.map { .string($0.text("name")) })
    return object
  }

  /// A rate of bytes as bits a second, such as `1.5 Mbit/s`.
  static func bits(_ bytesPerSecond: Double) -> String {
    var value = bytesPerSecond * 8
    for unit in ["bit/s", "kbit/s", "Mbit/s"] {
      if value < 1000 { return short(value) + " " + unit }
      value /= 1000
    }
    return short(value) + " Gbit/s"
  }

  static func milliseconds(_ value: Double?) -> String { value.map { short($0) + " ms" } ?? "–" }

  /// Three digits at most, as `7.5`, `42`, `310`.
  private static func short(_ value: Double) -> String {
    if value >= 10 || value == value.rounded() { return "\(Int(value.rounded()))" }
    let tenths = Int((value * 10).rounded())
    return "\(tenths / 10).\(tenths % 10)"
  }
}
