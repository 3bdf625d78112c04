package import MPaaSToolSupport

/// A trace as a flame graph: times below, names in the boxes, more when one is pointed at.
package enum FlameSVG {
  /// The colours of the kinds; others are grey.
  private static let colours = [
    "framework": "#8d6e63", "phase": "#ffb74d", "module": "#ef8354", "service": "#64b5f6", "application": "#81c784",
    "event": "#ba68c8", "custom": "#4db6ac",
  ]

  /// Draws a trace.
  ///
  /// - Parameter title: What stands above.
  package static func picture(_ trace: TraceFile, title: String, words: FlamePicture.Words) -> FlamePicture {
    let first = trace.spans.first?.start ?? 0
    let scale = trace.total > 0 ? 1 / Double(trace.total) : 0
    let boxes = FlameRows(trace).rows.enumerated().flatMap { row, indices in
      indices.map { index in
        let span = trace.spans[index]
        return FlamePicture.Box(
          name: span.name, tip: tip(span, trace),
          color: span.error == nil ? colours[span.kind] ?? "#b0bec5" : "#e53935",
          left: Double(span.start - first) * scale, width: Double(span.duration) * scale, row: row)
      }
    }
    return FlamePicture(
      title: title, boxes: boxes, ticks: (0...10).map { TraceTime.text(trace.total * Int64($0) / 10) }, words: words)
  }

  private static func tip(_ span: TracedSpan, _ trace: TraceFile) -> String {
    var lines = [TraceTime.text(span.duration)]
    if let thread = trace.threads[span.thread] { lines[0] += ", \(thread)" }
    lines += [span.place, span.error].compactMap(\.self)
    return lines.joined(separator: "\n")
  }
}
