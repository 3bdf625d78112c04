import MPaaSSupport
import Synchronization

/// The place in the source that a run of instructions came from.
struct LinePosition: Sendable {
  let file: UInt32
  /// 0 for code that the compiler made up.
  let line: UInt32
  /// The number of the block on the line, 0 where there is one only.
  let discriminator: UInt32
  /// Cut at 65,535, as other readers do.
  let column: UInt16
}

/// The lines of a unit by address.
///
/// `addresses` rise within a sequence; a sequence is one run of code, such as a section. Rows that cover no
/// byte are left out, since no address can ask for them.
final class LineTable: Sendable {
  struct Sequence: Sendable {
    let low: UInt64
    let high: UInt64
    let rows: Range<Int>
  }

  let header: LineHeader
  let addresses: [UInt64]
  let positions: [LinePosition]
  /// By rising `high`.
  let sequences: [Sequence]
  private let highs: [UInt64]
  /// Joined paths of files that were asked for.
  private let paths = Mutex<[UInt32: String?]>([:])

  init?(_ unit: DWARFUnit, at offset: UInt64, code: CodeRanges) {
    guard let header = LineHeader(unit, at: offset) else { return nil }
    var program = LineProgram(header, unit, code: code)
    program.run()
    self.header = program.header
    addresses = program.addresses
    positions = program.positions
    sequences = program.sequences.sorted { ($0.high, $0.low) < ($1.high, $1.low) }
    highs = sequences.map(\.high)
  }

  /// The position of the instruction at `address`; nil in gaps.
  @inline(__always)
  func position(at address: UInt64) -> LinePosition? {
    row(at: address).map { positions[$0] }
  }

  /// The row that counts at `address`; nil in gaps.
  func row(at address: UInt64) -> Int? {
    var place = highs.lastIndex(notAbove: address).map { $0 + 1 } ?? 0
    // Overlapping sequences are few; only the nearest are looked at.
    let last = min(place + 8, sequences.count)
    while place < last {
      let sequence = sequences[place]
      if sequence.low <= address { return row(sequence.rows, address) }
      place += 1
    }
    return nil
  }

  private func row(_ rows: Range<Int>, _ address: UInt64) -> Int? {
    addresses.withUnsafeBufferPointer { addresses in
      var low = rows.lowerBound
      var high = rows.upperBound
      while low < high {
        let middle = (low &+ high) &>> 1
        if addresses[middle] <= address { low = middle &+ 1 } else { high = middle }
      }
      return low == rows.lowerBound ? nil : low &- 1
    }
  }

  /// The MD5 digest of a file; nil where the table has none.
  func digest(of file: UInt32) -> SourceDigest? {
    header.file(file)?.digest
  }

  /// The path of a file, joined with its directories at the first call; nil where there is no such file.
  func path(_ file: UInt32, of unit: DWARFUnit) -> String? {
    paths.withLock { paths in
      if let known = paths[file] { return known }
      let path = joinedPath(file, of: unit)
      paths[file] = .some(path)
      return path
    }
  }
}
