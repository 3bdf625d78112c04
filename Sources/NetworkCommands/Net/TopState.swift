import MPaaSNetworkConditions
import MPaaSSupport
import MPaaSTerminal

/// The state of a dashboard: the last samples of each proxy, and the one that is chosen.
struct TopState: Presentable {
  let catalogue: Catalogue
  let address: String
  private(set) var history = TrafficHistory()
  private(set) var chosen = 0
  /// The last message: a pressed button, an error.
  var message: StyledText?

  init(catalogue: Catalogue, address: String) {
    self.catalogue = catalogue
    self.address = address
  }

  var proxies: [JSONValue.Object] { history.sample?.proxies ?? [] }
  var chosenProxy: JSONValue.Object? { proxies.indices.contains(chosen) ? proxies[chosen] : nil }

  mutating func choose(by distance: Int) {
    chosen = max(0, min(chosen + distance, proxies.count - 1))
  }

  mutating func take(_ new: TrafficSample) {
    history.take(new)
    choose(by: 0)
  }

  /// A line for each proxy, for what is no terminal.
  func document(_ catalogue: Catalogue) -> Document {
    let lines = proxies.map { proxy in
      let name = proxy.text("name")
      let rate = history.rate(of: name)
      let held = history.statistics(of: name).map { $0.downstream.held + $0.upstream.held } ?? 0
      return StyledText(
        catalogue.text(
          "text.net-top-line",
          [
            "name": name, "down": Self.bits(rate.down), "up": Self.bits(rate.up),
            "connections": "\(history.statistics(of: name)?.openConnections ?? 0)",
            "held": ByteCount(UInt64(max(0, held))).description,
            "p50": Self.milliseconds(rate.p50), "p95": Self.milliseconds(rate.p95), "toxics": "\(proxy.toxics.count)",
          ]))
    }
    return Document(lines: lines)
  }

  func encode(to encoder: any Encoder) throws { try history.json.encode(to: encoder) }

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
