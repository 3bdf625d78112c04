#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A walk over the records of a file, which goes on behind what is damaged.
struct RecordScan {
  /// A reader of bytes at a place: how many came.
  typealias Reading = (UnsafeMutableRawBufferPointer, UInt64) -> Int

  let format: RecordFormat
  let read: Reading
  /// True if the walk looks for records behind bytes that are none; else it ends there.
  let resynchronises: Bool
  /// The end of the last record that is whole.
  private(set) var end: UInt64
  /// Runs of bytes between whole records, and how many bytes they are.
  private(set) var gaps = 0
  private(set) var lostBytes: UInt64 = 0

  private static let chunk = 1 << 20

  init(_ format: RecordFormat, from start: UInt64, resynchronises: Bool, read: @escaping Reading) {
    self.format = format
    self.read = read
    self.resynchronises = resynchronises
    end = start
  }

  /// Hands over the content of each record that is whole, with its place and size, up to `limit`.
  ///
  /// One that does not decrypt is damaged.
  mutating func run(to limit: UInt64, _ take: (RecordFields, UInt64, Int) -> Void) {
    var buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: Self.chunk, alignment: 16)
    defer { buffer.deallocate() }
    var place = end
    while place < limit {
      let wanted = Int(min(UInt64(buffer.count), limit - place))
      let count = read(UnsafeMutableRawBufferPointer(rebasing: buffer[..<wanted]), place)
      guard count > 0 else { return }
      let bytes = UnsafeRawBufferPointer(rebasing: buffer[..<count])
      let (used, needed) = walk(bytes, at: place, limit: limit, take)
      place += UInt64(used)
      if used == 0 {
        guard needed > buffer.count else { return }
        buffer.deallocate()
        buffer = .allocate(byteCount: needed, alignment: 16)
      }
      if !resynchronises, needed == 0 { return }
    }
  }

  /// Walks over a piece of the file.
  ///
  /// - Returns: How many bytes are done with, and how many a record needs that goes on behind them; 0 for none.
  private mutating func walk(
    _ bytes: UnsafeRawBufferPointer, at start: UInt64, limit: UInt64, _ take: (RecordFields, UInt64, Int) -> Void
  ) -> (used: Int, needed: Int) {
    // A copy for all records, not one for each.
    let format = format
    let isLast = start + UInt64(bytes.count) >= limit
    var place = 0
    while place < bytes.count {
      // The shortest record is longer than this.
      guard isLast || bytes.count - place >= 16 else { return (place, 16) }
      let offset = start + UInt64(place)
      switch format.find(UnsafeRawBufferPointer(rebasing: bytes[place...]), at: offset) {
      case .whole(let size):
        let record = UnsafeRawBufferPointer(rebasing: bytes[place..<place + size])
        if format.read(record, at: offset, { fields in take(fields, offset, size) }) != nil {
          note(offset, size)
          place += size
          continue
        }
      case .incomplete(let size) where UInt64(size) <= limit - offset && !isLast:
        return (place, size)
      default: break
      }
      guard resynchronises else { return (place, 0) }
      place = next(bytes, after: place)
    }
    return (place, 1)
  }

  private mutating func note(_ offset: UInt64, _ size: Int) {
    if offset > end {
      gaps += 1
      lostBytes += offset - end
    }
    end = offset + UInt64(size)
  }

  /// The next place whose first byte is that of a marker.
  private func next(_ bytes: UnsafeRawBufferPointer, after place: Int) -> Int {
    guard let start = bytes.baseAddress, place + 1 < bytes.count,
      let found = memchr(start + place + 1, Int32(format.marker & 0xff), bytes.count - place - 1)
    else { return bytes.count }
    return UnsafeRawPointer(found) - start
  }
}
