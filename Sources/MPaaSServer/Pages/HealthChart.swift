import MPaaSSupport

/// A chart of sessions and of the share that crashed, as SVG without a script; the table beneath has the numbers.
struct HealthChart: Sendable {
  /// The words that screen readers say first.
  let title: String
  let description: String
  let points: [ReleaseHealth.Point]
  let interval: HealthInterval
  let from: Int64
  let to: Int64

  private static let width = 720
  private static let bars = 120
  private static let line = 60
  private static let gap = 16

  private static let style = """
    .chart{width:100%;height:auto;display:block;margin:8px 0 16px}.chart .alive{fill:var(--own);opacity:.55}.chart .crashed{fill:none;stroke:var(--bad);stroke-width:1.5}.chart .axis{stroke:var(--line);fill:none}.chart text{fill:var(--dim);font-size:11px}
    """

  /// The markup; empty where there are no points.
  var markup: String {
    let count = max((to - from) / interval.width, 1)
    guard !points.isEmpty, count <= HealthQuery.mostPoints else { return "" }
    let height = Self.bars + Self.gap + Self.line
    let top = points.map(\.counts.sessions).max() ?? 0
    let rates = points.map(\.counts.crashRate)
    let worst = rates.max() ?? 0
    let crashes = worst > 0 ? "<path class=crashed d=\"\(curve(rates, worst, count))\"/>" : ""
    return """
      <svg class=chart viewBox="0 0 \(Self.width) \(height + 4)" role=img aria-labelledby="chart-title chart-desc">
      <style>\(Self.style)</style>
      <title id=chart-title>\(HTML.escaped(title))</title><desc id=chart-desc>\(HTML.escaped(description))</desc>
      <path class=axis d="M0 \(Self.bars)H\(Self.width)M0 \(height)H\(Self.width)"/>
      <path class=alive d="\(columns(Double(max(top, 1)), Double(count)))"/>\(crashes)
      <text x=2 y=11>\(top)</text><text x=2 y=\(Self.bars + Self.gap + 9)>\(Self.percent(worst))</text></svg>
      """
  }

  private func x(_ point: ReleaseHealth.Point, _ count: Double) -> Double {
    Double(point.start - from) / Double(interval.width) / count * Double(Self.width)
  }

  private func columns(_ top: Double, _ count: Double) -> String {
    let wide = max(Double(Self.width) / count - 1, 0.6)
    return points.map { point in
      let y = Double(Self.bars) * (1 - Double(point.counts.sessions) / top)
      return "M\(Self.short(x(point, count))) \(Self.bars)V\(Self.short(y))h\(Self.short(wide))V\(Self.bars)z"
    }.joined()
  }

  private func curve(_ rates: [Double], _ worst: Double, _ count: Int64) -> String {
    let middle = Double(Self.width) / Double(count) / 2
    return zip(points, rates).enumerated().map { index, pair in
      let y = Double(Self.bars + Self.gap) + Double(Self.line) * (1 - pair.1 / worst)
      return
        "\(index == 0 ? "M" : "L")\(Self.short(x(pair.0, Double(count)) + middle)) \(Self.short(y))\(points.count == 1 ? "h3" : "")"
    }.joined()
  }

  /// A number with one digit behind the point at most.
  private static func short(_ number: Double) -> String {
    let tenths = Int((number * 10).rounded())
    return tenths % 10 == 0 ? String(tenths / 10) : "\(tenths / 10).\(abs(tenths % 10))"
  }

  /// A share in percent, with two digits behind the point.
  static func percent(_ share: Double) -> String {
    let hundredths = Int((share * 10_000).rounded())
    return "\(hundredths / 100).\((hundredths % 100).padded(to: 2)) %"
  }
}

extension SessionCounts {
  /// The share that crashed; 0 of none.
  var crashRate: Double { sessions > 0 ? Double(crashed) / Double(sessions) : 0 }
}
