import MPaaSLogUpload
import MPaaSLogs
import MPaaSSupport

/// A file of lines, read in windows from any place.
struct TextSource: LogSource {
  let name: String
  let format: LogFormat
  let type: LogType?
  let shape: TextShape
  let file: ReadFile
  let range: Range<Int>

  /// Bytes of a window: so few that they stay in the processor's cache between the copy and the search, although others
  /// use it too.
  static let window = 1 << 16
  /// Windows that one thread looks at in one go: fewer where all that is in them is wanted, which takes room.
  private static func group(_ query: LogQuery) -> Int {
    query.isFromEnd ? 1 : query.pattern == nil ? 4 : query.isCounted ? 64 : 16
  }
  /// The range in which a record that goes over the end of a window is searched for its end.
  private static let overlap = 1 << 18
  /// The most bytes of a line that are looked at as one: what is longer is read in parts, so that memory is bounded.
  static let longestLine = 1 << 23
  /// Tells whether bytes of 0 stand at the front, so that it is read as text only because its name says so.
  let isBinary: Bool

  /// - Parameters:
  ///   - range: What of the file is read; a record begins there. All of it where nothing is said.
  ///   - isBinary: Whether bytes of 0 stand at the front, which are passed over.
  init(
    _ file: ReadFile, name: String, type: LogType?, zone: LogZone, range: Range<Int>? = nil, isBinary: Bool = false
  ) {
    self.file = file
    self.name = name
    self.isBinary = isBinary
    let all = range ?? 0..<file.size
    self.range = isBinary ? Self.textStart(file, all)..<all.upperBound : all
    let start = isBinary ? self.range.lowerBound : 0
    let sample = file.bytes(start..<min(file.size, start + 1 << 16))
    var shape = TextShape(zone: zone, reference: file.modified, type: type ?? .diagnostic)
    format = sample.withUnsafeBytes { shape.learn(from: $0) }
    self.type = type
    self.shape = shape
  }

  func leastTime() -> Int64? { firstTime(behind: range.lowerBound) }

  func pieces(for query: LogQuery) -> LogPieces {
    let windows = narrowed(0..<(range.count + Self.window - 1) / Self.window, query)
    let group = Self.group(query)
    return .indexed(0..<(windows.count + group - 1) / group) { index in
      let first = windows.lowerBound + index * group
      return LogPiece { sieve in scan(first..<min(first + group, windows.upperBound), sieve) }
    }
  }

