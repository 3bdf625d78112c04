/// Appends the fields of protobuf messages; numbers that are 0 are left out, as the format has it.
struct WireBytes {
  private(set) var bytes: [UInt8] = []

  mutating func reserve(_ count: Int) { bytes.reserveCapacity(count) }

  @inline(__always)
  mutating func varint(_ value: UInt64) {
    var rest = value
    while rest >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(truncatingIfNeeded: rest))
  }

  @inline(__always)
  mutating func number(_ field: UInt64, _ value: UInt64) {
    guard value != 0 else { return }
    varint(field << 3)
    varint(value)
  }

  @inline(__always)
  mutating func number(_ field: UInt64, _ value: Int64) { number(field, UInt64(bitPattern: value)) }

  mutating func contents(_ field: UInt64, _ contents: some Collection<UInt8>) {
    varint(field << 3 | 2)
    varint(UInt64(contents.count))
    bytes.append(contentsOf: contents)
  }

  mutating func string(_ field: UInt64, _ string: String) { contents(field, string.utf8) }

  mutating func message(_ field: UInt64, _ message: WireBytes) { contents(field, message.bytes) }

  /// A packed field of numbers.
  mutating func packed(_ field: UInt64, _ values: some Sequence<UInt64>) {
    var packed = WireBytes()
    for value in values { packed.varint(value) }
    contents(field, packed.bytes)
  }

  mutating func clear() { bytes.removeAll(keepingCapacity: true) }

  /// Bytes that are whole fields already.
  mutating func append(_ fields: WireBytes) { bytes.append(contentsOf: fields.bytes) }
}
