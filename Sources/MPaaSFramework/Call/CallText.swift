/// Values that fit into a URL, a header field or a form: a line of text.
public protocol CallText {
  /// The value as text, not yet encoded.
  var callText: String { get }
}

extension String: CallText {
  /// The string itself.
  public var callText: String { self }
}

extension Int: CallText {
  /// The number in decimal digits, with a minus sign where it is negative.
  public var callText: String { String(self) }
}

extension Double: CallText {
  /// Whole numbers without a fraction: `4`, `4.25`.
  public var callText: String { Int(exactly: self).map { String($0) } ?? String(self) }
}

extension Bool: CallText {
  /// `true` or `false`.
  public var callText: String { self ? "true" : "false" }
}

enum CallEncoding {
  /// RFC 3986 section 2.3: everything but unreserved characters is encoded, so it fits into any part of a URL.
  static func percent(_ text: String) -> String {
    var result = ""
    for byte in text.utf8 {
      switch byte {
      case 0x30...0x39, 0x41...0x5a, 0x61...0x7a, 0x2d, 0x2e, 0x5f, 0x7e:
        result.unicodeScalars.append(Unicode.Scalar(byte))
      default:
        let digits = String(byte, radix: 16, uppercase: true)
        result += digits.count == 1 ? "%0" + digits : "%" + digits
      }
    }
    return result
  }
}
