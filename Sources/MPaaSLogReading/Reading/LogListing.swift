package import MPaaSLogUpload
package import MPaaSLogs
import MPaaSSupport

/// The kind and content of a file of logs, as far as little reading tells.
package struct LogListing: Sendable {
  package var path: String
  package var format: LogFormat
  package var type: LogType?
  package var size: UInt64
  package var isEncrypted = false
  /// Nanoseconds since 1970 of the first record and the last.
  package var first: Int64?
  package var last: Int64?
  /// The number of records, where the format tells it without reading all.
  package var records: Int?
  /// Parts of the file that are no blocks.
  package var gaps = 0
  /// Tells whether it is what a writer has staged.
  package var isStaging = false
  package var problem: LogError?

  /// Looks at files, and at those that packs hold.
  package static func all(_ files: [LogFiles.File], _ opening: LogOpening) -> [LogListing] {
    files.flatMap { file -> [LogListing] in
      do {
        let read = try ReadFile(file.path)
        guard read.isArchive else {
          return [LogListing(file.path, file.size, file.type) { try $0.look(read, opening) }]
        }
        return try pack(file, opening)
      } catch {
        return [LogListing(file.path, file.size, file.type) { _ in throw error }]
      }
    }
  }

  /// The files of a pack, those that are missing too, and a row for the pack where it is damaged by itself.
  private static func pack(_ file: LogFiles.File, _ opening: LogOpening) throws -> [LogListing] {
    let bytes = try Bytes.mapping(file.path)
    guard
      let pack = try LogPackContents(
        bytes, path: file.path, temporary: opening.temporary, isNamed: file.isNamed)
    else { return [] }
    let rows = pack.inside(file.inside).map { packed in
      LogListing(pack.name(of: packed.path), packed.size, packed.type) { row in
        if !packed.isUnchanged { row.problem = pack.problem(.packDamaged, packed.path) }
        try row.look(packed.file, opening)
      }
    }
    let missing = pack.missing.map { entry in
      var row = LogListing(pack.name(of: entry.path), entry.size, LogType(rawValue: entry.type)) { _ in }
      row.format = entry.format
      row.problem = pack.problem(.packFileMissing, entry.path)
      return row
    }
    let faults = pack.faults.prefix(1).map { fault in LogListing(file.path, file.size, nil) { _ in throw fault } }
    return rows + missing + faults
  }

  /// - Parameter look: Finds out the rest.
  private init(_ path: String, _ size: UInt64, _ type: LogType?, _ look: (inout LogListing) throws -> Void) {
    self.path = path
    self.size = size
    self.type = type
    format = .text
    do {
      try look(&self)
    } catch {
      let file = LogFiles.File(path: path, relativePath: path, size: size, modified: 0, isNamed: true)
      problem = problem ?? LogError(from: error, file)
    }
  }

  private mutating func look(_ file: ReadFile, _ opening: LogOpening) throws {
    let kind = file.bytes(0..<1 << 16).withUnsafeBytes { FileKind.of($0) }
    format = kind.format
    switch kind {
    case .staging:
      let staging = try LogStaging(try file.whole(), path: path)
      isStaging = true
      isEncrypted = staging.isEncrypted
      type = staging.type
      take(staging.segments.map(\.chunk))
    case .mplog:
      let log = try LogFile(try file.whole(), path: path)
      isEncrypted = log.isEncrypted
      type = log.parts.first?.type ?? type
      gaps = log.gaps.count
      take(log.blocks.map(\.chunk))
    default:
      guard let source = try LogInputs.open(file, name: path, type: type, opening) else { return }
      format = source.format
      type = source.type ?? type
      first = source.leastTime()
      // Logs that can only be read from the front are not read to their end for this.
      guard source is TextSource else { return }
      last = try LogMerge([source], LogReadOptions(), threads: 0).last(1).items.last?.record.time
    }
  }

  private mutating func take(_ chunks: [LogChunk]) {
    records = chunks.reduce(0) { $0 + $1.recordCount }
    first = chunks.map(\.leastTime).min()
    last = chunks.map(\.greatestTime).max()
  }
}
