package import MPaaSSupport

/// The spelling of keys and values.
package enum TOMLKey {
  /// A key as it stands in a text: bare where it may be, else in quotes.
  package static func written(_ key: String) -> String {
    key.isEmpty || !key.utf8.allSatisfy(isBare) ? quoted(key) : key
  }

  /// Tells whether a byte may stand in a key without quotes.
  static func isBare(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
      UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "_"), UInt8(ascii: "-"):
      true
    default: false
    }
  }

  /// A string in double quotes (TOML 1.0.0, "String"); its escapes are a subset of JSON's.
  package static func quoted(_ text: String) -> String {
    var bytes: [UInt8] = []
    JSONValue.append(text, to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// A value on one line, tables inline with their keys sorted; nil where TOML has no such value.
  package static func value(_ value: JSONValue) -> String? {
    switch value {
    case .null: return nil
    case .bool(let bool): return bool ? "true" : "false"
    case .unsigned(let number): return number <= UInt64(Int64.max) ? String(number) : nil
    case .negative(let number): return String(number)
    case .number(let number): return written(number)
    case .string(let text): return quoted(text)
    case .array(let elements):
      var parts: [String] = []
      for element in elements {
        guard let part = self.value(element) else { return nil }
        parts.append(part)
      }
      return "[" + parts.joined(separator: ", ") + "]"
    case .object(let members):
      var parts: [String] = []
      for (key, member) in members.sorted(by: { $0.key < $1.key }) {
        guard let part = self.value(member) else { return nil }
        parts.append("\(written(key)) = \(part)")
      }
      return parts.isEmpty ? "{}" : "{ " + parts.joined(separator: ", ") + " }"
    }
  }

  /// TOML wants digits on both sides of a point, which an exponent may do without.
  private static func written(_ number: Double) -> String? { number.isFinite ? number.description : nil }

  /// The text between double quotes with its escapes put in; nil where an escape is none.
  static func unescaped(_ bytes: ArraySlice<UInt8>) -> String? {
    var result: [UInt8] = []
    var rest = bytes
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "\\") else {
        result.append(byte)
        continue
      }
      guard let kind = rest.popFirst() else { return nil }
      switch kind {
      case UInt8(ascii: "b"): result.append(0x08)
      case UInt8(ascii: "t"): result.append(0x09)
      case UInt8(ascii: "n"): result.append(0x0a)
      case UInt8(ascii: "f"): result.append(0x0c)
      case UInt8(ascii: "r"): result.append(0x0d)
      case UInt8(ascii: "\""), UInt8(ascii: "\\"): result.append(kind)
      case UInt8(ascii: "u"), UInt8(ascii: "U"):
        let count = kind == UInt8(ascii: "u") ? 4 : 8
        let digits = String(decoding: rest.prefix(count), as: UTF8.self)
        guard rest.count >= count, let scalar = UInt32(digits, radix: 16).flatMap(Unicode.Scalar.init) else {
          return nil
        }
        result += Character(scalar).utf8
        rest = rest.dropFirst(count)
      default: return nil
      }
    }
    return String(decoding: result, as: UTF8.self)
  }
}
