/// The spans of a trace in rows: time goes from left to right, and what is within a span stands below it.
///
/// Spans that overlap without one holding the other, as asynchronous ones do, get rows of their own.
package struct FlameRows: Sendable {
  /// Positions in the trace's spans, each row from left to right without overlaps.
  package private(set) var rows: [[Int]] = []
  /// The number of spans that did not fit into `limit` rows.
  package private(set) var omitted = 0

  /// - Parameter limit: How many rows there may be.
  package init(_ trace: TraceFile, limit: Int = 64) {
    var ends: [Int64] = []
    var rowOf: [Int: Int] = [:]
    for (index, span) in trace.spans.enumerated() {
      var row = 0
      if let parent = span.parent, let above = rowOf[parent], trace.spans[parent].end >= span.end { row = above + 1 }
      while row < ends.count, ends[row] > span.start { row += 1 }
      guard row < limit else {
        omitted += 1
        continue
      }
      while ends.count <= row {
        ends.append(.min)
        rows.append([])
      }
      rows[row].append(index)
      ends[row] = max(ends[row], span.end)
      rowOf[index] = row
    }
    // Rows may begin empty where a parent stands low; they say nothing.
    rows.removeAll(where: \.isEmpty)
  }
}
