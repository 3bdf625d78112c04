import MPaaSSupport

/// What a file of logs is and holds, as far as little reading tells.
package struct LogListing: Sendable {
  package var path: String
  package var format: LogFormat
  package var type: LogType?
  package var size: UInt64
  package var isEncrypted = false
  /// Nanoseconds since 1970 of the first record and the last.
  package var first: Int64?
  package var last: Int64?
  /// Where the format tells it without reading all.
  package var records: Int?
  /// Parts of the file that are no blocks.
  package var gaps = 0
  /// Whether it is what a writer has staged.
  package var isStaging = false
  package var problem: LogError?

  /// Looks at a file.
  package init(_ file: LogFiles.File, _ opening: LogOpening) {
    path = file.path
    size = file.size
    type = file.type
    format = .text
    do {
      try look(file, opening)
    } catch {
      problem = LogError(from: error, file)
    }
  }

  private mutating func look(_ file: LogFiles.File, _ opening: LogOpening) throws {
    let kind = try ReadFile(file.path).bytes(0..<1 << 16).withUnsafeBytes { FileKind.of($0) }
    format = kind.format
    switch kind {
    case .staging:
      let staging = try LogStaging(path: file.path)
      isStaging = true
      isEncrypted = staging.isEncrypted
      type = staging.type
      take(staging.segments.map(\.chunk))
    case .mplog:
      let log = try LogFile(path: file.path)
      isEncrypted = log.isEncrypted
      type = log.parts.first?.type ?? type
      gaps = log.gaps.count
      take(log.blocks.map(\.chunk))
    default:
      let named = file.path
      let inputs = try LogInputs([named], opening)
      guard let source = inputs.sources.first else { return }
      format = source.format
      type = source.type ?? type
      first = source.leastTime()
      // What can only be read from the front is not read to its end for this.
      guard source is TextSource else { return }
      last = try LogMerge(inputs, LogReadOptions(), threads: 0).last(1).items.last?.record.time
    }
  }

  private mutating func take(_ chunks: [LogChunk]) {
    records = chunks.reduce(0) { $0 + $1.recordCount }
    first = chunks.map(\.leastTime).min()
    last = chunks.map(\.greatestTime).max()
  }
}
