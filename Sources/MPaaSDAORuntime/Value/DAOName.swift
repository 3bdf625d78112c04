/// The names of arguments, properties, constants and classes.
package enum DAOName {
  /// Tells whether a byte may stand in a name: a letter, a digit, `_`, or a part of a character beyond ASCII.
  package static func isPart(_ byte: UInt8) -> Bool {
    byte &- 0x30 < 10 || (byte | 0x20) &- 0x61 < 26 || byte == UInt8(ascii: "_") || byte >= 0x80
  }

  /// Tells whether a text is a name, which does not begin with a digit.
  package static func isName(_ text: some StringProtocol) -> Bool {
    guard let first = text.utf8.first, first &- 0x30 >= 10 else { return false }
    return text.utf8.allSatisfy(isPart)
  }

  /// Tells whether SQL takes a column's name without quotes: ASCII letters, digits and `_`.
  package static func isPlain(_ name: String) -> Bool { isName(name) && name.utf8.allSatisfy { $0 < 0x80 } }

  /// A name as SQL takes it, whatever it consists of.
  package static func quoted(_ name: String) -> String {
    "\"" + name.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"") + "\""
  }
}
