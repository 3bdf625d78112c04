/// The type that YAML's core schema gives to a value without quotes.
///
/// - Source: https://yaml.org/spec/1.2.2/, section 10.3.2.
enum CoreScalar: Equatable {
  case null
  case bool(Bool)
  /// A number as JSON writes it, with all of its digits.
  case number(String)
  case string
  /// An infinity, no number at all, or a whole number in another base past 64 bits.
  case noJSON

  init(_ text: String) {
    switch text {
    case "", "~", "null", "Null", "NULL": self = .null
    case "true", "True", "TRUE": self = .bool(true)
    case "false", "False", "FALSE": self = .bool(false)
    default:
      guard let first = text.utf8.first, first < 0x3a else {
        self = .string
        return
      }
      self = Self.numeric(text)
    }
  }

  /// Tells whether a text is a whole number by its letters.
  static func isWhole(_ text: String) -> Bool {
    if text.hasPrefix("0o") || text.hasPrefix("0x") { return true }
    return text.utf8.drop { $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "+") }.allSatisfy { $0 &- 0x30 < 10 }
  }

  private static func numeric(_ text: String) -> CoreScalar {
    if text.hasPrefix("0o") { return based(text, 8) }
    if text.hasPrefix("0x") { return based(text, 16) }
    var rest = Array(text.utf8)[...]
    var digits = ""
    if let sign = rest.first, sign == UInt8(ascii: "-") || sign == UInt8(ascii: "+") {
      rest.removeFirst()
      if sign == UInt8(ascii: "-") { digits = "-" }
    }
    switch String(decoding: rest, as: UTF8.self) {
    case ".inf", ".Inf", ".INF": return .noJSON
    case ".nan", ".NaN", ".NAN": return rest.count == text.utf8.count ? .noJSON : .string
    default: break
    }
    let whole = take(&rest)
    var fraction: ArraySlice<UInt8> = []
    if rest.first == UInt8(ascii: ".") {
      rest.removeFirst()
      fraction = take(&rest)
    }
    guard !whole.isEmpty || !fraction.isEmpty else { return .string }
    let bare = whole.drop { $0 == UInt8(ascii: "0") }
    digits += bare.isEmpty ? "0" : String(decoding: bare, as: UTF8.self)
    if !fraction.isEmpty { digits += "." + String(decoding: fraction, as: UTF8.self) }
    return exponent(rest, behind: digits)
  }

  private static func exponent(_ rest: ArraySlice<UInt8>, behind digits: String) -> CoreScalar {
    var rest = rest
    guard let letter = rest.first else { return .number(digits) }
    guard letter | 0x20 == UInt8(ascii: "e") else { return .string }
    rest.removeFirst()
    var sign = ""
    if let byte = rest.first, byte == UInt8(ascii: "-") || byte == UInt8(ascii: "+") {
      rest.removeFirst()
      if byte == UInt8(ascii: "-") { sign = "-" }
    }
    let exponent = take(&rest)
    guard !exponent.isEmpty, rest.isEmpty else { return .string }
    return .number(digits + "e" + sign + String(decoding: exponent, as: UTF8.self))
  }

  private static func take(_ rest: inout ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    let digits = rest.prefix { $0 &- 0x30 < 10 }
    rest = rest.dropFirst(digits.count)
    return digits
  }

  private static func based(_ text: String, _ radix: Int) -> CoreScalar {
    let digits = text.dropFirst(2)
    let isNumber = digits.utf8.allSatisfy {
      radix == 8 ? $0 &- 0x30 < 8 : $0 &- 0x30 < 10 || ($0 | 0x20) &- 0x61 < 6
    }
    guard !digits.isEmpty, isNumber else { return .string }
    return UInt64(digits, radix: radix).map { .number(String($0)) } ?? .noJSON
  }
}
