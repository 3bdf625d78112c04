/// Text in URLs, where bytes may stand as `%XX` (RFC 3986, section 2.1).
package enum PercentEncoding {
  /// All bytes escaped but letters, digits, `-`, `.`, `_`, `~` (RFC 3986, section 2.3) and those of `kept`.
  ///
  /// - Parameter kept: An ASCII character that stays as it is.
  package static func encode(_ text: String, keeping kept: Unicode.Scalar? = nil) -> String {
    let kept = kept.map { UInt8(ascii: $0) }
    return encode(text.utf8) { isUnreserved($0) || $0 == kept }
  }

  /// Bytes escaped but for some ASCII characters.
  ///
  /// - Parameters:
  ///   - isUppercase: False for digits as `%e7`.
  ///   - isKept: Tells whether a byte stays as it is.
  package static func encode(
    _ bytes: some Sequence<UInt8>, isUppercase: Bool = true, keeping isKept: (UInt8) -> Bool
  ) -> String {
    var encoded = ""
    for byte in bytes {
      if isKept(byte) {
        encoded.unicodeScalars.append(Unicode.Scalar(byte))
      } else {
        let digits = CollectionOfOne(byte).hexadecimal
        encoded += "%" + (isUppercase ? digits.uppercased() : digits)
      }
    }
    return encoded
  }

  /// The text that a part of a URL stands for; nil where an escape is broken or what comes is no UTF-8.
  package static func decode(_ text: String) -> String? {
    bytes(of: text.utf8, keepsBroken: false).flatMap { String(validUTF8: $0) }
  }

  /// The text whose bytes stand with some of them as `%XX`; what is no such triplet stays as it is, and what is no UTF-8
  /// becomes U+FFFD.
  package static func decodeLeniently(_ bytes: some Sequence<UInt8>) -> String {
    String(decoding: Self.bytes(of: bytes, keepsBroken: true) ?? [], as: UTF8.self)
  }

  /// - Parameter keepsBroken: True where a `%` without two digits stays; else there are no bytes then.
  private static func bytes(of text: some Sequence<UInt8>, keepsBroken: Bool) -> [UInt8]? {
    let text = Array(text)
    var decoded: [UInt8] = []
    decoded.reserveCapacity(text.count)
    var place = 0
    while place < text.count {
      guard text[place] == UInt8(ascii: "%") else {
        decoded.append(text[place])
        place += 1
        continue
      }
      let digits = String(decoding: text[(place + 1)...].prefix(2), as: UTF8.self)
      if let value = [UInt8](hexadecimal: digits)?.first {
        decoded.append(value)
        place += 3
      } else {
        guard keepsBroken else { return nil }
        decoded.append(text[place])
        place += 1
      }
    }
    return decoded
  }

  /// Tells whether a byte is an ASCII letter or digit.
  package static func isAlphanumeric(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default: false
    }
  }

  /// Tells whether a byte stands for itself everywhere in a URL (RFC 3986, section 2.3).
  package static func isUnreserved(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "~"): true
    default: isAlphanumeric(byte)
    }
  }
}
