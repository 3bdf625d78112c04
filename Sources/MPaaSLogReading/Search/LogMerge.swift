package import MPaaSLogs
import MPaaSSupport

/// The result of reading.
package struct LogReadSummary: Sendable {
  /// Records that are what was asked for.
  package var matches = 0
  /// The problems of reading.
  package var problems: [LogError] = []
  /// The number of matches of each source, where only counts were asked for.
  package var counts: [Int] = []

  package init(problems: [LogError] = []) { self.problems = problems }
}

/// Records of many files in the order of their times, with memory for a few pieces of the files at that time only.
package struct LogMerge: Sendable {
  private let sources: [any LogSource]
  private let options: LogReadOptions
  private let threads: Int
  /// The damage that is known to be wrong before anything is read.
  private let damage: [LogError]

  init(_ sources: [any LogSource], damage: [LogError] = [], _ options: LogReadOptions, threads: Int) {
    self.sources = sources
    self.damage = damage
    self.options = options
    self.threads = threads
  }

  /// Hands over each record; ends early where `body` says false.
  package func run(_ body: (LogItem) throws -> Bool) throws -> LogReadSummary {
    let pool = SievePool(options)
    var summary = LogReadSummary(problems: damage)
    var waiting = sources.indices.map { Beginning(source: $0, time: sources[$0].leastTime()) }
      .sorted { ($0.time ?? .min, $0.source) > ($1.time ?? .min, $1.source) }
    var active: [ItemStream] = []
    while true {
      // Files are opened when their time has come.
      while let next = waiting.last, active.isEmpty || (next.time ?? .min) <= active[0].time {
        waiting.removeLast()
        let stream = ItemStream(
          next.source, try sources[next.source].pieces(for: options.query), pool, threads: threads, options)
        if try stream.advance(&summary) { Self.insert(stream, into: &active) }
      }
      guard let first = active.first else {
        if waiting.isEmpty { break }
        continue
      }
      let item = first.item
      if item.isMatch { summary.matches += 1 }
      guard try body(item) else { return summary }
      let goesOn = try first.advance(&summary)
      if goesOn, active.count == 1 { continue }
      active.removeFirst()
      if goesOn { Self.insert(first, into: &active) }
    }
    return summary
  }

  /// The number of records of each source that are what was asked for.
  package func count() throws -> LogReadSummary {
    var options = options
    options.countsOnly = true
    options.query.isCounted = true
    options.before = 0
    options.after = 0
    let pool = SievePool(options)
    var summary = LogReadSummary(problems: damage)
    for source in sources {
      var count = 0
      let stream = PieceStream(try source.pieces(for: options.query), pool: pool, threads: threads)
      while let piece = try stream.next() {
        count += piece.matches
        summary.problems += piece.problems
      }
      summary.counts.append(count)
      summary.matches += count
    }
    return summary
  }

  /// The last records, in order of time; files are read from their ends where they can be.
  package func last(_ count: Int) throws -> (items: [LogItem], summary: LogReadSummary) {
    var summary = LogReadSummary(problems: damage)
    guard count > 0 else { return ([], summary) }
    var options = options
    options.lastOnly = count
    options.query.isFromEnd = true
    let pool = SievePool(options)
    var last: [LogItem] = []
    // Those that end last first: the others may have nothing that is later.
    let ends = sources.map { $0.greatestTime() ?? .max }
    for index in sources.indices.sorted(by: { (ends[$0], $1) > (ends[$1], $0) }) {
      if last.count == count, ends[index] < last[0].order { break }
      var found = try lastRecords(count, of: sources[index], pool, &summary)
      var time = Int64.min
      for place in found.indices {
        found[place].source = index
        time = found[place].record.time ?? time
        found[place].order = time
      }
      // Records of the same time stay in the order of the files, and in that of each file.
      let all = (last + found).enumerated().sorted { (first, second) -> Bool in
        let (a, b) = (first.element, second.element)
        return (a.order, a.source, first.offset) < (b.order, b.source, second.offset)
      }
      last = all.suffix(count).map { $0.element }
    }
    summary.matches = last.count
    return (last, summary)
  }

  /// The last records of a source, in its order.
  private func lastRecords(
    _ count: Int, of source: any LogSource, _ pool: SievePool, _ summary: inout LogReadSummary
  ) throws -> ArraySlice<LogItem> {
    var found: [LogItem] = []
    switch try source.pieces(for: pool.options.query) {
    case .indexed(let range, let piece):
      for number in range.reversed() {
        let sieved = pool.sieve(piece(number))
        summary.problems += sieved.problems
        found = sieved.items.filter(\.isMatch) + found
        if found.count >= count { break }
      }
    case .sequential(let next):
      while let piece = try next() {
        let sieved = pool.sieve(piece)
        summary.problems += sieved.problems
        found += sieved.items.filter(\.isMatch)
        if found.count > 2 * count + 1000 { found.removeFirst(found.count - count) }
      }
    }
    return found.suffix(count)
  }

  private struct Beginning {
    let source: Int
    let time: Int64?
  }

  /// Keeps the streams in the order of their next records.
  private static func insert(_ stream: ItemStream, into active: inout [ItemStream]) {
    var place = 0
    while place < active.count,
      (active[place].time, active[place].source) <= (stream.time, stream.source)
    { place += 1 }
    active.insert(stream, at: place)
  }
}

/// The records of a source one after another, with those around them that are wanted.
private final class ItemStream {
  let source: Int
  /// The record that is next, and the time by which it is put in order.
  private(set) var item = LogItem(LogRecord(LogEntry(.info, "", ""), time: nil))
  private(set) var time = Int64.min
  private let stream: PieceStream
  private let options: LogReadOptions
  private var ready: [LogItem] = []
  private var place = 0
  private var base = 0
  /// Records before a match that may come.
  private var recent: [LogItem] = []
  private var lastMatch = Int.min / 2

  init(_ source: Int, _ pieces: LogPieces, _ pool: SievePool, threads: Int, _ options: LogReadOptions) {
    self.source = source
    self.options = options
    stream = PieceStream(pieces, pool: pool, threads: threads)
  }

  /// Goes to the next record; false where there is none.
  func advance(_ summary: inout LogReadSummary) throws -> Bool {
    while place == ready.count {
      guard let piece = try stream.next() else { return false }
      summary.problems += piece.problems
      place = 0
      ready = options.hasContext ? chosen(piece.items) : piece.items
      base += piece.seen
    }
    item = ready[place]
    item.source = source
    place += 1
    time = item.record.time ?? time
    item.order = time
    return true
  }

  /// The records of a piece that are matches, or near enough to one.
  private func chosen(_ items: [LogItem]) -> [LogItem] {
    var chosen: [LogItem] = []
    for var item in items {
      item.number += base
      if item.isMatch {
        chosen += recent.filter { $0.number >= item.number - options.before }
        recent.removeAll(keepingCapacity: true)
        chosen.append(item)
        lastMatch = item.number
      } else if item.number <= lastMatch + options.after {
        chosen.append(item)
      } else if options.before > 0 {
        if recent.count == options.before { recent.removeFirst() }
        recent.append(item)
      }
    }
    return chosen
  }
}

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif
