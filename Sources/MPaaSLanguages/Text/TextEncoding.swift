/// The encodings of a table's bytes.
package enum TextEncoding: Sendable, Equatable {
  case utf8(hasMark: Bool)
  case utf16(isBig: Bool, hasMark: Bool)

  /// By the byte order mark, else by where the zeros of the first character stand.
  package init(of bytes: [UInt8]) {
    if bytes.starts(with: [0xef, 0xbb, 0xbf]) {
      self = .utf8(hasMark: true)
    } else if bytes.starts(with: [0xfe, 0xff]) || bytes.starts(with: [0xff, 0xfe]) {
      self = .utf16(isBig: bytes[0] == 0xfe, hasMark: true)
    } else if bytes.count > 1, bytes[0] == 0 || bytes[1] == 0, bytes[0] != bytes[1] {
      self = .utf16(isBig: bytes[0] == 0, hasMark: false)
    } else {
      self = .utf8(hasMark: false)
    }
  }

  /// The text in UTF-8 without a mark; nil where the bytes are none.
  package func decode(_ bytes: [UInt8]) -> [UInt8]? {
    switch self {
    case .utf8(let hasMark):
      let text = Array(bytes.dropFirst(hasMark ? 3 : 0))
      return String(validating: text, as: UTF8.self) == nil ? nil : text
    case .utf16(let isBig, let hasMark):
      let bytes = bytes.dropFirst(hasMark ? 2 : 0)
      guard bytes.count % 2 == 0 else { return nil }
      let units = stride(from: bytes.startIndex, to: bytes.endIndex, by: 2).map { index in
        UInt16(bytes[index]) << (isBig ? 8 : 0) | UInt16(bytes[index + 1]) << (isBig ? 0 : 8)
      }
      return String(validating: units, as: UTF16.self).map { Array($0.utf8) }
    }
  }

  package func encode(_ text: [UInt8]) -> [UInt8] {
    switch self {
    case .utf8(let hasMark): return (hasMark ? [0xef, 0xbb, 0xbf] : []) + text
    case .utf16(let isBig, let hasMark):
      var bytes: [UInt8] = []
      let units = (hasMark ? [0xfeff] : []) + Array(String(decoding: text, as: UTF8.self).utf16)
      for unit in units {
        let (high, low) = (UInt8(unit >> 8), UInt8(unit & 0xff))
        bytes += isBig ? [high, low] : [low, high]
      }
      return bytes
    }
  }
}
