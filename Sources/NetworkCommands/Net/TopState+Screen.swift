import MPaaSNetworkConditions
import MPaaSSupport
import MPaaSTerminal

extension TopState {
  /// The lines of a screen, from the top.
  func screen(columns: Int, rows: Int) -> [StyledText] {
    var lines = [title, "", heading(columns)]
    let details = details(columns, rows)
    let room = max(1, rows - lines.count - details.count - 2)
    let first = max(0, min(chosen - room / 2, proxies.count - room))
    for index in first..<min(proxies.count, first + room) { lines.append(row(index, columns)) }
    if proxies.isEmpty { lines.append(StyledText("  " + catalogue.text("text.net-no-proxies"), .faint)) }
    lines += details
    while lines.count < rows - 2 { lines.append("") }
    lines = Array(lines.prefix(rows - 2))
    lines.append(message ?? "")
    lines.append(StyledText(catalogue.text("text.net-top-keys"), .faint))
    return lines
  }

  private var title: StyledText {
    var line = StyledText("mpaas net top", .heading)
    line.append("  \(address)", .path)
    line.append("  " + catalogue.text("text.net-top-proxies", ["count": "\(proxies.count)"]))
    if let profile = history.sample?.profile { line.append("  \(profile)", .warning) }
    for button in history.sample?.pressed ?? [] { line.append("  [\(button)]", .bad) }
    return line
  }

  private enum Width {
    static let name = 16
    static let rate = 11
    static let spark = 16
  }

  /// Tells whether there is room for the graphs beside the numbers.
  private func hasSparks(_ columns: Int) -> Bool { columns >= 130 }

  private func heading(_ columns: Int) -> StyledText {
    func column(_ key: String, _ width: Int) -> String {
      catalogue.text("text.net-top-\(key)").truncated(toWidth: width).padded(toWidth: width, trailing: true)
    }
    let spark = hasSparks(columns) ? String(repeating: " ", count: Width.spark + 1) : ""
    let name = catalogue.text("text.net-column-name").padded(toWidth: Width.name)
    return StyledText(
      "  \(name) \(column("down", Width.rate))\(spark) \(column("up", Width.rate))\(spark) "
        + "\(column("connections", 6)) \(column("held", 9)) \(column("delay", 15))  "
        + catalogue.text("text.net-column-toxics"), .heading)
  }

  private func row(_ index: Int, _ columns: Int) -> StyledText {
    let proxy = proxies[index]
    let name = proxy.text("name")
    let rate = history.rate(of: name)
    let now = history.statistics(of: name)
    let isUp = proxy["enabled"]?.bool == true
    var line = StyledText(index == chosen ? "> " : "  ", .number)
    line.append(
      name.truncated(toWidth: Width.name).padded(toWidth: Width.name),
      index == chosen ? .highlight : isUp ? .emphasis : .bad)
    for (value, path) in [(rate.down, \TrafficHistory.Rate.down), (rate.up, \TrafficHistory.Rate.up)] {
      line.append(" " + Self.bits(value).padded(toWidth: Width.rate, trailing: true), .number)
      if hasSparks(columns) { line.append(" " + spark(name, path), .function) }
    }
    line.append(" " + "\(now?.openConnections ?? 0)".padded(toWidth: 6, trailing: true))
    let held = UInt64(max(0, (now?.downstream.held ?? 0) + (now?.upstream.held ?? 0)))
    line.append(" " + ByteCount(held).description.padded(toWidth: 9, trailing: true))
    let delay = rate.p50 == nil ? "–" : "\(Self.milliseconds(rate.p50))/\(Self.milliseconds(rate.p95))"
    line.append(" " + delay.padded(toWidth: 15, trailing: true))
    line.append("  ")
    if !isUp {
      line.append(catalogue.text("text.net-disabled"), .bad)
    } else {
      line.append(proxy.toxics.map { $0.text("name") }.joined(separator: ", "), .warning)
    }
    return line
  }

  private func spark(_ name: String, _ path: KeyPath<TrafficHistory.Rate, Double>) -> String {
    Sparkline.line(counts(name, Width.spark) { $0[keyPath: path] })
  }

  /// The last values of a proxy, the newest at the end.
  private func counts(_ name: String, _ width: Int, _ value: (TrafficHistory.Rate) -> Double) -> [Int] {
    let last = (history.rates[name] ?? []).suffix(width).map { Int(min(value($0), 1e15).rounded(.up)) }
    return Array(repeating: 0, count: max(0, width - last.count)) + last
  }

  // MARK: - The chosen proxy

  private func details(_ columns: Int, _ rows: Int) -> [StyledText] {
    guard let proxy = chosenProxy, rows >= 14 else { return [] }
    let name = proxy.text("name")
    let height = rows >= 24 ? 4 : 2
    let width = max(10, min((columns - 6) / 2, 60))
    let all = history.rates[name] ?? []
    let throughput = counts(name, width) { $0.down + $0.up }
    let delays = counts(name, width) { ($0.p50 ?? 0) * 1000 }
    var lines: [StyledText] = [
      "",
      StyledText(name, .emphasis) + "  " + StyledText("\(proxy.text("listen")) → \(proxy.text("upstream"))", .path)
        + StyledText("  \(proxy.text("kind"))", .faint),
    ]
    let left = catalogue.text(
      "text.net-top-throughput", ["most": Self.bits(all.suffix(width).map { $0.down + $0.up }.max() ?? 0)])
    let right = catalogue.text(
      "text.net-top-latency", ["most": Self.milliseconds(all.suffix(width).compactMap(\.p50).max())])
    lines.append(
      StyledText(
        "  " + left.truncated(toWidth: width).padded(toWidth: width) + "  " + right.truncated(toWidth: width), .faint))
    let charts = zip(Sparkline.chart(throughput, rows: height), Sparkline.chart(delays, rows: height))
    for (one, other) in charts {
      lines.append(StyledText("  " + one, .function) + StyledText("  " + other, .warning))
    }
    for toxic in proxy.toxics.prefix(max(1, rows / 4)) { lines.append(StyledText("  ") + ProxyViews.line(toxic)) }
    if proxy.toxics.isEmpty { lines.append(StyledText("  " + catalogue.text("text.net-no-toxics"), .faint)) }
    return lines
  }
}
