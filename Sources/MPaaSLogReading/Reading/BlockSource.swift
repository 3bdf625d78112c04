import MPaaSLogUpload
import MPaaSLogs
import MPaaSSupport

/// A `.mplog` file: only blocks are decoded that may hold what is wanted.
struct BlockSource: LogSource {
  let file: LogFile
  let keys: LogKeys
  let name: String
  var format: LogFormat { .mplog }
  var type: LogType? { file.parts.first?.type }
  /// Blocks that one thread looks at in one go.
  private static let usualGroup = 8

  func leastTime() -> Int64? { file.blocks.first?.chunk.leastTime }
  func greatestTime() -> Int64? { file.gaps.isEmpty ? file.blocks.map(\.chunk.greatestTime).max() : nil }

  func pieces(for query: LogQuery) -> LogPieces {
    let wanted = file.blocks.filter { mayHold($0, query) }
    let group = query.isFromEnd ? 1 : Self.usualGroup
    let count = (wanted.count + group - 1) / group
    let gaps = file.gaps
    return .indexed(0..<count + (gaps.isEmpty ? 0 : 1)) { index in
      LogPiece { sieve throws(LogError) in
        guard index < count else {
          for gap in gaps { sieve.fail(gapError(gap)) }
          return
        }
        let blocks = wanted[index * group..<min(wanted.count, (index + 1) * group)]
        defer { release(blocks) }
        for block in blocks {
          do throws(LogError) {
            try file.decode(block, keys: keys, into: sieve.block)
            try BlockScan(sieve).run(isColumns: block.chunk.kind == .records)
          } catch {
            // Without a key the rest cannot be read either.
            if error.code == .keyMissing { throw error }
            sieve.fail(error)
          }
        }
      }
    }
  }

  /// Gives back the memory of blocks that were looked at, and of some before: a page that is looked at brings in its
  /// neighbours, also those that were given back.
  private func release(_ blocks: ArraySlice<LogBlock>) {
    guard let first = blocks.first, let last = blocks.last else { return }
    let start = max(first.range.lowerBound - (1 << 17), 0)
    guard let bytes = file.bytes[checked: UInt64(start)..<UInt64(last.range.upperBound)] else { return }
    bytes.release(bytes.count)
  }

  private func gapError(_ gap: LogGap) -> LogError {
    LogError(
      gap.reason == .torn ? .fileTorn : .fileGap,
      ["path": name, "from": String(gap.range.lowerBound), "to": String(gap.range.upperBound)],
      at: .bytes(file: name, offset: UInt64(gap.range.lowerBound)))
  }

  /// Tells whether a block's header leaves it open that something in it is wanted.
  private func mayHold(_ block: LogBlock, _ query: LogQuery) -> Bool {
    let chunk = block.chunk
    if let since = query.since, chunk.greatestTime < since { return false }
    if let until = query.until, chunk.leastTime >= until { return false }
    // The highest bits stand for what is higher still.
    if let level = query.level, chunk.levels & ~(UInt8(1) << level.rawValue &- 1) == 0 { return false }
    if !query.types.isEmpty, let part = block.part, !query.types.contains(file.parts[part].type) { return false }
    guard !query.tags.isEmpty, !query.tags.contains(where: { $0.contains("*") }) else { return true }
    return query.tags.contains { file.mayHold(tag: $0, in: block, keys: keys) }
  }
}

/// The records that a writer, running or killed, has not put into a file yet.
struct StagingSource: LogSource {
  let staging: LogStaging
  /// Those of its segments that stand in no file.
  let segments: [LogStaging.Segment]
  let keys: LogKeys
  let name: String
  var format: LogFormat { .mplog }
  var type: LogType? { staging.type }

  func leastTime() -> Int64? { segments.first?.chunk.leastTime }
  func greatestTime() -> Int64? { segments.map(\.chunk.greatestTime).max() }

