package import MPaaSLogs
package import MPaaSSupport

/// The findings of looking at every byte of a `.mplog` file found.
package struct LogCheck: Sendable {
  /// A block that is not what was written.
  package struct Damage: Sendable, Hashable {
    package let range: Range<Int>
    package let number: UInt64
    /// `checksum`, `authentication`, `content`, `columns` or `part`.
    package let reason: String
  }

  /// Numbers of records that are in no block, between two that are.
  package struct Missing: Sendable, Hashable {
    package let sequences: Range<UInt64>
  }

  package private(set) var parts = 0
  package private(set) var blocks = 0
  package private(set) var records = 0
  package private(set) var gaps: [LogGap] = []
  package private(set) var damaged: [Damage] = []
  package private(set) var missing: [Missing] = []
  package private(set) var isEncrypted = false
  /// Tells whether the content of all blocks was decoded, not only their checksums compared.
  package private(set) var looksInside = true
  package let type: LogType?

  package var isWhole: Bool { gaps.isEmpty && damaged.isEmpty }

  /// Checks a file, its index included: no index is trusted.
  ///
  /// - Parameter keys: Where none opens a block, only its checksum is compared.
  /// - Throws: `LogError` `log-file-malformed`.
  package init(_ bytes: Bytes, path: String, keys: LogKeys) throws(LogError) {
    let file = try LogFile(bytes, path: path, usesIndex: false)
    type = file.parts.first?.type
    parts = file.parts.count
    gaps = file.gaps
    isEncrypted = file.isEncrypted
    let buffer = LogBlockBuffer()
    for block in file.blocks {
      do throws(LogError) {
        try file.decode(block, keys: keys, into: buffer)
        try buffer.makeViews()
      } catch {
        if error.code == .keyMissing {
          looksInside = false
        } else {
          let reason = error.values["reason"] ?? ""
          damaged.append(Damage(range: block.range, number: block.chunk.number, reason: reason))
          continue
        }
      }
      blocks += 1
      records += block.chunk.recordCount
    }
    findMissing(file)
    withExtendedLifetime(bytes) {}
  }

  /// Finds the records neither in a block nor in a damaged one, in the order of numbers.
  private mutating func findMissing(_ file: LogFile) {
    let ranges = file.blocks.map(\.chunk.sequences).filter { !$0.isEmpty }.sorted { $0.lowerBound < $1.lowerBound }
    guard var end = ranges.first?.upperBound else { return }
    for range in ranges.dropFirst() {
      if range.lowerBound > end { missing.append(Missing(sequences: end..<range.lowerBound)) }
      end = max(end, range.upperBound)
    }
  }
}