  /// Looks at the records that begin in some windows.
  private func scan(_ windows: Range<Int>, _ sieve: RecordSieve) {
    let end = boundary(windows.upperBound, sieve)
    var start = boundary(windows.lowerBound, sieve)
    guard start < end else { return }
    if sieve.query.pattern != nil, scanMapped(start..<end, sieve) { return }
    var scan = TextScan(shape, sieve)
    var reader = shape.reader
    // The bytes read of a record that goes on.
    var left = 0
    while start < end {
      let wanted = min(left + max(Self.window, left), end - start)
      let memory = UnsafeMutableRawBufferPointer(rebasing: sieve.room(wanted)[..<wanted])
      let count = left + file.read(UnsafeMutableRawBufferPointer(rebasing: memory[left...]), at: start + left)
      let bytes = UnsafeRawBufferPointer(rebasing: memory[..<count])
      let isEnd = count < wanted || start + count == end
      let next = isEnd ? count : Self.lastStart(in: bytes, hasHeads: shape.hasHeads, &reader)
      guard let cut = next ?? (count >= Self.longestLine ? bytes.scalarEnd : nil) else {
        left = count
        continue
      }
      scan.run(UnsafeRawBufferPointer(rebasing: bytes[..<cut]).withoutLastLineEnd)
      if isEnd { return }
      left = count - cut
      start += cut
      UnsafeMutableRawBufferPointer(rebasing: memory[..<left])
        .copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[cut...]))
    }
  }

  /// Looks at whole records where they lie, which costs a quarter of a copy of them.
  ///
  /// - Returns: Whether that was done: not where a line may be too long, or the file was cut short meanwhile.
  private func scanMapped(_ records: Range<Int>, _ sieve: RecordSieve) -> Bool {
    guard records.count <= Self.longestLine, let bytes = file.mapped(records) else { return false }
    withExtendedLifetime(bytes) {
      var scan = TextScan(shape, sieve)
      scan.run(bytes.buffer.withoutLastLineEnd)
    }
    if file.size >= records.upperBound { return true }
    sieve.begin()
    return false
  }

  /// The beginning of the last record begins whose first line is all there; nil where it is the first too, and more
  /// must be read.
  private static func lastStart(
    in bytes: UnsafeRawBufferPointer, hasHeads: Bool, _ reader: inout LineReader
  ) -> Int? {
    let rest = bytes.lineStart(bytes.count, notBefore: 0)
    var end = rest
    while hasHeads, end > 0 {
      let start = bytes.lineStart(end - 1, notBefore: 0)
      guard start > 0 else { return rest >= overlap ? rest : nil }
      if reader.head(bytes.line(start, end - 1)) != nil { return start }
      end = start
    }
    return rest > 0 ? rest : nil
  }

  /// The boundary at which the records of a window begin: at its first line that begins one, or at its first line where
  /// none does for long.
  ///
  /// Both neighbours find the same place. In a line that is too long it is the next of places that far from each other.
  private func boundary(_ index: Int, _ sieve: RecordSieve) -> Int {
    let offset = range.lowerBound + index * Self.window
    guard index > 0 else { return range.lowerBound }
    guard offset < range.upperBound else { return range.upperBound }
    var reader = shape.reader
    var size = 1 << 12
    while true {
      // With the byte before: a line may begin right here.
      let from = offset - 1
      let wanted = min(size, range.upperBound - from)
      let count = file.read(UnsafeMutableRawBufferPointer(rebasing: sieve.room(wanted)[..<wanted]), at: from)
      let bytes = UnsafeRawBufferPointer(rebasing: sieve.room(wanted)[..<count])
      let isEnd = count < size
      if let found = Self.start(in: bytes, isEnd: isEnd, hasHeads: shape.hasHeads, &reader) { return from + found }
      if isEnd { return range.upperBound }
      if count >= Self.longestLine, bytes.lineEnd(0) == count {
        let step = Self.longestLine
        return range.lowerBound + (offset - range.lowerBound + step - 1) / step * step
      }
      size *= 4
    }
  }

  /// The first byte that is not 0: a log whose writer went on behind `copytruncate` begins with a hole.
  private static func textStart(_ file: ReadFile, _ range: Range<Int>) -> Int {
    var start = range.lowerBound
    while start < range.upperBound {
      let bytes = file.bytes(start..<min(start + 1 << 20, range.upperBound))
      if let found = bytes.firstIndex(where: { $0 != 0 }) { return start + found }
      guard !bytes.isEmpty else { break }
      start += bytes.count
    }
    return range.lowerBound
  }

  /// The first place behind a line's end where a record begins; nil where more must be read to know.
  private static func start(
    in bytes: UnsafeRawBufferPointer, isEnd: Bool, hasHeads: Bool, _ reader: inout LineReader
  ) -> Int? {
    var end = bytes.lineEnd(0)
    guard end < bytes.count else { return nil }
    let first = end + 1
    if !hasHeads { return first }
    while end < bytes.count, end < overlap {
      let next = bytes.lineEnd(end + 1)
      if next == bytes.count, !isEnd { break }
      if reader.head(bytes.line(end + 1, next)) != nil { return end + 1 }
      end = next
    }
    return end >= overlap || isEnd ? first : nil
  }

  /// The windows that may hold records of the time that is asked for, by the times at their starts.
  private func narrowed(_ all: Range<Int>, _ query: LogQuery) -> Range<Int> {
    guard !query.isUnordered, shape.hasHeads, all.count > 1 else { return all }
    // Threads write a little out of order.
    let slack: Int64 = 60_000_000_000
    var low = all.lowerBound
    if let since = query.since {
      low = partition(all) { $0 >= since &- slack }
      low = max(low - 1, all.lowerBound)
    }
    var high = all.upperBound
    if let until = query.until {
      high = partition(low..<high) { $0 >= until.addingReportingOverflow(slack).partialValue }
    }
    return low..<max(low, high)
  }

  /// The first window whose first time is behind what is searched for.
  private func partition(_ windows: Range<Int>, _ isBehind: (Int64) -> Bool) -> Int {
    var low = windows.lowerBound
    var high = windows.upperBound
    while low < high {
      let middle = (low + high) / 2
      guard let time = firstTime(behind: range.lowerBound + middle * Self.window) else { return low }
      if isBehind(time) { high = middle } else { low = middle + 1 }
    }
    return low
  }

  /// The first time in the lines from `offset` on.
  private func firstTime(behind offset: Int) -> Int64? {
    var reader = shape.reader
    for size in [1 << 13, 1 << 18] {
      let bytes = file.bytes(offset..<min(range.upperBound, offset + size))
      let found = bytes.withUnsafeBytes { bytes -> Int64? in
        var start = offset == range.lowerBound ? 0 : bytes.lineEnd(0) + 1
        while start < bytes.count {
          let end = bytes.lineEnd(start)
          if let time = reader.head(bytes.line(start, end))?.time { return time }
          start = end + 1
        }
        return nil
      }
      if let found { return found }
    }
    return nil
  }
}

extension UnsafeRawBufferPointer {
  /// The end without the beginning of a scalar that goes on behind it.
  fileprivate var scalarEnd: Int {
    var start = count
    while start > 0, count - start < 3, self[start - 1] & 0xc0 == 0x80 { start -= 1 }
    guard start > 1 else { return count }
    let size = self[start - 1] >= 0xf0 ? 4 : self[start - 1] >= 0xe0 ? 3 : self[start - 1] >= 0xc0 ? 2 : 1
    return size > count - start + 1 ? start - 1 : count
  }

  var withoutLastLineEnd: UnsafeRawBufferPointer {
    last == 0x0a ? UnsafeRawBufferPointer(rebasing: dropLast()) : self
  }
}
