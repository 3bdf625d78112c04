import Foundation

/// Ed25519 signatures that say nothing new in other words, or hold for many messages.
enum Ed25519Spellings {
  /// 2^252 + 27742317777372353535851937790883648493, the least significant byte first.
  static let order: [UInt8] = [
    0xed, 0xd3, 0xf5, 0x5c, 0x1a, 0x63, 0x12, 0x58, 0xd6, 0x9c, 0xf7, 0xa2, 0xde, 0xf9, 0xde, 0x14,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x10,
  ]

  /// All encodings of points of small order, canonical or not.
  static let smallOrders: [[UInt8]] = {
    let eighth = "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05"
    let other = "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a"
    let top = String(repeating: "ff", count: 30)
    let zeros = String(repeating: "00", count: 31)
    let texts = ["01" + zeros, "00" + zeros, "ec\(top)7f", "ed\(top)7f", "ee\(top)7f", eighth, other]
    return texts.flatMap { text -> [[UInt8]] in
      let plain = hex(text)
      var signed = plain
      signed[31] |= 0x80
      return [plain, signed]
    }
  }()

  static func hex(_ text: String) -> [UInt8] {
    stride(from: 0, to: text.utf8.count, by: 2).map { start in
      UInt8(text.dropFirst(start).prefix(2), radix: 16) ?? 0
    }
  }

  static func others(of signature: [UInt8]) -> [[UInt8]] {
    var carry = 0
    let sum = zip(signature.suffix(32), order).map { left, right -> UInt8 in
      carry += Int(left) + Int(right)
      defer { carry >>= 8 }
      return UInt8(carry & 0xff)
    }
    let beyond = [UInt8](repeating: 0xff, count: 31) + [0x7f]
    return smallOrders.map { $0 + signature.suffix(32) } + [Array(signature.prefix(32)) + sum]
      + [beyond + signature.suffix(32), Array(signature.prefix(32)) + order]
  }
}
