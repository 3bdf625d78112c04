package import MPaaSSupport
package import MPaaSTrust

/// Pairs as people write them: an object of JSON, or a line `name=value` each.
extension KeyPairs {
  /// Puts the pairs of a text in place of those with the same names.
  ///
  /// Empty lines, and those that begin with `#`, say nothing.
  ///
  /// - Parameter name: The text's name in errors.
  /// - Throws: `TrustError` `key-pairs-malformed` with the line, and as `set`.
  package mutating func add(_ text: Bytes, name: String) throws(TrustError) {
    if text.array.first(where: { !" \t\r\n".utf8.contains($0) }) == UInt8(ascii: "{") {
      guard let members = try? JSONValue(reading: text.buffer).object else { throw Self.malformed(name, 1) }
      for (key, value) in members {
        guard let value = value.string else { throw Self.malformed(name, 1) }
        try set(key, value)
      }
      return
    }
    let lines = String(decoding: text.array, as: UTF8.self).split(
      omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    for (index, line) in lines.enumerated() where !line.isEmpty && !line.hasPrefix("#") {
      guard line.contains("=") else { throw Self.malformed(name, index + 1) }
      try add(line)
    }
  }

  /// Puts the value of `name=value` under the name; the value may have further equals signs.
  ///
  /// - Throws: `TrustError` `key-pairs-malformed`, and as `set`.
  package mutating func add(_ text: Substring) throws(TrustError) {
    guard let equals = text.firstIndex(of: "=") else { throw Self.malformed(String(text), 1) }
    try set(String(text[..<equals]), String(text[text.index(after: equals)...]))
  }

  /// Takes pairs away.
  ///
  /// - Throws: `TrustError` `key-pair-unknown` for a name that has none.
  package mutating func remove(_ names: [String]) throws(TrustError) {
    for name in names {
      guard remove(name) else { throw TrustError(.keyPairUnknown, ["name": name]) }
    }
  }

  /// The value in a file, without the line end that editors put behind what is meant.
  ///
  /// - Throws: `FileError`.
  package static func value(in path: String) throws(FileError) -> String {
    let text = String(decoding: try Bytes.reading(path, limit: limit + 1).array, as: UTF8.self)
    return text.hasSuffix("\r\n") || text.hasSuffix("\n") ? String(text.dropLast()) : text
  }

  private static func malformed(_ name: String, _ line: Int) -> TrustError {
    TrustError(.keyPairsMalformed, ["path": name, "line": String(line)])
  }
}

extension TrustError.Code {
  static let keyPairsMalformed = malformed("key-pairs-malformed")
  static let keyPairUnknown = TrustError.Code("key-pair-unknown", exit: .inputMissing)
}
