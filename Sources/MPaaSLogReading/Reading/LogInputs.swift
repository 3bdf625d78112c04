package import MPaaSLogUpload
package import MPaaSLogs
package import MPaaSSupport

/// The means to open files, beside their paths.
package struct LogOpening: Sendable {
  package var keys = LogKeys()
  package var loganKey: LoganKey?
  package var xlogKey: XlogKey?
  /// The zone of times without one.
  package var zone = LogZone(.local)
  /// The place with room for the content of packs.
  package var temporary = TemporaryPlace.current

  package init() {}
}

/// The files that records are read from.
package struct LogInputs: Sendable {
  private(set) var sources: [any LogSource]
  /// Files of folders that are no logs, or could not be opened, and what is read although it begins like no text.
  package private(set) var problems: [LogError] = []
  /// The faults of packs: told with what their files have.
  private(set) var damage: [LogError] = []

  /// The names of the sources, by their numbers in `LogItem.source`.
  package var names: [String] { sources.map(\.name) }

  /// Opens files and folders.
  ///
  /// - Throws: `LogError` where one that was named cannot be read, or is no log.
  package init(_ paths: [String], _ opening: LogOpening, query: LogQuery = LogQuery()) throws(LogError) {
    // Staged records are looked at before the files, so that those that are sealed meanwhile are not missed.
    let files = try LogFiles.files(in: paths).filter { Self.mayHold($0.path, $0.type, query) }
    var opened = Opened()
    for file in files where file.path.hasSuffix(LogStaging.suffix) {
      do {
        opened.stagings.append(try LogStaging(path: file.path))
      } catch {
        problems.append(LogError(from: error, file))
      }
    }
    for file in files where !file.path.hasSuffix(LogStaging.suffix) {
      do {
        try opened.add(file, opening, query)
      } catch {
        let problem = LogError(from: error, file)
        if file.isNamed { throw problem }
        // A file that is no log is passed over; a pack that cannot be opened is one that is damaged.
        if [.packUnreadable, .packTooLarge].contains(problem.code) {
          opened.damage.append(problem)
        } else {
          problems.append(problem)
        }
      }
    }
    sources = opened.all(opening, query)
    problems += opened.notes
    damage = opened.damage
  }

  /// Reads what comes over a pipe.
  package init(_ bytes: Bytes, name: String, now: Int64, _ opening: LogOpening) throws(LogError) {
    let named = LogFiles.File(path: name, relativePath: name, size: 0, modified: now, isNamed: true)
    var opened = Opened()
    do {
      let isArchive = LogPackReader.isArchive(UnsafeRawBufferPointer(rebasing: bytes.buffer.prefix(1 << 16)))
      if isArchive, let pack = try LogPackContents(bytes, path: name, temporary: opening.temporary) {
        opened.add(pack, named, opening, LogQuery())
      } else if let source = try Self.open(
        ReadFile(bytes, path: name, modified: now), name: name, type: nil, opening)
      {
        opened.take(source, LogQuery())
      }
    } catch {
      throw LogError(from: error, named)
    }
    withExtendedLifetime(bytes) {}
    sources = opened.all(opening, LogQuery())
    problems = opened.notes
    damage = opened.damage
  }

  /// The same with what `change` makes of each source.
  func mapping(_ change: (any LogSource) -> any LogSource) -> LogInputs {
    var other = self
    other.sources = sources.map(change)
    return other
  }

  /// Tells whether the day of a file's folder leaves it open that it holds what is wanted.
  fileprivate static func mayHold(_ path: String, _ type: LogType?, _ query: LogQuery) -> Bool {
    guard type != nil, let day = LogFiles.day(of: path) else { return true }
    // Two days: zones, and what a file goes on with behind its hour.
    let slack: Int64 = 2 * 86_400
    if let since = query.since, (day + 1) * 86_400 + slack < since / 1_000_000_000 { return false }
    if let until = query.until, day * 86_400 - slack > until / 1_000_000_000 { return false }
    return true
  }

  /// - Returns: nil for an empty file, and for what a writer has staged.
  static func open(
    _ file: ReadFile, name: String, type: LogType?, _ opening: LogOpening
  ) throws -> (any LogSource)? {
    guard file.size > 0 else { return nil }
    let kind = file.bytes(0..<1 << 16).withUnsafeBytes { FileKind.of($0) }
    let shape = TextShape(zone: opening.zone, reference: file.modified, type: type ?? .diagnostic)
    switch kind {
    case .mplog: return BlockSource(file: try LogFile(try file.whole(), path: name), keys: opening.keys, name: name)
    case .staging: return nil
    case .gzip, .zstandard:
      let form: StreamDecompression.Form = kind == .gzip ? .gzip : .zstandard
      return try StreamSource(name: name, format: nil, type: type, shape: shape) { DecompressedText(file, form) }
    case .logan:
      guard let key = opening.loganKey else { throw LogError(.loganKeyMissing, ["path": name], at: .file(name)) }
      var shape = shape
      shape.rule = .logan
      return try StreamSource(name: name, format: .logan, type: type, shape: shape) { LoganUnits(file, key) }
    case .xlog:
      let key = opening.xlogKey
      return try StreamSource(name: name, format: .xlog, type: type, shape: shape) { XlogBlocks(file, key) }
    case .text: return TextSource(file, name: name, type: type, zone: opening.zone)
    case .unknown:
      // A file that has another format's name, but not its bytes, is damaged, and no text.
      guard LogFiles.isText(name) else { throw LogError(.formatUnknown, ["path": name], at: .file(name)) }
      return TextSource(file, name: name, type: type, zone: opening.zone, isBinary: true)
    }
  }
}

