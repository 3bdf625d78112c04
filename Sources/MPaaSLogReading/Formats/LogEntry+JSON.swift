package import MPaaSLogs
import MPaaSSupport

extension LogEntry {
  /// The record that a line of JSON describes, on top of what this one says; nil for an empty line.
  ///
  /// - Parameter number: Of the line, which an error names.
  /// - Throws: `log-line-malformed` for what is no object.
  package func reading(json line: UnsafeRawBufferPointer, number: Int) throws(LogError) -> LogEntry? {
    guard line.contains(where: { $0 > 0x20 }) else { return nil }
    guard let object = (try? JSONValue(reading: line))?.object else {
      throw LogError(.lineMalformed, ["line": String(number)])
    }
    var entry = self
    for (name, value) in object.sorted(by: { $0.key < $1.key }) {
      switch (name, value.string) {
      case ("message", let text?), ("msg", let text?): entry.message = text
      case ("tag", let text?): entry.tag = text
      case ("subsystem", let text?): entry.subsystem = text
      case ("level", let text?): entry.level = LogLevel(word: text) ?? entry.level
      case ("fields", nil):
        let members = (value.object ?? [:]).sorted { $0.key < $1.key }
        entry.fields += members.map { LogField($0.key, LogValue(json: $0.value)) }
      default: entry.fields.append(LogField(name, LogValue(json: value)))
      }
    }
    return entry
  }
}

extension LogLevel {
  /// The level that a word names, in capitals or not: `warning`, `warn` and `w` are the same.
  package init?(word: String) {
    switch word.lowercased() {
    case "verbose", "v", "trace": self = .verbose
    case "debug", "d": self = .debug
    case "info", "i", "notice": self = .info
    case "warning", "w", "warn": self = .warning
    case "error", "e", "err": self = .error
    case "fatal", "f", "critical": self = .fatal
    default: return nil
    }
  }
}

extension LogValue {
  /// A value of JSON; what is neither text nor number nor truth as its text.
  fileprivate init(json value: JSONValue) {
    if let text = value.string {
      self = .text(text)
    } else if let flag = value.bool {
      self = .flag(flag)
    } else if let whole = value.integer(Int64.self) {
      self = .integer(whole)
    } else if let number = value.double {
      self = .real(number)
    } else {
      var text: [UInt8] = []
      value.append(to: &text)
      self = .text(String(decoding: text, as: UTF8.self))
    }
  }
}
