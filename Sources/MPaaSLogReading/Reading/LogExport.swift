package import MPaaSLogUpload
package import MPaaSLogs
import MPaaSSupport

/// All records of files as lines, in the order of their times.
package struct LogExport: Sendable {
  package enum Form: Sendable {
    /// Lines of text, whose times are told by the clocks of a place.
    case text(LogZone.Place)
    /// A JSON object a line.
    case json
  }

  private let inputs: LogInputs
  private let form: Form

  package init(_ inputs: LogInputs, as form: Form) {
    self.inputs = inputs
    self.form = form
  }

  /// Hands over the lines in large pieces, each of which ends where a line does.
  ///
  /// - Returns: Records that could not be read, and why.
  package func write(_ put: (UnsafeRawBufferPointer) throws -> Void) throws -> [LogError] {
    var text = LogText(place)
    var lines: [UInt8] = []
    let summary = try LogMerge(inputs, LogReadOptions(LogQuery())).run { item in
      switch form {
      case .text: text.append(item.record, to: &lines)
      case .json: text.appendJSON(item.record, hasLevel: item.hasLevel, to: &lines)
      }
      lines.append(UInt8(ascii: "\n"))
      if lines.count > Self.pieceSize {
        try lines.withUnsafeBytes(put)
        lines.removeAll(keepingCapacity: true)
      }
      return true
    }
    try lines.withUnsafeBytes(put)
    return summary.problems
  }

  /// Writes the lines to a file that only its owner can read; there is none where a record cannot be read.
  ///
  /// - Returns: Records that could not be read, and why.
  package func write(to path: String) throws -> [LogError] {
    let file = try PartialFile(beside: path)
    let problems = try write { try file.append($0) }
    if problems.isEmpty { try file.finish(mode: 0o600) } else { file.discard() }
    return problems
  }

  private var place: LogZone.Place {
    switch form {
    case .text(let place): place
    case .json: .utc
    }
  }

  private static let pieceSize = 1 << 16
}
