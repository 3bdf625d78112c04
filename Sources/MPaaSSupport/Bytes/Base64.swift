/// Base64 of the standard alphabet (RFC 4648, section 4).
package enum Base64 {
  package static func encode(_ bytes: some Collection<UInt8>, isPadded: Bool = true) -> String {
    let text = String(decoding: digits(bytes), as: UTF8.self)
    return isPadded ? text : String(text.prefix { $0 != "=" })
  }

  /// The digits of some bytes, padded.
  package static func digits(_ bytes: some Collection<UInt8>) -> [UInt8] {
    bytes.withContiguousStorageIfAvailable { digits(of: $0) } ?? Array(bytes).withUnsafeBufferPointer { digits(of: $0) }
  }

  private static func digits(of bytes: UnsafeBufferPointer<UInt8>) -> [UInt8] {
    var text: [UInt8] = []
    text.reserveCapacity((bytes.count + 2) / 3 * 4)
    alphabet.withUnsafeBufferPointer { alphabet in
      var index = 0
      while index < bytes.count {
        let left = bytes.count - index
        let second = left > 1 ? UInt32(bytes[index + 1]) : 0
        let third = left > 2 ? UInt32(bytes[index + 2]) : 0
        let bits = UInt32(bytes[index]) << 16 | second << 8 | third
        text.append(alphabet[Int(bits >> 18)])
        text.append(alphabet[Int(bits >> 12 & 63)])
        text.append(left > 1 ? alphabet[Int(bits >> 6 & 63)] : 0x3d)
        text.append(left > 2 ? alphabet[Int(bits & 63)] : 0x3d)
        index += 3
      }
    }
    return text
  }

  /// Reads the one spelling that `encode` writes; nil for any other: other characters, missing or needless padding,
  /// bits set behind the last byte (RFC 4648, section 3.5).
  ///
  /// - Parameter isPadded: Whether `=` fills the last group of four, or must not stand there.
  package static func decode(_ text: some Collection<UInt8>, isPadded: Bool = true) -> [UInt8]? {
    let text = Array(text)
    guard let bytes = decode(loose: text) else { return nil }
    var expected = digits(bytes)
    if !isPadded { while expected.last == UInt8(ascii: "=") { expected.removeLast() } }
    return expected == text ? bytes : nil
  }

  /// Reads text with blanks anywhere, whose padding may be missing.
  package static func decode(loose text: [UInt8]) -> [UInt8]? { text.withUnsafeBufferPointer { decode(loose: $0) } }

  /// Reads text with blanks anywhere, whose padding may be missing.
  package static func decode(loose text: UnsafeBufferPointer<UInt8>) -> [UInt8]? {
    var isValid = true
    let bytes = [UInt8](unsafeUninitializedCapacity: text.count / 4 * 3 + 3) { target, filled in
      values.withUnsafeBufferPointer { values in
        var bits: UInt32 = 0
        var count = 0
        var isPadded = false
        for byte in text {
          let value = values[Int(byte)]
          if value < 64, !isPadded {
            bits = bits << 6 | UInt32(value)
            count += 1
            if count & 3 == 0 {
              target[filled] = UInt8(truncatingIfNeeded: bits >> 16)
              target[filled + 1] = UInt8(truncatingIfNeeded: bits >> 8)
              target[filled + 2] = UInt8(truncatingIfNeeded: bits)
              filled += 3
            }
          } else if value == 66 {
            isPadded = true
          } else if value != 65 {
            isValid = false
            return
          }
        }
        switch count & 3 {
        case 1: isValid = false
        case 2:
          target[filled] = UInt8(truncatingIfNeeded: bits >> 4)
          filled += 1
        case 3:
          target[filled] = UInt8(truncatingIfNeeded: bits >> 10)
          target[filled + 1] = UInt8(truncatingIfNeeded: bits >> 2)
          filled += 2
        default: break
        }
      }
    }
    return isValid ? bytes : nil
  }

  /// The value of each byte; 64: none, 65: a blank, 66: padding.
  private static let values: [UInt8] = {
    var values = [UInt8](repeating: 64, count: 256)
    for (value, byte) in alphabet.enumerated() { values[Int(byte)] = UInt8(value) }
    for blank in [0x20, 0x09, 0x0a, 0x0d] { values[blank] = 65 }
    values[0x3d] = 66
    return values
  }()

  private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
}
