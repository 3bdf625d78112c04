extension Sequence<UInt8> {
  /// The bytes as hexadecimal digits in lower case, two each.
  package var hexadecimal: String {
    var text: [UInt8] = []
    text.reserveCapacity(2 * underestimatedCount)
    for byte in self {
      text.append(digit(byte >> 4))
      text.append(digit(byte & 15))
    }
    return String(decoding: text, as: UTF8.self)
  }
}

extension [UInt8] {
  /// The bytes of hexadecimal digits of either case; nil where there is any other character or an odd number.
  package init?(hexadecimal text: some StringProtocol) {
    let digits = text.utf8
    guard digits.count.isMultiple(of: 2) else { return nil }
    self.init()
    reserveCapacity(digits.count / 2)
    var high: UInt8?
    for digit in digits {
      guard let value = digit.hexadecimalValue else { return nil }
      if let begun = high {
        append(begun << 4 | value)
        high = nil
      } else {
        high = value
      }
    }
  }
}

extension UInt8 {
  /// The value of a hexadecimal digit of either case in ASCII; nil for other bytes.
  fileprivate var hexadecimalValue: UInt8? {
    switch self {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): self - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): self - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): self - UInt8(ascii: "A") + 10
    default: nil
    }
  }
}

private func digit(_ value: UInt8) -> UInt8 {
  value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
}
