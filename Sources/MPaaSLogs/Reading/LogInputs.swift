package import MPaaSSupport

/// What opens files, beside their paths.
package struct LogOpening: Sendable {
  package var keys = LogKeys()
  package var loganKey: LoganKey?
  package var xlogKey: XlogKey?
  /// What times without a zone mean.
  package var zone = LogZone(.local)

  package init() {}
}

/// The files that records are read from.
package struct LogInputs: Sendable {
  private(set) var sources: [any LogSource]
  /// Files of folders that are no logs, or could not be opened.
  package private(set) var problems: [LogError] = []

  /// The names of the sources, by their numbers in `LogItem.source`.
  package var names: [String] { sources.map(\.name) }

  /// Opens files and folders.
  ///
  /// - Throws: `LogError` where one that was named cannot be read, or is no log.
  package init(_ paths: [String], _ opening: LogOpening, query: LogQuery = LogQuery()) throws(LogError) {
    // What is staged is looked at before the files, so that what is sealed meanwhile is not missed.
    let files = try LogFiles.files(in: paths).filter { Self.mayHold($0, query) }
    var opened: [any LogSource] = []
    var stagings: [LogStaging] = []
    for file in files where file.path.hasSuffix(LogStaging.suffix) {
      do { stagings.append(try LogStaging(path: file.path)) } catch { problems.append(LogError(from: error, file)) }
    }
    for file in files where !file.path.hasSuffix(LogStaging.suffix) {
      do {
        guard let source = try Self.open(file, opening) else { continue }
        if !source.isLeftOut(by: query) { opened.append(source) }
      } catch {
        let problem = LogError(from: error, file)
        if file.isNamed { throw problem }
        problems.append(problem)
      }
    }
    let logs = opened.compactMap { ($0 as? BlockSource)?.file }
    for staging in stagings {
      let left = staging.segments.filter { !$0.isSealed(in: logs) }
      let source = StagingSource(staging: staging, segments: left, keys: opening.keys, name: staging.path)
      if !left.isEmpty, !source.isLeftOut(by: query) { opened.append(source) }
    }
    sources = opened
  }

  /// Reads what comes over a pipe.
  package init(_ bytes: Bytes, name: String, now: Int64, _ opening: LogOpening) throws(LogError) {
    let file = ReadFile(bytes, path: name, modified: now)
    do {
      sources = try Self.open(file, name: name, type: nil, isNamed: true, opening).map { [$0] } ?? []
    } catch {
      throw LogError(
        from: error, LogFiles.File(path: name, relativePath: name, size: 0, modified: 0, type: nil, isNamed: true))
    }
  }

  /// The same with what `change` makes of each source.
  func mapping(_ change: (any LogSource) -> any LogSource) -> LogInputs {
    var other = self
    other.sources = sources.map(change)
    return other
  }

  /// Whether the day of a file's folder leaves it open that it holds what is wanted.
  private static func mayHold(_ file: LogFiles.File, _ query: LogQuery) -> Bool {
    guard file.type != nil, let day = file.day else { return true }
    // Two days: zones, and what a file goes on with behind its hour.
    let slack: Int64 = 2 * 86_400
    if let since = query.since, (day + 1) * 86_400 + slack < since / 1_000_000_000 { return false }
    if let until = query.until, day * 86_400 - slack > until / 1_000_000_000 { return false }
    return true
  }

  private static func open(_ file: LogFiles.File, _ opening: LogOpening) throws -> (any LogSource)? {
    try open(
      try ReadFile(file.path), name: file.path, type: file.type, isNamed: file.isNamed, opening)
  }

  private static func open(
    _ file: ReadFile, name: String, type: LogType?, isNamed: Bool, _ opening: LogOpening
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
    case .unknown: throw LogError(.formatUnknown, ["path": name], at: .file(name))
    }
  }
}

extension LogFiles.File {
  /// The day of the folder that the file lies in, from 1970-01-01.
  fileprivate var day: Int64? {
    guard let name = path.split(separator: "/").dropLast().last else { return nil }
    let parts = name.split(separator: "-").compactMap { Int($0) }
    guard parts.count == 3 else { return nil }
    return LogDay.number(year: parts[0], month: parts[1], day: parts[2])
  }
}

extension ReadFile {
  /// All of it, mapped where it is a file.
  func whole() throws(FileError) -> Bytes {
    if let bytes { return bytes }
    return try Bytes.mapping(path)
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
