import MPaaSSampling
import MPaaSSupport
import MPaaSTerminal

/// Swift's objects by their classes, and what there is more of than at an earlier look.
struct HeapObjectsView {
  private let objects: HeapObjects?
  private let growth: [HeapObjects.Row]?

  init(_ objects: HeapObjects?, since before: HeapObjects? = nil) {
    self.objects = objects
    growth = before.flatMap { objects?.growth(from: $0) }
  }

  func add(to document: inout Document, most: Int, _ catalogue: Catalogue) {
    guard let objects, objects.blocks > 0 else {
      let key = objects == nil ? "text.perf-heap-uncounted" : "text.perf-heap-no-blocks"
      document.line(StyledText(catalogue.text(key), .faint))
      return
    }
    if !objects.rows.isEmpty { addTables(objects, to: &document, most: most, catalogue) }
    let values = [
      "objects": "\(objects.rows.reduce(0) { $0 + $1.count })", "blocks": "\(objects.blocks)",
      "size": ByteCount(objects.blockBytes).description, "time": Self.milliseconds(objects.stopped),
    ]
    let key = objects.stopped > 0 ? "text.perf-heap-counted" : "text.perf-heap-counted-core"
    document.line(StyledText(catalogue.text(key, values), .faint))
  }

  private func addTables(_ objects: HeapObjects, to document: inout Document, most: Int, _ catalogue: Catalogue) {
    document.line(StyledText(catalogue.text("text.perf-heap-objects"), .heading))
    let columns = MemoryView.columns(["number", "size", "type", "image"], text: ["type", "image"], catalogue)
    document.table(Table(columns: columns, rows: objects.rows.prefix(most).map { Self.cells($0, isGrowth: false) }))
    document.line()
    guard let growth else { return }
    document.line(StyledText(catalogue.text("text.perf-heap-objects-growth"), .heading))
    if growth.isEmpty { document.line(StyledText(catalogue.text("text.perf-heap-same"))) }
    if !growth.isEmpty {
      document.table(Table(columns: columns, rows: growth.prefix(most).map { Self.cells($0, isGrowth: true) }))
    }
    document.line()
  }

  private static func cells(_ row: HeapObjects.Row, isGrowth: Bool) -> [StyledText] {
    let (count, size) =
      isGrowth
      ? ((row.count < 0 ? "" : "+") + "\(row.count)", MemoryView.signed(row.bytes))
      : ("\(row.count)", ByteCount(UInt64(max(row.bytes, 0))).description)
    return [
      StyledText(count, isGrowth && row.count > 0 ? .warning : .number), StyledText(size, .number),
      StyledText(row.type, .emphasis), StyledText(row.image, .path),
    ]
  }

  private static func milliseconds(_ nanoseconds: UInt64) -> String {
    let tenths = (nanoseconds + 50_000) / 100_000
    return "\(tenths / 10).\(tenths % 10) ms"
  }

  struct JSON: Encodable {
    let blocks: Int
    let blockBytes: UInt64
    let stoppedSeconds: Double
    let classes: [HeapObjects.Row]
    let growth: [HeapObjects.Row]?

    private enum CodingKeys: String, CodingKey {
      case blocks, classes, growth
      case blockBytes = "block_bytes"
      case stoppedSeconds = "stopped_seconds"
    }
  }

  /// The same for scripts; nil where objects were not counted.
  func json(most: Int) -> JSON? {
    objects.map { objects in
      JSON(
        blocks: objects.blocks, blockBytes: objects.blockBytes, stoppedSeconds: Double(objects.stopped) / 1e9,
        classes: Array(objects.rows.prefix(most)), growth: growth.map { Array($0.prefix(most)) })
    }
  }
}
