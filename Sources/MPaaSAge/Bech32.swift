/// The text form of age keys: a name, `1`, and the bytes in groups of five bits with a checksum (BIP 173).
enum Bech32 {
  private static let alphabet = Array("qpzry9x8gf2tvdw0s3jn54khce6mua7l".utf8)

  /// - Parameter name: In lower case; the text is all lower case too.
  static func encode(_ bytes: [UInt8], name: String) -> String {
    let groups = regroup(bytes, from: 8, to: 5) ?? []
    let name = Array(name.utf8)
    let remainder = checksum(expanded(name) + groups + [UInt8](repeating: 0, count: 6)) ^ 1
    let check = (0..<6).map { UInt8(truncatingIfNeeded: remainder >> (25 - 5 * UInt32($0)) & 31) }
    return String(decoding: name + Array("1".utf8) + (groups + check).map { alphabet[Int($0)] }, as: UTF8.self)
  }

  /// The bytes of a lower-case text; nil where the name is another one, the checksum is wrong, or bits are left over.
  static func decode(_ text: String, name: String) -> [UInt8]? {
    let text = Array(text.utf8)
    let name = Array(name.utf8)
    // BIP 173 allows 90 characters in all.
    guard text.count <= 90, text.count >= name.count + 7, text.starts(with: name), text[name.count] == UInt8(ascii: "1")
    else { return nil }
    var groups: [UInt8] = []
    for character in text[(name.count + 1)...] {
      guard let value = alphabet.firstIndex(of: character) else { return nil }
      groups.append(UInt8(value))
    }
    guard checksum(expanded(name) + groups) == 1 else { return nil }
    return regroup(groups.dropLast(6), from: 5, to: 8)
  }

  private static func expanded(_ name: [UInt8]) -> [UInt8] {
    name.map { $0 >> 5 } + [0] + name.map { $0 & 31 }
  }

  private static func checksum(_ values: [UInt8]) -> UInt32 {
    let generators: [UInt32] = [0x3b6a_57b2, 0x2650_8e6d, 0x1ea1_19fa, 0x3d42_33dd, 0x2a14_62b3]
    var sum: UInt32 = 1
    for value in values {
      let top = sum >> 25
      sum = (sum & 0x1ff_ffff) << 5 ^ UInt32(value)
      for (bit, generator) in generators.enumerated() where top >> UInt32(bit) & 1 == 1 { sum ^= generator }
    }
    return sum
  }

  /// Bits in groups of another size; from the smaller to the larger ones no group may be begun for nothing.
  private static func regroup(_ values: some Sequence<UInt8>, from: UInt32, to: UInt32) -> [UInt8]? {
    var result: [UInt8] = []
    var held: UInt32 = 0
    var bits: UInt32 = 0
    for value in values {
      held = held << from & 0xffff | UInt32(value)
      bits += from
      while bits >= to {
        bits -= to
        result.append(UInt8(truncatingIfNeeded: held >> bits & (1 << to - 1)))
      }
    }
    let rest = held << (to - bits) & (1 << to - 1)
    if to < from {
      if bits > 0 { result.append(UInt8(truncatingIfNeeded: rest)) }
      return result
    }
    return bits < from && rest == 0 ? result : nil
  }
}
