/// Forms of texts that are neither times nor addresses.
enum TextFormats {
  static func isUUID(_ text: String) -> Bool {
    let bytes = Array(text.utf8)
    guard bytes.count == 36 else { return false }
    return bytes.enumerated().allSatisfy { index, byte in
      [8, 13, 18, 23].contains(index)
        ? byte == UInt8(ascii: "-") : byte &- 0x30 < 10 || (byte | 0x20) &- 0x61 < 6
    }
  }

  /// RFC 6901.
  static func isPointer(_ text: String) -> Bool {
    guard text.isEmpty || text.hasPrefix("/") else { return false }
    let bytes = Array(text.utf8)
    return bytes.enumerated().allSatisfy { index, byte in
      byte != UInt8(ascii: "~")
        || (index + 1 < bytes.count && (bytes[index + 1] == UInt8(ascii: "0") || bytes[index + 1] == UInt8(ascii: "1")))
    }
  }

  static func isRelativePointer(_ text: String) -> Bool {
    let digits = text.utf8.prefix { $0 &- 0x30 < 10 }
    guard !digits.isEmpty, digits.count == 1 || digits.first != UInt8(ascii: "0") else { return false }
    let rest = String(text.dropFirst(digits.count))
    return rest == "#" || isPointer(rest)
  }

  static func isRegex(_ text: String) -> Bool {
    if case .malformed = ECMAPattern(text) { return false }
    var depth = 0
    var isInClass = false
    var isEscaped = false
    for byte in text.utf8 {
      if isEscaped {
        isEscaped = false
        continue
      }
      switch byte {
      case UInt8(ascii: "\\"): isEscaped = true
      case UInt8(ascii: "["): isInClass = true
      case UInt8(ascii: "]"): isInClass = false
      case UInt8(ascii: "(") where !isInClass: depth += 1
      case UInt8(ascii: ")") where !isInClass:
        depth -= 1
        if depth < 0 { return false }
      default: break
      }
    }
    return depth == 0
  }

  static func isBase64(_ text: String) -> Bool {
    let bytes = Array(text.utf8)
    guard bytes.count % 4 == 0 else { return false }
    let bare = bytes.prefix { $0 != UInt8(ascii: "=") }
    return bytes.count - bare.count <= 2 && bytes.dropFirst(bare.count).allSatisfy { $0 == UInt8(ascii: "=") }
      && bare.allSatisfy { AddressFormats.isAlphanumeric($0) || $0 == UInt8(ascii: "+") || $0 == UInt8(ascii: "/") }
  }
}
