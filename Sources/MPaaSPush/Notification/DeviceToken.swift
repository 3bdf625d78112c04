import MPaaSSupport

/// The name that APNs has for an app on a device: bytes, written as hexadecimal digits.
package struct DeviceToken: Sendable, Hashable {
  /// Small hexadecimal digits.
  package let text: String

  /// Reads a token as people and older apps write it: of either case, with blanks, between `<` and `>`.
  ///
  /// - Throws: `push-token-malformed` for anything but 1 to 200 bytes.
  package init(_ written: some StringProtocol) throws(PushError) {
    let digits = written.utf8.filter { ![0x20, 0x09, 0x0d, 0x3c, 0x3e].contains($0) }
    let isHexadecimal = digits.allSatisfy {
      (0x30...0x39).contains($0) || (0x41...0x46).contains($0) || (0x61...0x66).contains($0)
    }
    guard isHexadecimal, digits.count.isMultiple(of: 2), (2...400).contains(digits.count) else {
      throw PushError(.tokenMalformed, ["token": String(written.prefix(80))])
    }
    text = String(decoding: digits.map { (0x41...0x46).contains($0) ? $0 | 0x20 : $0 }, as: UTF8.self)
  }
}

/// Tokens of a file: one a line; blank lines and those with `#` in front do not count.
package enum TokenLines {
  package static func tokens(in text: String) -> [String] {
    text.utf8.split { $0 == 0x0a || $0 == 0x0d }.compactMap { line in
      let words = line.drop { $0 == 0x20 || $0 == 0x09 }
      guard let first = words.first, first != 0x23 else { return nil }
      return String(decoding: words, as: UTF8.self)
    }
  }
}
