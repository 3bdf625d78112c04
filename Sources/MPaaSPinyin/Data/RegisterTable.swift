import MPaaSSupport

/// Weights of characters that tell daily speech from the language of an encyclopaedia: the section DAYS of the data file.
///
/// UInt16: a sentence with fewer characters is daily speech in any case; UInt16: a longer one is where its characters have
/// so much on the average; UInt32, how many characters follow; Int8 for each from U+4E00 on, in sixteenths of a nat.
struct RegisterTable: Sendable {
  static let empty = RegisterTable()
  private static let first: UInt32 = 0x4E00

  private let owner: Bytes
  private let weights: DataColumn<Int8>
  private let shortest: Int
  private let enough: Int

  private init() {
    owner = .empty
    weights = .empty
    shortest = 0
    enough = 0x7FFF
  }

  init?(_ bytes: Bytes) {
    var cursor = ByteCursor(bytes.buffer)
    guard let shortest = try? cursor.u16(), let enough = try? cursor.u16(), let count = try? cursor.u32(),
      let weights = DataColumn<Int8>(&cursor, count: Int(count))
    else { return nil }
    owner = bytes
    self.weights = weights
    self.shortest = Int(shortest)
    self.enough = Int(enough)
  }

  /// Tells whether a sentence is daily speech rather than the language of an encyclopaedia.
  @inline(__always) func isDaily(
    _ scalars: UnsafeBufferPointer<UInt32>, _ range: Range<Int>, _ folding: FoldingTable
  ) -> Bool {
    guard range.count >= shortest else { return true }
    var sum = 0
    for index in range where scalars[index] >= Self.first {
      sum += Int(weights[Int(folding[scalars[index]] &- Self.first)])
    }
    return sum >= enough &* range.count
  }
}
