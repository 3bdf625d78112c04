import MPaaSSupport

/// The sections that a `.dwp` file joins from many `.dwo` files (DWARF 5, 7.3.5; GCC's version 2 before that).
enum PackageColumn: Hashable, Sendable {
  case info, abbreviations, stringOffsets, rangeLists

  /// By the number in the index; other sections are of no use here.
  init?(_ number: UInt32, version: UInt16) {
    switch (number, version) {
    case (1, _): self = .info
    case (3, _): self = .abbreviations
    case (6, _): self = .stringOffsets
    case (8, 5): self = .rangeLists
    default: return nil
    }
  }
}

/// One unit's parts of the sections of a `.dwp` file.
struct PackageContribution: Sendable {
  fileprivate(set) var parts: [PackageColumn: Range<UInt64>] = [:]

  subscript(column: PackageColumn) -> Range<UInt64>? { parts[column] }
}

/// `.debug_cu_index`: which part of each section belongs to which split unit.
struct PackageIndex: Sendable {
  private let bytes: Bytes
  private let bigEndian: Bool
  private let version: UInt16
  private let columns: Int
  private let units: Int
  private let slots: Int

  init?(_ bytes: Bytes, bigEndian: Bool) {
    var cursor = SectionCursor(bytes.buffer, bigEndian: bigEndian)
    // Version 2 is a word; version 5 is a half word and two bytes of padding.
    let word = cursor.u32()
    let half = bigEndian ? UInt16(word >> 16) : UInt16(truncatingIfNeeded: word)
    guard word == 2 || half == 5 else { return nil }
    version = word == 2 ? 2 : 5
    columns = Int(cursor.u32())
    units = Int(cursor.u32())
    slots = Int(cursor.u32())
    self.bytes = bytes
    self.bigEndian = bigEndian
    guard !cursor.isBroken, slots > 0, slots & (slots - 1) == 0, columns < 64,
      Self.headerSize + slots * 12 + (1 + 2 * units) * columns * 4 <= bytes.count
    else { return nil }
  }

  private static let headerSize = 16

  /// The parts of the unit with this ID; nil where the package has no such unit.
  subscript(id: UInt64) -> PackageContribution? {
    guard let row = row(of: id), row > 0, row <= units else { return nil }
    let table = Self.headerSize + slots * 12
    var names = cursor(at: table)
    var offsets = cursor(at: table + columns * 4 * row)
    var sizes = cursor(at: table + columns * 4 * (units + row))
    var contribution = PackageContribution()
    for _ in 0..<columns {
      let name = names.u32()
      let offset = UInt64(offsets.u32())
      let size = UInt64(sizes.u32())
      if let column = PackageColumn(name, version: version) { contribution.parts[column] = offset..<offset + size }
    }
    return contribution
  }

  private func cursor(at offset: Int) -> SectionCursor {
    SectionCursor(bytes.buffer, at: offset, bigEndian: bigEndian)
  }

  /// Follows the open-addressed hash table (DWARF 5, 7.3.5.3), each slot once at most.
  private func row(of id: UInt64) -> Int? {
    let mask = UInt64(slots - 1)
    var slot = id & mask
    let step = (id >> 32) & mask | 1
    for _ in 0..<slots {
      var keys = cursor(at: Self.headerSize + Int(slot) * 8)
      var rows = cursor(at: Self.headerSize + slots * 8 + Int(slot) * 4)
      let row = rows.u32()
      if row == 0 { return nil }
      if keys.u64() == id { return Int(row) }
      slot = (slot &+ step) & mask
    }
    return nil
  }
}
