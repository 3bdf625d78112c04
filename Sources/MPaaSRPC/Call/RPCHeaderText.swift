import MPaaSSupport

/// Texts in header fields, where the gateway writes what is not ASCII as `%XX`.
enum RPCHeaderText {
  static func decoded(_ text: String?) -> String? {
    guard let text, !text.isEmpty else { return nil }
    return text.utf8.contains(UInt8(ascii: "%")) ? PercentEncoding.decodeLeniently(text.utf8) : text
  }

  /// Tells whether a value stays within its line.
  static func isSafe(_ text: String) -> Bool {
    text.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7f || $0 == 0x09 }
  }

  /// Tells whether a name is a token (RFC 9110, 5.6.2).
  static func isName(_ text: String) -> Bool {
    !text.isEmpty
      && text.utf8.allSatisfy { PercentEncoding.isAlphanumeric($0) || "!#$%&'*+-.^_`|~".utf8.contains($0) }
  }
}
