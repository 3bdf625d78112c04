package import MPaaSLogs
import MPaaSSupport

/// Records from a script: messages, or lines of text or of JSON.
package struct ScriptRecords: Sendable {
  /// Hands over the lines that have come, each with its number from 1; false where no more will.
  package typealias Lines = (_ line: (Int, UnsafeRawBufferPointer) throws -> Void) throws -> Bool

  private let template: LogEntry
  private let isJSON: Bool

  /// - Parameters:
  ///   - template: What each record has beside its message.
  ///   - isJSON: Whether a line is an object, whose members say more than the template.
  package init(_ template: LogEntry, isJSON: Bool) {
    self.template = template
    self.isJSON = isJSON
  }

  /// Writes a record for each message; where there are none, for each line.
  ///
  /// - Returns: How many there were.
  /// - Throws: `log-line-malformed` for a line that is no object of JSON; those before it are written.
  package func write(
    _ messages: [String], else lines: Lines, to write: @escaping (LogEntry) -> Void
  ) throws -> Int {
    for message in messages { write(saying(message)) }
    var count = messages.count
    guard messages.isEmpty else { return count }
    while try lines({ number, line in
      let entry = isJSON ? try template.reading(json: line, number: number) : saying(String(utf8: line))
      guard let entry else { return }
      write(entry)
      count += 1
    }) {}
    return count
  }

  private func saying(_ message: String) -> LogEntry {
    var entry = template
    entry.message = message
    return entry
  }
}

extension LogField {
  /// A field as users type it, `NAME=VALUE`: `true` and `false` are truths, whole numbers are numbers.
  ///
  /// - Throws: `log-field-malformed` for one without a name or without the sign.
  package init(typed text: String) throws(LogError) {
    let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 2, !parts[0].isEmpty else { throw LogError(.fieldMalformed, ["value": text]) }
    let value: LogValue =
      switch parts[1] {
      case "true": .flag(true)
      case "false": .flag(false)
      default: Int64(parts[1]).map { .integer($0) } ?? .text(parts[1])
      }
    self.init(parts[0], value)
  }
}
