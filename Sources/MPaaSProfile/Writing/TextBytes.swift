import MPaaSSupport

/// UTF-8 text that grows, with numbers that are appended without strings of their own: profiles have millions.
struct TextBytes {
  private(set) var bytes: [UInt8] = []

  /// More than any reader of these formats takes.
  static let most = 1 << 32

  mutating func reserve(_ count: Int) { bytes.reserveCapacity(count) }

  @inline(__always)
  mutating func text(_ text: StaticString) {
    text.withUTF8Buffer { bytes.append(contentsOf: $0) }
  }

  mutating func raw(_ text: String) { bytes.append(contentsOf: text.utf8) }

  /// A string with its quotes, as JSON has it.
  mutating func quoted(_ string: String) { JSONValue.append(string, to: &bytes) }

  @inline(__always)
  mutating func byte(_ byte: UInt8) { bytes.append(byte) }

  @inline(__always)
  mutating func append(_ more: some Collection<UInt8>) { bytes.append(contentsOf: more) }

  /// A whole number.
  @inline(__always)
  mutating func number(_ value: Int64) {
    if value >= 0, value < 10 { return bytes.append(0x30 + UInt8(truncatingIfNeeded: value)) }
    digits(value)
  }

  mutating func number(_ value: Int) { number(Int64(value)) }

  private mutating func digits(_ value: Int64) {
    if value < 0 { bytes.append(UInt8(ascii: "-")) }
    var rest = value.magnitude
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 20) { digits in
      var place = 20
      repeat {
        place -= 1
        digits[place] = 0x30 + UInt8(truncatingIfNeeded: rest % 10)
        rest /= 10
      } while rest > 0
      bytes.append(contentsOf: digits[place...])
    }
  }

  /// A number divided by ten to the power of `digits`, exactly.
  mutating func decimal(_ value: Int64, _ digits: Int) {
    var unit: UInt64 = 1
    for _ in 0..<digits { unit *= 10 }
    if value < 0 { bytes.append(UInt8(ascii: "-")) }
    let (whole, rest) = value.magnitude.quotientAndRemainder(dividingBy: unit)
    number(Int64(whole))
    guard rest > 0 else { return }
    bytes.append(UInt8(ascii: "."))
    var (left, place) = (rest, unit / 10)
    while left > 0 {
      bytes.append(0x30 + UInt8(truncatingIfNeeded: left / place))
      left %= place
      place /= 10
    }
  }

  /// Values with commas between, in square brackets.
  @inline(__always)
  mutating func list<Value>(_ values: some Sequence<Value>, _ append: (Value, inout TextBytes) -> Void) {
    bytes.append(UInt8(ascii: "["))
    var isFirst = true
    for value in values {
      if !isFirst { bytes.append(UInt8(ascii: ",")) }
      isFirst = false
      append(value, &self)
    }
    bytes.append(UInt8(ascii: "]"))
  }
}
