/// An address of IP version 4 or 6, or the range of them that begin alike.
///
/// - Source: RFC 4291, section 2.2, for the texts of addresses; RFC 4632, section 3.1, and RFC 4291, section 2.3, for
///   prefixes.
struct NetworkRange: Equatable, Sendable {
  private var high: UInt64 = 0
  private var low: UInt64 = 0
  private var isVersion6 = false
  /// Bits that addresses of the range have in common.
  private var prefix: UInt8 = 32

  /// Reads an address, or one with a prefix behind a slash: bits, or for version 4 a mask.
  init?(_ text: String) {
    let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
    guard let first = parts.first, let address = String(first).withBytes({ NetworkRange(address: $0) }) else {
      return nil
    }
    self = address
    guard parts.count == 2 else { return }
    guard let bits = Self.bits(String(parts[1]), isVersion6: isVersion6) else { return nil }
    prefix = bits
  }

  private static func bits(_ text: String, isVersion6: Bool) -> UInt8? {
    if !text.isEmpty, text.utf8.allSatisfy({ $0 &- 0x30 < 10 }) {
      return UInt8(text).flatMap { $0 <= (isVersion6 ? 128 : 32) ? $0 : nil }
    }
    guard !isVersion6, let mask = text.withBytes({ NetworkRange(address: $0) }), !mask.isVersion6 else { return nil }
    let inverted = ~UInt32(truncatingIfNeeded: mask.low)
    return inverted & (inverted &+ 1) == 0 ? UInt8(inverted.leadingZeroBitCount) : nil
  }

  /// Reads an address.
  init?(address bytes: UnsafeBufferPointer<UInt8>) {
    if bytes.contains(UInt8(ascii: ":")) {
      guard let words = Self.version6(bytes) else { return nil }
      (high, low) = words
      (isVersion6, prefix) = (true, 128)
    } else {
      guard let word = Self.version4(bytes[...]) else { return nil }
      low = UInt64(word)
    }
  }

  private static func version4(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) -> UInt32? {
    var (address, value, digits, parts): (UInt32, UInt32, Int, Int) = (0, 0, 0, 0)
    for byte in bytes {
      if byte == UInt8(ascii: ".") {
        guard digits > 0, parts < 3 else { return nil }
        address = address << 8 | value
        (value, digits, parts) = (0, 0, parts + 1)
      } else {
        // A number has no zeros in front, which some take for octal.
        guard byte &- 0x30 < 10, !(digits > 0 && value == 0) else { return nil }
        value = value * 10 + UInt32(byte - 0x30)
        digits += 1
        guard value < 256 else { return nil }
      }
    }
    return digits > 0 && parts == 3 ? address << 8 | value : nil
  }

  private static func version6(_ bytes: UnsafeBufferPointer<UInt8>) -> (UInt64, UInt64)? {
    // Groups in front of `::` and behind it; 8 of 16 bits together.
    var groups = GroupsOf6()
    var (place, gap) = (0, -1)
    if bytes.count >= 2, bytes[0] == UInt8(ascii: ":"), bytes[1] == UInt8(ascii: ":") {
      (place, gap) = (2, 0)
    }
    while place < bytes.count {
      guard groups.count < 8 else { return nil }
      let end = bytes[place...].firstIndex(of: UInt8(ascii: ":")) ?? bytes.count
      if end == bytes.count, bytes[place...].contains(UInt8(ascii: ".")) {
        guard groups.count <= 6, let word = version4(bytes[place...]) else { return nil }
        groups.append(UInt16(word >> 16))
        groups.append(UInt16(truncatingIfNeeded: word))
        break
      }
      guard let group = hexadecimal(bytes[place..<end]) else { return nil }
      groups.append(group)
      guard end < bytes.count else { break }
      place = end + 1
      if place < bytes.count, bytes[place] == UInt8(ascii: ":") {
        guard gap < 0 else { return nil }
        gap = groups.count
        place += 1
      } else if place == bytes.count {
        return nil
      }
    }
    return groups.address(gap: gap)
  }

  private static func hexadecimal(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) -> UInt16? {
    guard (1...4).contains(bytes.count) else { return nil }
    var value: UInt16 = 0
    for byte in bytes {
      let digit: UInt8
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): digit = byte - 0x30
      case UInt8(ascii: "a")...UInt8(ascii: "f"), UInt8(ascii: "A")...UInt8(ascii: "F"): digit = (byte | 0x20) - 0x57
      default: return nil
      }
      value = value << 4 | UInt16(digit)
    }
    return value
  }

  /// Tells whether an address is in the range.
  func contains(_ address: NetworkRange) -> Bool {
    guard isVersion6 == address.isVersion6 else { return false }
    guard isVersion6 else { return prefix == 0 || (low ^ address.low) >> (32 - UInt64(prefix)) == 0 }
    let (first, second) = (high ^ address.high, low ^ address.low)
    if prefix <= 64 { return prefix == 0 || first >> (64 - UInt64(prefix)) == 0 }
    return first == 0 && second >> (128 - UInt64(prefix)) == 0
  }
}

/// Up to eight groups of an address of version 6, kept without an array.
private struct GroupsOf6 {
  private var words: (UInt64, UInt64) = (0, 0)
  private(set) var count = 0

  mutating func append(_ group: UInt16) {
    words.0 = words.0 << 16 | words.1 >> 48
    words.1 = words.1 << 16 | UInt64(group)
    count += 1
  }

  /// The address with zeros in the gap behind so many groups; nil where groups are missing, or none are left out.
  func address(gap: Int) -> (UInt64, UInt64)? {
    guard gap >= 0 else { return count == 8 ? words : nil }
    guard count < 8 else { return nil }
    let behind = (count - gap) * 16
    let tail = Self.masked(words, behind)
    let front = Self.shifted((words.0 & ~tail.0, words.1 & ~tail.1), (8 - count) * 16)
    return (front.0 | tail.0, front.1 | tail.1)
  }

  private static func masked(_ words: (UInt64, UInt64), _ bits: Int) -> (UInt64, UInt64) {
    if bits >= 64 { return (bits == 64 ? 0 : words.0 & (1 << UInt64(bits - 64) - 1), words.1) }
    return (0, bits == 0 ? 0 : words.1 & (1 << UInt64(bits) - 1))
  }

  private static func shifted(_ words: (UInt64, UInt64), _ bits: Int) -> (UInt64, UInt64) {
    if bits == 0 { return words }
    if bits >= 64 { return (bits == 128 ? 0 : words.1 << UInt64(bits - 64), 0) }
    return (words.0 << UInt64(bits) | words.1 >> UInt64(64 - bits), words.1 << UInt64(bits))
  }
}
