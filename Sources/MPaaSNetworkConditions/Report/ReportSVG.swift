import MPaaSSupport
import MPaaSToolSupport

/// A report as a picture: what was applied when, above the curves of throughput, delay and connections.
package struct ReportSVG {
  /// The words of the picture by their keys.
  package typealias Words = (String) -> String

  private let report: NetworkReport
  private let words: Words
  private static let width = 960.0
  private static let left = 84.0
  private static let right = 16.0
  private static let laneHeight = 22.0
  private static let chartHeight = 110.0
  /// The most lanes that are drawn.
  private static let lanes = 16

  package init(_ report: NetworkReport, words: @escaping Words) {
    self.report = report
    self.words = words
  }

  /// The whole file; `isInline` leaves out what only a file of its own needs.
  package func text(isInline: Bool = false) -> String {
    var y = 34.0
    var body = ""
    let (lanes, hidden) = packed()
    for lane in lanes {
      for span in lane { body += bar(span, y) }
      y += Self.laneHeight
    }
    if lanes.isEmpty {
      body += #"<text class="faint" x="\#(Self.left)" y="\#(y + 14)">\#(escape(words("nothing-applied")))</text>"#
      y += Self.laneHeight
    }
    if hidden > 0 {
      body += #"<text class="faint" x="\#(Self.left)" y="\#(y + 12)">+ \#(hidden)</text>"#
      y += Self.laneHeight
    }
    y += 24
    for chart in charts() {
      body += draw(chart, y)
      y += Self.chartHeight + 44
    }
    let height = y
    let title = escape(words("title"))
    let head =
      #"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 960 \#(number(height))" width="960" "#
      + #"height="\#(number(height))" role="img" aria-label="\#(title)" class="net-report">"#
    let background = isInline ? "" : #"<rect class="ground" width="960" height="\#(number(height))"/>"#
    return head + "<title>\(title)</title><style>\(Self.style)</style>" + background
      + #"<text class="head" x="\#(Self.left)" y="20">\#(escape(words("applied")))</text>"# + axis(34, height - 32)
      + body
      + "</svg>" + (isInline ? "" : "\n")
  }

  /// Colours by the class that has them: plain rules, since not every viewer of pictures knows variables.
  private static func rules(_ colours: [(role: String, colour: String)]) -> String {
    let fills: Set<String> = ["ground", "ink", "faint", "profile", "timeline", "toxic"]
    return colours.map { role, colour in
      let selector = role == "ink" ? "text" : "." + role
      return ".net-report \(selector){\(fills.contains(role) ? "fill" : "stroke"):\(colour)}"
    }.joined()
  }

  private static let style =
    ".net-report{font:12px system-ui,sans-serif}.net-report .head{font-weight:600}.net-report .grid{stroke-width:1}"
    + ".net-report .bar{fill-opacity:.25}.net-report .curve{fill:none;stroke-width:1.5;stroke-linejoin:round}"
    + ".net-report .num{text-anchor:end}"
    + rules([
      ("ground", "#fff"), ("ink", "#1b1f24"), ("faint", "#667079"), ("grid", "#d8dee4"), ("profile", "#8250df"),
      ("timeline", "#0969da"), ("toxic", "#bc4c00"), ("down", "#0969da"), ("up", "#1a7f37"), ("late", "#cf222e"),
    ]) + "@media(prefers-color-scheme:dark){"
    + rules([
      ("ground", "#0d1117"), ("ink", "#e6edf3"), ("faint", "#8d96a0"), ("grid", "#30363d"), ("profile", "#a371f7"),
      ("timeline", "#4493f8"), ("toxic", "#f0883e"), ("down", "#4493f8"), ("up", "#3fb950"), ("late", "#f85149"),
    ]) + "}"

  // MARK: - Lanes

  /// Spans in as few lanes as they fit in, and how many were left out.
  private func packed() -> ([[NetworkReport.Applied]], Int) {
    var lanes: [[NetworkReport.Applied]] = []
    var hidden = 0
    for span in report.applied {
      let free = lanes.firstIndex { lane in lane.last.map { $0.end <= span.start && $0.kind == span.kind } ?? true }
      if let free {
        lanes[free].append(span)
      } else if lanes.count < Self.lanes {
        lanes.append([span])
      } else {
        hidden += 1
      }
    }
    return (lanes, hidden)
  }

  private func bar(_ span: NetworkReport.Applied, _ y: Double) -> String {
    let x = place(span.start)
    let width = max(1, place(span.end) - x)
    let proxies = span.proxies.isEmpty ? "" : " (\(span.proxies.joined(separator: ", ")))"
    let tip = "\(span.label)\(proxies): \(ReportNumber.seconds(span.start)) – \(ReportNumber.seconds(span.end))"
    // A letter is at most about seven units wide; what has no room is in the tip.
    let room = Int((width - 8) / 7)
    let label = room > 3 || span.label.utf8.count <= room ? FlameStyle.shortened(span.label, to: room) : ""
    return #"<g><title>\#(escape(tip))</title><rect class="bar \#(span.kind.rawValue)" x="\#(number(x))" "#
      + #"y="\#(number(y))" width="\#(number(width))" height="18" rx="2"/>"#
      + (label.isEmpty
        ? "" : #"<text x="\#(number(x + 4))" y="\#(number(y + 13))">\#(escape(label))</text>"#) + "</g>"
  }

  // MARK: - Curves

  private struct Chart {
    let title: String
    let curves: [(name: String, role: String, values: [Double?])]
    let text: (Double) -> String
  }

  private func charts() -> [Chart] {
    guard !report.points.isEmpty else { return [] }
    return [
      Chart(
        title: words("throughput"),
        curves: [
          (words("down"), "down", report.points.map(\.down)), (words("up"), "up", report.points.map(\.up)),
        ], text: ReportNumber.rate),
      Chart(
        title: words("delay"),
        curves: [
          ("p50", "down", report.points.map { $0.delays?.p50 }), ("p95", "late", report.points.map { $0.delays?.p95 }),
        ], text: ReportNumber.milliseconds),
      Chart(
        title: words("open"), curves: [(words("connections"), "down", report.points.map { Double($0.open) })],
        text: ReportNumber.decimal),
    ]
  }

  private func draw(_ chart: Chart, _ y: Double) -> String {
    let most = max(chart.curves.flatMap(\.values).compactMap { $0 }.max() ?? 0, 1)
    let top = y + 12
    var text = #"<text class="head" x="\#(Self.left)" y="\#(number(y + 2))">\#(escape(chart.title))</text>"#
    var legend = Self.width - Self.right
    for curve in chart.curves.reversed() where chart.curves.count > 1 {
      legend -= Double(curve.name.unicodeScalars.reduce(0) { $0 + ($1.value > 0x2e80 ? 13 : 7) }) + 30
      text +=
        #"<path class="curve \#(curve.role)" d="M\#(number(legend)) \#(number(y - 2))h14"/>"#
        + #"<text class="faint" x="\#(number(legend + 18))" y="\#(number(y + 2))">\#(escape(curve.name))</text>"#
    }
    for share in [0.0, 0.5, 1.0] {
      let line = top + Self.chartHeight * (1 - share)
      text +=
        #"<path class="grid" d="M\#(Self.left) \#(number(line))H\#(Self.width - Self.right)"/>"#
        + #"<text class="faint num" x="\#(Self.left - 6)" y="\#(number(line + 4))">\#(escape(chart.text(most * share)))</text>"#
    }
    for curve in chart.curves { text += path(curve.values, curve.role, top, most) }
    return text
  }

  /// A step for each sample; where there was nothing to measure the curve has a gap.
  private func path(_ values: [Double?], _ role: String, _ top: Double, _ most: Double) -> String {
    var data = ""
    var isDrawing = false
    for (point, value) in zip(report.points, values) {
      guard let value else {
        isDrawing = false
        continue
      }
      let y = number(top + Self.chartHeight * (1 - value / most))
      let start = number(place(point.time - point.duration))
      data += isDrawing ? "V\(y)" : "M\(start) \(y)"
      data += "H\(number(place(point.time)))"
      isDrawing = true
    }
    return data.isEmpty ? "" : #"<path class="curve \#(role)" d="\#(data)"/>"#
  }

  // MARK: - Places

  private func axis(_ top: Double, _ bottom: Double) -> String {
    let step = Self.step(report.duration)
    var text = ""
    var time = 0.0
    while time <= report.duration + 1e-9 {
      let x = number(place(time))
      text +=
        #"<path class="grid" d="M\#(x) \#(number(top))V\#(number(bottom))"/>"#
        + #"<text class="faint" text-anchor="middle" x="\#(x)" y="\#(number(bottom + 16))">"#
        + "\(ReportNumber.seconds(time))</text>"
      time += step
    }
    return text
  }

  /// A round time that divides `duration` in at most ten.
  private static func step(_ duration: Double) -> Double {
    for step in [0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 30, 60, 120, 300, 600, 1200, 1800, 3600, 7200, 14400, 43200, 86400]
    where duration / step <= 10 {
      return step
    }
    return max(duration / 10, 1)
  }

  private func place(_ time: Double) -> Double {
    let span = max(report.duration, 1e-9)
    let share = min(max(time / span, 0), 1)
    return Self.left + (Self.width - Self.left - Self.right) * share
  }

  private func number(_ value: Double) -> String { ReportNumber.decimal(value) }
  private func escape(_ text: String) -> String { text.escapedMarkup(.report) }
}

extension MarkupEscaping {
  /// One line of a report, in HTML, SVG and Markdown.
  static let report = MarkupEscaping(tab: " ", lineFeed: " ", carriageReturn: "?", unspellable: "?")
}
