import MPaaSSupport

/// The parts of a process's memory that a dump holds.
struct MinidumpMemory {
  struct Range {
    let start: UInt64
    let bytes: UnsafeRawBufferPointer

    func contains(_ address: UInt64, _ size: Int) -> Bool {
      guard address >= start, let offset = Int(exactly: address - start) else { return false }
      return offset <= bytes.count && bytes.count - offset >= size
    }
  }

  private let ranges: [Range]
  let isBigEndian: Bool

  init(_ ranges: [Range], isBigEndian: Bool) {
    self.ranges = ranges.filter { !$0.bytes.isEmpty }.sorted { $0.start < $1.start }
    self.isBigEndian = isBigEndian
  }

  /// The range that holds so many bytes from an address; ranges that overlap are looked at back to the eighth.
  func range(of address: UInt64, size: Int) -> Range? {
    var low = 0
    var high = ranges.count
    while low < high {
      let middle = (low + high) / 2
      if ranges[middle].start <= address { low = middle + 1 } else { high = middle }
    }
    return ranges[max(low - 8, 0)..<low].last { $0.contains(address, size) }
  }

  /// A number of 1, 2, 4 or 8 bytes; nil where the dump does not hold them.
  func load(_ address: UInt64, _ size: Int) -> UInt64? {
    range(of: address, size: size).flatMap { Self.load(address, size, in: $0, isBigEndian) }
  }

  static func load(_ address: UInt64, _ size: Int, in range: Range, _ isBigEndian: Bool) -> UInt64? {
    guard range.contains(address, size) else { return nil }
    var cursor = ByteCursor(range.bytes, at: Int(address - range.start), bigEndian: isBigEndian)
    return try? cursor.unsigned(size: size)
  }
}
