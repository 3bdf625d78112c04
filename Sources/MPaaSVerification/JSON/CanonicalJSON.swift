package import MPaaSSupport

extension JSONValue {
  /// The one way to write the value that signatures are made over: members sorted, no spaces, whole numbers only,
  /// and in strings only `"` and `\` escaped.
  ///
  /// Source: "OLPC Canonical JSON", which TUF (section 4.2.1) and in-toto use.
  /// - Throws: `TrustError` `json-number-not-whole` where a number has a fraction.
  package func canonical() throws(TrustError) -> [UInt8] {
    var text: [UInt8] = []
    try appendCanonical(to: &text)
    return text
  }

  private func appendCanonical(to text: inout [UInt8]) throws(TrustError) {
    switch self {
    case .null: text += Array("null".utf8)
    case .bool(let value): text += Array((value ? "true" : "false").utf8)
    case .unsigned(let value): text += Array(String(value).utf8)
    case .negative(let value): text += Array(String(value).utf8)
    case .number(let value): throw TrustError(.numberNotWhole, ["value": "\(value)"])
    case .string(let value): Self.appendCanonical(value, to: &text)
    case .array(let values):
      text.append(UInt8(ascii: "["))
      for (index, value) in values.enumerated() {
        if index > 0 { text.append(UInt8(ascii: ",")) }
        try value.appendCanonical(to: &text)
      }
      text.append(UInt8(ascii: "]"))
    case .object(let members):
      text.append(UInt8(ascii: "{"))
      // By code point, as Python sorts, which is the order of UTF-8.
      for (index, member) in members.sortedByName.enumerated() {
        if index > 0 { text.append(UInt8(ascii: ",")) }
        Self.appendCanonical(member.key, to: &text)
        text.append(UInt8(ascii: ":"))
        try member.value.appendCanonical(to: &text)
      }
      text.append(UInt8(ascii: "}"))
    }
  }

  private static func appendCanonical(_ string: String, to text: inout [UInt8]) {
    text.append(UInt8(ascii: "\""))
    var string = string
    string.withUTF8 { bytes in
      guard bytes.contains(where: { $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "\\") }) else {
        return text.append(contentsOf: bytes)
      }
      for byte in bytes {
        if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") { text.append(UInt8(ascii: "\\")) }
        text.append(byte)
      }
    }
    text.append(UInt8(ascii: "\""))
  }
}

extension TrustError.Code {
  package static let numberNotWhole = malformed("json-number-not-whole")
}
