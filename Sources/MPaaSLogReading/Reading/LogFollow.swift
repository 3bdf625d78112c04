import MPaaSLogUpload
package import MPaaSLogs
import MPaaSSupport

/// Records as they are written: what a writer stages, and what grows at the ends of files.
package struct LogFollow {
  private let followed: FollowedPaths
  private let opening: LogOpening
  private let options: LogReadOptions
  private let matcher: PatternMatcher?
  private let sieve: RecordSieve
  /// The names of files, by their numbers in `LogItem.source`.
  package private(set) var names: [String] = []
  private var numbers: [String: Int] = [:]
  /// Files of text, through all that rotation does to them.
  private var texts: TextFollow
  /// The sizes that our files had.
  private var sizes: [String: UInt64] = [:]
  /// The greatest sequence that was told, of each writer of a type.
  private var sequences: [Lane: UInt64] = [:]

  /// The names of the last listing.
  private var listed: Set<Name> = []
  private static let mostListings = 8

  private struct Name: Hashable {
    let path: String
    let identity: [UInt64]
  }

  private struct Lane: Hashable {
    let folder: String
    let number: Int
  }

  package init(_ paths: [String], _ opening: LogOpening, _ options: LogReadOptions) throws(LogError) {
    self.opening = opening
    self.options = options
    texts = TextFollow(temporary: opening.temporary)
    matcher = options.query.pattern.map(PatternMatcher.init)
    sieve = RecordSieve(options)
    followed = try FollowedPaths(paths)
  }

  /// The last records that are there, from which on the others follow.
  package mutating func begin(_ count: Int) throws -> (items: [LogItem], problems: [LogError]) {
    let inputs = try LogInputs(followed.paths, opening, query: LogQuery()).mapping { source in
      guard let text = source as? TextSource else { return source }
      // A line that is not ended yet is told when it is.
      let end = text.file.lastLineEnd(from: 0)
      return TextSource(text.file, name: text.name, type: text.type, zone: opening.zone, range: 0..<end)
    }
    for source in inputs.sources {
      switch source {
      case let text as TextSource:
        texts.begin(text.file, name: text.name, type: text.type, end: text.range.upperBound)
      case let log as BlockSource:
        sizes[log.name] = UInt64(log.file.bytes.count)
        for block in log.file.blocks { told(lane(log, block), block.chunk.sequences.upperBound) }
      case let staging as StagingSource:
        for segment in staging.segments {
          told(Self.lane(staging.staging), segment.chunk.sequences.upperBound)
        }
      default: break
      }
    }
    texts.begin(beside: followed.loose(among: followed.files()))
    let (items, summary) = try LogMerge(inputs, options).last(count)
    let numbered = items.map { item in
      var item = item
      item.source = number(inputs.names[item.source])
      return item
    }
    return (numbered, summary.problems + inputs.problems)
  }

  /// Reads the lines written since.
  package mutating func more() throws -> (items: [LogItem], problems: [LogError]) {
    var items: [LogItem] = []
    var problems: [LogError] = []
    var found: [Lane: [UInt64: LogItem]] = [:]
    let files = settledFiles()
    for file in files where file.path.hasSuffix(LogStaging.suffix) {
      // One that is gone was put into files.
      guard let staging = try? LogStaging(path: file.path) else { continue }
      let lane = Self.lane(staging)
      for segment in staging.segments where segment.chunk.sequences.upperBound > next(lane) {
        do throws(LogError) {
          try staging.decode(segment, keys: opening.keys, into: sieve.block)
          take(lane, file.path, &found)
        } catch {
          problems.append(error)
        }
      }
    }
    let others = followed.loose(among: files)
    for file in others where file.path.hasSuffix(LogFolder.suffix) { grown(file, &found, &problems) }
    let grown = texts.look(others, among: followed, &problems)
    for piece in grown { items += text(piece, &problems) }
    for (lane, records) in found {
      for (sequence, item) in records.sorted(by: { $0.key < $1.key }) {
        sequences[lane] = max(sequences[lane] ?? 0, sequence)
        if isWanted(item.record) { items.append(item) }
      }
    }
    items.sort { ($0.record.time ?? .max) < ($1.record.time ?? .max) }
    return (items, problems)
  }

  /// The files of a listing in which nothing changed meanwhile: one that is renamed may be missed by a listing, and
  /// what follows it would be told before it.
  private mutating func settledFiles() -> [LogFiles.File] {
    var files = followed.files()
    for _ in 0..<Self.mostListings {
      let names = Set(files.map { Name(path: $0.path, identity: $0.identity) })
      if names == listed { break }
      listed = names
      files = followed.files()
    }
    return files
  }

  private mutating func grown(
    _ file: LogFiles.File, _ found: inout [Lane: [UInt64: LogItem]], _ problems: inout [LogError]
  ) {
    guard sizes[file.path] != file.size, let log = try? LogFile(path: file.path) else { return }
    sizes[file.path] = file.size
    let source = BlockSource(file: log, keys: opening.keys, name: file.path)
    for block in log.blocks {
      let lane = lane(source, block)
      guard block.chunk.sequences.upperBound > next(lane) else { continue }
      do throws(LogError) {
        try log.decode(block, keys: opening.keys, into: sieve.block)
        take(lane, file.path, &found)
      } catch {
        problems.append(error)
      }
    }
  }

  /// Takes the records of the decoded block that were not told yet.
  private mutating func take(_ lane: Lane, _ path: String, _ found: inout [Lane: [UInt64: LogItem]]) {
    guard (try? sieve.block.makeViews()) != nil else { return }
    let least = next(lane)
    for view in sieve.block.views where view.sequence >= least {
      var item = LogItem(sieve.block.record(view))
      item.source = number(path)
      found[lane, default: [:]][view.sequence] = item
    }
  }

  private mutating func text(_ piece: FollowedPiece, _ problems: inout [LogError]) -> [LogItem] {
    let source = TextSource(
      piece.file, name: piece.name, type: piece.type, zone: opening.zone, range: piece.range)
    guard !source.isLeftOut(by: options.query) else { return [] }
    let pool = SievePool(options)
    var items: [LogItem] = []
    if case .indexed(let range, let piece) = source.pieces(for: options.query) {
      for index in range {
        let sieved = pool.sieve(piece(index))
        problems += sieved.problems
        items += sieved.items.filter(\.isMatch)
      }
    }
    let number = number(piece.name)
    for index in items.indices { items[index].source = number }
    return items
  }

  private func isWanted(_ record: LogRecord) -> Bool {
    guard options.query.admits(record) else { return false }
    guard let matcher else { return true }
    var writer = LogText(.utc)
    var text: [UInt8] = []
    writer.append(record, to: &text)
    return text.withUnsafeBytes { matcher.matches($0) } != options.query.inverts
  }

  /// The sequence of a writer's first record that was not told.
  private func next(_ lane: Lane) -> UInt64 { sequences[lane].map { $0 + 1 } ?? 0 }

  private mutating func told(_ lane: Lane, _ end: UInt64) {
    guard end > 0 else { return }
    sequences[lane] = max(sequences[lane] ?? 0, end - 1)
  }

  private func lane(_ log: BlockSource, _ block: LogBlock) -> Lane {
    let folder = FileSystem.folder(of: FileSystem.folder(of: log.name))
    return Lane(folder: folder, number: block.part.map { log.file.parts[$0].lane } ?? 0)
  }

  private static func lane(_ staging: LogStaging) -> Lane {
    Lane(folder: FileSystem.folder(of: staging.path), number: staging.lane)
  }

  private mutating func number(_ path: String) -> Int {
    if let number = numbers[path] { return number }
    numbers[path] = names.count
    names.append(path)
    return names.count - 1
  }
}
