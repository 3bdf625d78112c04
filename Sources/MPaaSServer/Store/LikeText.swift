/// Patterns of `lower(…) LIKE ? ESCAPE '\'`, by which both databases take capitals of ASCII for small letters, and no
/// other letters for one another.
enum LikeText {
  /// The pattern of whatever has `text` within it.
  static func containing(_ text: String) -> String { "%\(escaped(text))%" }

  /// A text as it stands, its capitals of ASCII as small letters.
  static func escaped(_ text: String) -> String {
    var bytes: [UInt8] = []
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "%"), UInt8(ascii: "_"), UInt8(ascii: "\\"): bytes += [UInt8(ascii: "\\"), byte]
      case 0x41...0x5a: bytes.append(byte | 0x20)
      default: bytes.append(byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