  func pieces(for query: LogQuery) -> LogPieces {
    .indexed(0..<segments.count) { index in
      LogPiece { sieve throws(LogError) in
        try staging.decode(segments[index], keys: keys, into: sieve.block)
        try BlockScan(sieve).run(isColumns: false)
      }
    }
  }
}

/// Looks through the records of a decoded block.
struct BlockScan {
  private let sieve: RecordSieve
  private let block: LogBlockBuffer
  private let query: LogQuery

  init(_ sieve: RecordSieve) {
    self.sieve = sieve
    block = sieve.block
    query = sieve.query
  }

  func run(isColumns: Bool) throws(LogError) {
    guard isColumns, sieve.skips, let matcher = sieve.matcher, matcher.hasNeedles else {
      try block.makeViews()
      runByRecords()
      return
    }
    // Tags stand before the texts: where the needle is there, each record is to be asked.
    let bytes = block.bytes
    matcher.begin(bytes)
    guard let first = matcher.needlePlace(in: bytes, from: 0) else { return }
    try block.makeViews()
    guard first >= block.text.lowerBound else { return runByRecords() }
    runByNeedle(bytes, matcher, first)
  }

  private func runByNeedle(_ bytes: UnsafeRawBufferPointer, _ matcher: PatternMatcher, _ first: Int) {
    var next: Int? = first
    var admitted: [Bool?] = Array(repeating: nil, count: block.labels.count)
    while let place = next {
      let index = view(at: place)
      let view = block.views[index]
      look(view, &admitted)
      next = matcher.needlePlace(in: bytes, from: max(view.fields.upperBound, place + 1))
    }
  }

  /// The record whose texts begin last before a place.
  private func view(at place: Int) -> Int {
    var low = 0
    var high = block.views.count
    while low + 1 < high {
      let middle = (low + high) / 2
      if block.views[middle].message.lowerBound <= place { low = middle } else { high = middle }
    }
    return low
  }

  private func runByRecords() {
    var admitted: [Bool?] = Array(repeating: nil, count: block.labels.count)
    guard let most = sieve.options.lastOnly, !sieve.options.hasContext else {
      for view in block.views { look(view, &admitted) }
      return
    }
    for view in block.views.reversed() {
      look(view, &admitted)
      if sieve.piece.items.count >= most { break }
    }
    sieve.turn()
  }

  private func look(_ view: LogRecordView, _ admitted: inout [Bool?]) {
    var isMatch = admits(view, &admitted)
    let hasContext = sieve.options.hasContext
    if isMatch, let matcher = sieve.matcher { isMatch = matches(view, matcher) != query.inverts }
    guard isMatch || hasContext else { return }
    sieve.take(isMatch: isMatch) {
      let record = block.record(view)
      if isMatch, query.asksFields, !query.admitsFields(record.entry) { return nil }
      return LogItem(record)
    }
  }

  private func admits(_ view: LogRecordView, _ admitted: inout [Bool?]) -> Bool {
    guard query.hasConditions else { return true }
    guard query.admits(time: view.time), query.admits(level: view.level) else { return false }
    if let thread = query.thread, view.thread != thread { return false }
    guard !query.tags.isEmpty else { return true }
    let label = Int(view.label)
    if let known = admitted[label] { return known }
    let holds = query.admits(tag: block.tag(view))
    admitted[label] = holds
    return holds
  }

  private func matches(_ view: LogRecordView, _ matcher: PatternMatcher) -> Bool {
    if matcher.matches(block.bytes(view.message)) { return true }
    let label = block.labels[Int(view.label)]
    if matcher.matches(block.bytes(label.tag)) || matcher.matches(block.bytes(label.subsystem)) { return true }
    guard !view.fields.isEmpty else { return false }
    var isFound = false
    LogFields.forEach(block.bytes(view.fields)) { _, name, value in
      guard !isFound, let start = name.baseAddress, let end = value.baseAddress.map({ $0 + value.count }) else {
        return
      }
      // Name, `=` and value stand one behind another.
      isFound = matcher.matches(UnsafeRawBufferPointer(start: start, count: end - start))
    }
    return isFound
  }
}
