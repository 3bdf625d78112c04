import MPaaSSupport

/// The identity of one build of an image: the bytes of its `NT_GNU_BUILD_ID` note.
package struct BuildID: Sendable, Hashable {
  package let bytes: [UInt8]

  /// - Parameter bytes: 1 to 64 of them, else there is no identity.
  package init?(_ bytes: some Collection<UInt8>) {
    guard (1...64).contains(bytes.count) else { return nil }
    self.bytes = Array(bytes)
  }

  /// Reads hexadecimal digits, with or without dashes, in either case.
  package init?(hex: some StringProtocol) {
    var bytes: [UInt8] = []
    var high: UInt8?
    for digit in hex.utf8 where digit != UInt8(ascii: "-") {
      guard let value = Self.value(of: digit) else { return nil }
      if let first = high {
        bytes.append(first << 4 | value)
        high = nil
      } else {
        high = value
      }
    }
    guard high == nil else { return nil }
    self.init(bytes)
  }

  /// Lower-case hexadecimal digits.
  package var hex: String {
    let digits = Array("0123456789abcdef".utf8)
    return String(decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
  }

  private static func value(of digit: UInt8) -> UInt8? {
    switch digit {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
    default: nil
    }
  }
}

extension BuildID: CustomStringConvertible {
  package var description: String { hex }
}

extension BuildID: Codable {
  package init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let text = try container.decode(String.self)
    guard let id = BuildID(hex: text) else {
      throw DecodingError.dataCorruptedError(in: container, debugDescription: "not a build ID: \(text)")
    }
    self = id
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(hex)
  }
}
