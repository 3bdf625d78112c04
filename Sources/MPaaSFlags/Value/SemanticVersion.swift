/// A version, as Semantic Versioning has it, in bytes that somebody else keeps.
///
/// - Source: Semantic Versioning 2.0.0, sections 9 to 11: what follows `+` does not count.
struct SemanticVersion {
  private var numbers: (UInt64, UInt64, UInt64) = (0, 0, 0)
  /// The bytes behind `-`; empty without.
  private var early: UnsafeBufferPointer<UInt8>

  /// Reads a version; nil where the bytes are none.
  init?(_ bytes: UnsafeBufferPointer<UInt8>) {
    var place = 0
    guard let major = Self.number(bytes, &place), Self.take(".", bytes, &place),
      let minor = Self.number(bytes, &place), Self.take(".", bytes, &place),
      let patch = Self.number(bytes, &place)
    else { return nil }
    numbers = (major, minor, patch)
    early = UnsafeBufferPointer(rebasing: bytes[place..<place])
    if Self.take("-", bytes, &place) {
      let start = place
      guard Self.skipIdentifiers(bytes, &place, refusesZeros: true) else { return nil }
      early = UnsafeBufferPointer(rebasing: bytes[start..<place])
    }
    if Self.take("+", bytes, &place) {
      guard Self.skipIdentifiers(bytes, &place, refusesZeros: false) else { return nil }
    }
    guard place == bytes.count else { return nil }
  }

  private static func take(
    _ sign: Unicode.Scalar, _ bytes: UnsafeBufferPointer<UInt8>, _ place: inout Int
  ) -> Bool {
    guard place < bytes.count, bytes[place] == UInt8(ascii: sign) else { return false }
    place += 1
    return true
  }

  private static func number(_ bytes: UnsafeBufferPointer<UInt8>, _ place: inout Int) -> UInt64? {
    let start = place
    var value: UInt64 = 0
    while place < bytes.count, bytes[place] &- 0x30 < 10 {
      let (product, high) = value.multipliedReportingOverflow(by: 10)
      let (sum, carry) = product.addingReportingOverflow(UInt64(bytes[place] - 0x30))
      if high || carry { return nil }
      value = sum
      place += 1
    }
    return place == start || (place > start + 1 && bytes[start] == 0x30) ? nil : value
  }

  /// Goes past identifiers with dots between them; numbers among them have no zeros in front.
  private static func skipIdentifiers(
    _ bytes: UnsafeBufferPointer<UInt8>, _ place: inout Int, refusesZeros: Bool
  ) -> Bool {
    repeat {
      let start = place
      var isNumber = true
      while place < bytes.count, bytes[place] != UInt8(ascii: "."), bytes[place] != UInt8(ascii: "+") {
        let byte = bytes[place]
        guard byte &- 0x30 < 10 || (byte | 0x20) &- 0x61 < 26 || byte == UInt8(ascii: "-") else { return false }
        isNumber = isNumber && byte &- 0x30 < 10
        place += 1
      }
      guard place > start, !(refusesZeros && isNumber && place > start + 1 && bytes[start] == 0x30) else {
        return false
      }
    } while take(".", bytes, &place)
    return true
  }

  /// The order of the versions: below 0, 0 or above.
  func compared(to other: SemanticVersion) -> Int {
    if numbers != other.numbers { return numbers < other.numbers ? -1 : 1 }
    if early.isEmpty || other.early.isEmpty { return (other.early.isEmpty ? 0 : 1) - (early.isEmpty ? 0 : 1) }
    var (mine, theirs) = (early[...], other.early[...])
    while true {
      let (one, two) = (Self.identifier(&mine), Self.identifier(&theirs))
      guard let one, let two else { return (one == nil ? 0 : 1) - (two == nil ? 0 : 1) }
      let order = Self.order(one, two)
      if order != 0 { return order }
    }
  }

  private static func identifier(
    _ rest: inout Slice<UnsafeBufferPointer<UInt8>>
  ) -> Slice<UnsafeBufferPointer<UInt8>>? {
    guard !rest.isEmpty else { return nil }
    let end = rest.firstIndex(of: UInt8(ascii: ".")) ?? rest.endIndex
    defer { rest = end < rest.endIndex ? rest[(end + 1)...] : rest[end...] }
    return rest[..<end]
  }

  private static func order(
    _ one: Slice<UnsafeBufferPointer<UInt8>>, _ two: Slice<UnsafeBufferPointer<UInt8>>
  ) -> Int {
    let (isNumber, isOther) = (one.allSatisfy { $0 &- 0x30 < 10 }, two.allSatisfy { $0 &- 0x30 < 10 })
    // Numbers come before words, and have no zeros in front: the longer one is the greater.
    if isNumber != isOther { return isNumber ? -1 : 1 }
    if isNumber, one.count != two.count { return one.count < two.count ? -1 : 1 }
    if one.elementsEqual(two) { return 0 }
    return one.lexicographicallyPrecedes(two) ? -1 : 1
  }
}
