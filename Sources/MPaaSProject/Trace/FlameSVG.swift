import MPaaSSupport
import MPaaSToolSupport

/// A flame graph as one SVG file that needs nothing else: times below, names in the boxes, more when one is pointed at.
package enum FlameSVG {
  private static let width = 1200.0
  private static let height = 18.0
  private static let margin = 10.0
  private static let style = FlameStyle(height: height, radius: 1, letter: 6.6, precision: 1, escaping: .quoted)

  /// The colours of the kinds; others are grey.
  private static let colours = [
    "framework": "#8d6e63", "phase": "#ffb74d", "module": "#ef8354", "service": "#64b5f6", "application": "#81c784",
    "event": "#ba68c8", "custom": "#4db6ac",
  ]

  /// Draws a trace.
  ///
  /// - Parameter title: What stands above.
  package static func drawing(_ trace: TraceFile, title: String) -> String {
    let flame = FlameRows(trace)
    let first = trace.spans.first?.start ?? 0
    let scale = trace.total > 0 ? (width - 2 * margin) / Double(trace.total) : 0
    let bottom = 40 + Double(flame.rows.count) * height
    var text = """
      <svg xmlns="http://www.w3.org/2000/svg" width="\(Int(width))" height="\(Int(bottom) + 30)" \
      viewBox="0 0 \(Int(width)) \(Int(bottom) + 30)" font-family="ui-monospace, Menlo, Consolas, monospace" \
      font-size="11">
      <title>\(title.escapedMarkup(.quoted))</title>
      <style>rect{stroke:#fff;stroke-width:.5}g:hover rect{stroke:#000;stroke-width:1}text{pointer-events:none}</style>
      <rect width="100%" height="100%" fill="#fff" stroke="none"/>
      <text x="\(Int(margin))" y="22" font-size="14">\(title.escapedMarkup(.quoted))</text>

      """
    for (row, indices) in flame.rows.enumerated() {
      for index in indices {
        let span = trace.spans[index]
        let left = margin + Double(span.start - first) * scale
        text += box(span, trace, left: left, width: Double(span.duration) * scale, top: 34 + Double(row) * height)
      }
    }
    for tick in 0...10 {
      let left = margin + (width - 2 * margin) * Double(tick) / 10
      let anchor = tick == 0 ? "start" : tick == 10 ? "end" : "middle"
      text += #"<text x="\#(style.number(left))" y="\#(Int(bottom) + 16)" text-anchor="\#(anchor)" fill="gray">"#
      text += "\(TraceTime.text(trace.total * Int64(tick) / 10))</text>\n"
    }
    return text + "</svg>\n"
  }

  private static func box(
    _ span: TracedSpan, _ trace: TraceFile, left: Double, width: Double, top: Double
  ) -> String {
    let colour = span.error == nil ? colours[span.kind] ?? "#b0bec5" : "#e53935"
    var tip = "\(span.name): \(TraceTime.text(span.duration))"
    if let thread = trace.threads[span.thread] { tip += ", \(thread)" }
    for more in [span.place, span.error].compactMap(\.self) { tip += "\n\(more)" }
    return style.box(span.name, tip: tip, color: colour, left: left, top: top, width: max(width, 0.3))
  }
}
