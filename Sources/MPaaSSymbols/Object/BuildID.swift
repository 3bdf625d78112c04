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
    let digits = String(decoding: hex.utf8.filter { $0 != UInt8(ascii: "-") }, as: UTF8.self)
    guard let bytes = [UInt8](hexadecimal: digits) else { return nil }
    self.init(bytes)
  }

  /// Lower-case hexadecimal digits.
  package var hex: String { bytes.hexadecimal }

  /// A UUID as Apple writes it: upper case, dashes behind the bytes 4, 6, 8 and 10.
  package var dashed: String { hex.uppercased().dashedUUID }
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
