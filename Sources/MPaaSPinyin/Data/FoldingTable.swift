import MPaaSSupport

/// The simplified character for a traditional one: the section TRAD of the data file.
///
/// Three parts of UInt16, each behind its length as UInt32: for every 128 code points the number of their block; the
/// blocks, with 0 for a character that stays; pairs of those that simplified text has too, so that they are to be
/// changed only where the text is traditional (著 is 着 or itself).
package struct FoldingTable: Sendable {
  package static let empty = FoldingTable()

  private let owner: Bytes
  private let blocks: DataColumn<UInt16>
  private let entries: DataColumn<UInt16>
  private let pairs: DataColumn<UInt16>

  private init() {
    owner = .empty
    blocks = .empty
    entries = .empty
    pairs = .empty
  }

  init?(_ bytes: Bytes) {
    var cursor = ByteCursor(bytes.buffer)
    func part() -> DataColumn<UInt16>? {
      (try? cursor.u32()).flatMap { DataColumn(&cursor, count: Int($0), padding: 4) }
    }
    guard let blocks = part(), let entries = part(), let pairs = part() else { return nil }
    owner = bytes
    self.blocks = blocks
    self.entries = entries
    self.pairs = pairs
  }

  /// The simplified character, or the character itself.
  @inline(__always) package subscript(scalar: UInt32) -> UInt32 {
    let block = Int(scalar >> 7)
    guard block < blocks.count else { return scalar }
    let entry = entries[Int(blocks[block]) << 7 | Int(scalar & 127)]
    return entry == 0 ? scalar : UInt32(entry)
  }

  /// The character for a simplified one in traditional text, or the character itself.
  package func sometimes(_ character: UInt16) -> UInt16 {
    var index = 0
    while index < pairs.count {
      if pairs[index] == character { return pairs[index + 1] }
      index += 2
    }
    return character
  }
}
