import MPaaSLogs
import MPaaSSupport

/// The content of a block: what records have in common, a column for each of their numbers, then all texts.
///
/// Documentation/LogFormat.md describes it.
struct LogColumns {
  /// The place of the texts.
  let text: Range<Int>
  private let count: Int
  private let firstSequence: UInt64
  private let columnStarts: [Int]
  private let columnSizes: [Int]

  /// - Parameter content: Of a chunk of kind `records`.
  init?(_ content: UnsafeRawBufferPointer, _ chunk: LogChunk) {
    guard content.count >= LogColumn.headerSize else { return nil }
    let textStart = Int(content.number(0, UInt32.self))
    columnSizes = LogColumn.allCases.map { Int(content.number(4 + 4 * $0.rawValue, UInt32.self)) }
    guard textStart <= content.count else { return nil }
    // The columns stand right before the texts.
    let all = columnSizes.reduce(0, +)
    guard all <= textStart - LogColumn.headerSize, columnSizes[LogColumn.level.rawValue] == chunk.recordCount else {
      return nil
    }
    var start = textStart - all
    columnStarts = columnSizes.map { size in
      defer { start += size }
      return start
    }
    text = textStart..<content.count
    count = chunk.recordCount
    firstSequence = chunk.firstSequence
  }

  private func cursor(_ content: UnsafeRawBufferPointer, _ column: LogColumn) -> ByteCursor {
    let start = columnStarts[column.rawValue]
    return ByteCursor(
      UnsafeRawBufferPointer(rebasing: content[..<(start + columnSizes[column.rawValue])]), at: start)
  }

  /// Reads all records; false where something contradicts something else.
  func read(_ content: UnsafeRawBufferPointer, into views: inout [LogRecordView], labels: inout [LogLabel]) -> Bool {
    do throws(ByteError) {
      return try readAll(content, &views, &labels)
    } catch {
      return false
    }
  }

  private func readAll(
    _ content: UnsafeRawBufferPointer, _ views: inout [LogRecordView], _ labels: inout [LogLabel]
  ) throws(ByteError) -> Bool {
    let shared = UnsafeRawBufferPointer(rebasing: content[..<columnStarts[0]])
    var head = ByteCursor(shared, at: LogColumn.headerSize)
    for _ in 0..<(try head.uleb()) { labels.append(try Self.label(&head)) }
    var threads: [UInt64] = []
    for _ in 0..<(try head.uleb()) { threads.append(try head.uleb()) }
    var offsets = try Self.clockOffsets(&head)[...]
    var time = try head.sleb()

    var label = cursor(content, .label), thread = cursor(content, .thread), delta = cursor(content, .time)
    var message = cursor(content, .message), fields = cursor(content, .fields)
    let levels = columnStarts[LogColumn.level.rawValue]
    var place = UInt64(text.lowerBound), clockOffset: Int64 = 0
    views.reserveCapacity(count)
    for index in 0..<count {
      while let next = offsets.first, next.index <= index {
        clockOffset = next.offset
        offsets = offsets.dropFirst()
      }
      time &+= try delta.sleb()
      let labelIndex = try label.uleb(), threadIndex = try thread.uleb()
      let messageSize = try message.uleb(), fieldsSize = try fields.uleb()
      let room = UInt64(text.upperBound) - place
      guard labelIndex < UInt64(labels.count), threadIndex < UInt64(threads.count), messageSize < room,
        fieldsSize < room - messageSize
      else { return false }
      let nanoseconds = time &* 1000
      let level = content[levels + index]
      views.append(
        LogRecordView(
          sequence: firstSequence &+ UInt64(index), time: nanoseconds,
          monotonic: UInt64(bitPattern: nanoseconds &- clockOffset), thread: threads[Int(threadIndex)],
          start: UInt32(truncatingIfNeeded: place), messageSize: UInt32(truncatingIfNeeded: messageSize),
          fieldsSize: UInt32(truncatingIfNeeded: fieldsSize), label: UInt32(truncatingIfNeeded: labelIndex),
          levelNumber: level & 15, flagBits: level >> 4))
      place += messageSize + fieldsSize + 1
    }
    return place == UInt64(text.upperBound)
  }

  private static func label(_ cursor: inout ByteCursor) throws(ByteError) -> LogLabel {
    func text() throws(ByteError) -> Range<Int> {
      let size = try cursor.uleb()
      let start = cursor.offset
      try cursor.skip(size)
      return start..<cursor.offset
    }
    let tag = try text()
    return LogLabel(tag: tag, subsystem: try text())
  }

  /// The lead of the clock of the day over the monotonic one, from which record on.
  private static func clockOffsets(
    _ cursor: inout ByteCursor
  ) throws(ByteError) -> [(index: Int, offset: Int64)] {
    var offsets: [(index: Int, offset: Int64)] = []
    for _ in 0..<(try cursor.uleb()) {
      let index = Int(truncatingIfNeeded: try cursor.uleb())
      offsets.append((index, try cursor.sleb()))
    }
    return offsets
  }
}
