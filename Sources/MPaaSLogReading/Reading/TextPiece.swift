import MPaaSLogUpload
import MPaaSLogs
import MPaaSSupport

/// Looks through whole records of text.
struct TextScan {
  typealias Bytes = UnsafeRawBufferPointer
  let shape: TextShape
  let sieve: RecordSieve
  private var reader: LineReader
  /// Tells whether no records are made.
  private let isLean: Bool
  // Copies of what is asked for each record: threads share the sieve's query, and counting who holds its parts takes
  // time.

  private let matcher: PatternMatcher?
  private let (hasHeads, hasConditions, hasContext, inverts): (Bool, Bool, Bool, Bool)
  /// Tells whether it counts what the front of a record says, and not only that it is one.
  private let needsHeads: Bool
  /// Tells whether a match is only counted, and what was counted.
  private let isCounter: Bool
  private var (seen, matches) = (0, 0)
  /// The bytes at hand, and a copy of it that lines are parts of.
  private var window = Bytes(start: nil, count: 0)
  private var copy: MPaaSSupport.Bytes?

  init(_ shape: TextShape, _ sieve: RecordSieve) {
    self.shape = shape
    self.sieve = sieve
    reader = shape.reader
    matcher = sieve.matcher
    (hasHeads, hasConditions) = (shape.hasHeads, sieve.query.hasConditions)
    (hasContext, inverts) = (sieve.options.hasContext, sieve.query.inverts)
    needsHeads = sieve.query.hasConditions || !sieve.options.countsOnly
    isCounter = sieve.isCounter
    isLean = sieve.options.linesOnly && shape.rule == .lines && !sieve.query.asksFields
  }

  /// Looks at all records in `bytes`, which begin and end where records do.
  mutating func run(_ bytes: Bytes) {
    window = bytes
    copy = nil
    if sieve.skips, let matcher = sieve.matcher, matcher.findsInLines {
      matcher.begin(bytes)
      runByPlaces(bytes, matcher)
    } else {
      runByLines(bytes)
    }
    guard seen > 0 else { return }
    sieve.count(seen, matches: matches)
    (seen, matches) = (0, 0)
  }

  private mutating func runByPlaces(_ bytes: Bytes, _ matcher: PatternMatcher) {
    var done = 0
    while let place = matcher.place(inLines: bytes, from: done) {
      var start = bytes.lineStart(place.offset, notBefore: done)
      var end = bytes.lineEnd(place.offset)
      var firstEnd = end
      if hasHeads {
        while start > done, !reader.beginsRecord(bytes.line(start, firstEnd)) {
          firstEnd = start - 1
          start = bytes.lineStart(firstEnd, notBefore: done)
        }
        end = recordEnd(bytes, end)
      }
      let head = needsHeads ? reader.head(bytes.line(start, firstEnd)) : nil
      let raw = bytes.line(start, end)
      // Without its carriage return a line may match where it did not, and the other way round.
      look(raw, head, isFound: place.isMatch && raw.count == end - start)
      done = end + 1
      if done >= bytes.count { return }
    }
  }

  private mutating func runByLines(_ bytes: Bytes) {
    var start = 0
    var end = bytes.lineEnd(0)
    var head = reader.head(bytes.line(0, end))
    while start < bytes.count {
      var next: LineHead?
      if hasHeads {
        // The head that ends a record is that of the next.
        while end + 1 < bytes.count {
          let nextEnd = bytes.lineEnd(end + 1)
          next = reader.head(bytes.line(end + 1, nextEnd))
          if next != nil { break }
          end = nextEnd
        }
      } else if end + 1 < bytes.count {
        next = reader.head(bytes.line(end + 1, bytes.lineEnd(end + 1)))
      }
      look(bytes.line(start, end), head)
      start = end + 1
      guard start < bytes.count else { return }
      end = bytes.lineEnd(start)
      head = next
    }
  }

  /// The end of the record whose line ends at `end`.
  private mutating func recordEnd(_ bytes: Bytes, _ end: Int) -> Int {
    var end = end
    while end + 1 < bytes.count {
      if reader.continuesStamps(Bytes(rebasing: bytes[(end + 1)...])) { break }
      let next = bytes.lineEnd(end + 1)
      if reader.beginsRecord(bytes.line(end + 1, next)) { break }
      end = next
    }
    return end
  }

  /// - Parameter isFound: Whether bytes tell already that it has the pattern.
  private mutating func look(_ raw: Bytes, _ head: LineHead?, isFound: Bool = false) {
    guard !raw.isEmpty || !hasHeads else { return }
    var isMatch = !hasConditions || admits(raw, head)
    // Records around a match are told whatever they are.
    guard isMatch || hasContext else { return }
    if isMatch, let matcher { isMatch = matcher.matches(raw, isFound: isFound) != inverts }
    guard isMatch || hasContext else { return }
    if isCounter {
      seen += 1
      if isMatch { matches += 1 }
      return
    }
    if isLean {
      sieve.take(isMatch: isMatch) { lean(raw, head) }
      return
    }
    let (shape, query) = (shape, sieve.query)
    sieve.take(isMatch: isMatch) {
      let item = TextRecord(raw, head, shape).item(asksFields: query.asksFields)
      if query.asksFields, !query.admitsFields(item.record.entry) { return nil }
      return item
    }
  }

  /// The lines of a record without a record.
  private mutating func lean(_ raw: Bytes, _ head: LineHead?) -> LogItem {
    var item = LogItem(LogRecord(LogEntry(.info, "", "", type: shape.type), time: head?.time))
    if sieve.matcher != nil {
      // Few of many.
      item.line = MPaaSSupport.Bytes(raw)
      return item
    }
    let all = copy ?? MPaaSSupport.Bytes(window)
    copy = all
    if let start = raw.baseAddress, let first = window.baseAddress {
      item.line = all.slice(at: UInt64(start - first), size: UInt64(raw.count))
    }
    return item
  }

  private func admits(_ raw: Bytes, _ head: LineHead?) -> Bool {
    let query = sieve.query
    guard query.admits(time: head?.time), query.admits(level: head?.level) else { return false }
    if let thread = query.thread, head?.thread != thread { return false }
    if query.tags.isEmpty { return true }
    guard let head else { return false }
    return query.admits(tag: Bytes(rebasing: raw[head.tag]))
  }
}
