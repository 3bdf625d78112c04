import Crypto

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Names of roles and targets as parts of URLs and as names of files.
package enum PercentEncoding {
  private static let digits = Array("0123456789ABCDEF".utf8)

  /// All bytes escaped but letters, digits, `-`, `.`, `_`, `~` (RFC 3986 section 2.3) and those of `kept`.
  package static func encode(_ text: String, keeping kept: Unicode.Scalar? = nil) -> String {
    var encoded: [UInt8] = []
    for byte in text.utf8 {
      if isUnreserved(byte) || kept.map({ UInt8(ascii: $0) == byte }) == true {
        encoded.append(byte)
      } else {
        encoded += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      }
    }
    return String(decoding: encoded, as: UTF8.self)
  }

  /// The bytes that a path of a URL stands for; nil where an escape is broken or what comes is no UTF-8.
  package static func decode(_ text: String) -> String? {
    var decoded: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "%") else {
        decoded.append(byte)
        continue
      }
      let escape = String(decoding: rest.prefix(2), as: UTF8.self)
      guard rest.count >= 2, let value = Data(hexadecimal: escape)?.first else { return nil }
      decoded.append(value)
      rest = rest.dropFirst(2)
    }
    return String(validating: decoded, as: UTF8.self)
  }

  /// A name for a file that no other role or target has, also where a file system does not tell cases apart from
  /// the names of the four top roles.
  package static func fileName(_ name: String) -> String {
    var encoded = encode(name)
    let isDisguised = TopRole(rawValue: name) == nil && TopRole(rawValue: name.lowercased()) != nil
    if isDisguised, let first = name.utf8.first(where: { $0 < 0x61 }) {
      let letter = String(UnicodeScalar(first))
      let escape = "%" + String(first, radix: 16, uppercase: true)
      encoded = encoded.replacing(letter, with: escape)
    }
    // File systems take 255 bytes; behind the name come an ending and what makes an unfinished file's name its own.
    guard encoded.utf8.count > 200 else { return encoded }
    return String(encoded.prefix(120)) + "~" + Data(SHA256.hash(data: Data(name.utf8))).hexadecimal
  }

  private static func isUnreserved(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
      UInt8(ascii: "~"):
      true
    default: false
    }
  }
}
