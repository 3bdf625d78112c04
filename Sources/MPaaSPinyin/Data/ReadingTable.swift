import MPaaSSupport

/// The readings of each character: the section READ of the data file.
///
/// Three parts of UInt16, each behind its length as UInt32: for every 128 code points the number of their block; the
/// blocks; the lists. An entry of a block is 0 (no reading), a reading (14 bits), or 0x8000 and half the index at which
/// the list of the character begins: a count, then its readings, the usual one first; bit 14 marks the rare ones.
package struct ReadingTable: @unchecked Sendable {
  /// The readings of one character, the usual one first; to be used while its table is there.
  package struct List: RandomAccessCollection {
    fileprivate let single: UInt16
    fileprivate let list: UnsafeBufferPointer<UInt16>

    package var startIndex: Int { 0 }
    package var endIndex: Int { single != 0 ? 1 : list.count }
    package subscript(position: Int) -> Reading { Reading(rawValue: single != 0 ? single : list[position]) }
    /// Tells whether a reading is none of those in common use.
    package func isRare(_ position: Int) -> Bool { single == 0 && list[position] & 0x4000 != 0 }
  }

  package static let empty = ReadingTable()

  // Keeps the bytes that the buffers point into.
  private let owner: Bytes
  private let blocks: UnsafeBufferPointer<UInt16>
  private let entries: UnsafeBufferPointer<UInt16>
  private let lists: UnsafeBufferPointer<UInt16>

  private init() {
    owner = .empty
    let nothing = UnsafeBufferPointer<UInt16>(start: nil, count: 0)
    blocks = nothing
    entries = nothing
    lists = nothing
  }

  /// - Parameter bytes: The section; nil where a block or a list would lie outside of it.
  init?(_ bytes: Bytes) {
    var cursor = ByteCursor(bytes.buffer)
    func part() -> UnsafeBufferPointer<UInt16>? {
      guard let count = try? cursor.u32(), let raw = try? cursor.bytes(Int(count) * 2) else { return nil }
      try? cursor.skip(Int(count) * 2 % 4)
      return raw.bindMemory(to: UInt16.self)
    }
    guard let blocks = part(), let entries = part(), let lists = part(),
      blocks.allSatisfy({ (Int($0) + 1) * 128 <= entries.count }),
      entries.allSatisfy({ entry in
        guard entry & 0x8000 != 0 else { return true }
        let start = Int(entry & 0x7FFF) * 2
        return start < lists.count && Int(lists[start]) < lists.count - start
      })
    else { return nil }
    owner = bytes
    self.blocks = blocks
    self.entries = entries
    self.lists = lists
  }

  @inline(__always) private func entry(_ scalar: UInt32) -> UInt16 {
    let block = Int(scalar >> 7)
    guard block < blocks.count else { return 0 }
    return entries[Int(blocks[block]) << 7 | Int(scalar & 127)]
  }

  /// All readings of a character; empty where it has none.
  @inline(__always) package subscript(scalar: UInt32) -> List {
    let entry = entry(scalar)
    guard entry & 0x8000 != 0 else {
      return List(single: entry, list: UnsafeBufferPointer(start: nil, count: 0))
    }
    let start = Int(entry & 0x7FFF) * 2
    return List(single: 0, list: UnsafeBufferPointer(rebasing: lists[start + 1..<start + 1 + Int(lists[start])]))
  }

  /// The reading that a character has most often; `.none` where it has none.
  @inline(__always) package func usual(_ scalar: UInt32) -> Reading {
    let entry = entry(scalar)
    return Reading(rawValue: entry & 0x8000 == 0 ? entry : lists[Int(entry & 0x7FFF) * 2 + 1])
  }

  /// Tells whether a character can be read in more than one way.
  @inline(__always) package func isPolyphone(_ scalar: UInt32) -> Bool { entry(scalar) & 0x8000 != 0 }
}

extension ReadingTable {
  /// The numbers of all characters that may have a reading.
  package var scalars: some Sequence<UInt32> {
    (0..<UInt32(min(blocks.count, 0x2200)) << 7).lazy.filter { self.entry($0) != 0 }
  }
}
