/// A part of a text report, as UTF-8: comparing bytes costs less than comparing characters.
typealias TextBytes = ArraySlice<UInt8>

extension ArraySlice where Element == UInt8 {
  var text: String { String(decoding: self, as: UTF8.self) }

  /// Without spaces, tabs and a carriage return at either end.
  var trimmed: TextBytes {
    let head = drop { $0 == 0x20 || $0 == 0x09 || $0 == 0x0d }
    guard let last = head.lastIndex(where: { $0 != 0x20 && $0 != 0x09 && $0 != 0x0d }) else { return head.prefix(0) }
    return head[...last]
  }

  var isBlank: Bool { allSatisfy { $0 == 0x20 || $0 == 0x09 || $0 == 0x0d } }

  func has(prefix: StaticString) -> Bool {
    count >= prefix.utf8CodeUnitCount
      && zip(self, UnsafeBufferPointer(start: prefix.utf8Start, count: prefix.utf8CodeUnitCount)).allSatisfy {
        $0 == $1
      }
  }

  func has(suffix: StaticString) -> Bool {
    self.suffix(suffix.utf8CodeUnitCount).has(prefix: suffix)
  }

  /// The range of the first or last `word`; nil where there is none.
  func range(of word: StaticString, last: Bool = false) -> Range<Int>? {
    let length = word.utf8CodeUnitCount
    guard count >= length, length > 0 else { return nil }
    let places = startIndex...(endIndex - length)
    let first = word.utf8Start.pointee
    func matches(_ place: Int) -> Bool { self[place] == first && self[place...].has(prefix: word) }
    let found = last ? places.last(where: matches) : places.first(where: matches)
    return found.map { $0..<$0 + length }
  }

  /// The text behind `prefix`; nil where it does not begin with it.
  func after(_ prefix: StaticString) -> TextBytes? {
    has(prefix: prefix) ? dropFirst(prefix.utf8CodeUnitCount) : nil
  }

  /// Takes a run of decimal digits off the front; nil where there is none, or where it is too long for a number.
  mutating func takeNumber() -> Int? {
    let digits = prefix { $0 &- 0x30 < 10 }
    guard (1...18).contains(digits.count) else { return nil }
    self = self[digits.endIndex...]
    return digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
  }

  /// Takes `0x` and one to sixteen hexadecimal digits off the front.
  mutating func takeAddress() -> UInt64? {
    guard has(prefix: "0x") || has(prefix: "0X") else { return nil }
    let digits = dropFirst(2).prefix { Self.hexDigit($0) != nil }
    guard (1...16).contains(digits.count) else { return nil }
    self = self[digits.endIndex...]
    return digits.reduce(0) { $0 << 4 | UInt64(Self.hexDigit($1) ?? 0) }
  }

  mutating func skipSpace() {
    self = drop { $0 == 0x20 || $0 == 0x09 }
  }

  static func hexDigit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case 0x30...0x39: byte - 0x30
    case 0x41...0x46: byte - 0x37
    case 0x61...0x66: byte - 0x57
    default: nil
    }
  }
}
