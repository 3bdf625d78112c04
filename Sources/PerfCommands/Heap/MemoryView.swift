import MPaaSSampling
import MPaaSSupport
import MPaaSTerminal

/// The memory of a process by kind, its largest ranges, and what grew between two looks.
struct MemoryView: Presentable {
  private let subject: String
  private let map: MemoryMap
  private let growth: MemoryGrowth?
  private let objects: HeapObjectsView
  private let most: Int

  init(subject: String, _ map: MemoryMap, growth: MemoryGrowth?, _ objects: HeapObjectsView, most: Int) {
    self.subject = subject
    self.map = map
    self.growth = growth
    self.objects = objects
    self.most = max(most, 0)
  }

  /// The largest ranges by what of them is in memory.
  private var largest: [MemoryRange] {
    let sorted = map.ranges.sorted { ($1.resident, $0.start) < ($0.resident, $1.start) }
    return Array(sorted.filter { $0.resident > 0 }.prefix(most))
  }

  func document(_ catalogue: Catalogue) -> Document {
    var document = Document()
    document.table(kinds(catalogue))
    if let missing = map.missing, missing > 0 {
      let values = ["size": ByteCount(missing).description]
      document.line(StyledText(catalogue.text("text.perf-heap-cut", values), .warning))
    }
    document.line()
    document.line(StyledText(catalogue.text("text.perf-heap-largest"), .heading))
    document.table(ranges(catalogue))
    if let growth {
      document.line()
      document.line(StyledText(catalogue.text("text.perf-heap-growth"), .heading))
      if growth.ranges.isEmpty { document.line(StyledText(catalogue.text("text.perf-heap-same"))) }
      if !growth.ranges.isEmpty { document.table(table(of: growth, catalogue)) }
    }
    document.line()
    objects.add(to: &document, most: most, catalogue)
    return document
  }

  /// Tells whether it is the memory of a core, which does not say what was shared, written to or swapped out.
  private var isCore: Bool { map.missing != nil }

  private func columns(_ keys: [String], text: Set<String>, _ catalogue: Catalogue) -> [Table.Column] {
    Self.columns(keys, text: text, catalogue)
  }

  static func columns(_ keys: [String], text: Set<String>, _ catalogue: Catalogue) -> [Table.Column] {
    keys.map { Table.Column(catalogue.text("text.perf-heap-\($0)"), isNumeric: !text.contains($0)) }
  }

  private func kinds(_ catalogue: Catalogue) -> Table {
    let sums = map.sums
    var rows: [[StyledText]] = []
    for kind in MemoryKind.allCases {
      guard let amount = sums.byKind[kind] else { continue }
      rows.append([StyledText(catalogue.text("text.perf-memory-\(kind.rawValue)"), .emphasis)] + cells(amount))
    }
    rows.append([StyledText(catalogue.text("text.perf-heap-all"), .heading)] + cells(sums.all))
    let keys = ["kind", "count", "size", "resident"] + (isCore ? [] : ["proportional", "dirty", "swapped"])
    return Table(columns: columns(keys, text: ["kind"], catalogue), rows: rows)
  }

  private func cells(_ amount: MemorySums.Amount) -> [StyledText] {
    let sizes = [amount.size, amount.resident] + (isCore ? [] : [amount.proportional, amount.dirty, amount.swapped])
    return [StyledText("\(amount.count)")] + sizes.map { StyledText(ByteCount($0).description, .number) }
  }

  private func ranges(_ catalogue: Catalogue) -> Table {
    let columns = columns(["resident", "size", "kind", "range", "path"], text: ["kind", "range", "path"], catalogue)
    return Table(
      columns: columns,
      rows: largest.map { range in
        [
          StyledText(ByteCount(range.resident).description, .number), StyledText(ByteCount(range.size).description),
          StyledText(catalogue.text("text.perf-memory-\(map.kind(of: range).rawValue)")),
          StyledText(Self.place(range), .address), StyledText(range.path, .path),
        ]
      })
  }

  private func table(of growth: MemoryGrowth, _ catalogue: Catalogue) -> Table {
    let columns = columns(["grown", "resident", "kind", "range", "path"], text: ["kind", "range", "path"], catalogue)
    return Table(
      columns: columns,
      rows: growth.ranges.prefix(most).map { each in
        [
          StyledText(Self.signed(each.growth), each.growth > 0 ? .warning : .plain),
          StyledText(ByteCount(each.range.resident).description, .number),
          StyledText(catalogue.text("text.perf-memory-\(each.kind.rawValue)")),
          StyledText(Self.place(each.range), .address), StyledText(each.range.path, .path),
        ]
      })
  }

  static func signed(_ bytes: Int64) -> String {
    (bytes < 0 ? "-" : "+") + ByteCount(bytes.magnitude).description
  }

  private static func place(_ range: MemoryRange) -> String {
    "0x\(String(range.start, radix: 16)) \(range.permissions)"
  }

  private enum CodingKeys: String, CodingKey { case subject, all, kinds, ranges, growth, objects, missing }

  private struct Amount: Encodable {
    let count: Int
    let size: UInt64
    let resident: UInt64
    let proportional: UInt64?
    let dirty: UInt64?
    let swapped: UInt64?

    init(_ amount: MemorySums.Amount, isCore: Bool) {
      (count, size, resident) = (amount.count, amount.size, amount.resident)
      proportional = isCore ? nil : amount.proportional
      dirty = isCore ? nil : amount.dirty
      swapped = isCore ? nil : amount.swapped
    }
  }

  private struct Range: Encodable {
    let start: String
    let end: String
    let permissions: String
    let path: String
    let kind: MemoryKind
    let resident: UInt64
    let proportional: UInt64?
    let dirty: UInt64?
    let swapped: UInt64?
    let growth: Int64?

    init(_ range: MemoryRange, _ kind: MemoryKind, growth: Int64?, isCore: Bool = false) {
      start = "0x" + String(range.start, radix: 16)
      end = "0x" + String(range.end, radix: 16)
      permissions = range.permissions
      path = range.path
      self.kind = kind
      resident = range.resident
      proportional = isCore ? nil : range.proportional
      dirty = isCore ? nil : range.dirty
      swapped = isCore ? nil : range.swapped
      self.growth = growth
    }
  }

  private struct Growth: Encodable {
    let kinds: [String: Int64]
    let ranges: [Range]
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    let sums = map.sums
    try container.encode(subject, forKey: .subject)
    try container.encodeIfPresent(map.missing, forKey: .missing)
    try container.encode(Amount(sums.all, isCore: isCore), forKey: .all)
    let kinds = sums.byKind.map { ($0.key.rawValue, Amount($0.value, isCore: isCore)) }
    try container.encode(Dictionary(kinds, uniquingKeysWith: { $1 }), forKey: .kinds)
    try container.encode(largest.map { Range($0, map.kind(of: $0), growth: nil, isCore: isCore) }, forKey: .ranges)
    try container.encodeIfPresent(objects.json(most: most), forKey: .objects)
    if let growth {
      let kinds = growth.byKind.map { ($0.key.rawValue, $0.value) }
      let ranges = growth.ranges.prefix(most).map { Range($0.range, $0.kind, growth: $0.growth) }
      try container.encode(
        Growth(kinds: Dictionary(kinds, uniquingKeysWith: { $1 }), ranges: ranges), forKey: .growth)
    }
  }
}
