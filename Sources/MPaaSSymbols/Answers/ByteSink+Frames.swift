extension ByteSink {
  mutating func put(_ text: UnsafeRawBufferPointer?, else other: StaticString) {
    if let text { put(text) } else { put(other) }
  }

  @inline(__always)
  mutating func put(_ text: StaticString) {
    put(UnsafeRawBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }

  mutating func put(hex value: UInt64, digits: Int = 1) {
    put("0x")
    let needed = max((67 - value.leadingZeroBitCount) / 4, 1)
    for _ in 0..<max(digits - needed, 0) { put(UInt8(ascii: "0")) }
    var shift = (needed - 1) * 4
    while shift >= 0 {
      let digit = UInt8(truncatingIfNeeded: value >> UInt64(shift) & 15)
      put(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") - 10 + digit)
      shift -= 4
    }
  }

  mutating func put(decimal value: UInt64) {
    var divisor: UInt64 = 1
    while value / divisor >= 10 { divisor *= 10 }
    while divisor > 0 {
      put(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: value / divisor % 10))
      divisor /= 10
    }
  }

  mutating func put(decimalOrNull value: UInt64) {
    if value > 0 { put(decimal: value) } else { put("null") }
  }

  /// A JSON string, or `null`.
  mutating func put(json text: UnsafeRawBufferPointer?) {
    guard let text else { return put("null") }
    put(UInt8(ascii: "\""))
    if text.isPlainJSON { put(text) } else { put(escaped: text) }
    put(UInt8(ascii: "\""))
  }

  private mutating func put(escaped text: UnsafeRawBufferPointer) {
    for byte in text {
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"):
        put(UInt8(ascii: "\\"))
        put(byte)
      case 0..<0x20:
        put("\\u00")
        put(UInt8(ascii: "0") + byte >> 4)
        let digit = byte & 15
        put(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") - 10 + digit)
      default: put(byte)
      }
    }
  }
}

extension UnsafeRawBufferPointer {
  /// Tells whether no byte needs an escape in a JSON string; eight bytes at a time.
  fileprivate var isPlainJSON: Bool {
    let ones: UInt64 = 0x0101_0101_0101_0101
    let tops: UInt64 = 0x8080_8080_8080_8080
    func hasZero(_ word: UInt64) -> Bool { (word &- ones) & ~word & tops != 0 }
    var offset = 0
    while offset &+ 8 <= count {
      let word = loadUnaligned(fromByteOffset: offset, as: UInt64.self)
      if hasZero(word ^ ones &* 0x22) || hasZero(word ^ ones &* 0x5c) || (word &- ones &* 0x20) & ~word & tops != 0 {
        return false
      }
      offset &+= 8
    }
    while offset < count {
      let byte = self[offset]
      if byte < 0x20 || byte == 0x22 || byte == 0x5c { return false }
      offset &+= 1
    }
    return true
  }
}