/// Files as they are opened one after another.
private struct Opened {
  var sources: [any LogSource] = []
  var stagings: [LogStaging] = []
  var damage: [LogError] = []
  /// The notes on files that are read nevertheless.
  var notes: [LogError] = []

  /// Opens a file, or the files of a pack.
  mutating func add(_ file: LogFiles.File, _ opening: LogOpening, _ query: LogQuery) throws {
    let read = try ReadFile(file.path)
    if read.isArchive {
      // An archive in a folder may be of anything.
      guard
        let pack = try LogPackContents(
          try Bytes.mapping(file.path), path: file.path, temporary: opening.temporary, isNamed: file.isNamed)
      else { return }
      add(pack, file, opening, query)
      return
    }
    guard file.inside == nil else { throw LogError(FileError(.open, file.path, .notDirectory)) }
    guard let source = try LogInputs.open(read, name: file.path, type: file.type, opening) else { return }
    take(source, query)
  }

  /// Opens the files of a pack; what cannot be read of one hides no other.
  mutating func add(_ pack: LogPackContents, _ file: LogFiles.File, _ opening: LogOpening, _ query: LogQuery) {
    damage += pack.problems
    for packed in pack.inside(file.inside) where LogInputs.mayHold(packed.path, packed.type, query) {
      let name = pack.name(of: packed.path)
      do {
        if name.hasSuffix(LogStaging.suffix) {
          stagings.append(try LogStaging(try packed.bytes(), path: name))
        } else if let source = try LogInputs.open(packed.file, name: name, type: packed.type, opening) {
          take(source, query)
        }
      } catch {
        damage.append(
          LogError(from: error, LogFiles.File(path: name, relativePath: name, size: 0, modified: 0, isNamed: false)))
      }
    }
  }

  mutating func take(_ source: any LogSource, _ query: LogQuery) {
    guard !source.isLeftOut(by: query) else { return }
    sources.append(source)
    if let text = source as? TextSource, text.isBinary {
      notes.append(LogError(.fileBinary, ["path": text.name], at: .file(text.name)))
    }
  }

  /// All of them, with what is staged and stands in none.
  func all(_ opening: LogOpening, _ query: LogQuery) -> [any LogSource] {
    let logs = sources.compactMap { ($0 as? BlockSource)?.file }
    let staged = stagings.compactMap { staging -> StagingSource? in
      let left = staging.segments.filter { !$0.isSealed(in: logs) }
      let source = StagingSource(staging: staging, segments: left, keys: opening.keys, name: staging.path)
      return left.isEmpty || source.isLeftOut(by: query) ? nil : source
    }
    return sources + staged
  }
}

extension LogFiles {
  /// The day of the folder that a file lies in, from 1970-01-01.
  fileprivate static func day(of path: String) -> Int64? {
    guard let name = path.split(separator: "/").dropLast().last else { return nil }
    let parts = name.split(separator: "-").compactMap { Int($0) }
    guard parts.count == 3 else { return nil }
    return LogDay.number(year: parts[0], month: parts[1], day: parts[2])
  }
}

extension CodedError where Domain == LogDomain {
  /// Any error of opening a file.
  init(from error: any Error, _ file: LogFiles.File) {
    switch error {
    case let error as LogError: self = error
    case let error as FileError: self.init(error)
    default: self.init(.formatUnknown, ["path": file.path], at: .file(file.path))
    }
  }
}
