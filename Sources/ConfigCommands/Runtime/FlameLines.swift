import MPaaSProject
import MPaaSTerminal
import MPaaSToolSupport

/// A flame graph in lines of text: time from left to right, what is within something below it.
enum FlameLines {
  /// More rows than this say nothing on a screen.
  private static let most = 24

  static func lines(of trace: TraceFile, width: Int) -> [StyledText] {
    let columns = max(40, min(width, 240))
    let flame = FlameRows(trace, limit: most)
    let total = max(1, trace.total)
    let first = trace.spans.first?.start ?? 0
    func column(_ time: Int64) -> Int { Int(Double(time - first) / Double(total) * Double(columns)) }
    let rows = flame.rows.map { indices in
      var line = StyledText()
      var used = 0
      for index in indices {
        let span = trace.spans[index]
        let start = max(used, column(span.start))
        let end = min(columns, max(start + 1, column(span.end)))
        // A span narrower than a column shares it with the span that stands there already.
        guard start < end, start >= column(span.start), column(span.end) >= used else { continue }
        line.append(String(repeating: " ", count: start - used))
        line.append(bar(span.name, end - start), role(span))
        used = end
      }
      return line
    }
    return rows + [axis(trace.total, columns)]
  }

  private static func bar(_ name: String, _ width: Int) -> String {
    let text = "▏" + name.truncated(toWidth: width - 1)
    return text + String(repeating: "─", count: max(0, width - text.displayWidth))
  }

  private static func role(_ span: TracedSpan) -> TextRole {
    if span.error != nil { return .bad }
    return switch span.kind {
    case "framework": .heading
    case "phase": .emphasis
    case "service": .address
    case "application": .good
    case "event": .highlight
    default: .function
    }
  }

  private static func axis(_ total: Int64, _ columns: Int) -> StyledText {
    let (left, right) = ("0", TraceTime.text(total))
    let space = max(1, columns - left.displayWidth - right.displayWidth)
    return StyledText(left + String(repeating: " ", count: space) + right, .faint)
  }
}
