import MPaaSSupport

/// Writes values in the old style.
package struct OldStyleWriter: Sendable {
  package enum Types: Sendable {
    /// Numbers as words, booleans as `YES` and `NO`, dates as strings: what Apple's readers read, as strings.
    case words
    /// Numbers, booleans and dates as GNUstep types them: `<*I5>`.
    case gnustep
  }

  /// The need of a string for quotes.
  package enum Quotes: Sendable {
    /// Quotes where a letter demands them, as Xcode writes.
    case needed
    /// Always, as `.strings` files have them.
    case always
  }

  package var newline = "\n"
  /// The indentation of one level.
  package var unit = "\t"
  package var types = Types.words
  package var quotes = Quotes.needed

  package init() {}

  /// The text of a value; lines after the first begin with `indent`.
  ///
  /// - Throws: `oldstyle-value` for what the format has no form for.
  package func text(_ value: PropertyListValue, indent: String = "") throws(ConfigError) -> String {
    switch value.content {
    case .dictionary(let members):
      guard !members.isEmpty else { return "{}" }
      var text = "{"
      for member in members { text += newline + indent + unit + (try entry(member, indent: indent + unit)) }
      return text + newline + indent + "}"
    case .array(let values):
      guard !values.isEmpty else { return "()" }
      var text = "("
      for value in values { text += newline + indent + unit + (try self.text(value, indent: indent + unit)) + "," }
      return text + newline + indent + ")"
    case .string(let text): return string(text)
    case .data(let bytes): return Self.data(bytes)
    default: return try scalar(value)
    }
  }

  /// A member of a dictionary: `key = value;`.
  package func entry(_ member: PropertyListMember, indent: String = "") throws(ConfigError) -> String {
    string(member.key) + " = " + (try text(member.value, indent: indent)) + ";"
  }

  private func scalar(_ value: PropertyListValue) throws(ConfigError) -> String {
    switch (value.content, types) {
    case (.integer(let number), .words): return "\(number)"
    case (.integer(let number), .gnustep): return "<*I\(number)>"
    case (.real(let number), .words): return string("\(number)")
    case (.real(let number), .gnustep): return "<*R\(number)>"
    case (.boolean(let value), .words): return value ? "YES" : "NO"
    case (.boolean(let value), .gnustep): return value ? "<*BY>" : "<*BN>"
    case (.date(let date), .words): return string("\(date)")
    case (.date(let date), .gnustep):
      let text = "\(date)"
      return "<*D\(text.prefix(10)) \(text.dropFirst(11).prefix(8)) +0000>"
    default: throw ConfigError(.oldStyleValue, ["element": value.element])
    }
  }

  /// A string with the quotes and escapes that it needs.
  package func string(_ text: String) -> String {
    quotes == .needed && !Self.needsQuotes(text) ? text : Self.quoted(text)
  }

  /// Tells whether Xcode writes quotes around it.
  package static func needsQuotes(_ text: String) -> Bool {
    var text = text
    return text.withUTF8 { bytes in
      guard !bytes.isEmpty else { return true }
      var slashes = 0
      var underscores = 0
      for byte in bytes {
        switch byte {
        case 0x30...0x39, 0x41...0x5a, 0x61...0x7a, 0x24, 0x2e: (slashes, underscores) = (0, 0)
        case 0x2f: (slashes, underscores) = (slashes + 1, 0)
        case 0x5f: (slashes, underscores) = (0, underscores + 1)
        default: return true
        }
        if slashes > 1 || underscores > 2 { return true }
      }
      return false
    }
  }

  /// A string in quotes: only what must be escaped is.
  package static func quoted(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": result += "\\\""
      case "\\": result += "\\\\"
      case "\n": result += "\\n"
      case "\t": result += "\\t"
      case "\r": result += "\\r"
      case _ where scalar.value < 0x20 || scalar.value == 0x7f:
        result += "\\U" + scalar.value.padded(to: 4, radix: 16)
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }

  private static func data(_ bytes: [UInt8]) -> String {
    let groups = stride(from: 0, to: bytes.count, by: 4).map { bytes[$0..<min($0 + 4, bytes.count)].hexadecimal }
    return "<" + groups.joined(separator: " ") + ">"
  }
}
