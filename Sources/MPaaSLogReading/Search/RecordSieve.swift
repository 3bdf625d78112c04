package import MPaaSLogUpload
import MPaaSLogs
import MPaaSSupport

/// The search, and the number of lines around each hit.
package struct LogReadOptions: Sendable {
  package var query = LogQuery()
  /// Records before and after each match that are told too, of the same file.
  package var before = 0
  package var after = 0
  /// Tells whether only the number of matches is wanted.
  package var countsOnly = false
  /// Tells whether lines of text are wanted as they stand only, in `LogItem.line`: no records are made of them.
  package var linesOnly = false
  /// The number of records where only so many records from the end are wanted.
  var lastOnly: Int?
  /// The zone of times without one.
  package var zone = LogZone(.local)

  package init(_ query: LogQuery = LogQuery()) { self.query = query }

  var hasContext: Bool { before > 0 || after > 0 }
}

/// The result of a piece of a file.
struct SievedPiece: Sendable {
  var items: [LogItem] = []
  /// Records that were looked at one by one; those that a search passed over are not counted.
  var seen = 0
  var matches = 0
  /// The problems of reading.
  var problems: [LogError] = []
}

/// One thread's look through records: what it needs again and again, and what it found in the piece at hand.
final class RecordSieve {
  let options: LogReadOptions
  let query: LogQuery
  let matcher: PatternMatcher?
  /// Tells whether a match is only counted, without a look at what it is.
  let isCounter: Bool
  let block = LogBlockBuffer()
  private(set) var piece = SievedPiece()
  /// The memory that bytes of a file are read to.
  private var memory = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 20, alignment: 64)
  /// The last records that were no match, as context for one to come.
  private var recent: [LogItem] = []
  /// The number of records behind the last match are still wanted.
  private var wanted = 0

  init(_ options: LogReadOptions) {
    self.options = options
    query = options.query
    matcher = options.query.pattern.map(PatternMatcher.init)
    isCounter = options.countsOnly && !options.query.asksFields
  }

  deinit { memory.deallocate() }

  /// Tells whether records may be passed over without a look where the pattern tells that they do not match.
  var skips: Bool { matcher != nil && !query.inverts && !options.hasContext }

  func begin() {
    piece = SievedPiece()
    recent = []
    // The first ones may follow a match at the end of the piece before.
    wanted = options.after
  }

  /// Hands over what was found.
  func end() -> SievedPiece {
    // They may stand before a match at the start of the next piece.
    for item in recent where piece.items.last?.number ?? -1 < item.number { piece.items.append(item) }
    recent = []
    defer { piece = SievedPiece() }
    return piece
  }

  /// Puts what was found from the end into the order of the file.
  func turn() { piece.items.reverse() }

  func fail(_ error: LogError) { piece.problems.append(error) }

  /// Memory of at least `size` bytes; what was in it is kept.
  func room(_ size: Int) -> UnsafeMutableRawBufferPointer {
    if memory.count < size {
      let larger = UnsafeMutableRawBufferPointer.allocate(byteCount: max(size, memory.count * 2), alignment: 64)
      larger.copyMemory(from: UnsafeRawBufferPointer(memory))
      memory.deallocate()
      memory = larger
    }
    return memory
  }

  /// Counts records that were looked at.
  func count(_ seen: Int, matches: Int) {
    piece.seen += seen
    piece.matches += matches
  }

  /// Takes a record that was looked at.
  ///
  /// - Parameter make: Builds it; nil where it is not what is wanted after all.
  func take(isMatch: Bool, _ make: () -> LogItem?) {
    let number = piece.seen
    piece.seen += 1
    if isMatch {
      if isCounter {
        piece.matches += 1
        return
      }
      guard var item = make() else { return }
      piece.matches += 1
      guard !options.countsOnly else { return }
      for item in recent where piece.items.last?.number ?? -1 < item.number { piece.items.append(item) }
      recent.removeAll(keepingCapacity: true)
      item.number = number
      piece.items.append(item)
      wanted = options.after
      return
    }
    guard options.hasContext, !options.countsOnly, var item = make() else { return }
    item.number = number
    item.isMatch = false
    if wanted > 0 {
      wanted -= 1
      piece.items.append(item)
    }
    guard options.before > 0 else { return }
    if recent.count == options.before { recent.removeFirst() }
    recent.append(item)
  }
}

/// Sieves for as many threads as look at a time.
///
/// `@unchecked Sendable`: a sieve is out of the pool while a thread has it, so that one thread at a time uses it.
final class SievePool: @unchecked Sendable {
  private let lock = SieveLock()
  private var idle: [RecordSieve] = []
  let options: LogReadOptions

  init(_ options: LogReadOptions) { self.options = options }

  /// The result of a piece, by a sieve of the pool.
  func sieve(_ piece: LogPiece) -> SievedPiece {
    let sieve = lock.with { idle.popLast() } ?? RecordSieve(options)
    sieve.begin()
    do throws(LogError) { try piece.scan(sieve) } catch { sieve.fail(error) }
    defer { lock.with { idle.append(sieve) } }
    return sieve.end()
  }
}
