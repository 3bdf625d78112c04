/// Goes through JSON bytes and reads only what is asked for, without building values for the rest.
///
/// It is for reading a little of very many documents. What is skipped is checked only as far as brackets and strings
/// go, unless all is to be checked; every method says false, or gives nil, where the bytes are not what it is for, and
/// then the document is to be read by `JSONValue(reading:)`, which says what is wrong.
package struct JSONSkim {
  package let bytes: UnsafeRawBufferPointer
  package var offset: Int
  /// Tells whether what is gone past is checked to be JSON, as strictly as `JSONValue(reading:)` does.
  package let isStrict: Bool

  /// - Parameter offset: Where in the bytes to begin.
  @inlinable
  package init(_ bytes: UnsafeRawBufferPointer, at offset: Int = 0, isStrict: Bool = false) {
    self.bytes = bytes
    self.offset = offset
    self.isStrict = isStrict
  }

  /// The byte that is next; 0 at the end.
  @inlinable
  package var next: UInt8 { offset < bytes.count ? bytes[offset] : 0 }

  @inlinable
  package mutating func skipSpace() {
    while offset < bytes.count {
      switch bytes[offset] {
      case 0x20, 0x0a, 0x0d, 0x09: offset += 1
      default: return
      }
    }
  }

  /// Tells whether nothing but white space is left.
  @inlinable
  package mutating func isAtEnd() -> Bool {
    skipSpace()
    return offset == bytes.count
  }

  @inlinable
  package mutating func take(_ byte: UInt8) -> Bool {
    guard next == byte, offset < bytes.count else { return false }
    offset += 1
    return true
  }

  /// Goes through the object that is next; `member` gets each name's bytes and must go past its value.
  @inlinable
  package mutating func object(_ member: (Range<Int>, inout JSONSkim) -> Bool) -> Bool {
    skipSpace()
    guard take(UInt8(ascii: "{")) else { return false }
    skipSpace()
    if take(UInt8(ascii: "}")) { return true }
    while true {
      skipSpace()
      guard let name = stringRange() else { return false }
      skipSpace()
      guard take(UInt8(ascii: ":")) else { return false }
      skipSpace()
      guard member(name, &self) else { return false }
      skipSpace()
      if take(UInt8(ascii: "}")) { return true }
      guard take(UInt8(ascii: ",")) else { return false }
    }
  }

  /// Goes through the array that is next; `element` gets each index and must go past the element.
  @inlinable
  package mutating func array(_ element: (Int, inout JSONSkim) -> Bool) -> Bool {
    skipSpace()
    guard take(UInt8(ascii: "[")) else { return false }
    skipSpace()
    if take(UInt8(ascii: "]")) { return true }
    var index = 0
    while true {
      skipSpace()
      guard element(index, &self) else { return false }
      index += 1
      skipSpace()
      if take(UInt8(ascii: "]")) { return true }
      guard take(UInt8(ascii: ",")) else { return false }
    }
  }

  /// Goes past any value.
  package mutating func skip() -> Bool {
    skipSpace()
    switch next {
    case UInt8(ascii: "\""): return stringRange() != nil
    case UInt8(ascii: "{"), UInt8(ascii: "["): return isStrict ? checkContainer() : skipContainer()
    default:
      if isStrict { return checkScalar() }
      let start = offset
      while offset < bytes.count, Self.classes[Int(bytes[offset])] & 4 != 0 { offset += 1 }
      return offset > start
    }
  }

  /// 1: opens, 2: closes, 3: a quotation mark, 4: may stand in a number or a word.
  private static let classes: [UInt8] = (0..<256).map { byte in
    switch UInt8(byte) {
    case UInt8(ascii: "{"), UInt8(ascii: "["): 1
    case UInt8(ascii: "}"), UInt8(ascii: "]"): 2
    case UInt8(ascii: "\""): 3
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "-"),
      UInt8(ascii: "+"), UInt8(ascii: "."), UInt8(ascii: "E"):
      4
    default: 0
    }
  }

  private mutating func skipContainer() -> Bool {
    var depth = 0
    guard let base = bytes.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return false }
    var place = offset
    let end = bytes.count
    while place < end {
      switch base[place] {
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        depth += 1
        place += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        depth -= 1
        place += 1
        if depth == 0 {
          offset = place
          return true
        }
      case UInt8(ascii: "\""): place = JSONText.end(base, place + 1, end) + 1
      default: place += 1
      }
    }
    return false
  }

  /// The bytes of the string that is next, between its quotation marks, escapes as they stand.
  package mutating func stringRange() -> Range<Int>? {
    guard take(UInt8(ascii: "\"")) else { return nil }
    guard let base = bytes.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return nil }
    let start = offset
    if isStrict { return checkString(base) ? start..<offset - 1 : nil }
    let end = JSONText.end(base, start, bytes.count)
    guard end < bytes.count else {
      offset = bytes.count
      return nil
    }
    offset = end + 1
    return start..<end
  }

  /// The string that is next.
  package mutating func string() -> String? {
    stringRange().flatMap(text)
  }

  /// The string that the bytes of a range stand for.
  package func text(_ range: Range<Int>) -> String? {
    let part = UnsafeRawBufferPointer(rebasing: bytes[range])
    guard part.contains(UInt8(ascii: "\\")) else { return String(decoding: part, as: UTF8.self) }
    let quoted = UnsafeRawBufferPointer(rebasing: bytes[range.lowerBound - 1..<range.upperBound + 1])
    return (try? JSONValue(reading: quoted))?.string
  }

  /// Tells whether the bytes of a name are those of `text`.
  @inlinable
  package func isName(_ range: Range<Int>, _ text: StaticString) -> Bool {
    guard range.count == text.utf8CodeUnitCount else { return false }
    let name = UnsafeRawBufferPointer(rebasing: bytes[range])
    for index in 0..<name.count where name[index] != text.utf8Start[index] { return false }
    return true
  }

  /// The whole number from 0 that is next; nil for any other value.
  package mutating func unsigned() -> UInt64? {
    let start = offset
    var value: UInt64 = 0
    while next &- 0x30 < 10, offset < bytes.count {
      let (product, overflow) = value.multipliedReportingOverflow(by: 10)
      let (sum, carry) = product.addingReportingOverflow(UInt64(next - 0x30))
      if overflow || carry { return nil }
      value = sum
      offset += 1
    }
    if offset == start || next == UInt8(ascii: ".") || next | 0x20 == UInt8(ascii: "e") { return nil }
    return bytes[start] == UInt8(ascii: "0") && offset > start + 1 ? nil : value
  }

  /// The value that is next, in full.
  package mutating func value() -> JSONValue? {
    let start = offset
    guard skip() else { return nil }
    return try? JSONValue(reading: UnsafeRawBufferPointer(rebasing: bytes[start..<offset]))
  }
}
