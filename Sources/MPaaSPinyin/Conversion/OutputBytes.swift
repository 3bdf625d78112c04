/// Bytes of output that grow at their end and are handed on in large pieces.
struct OutputBytes: ~Copyable {
  private(set) var start: UnsafeMutablePointer<UInt8>
  private var capacity: Int
  private(set) var count = 0

  init(capacity: Int = 1 << 16) {
    self.capacity = max(capacity, 64)
    start = .allocate(capacity: self.capacity)
  }

  deinit {
    start.deallocate()
  }

  /// The bytes so far; valid until more come.
  var buffer: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: start, count: count) }

  /// Hands the bytes on and forgets them; the memory stays.
  mutating func flush(_ write: (UnsafeRawBufferPointer) -> Void) {
    if count > 0 { write(buffer) }
    count = 0
  }

  /// Makes room for `more` bytes.
  @inline(__always) mutating func reserve(_ more: Int) {
    if capacity &- count < more { grow(more) }
  }

  @inline(never) private mutating func grow(_ more: Int) {
    capacity = max(capacity * 2, count + more)
    let larger = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity)
    larger.update(from: start, count: count)
    start.deallocate()
    start = larger
  }

  @inline(__always) mutating func put(_ byte: UInt8) {
    reserve(1)
    start[count] = byte
    count &+= 1
  }

  @inline(__always) mutating func put(_ text: StaticString) {
    put(UnsafeRawBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }

  @inline(__always) mutating func put(_ bytes: UnsafeRawBufferPointer) {
    reserve(bytes.count)
    UnsafeMutableRawBufferPointer(start: start + count, count: bytes.count).copyMemory(from: bytes)
    count &+= bytes.count
  }

  /// Up to 15 bytes, whose number follows them.
  @inline(__always) mutating func put(_ inline: SIMD16<UInt8>) {
    reserve(16)
    UnsafeMutableRawPointer(start + count).storeBytes(of: inline, as: SIMD16<UInt8>.self)
    count &+= Int(inline[15])
  }

  @inline(__always) mutating func put(decimal value: Int) {
    reserve(20)
    guard value >= 10 else { return put(UInt8(truncatingIfNeeded: 0x30 &+ value)) }
    var divisor = 10
    while value / 10 >= divisor { divisor &*= 10 }
    while divisor > 0 {
      start[count] = UInt8(truncatingIfNeeded: 0x30 &+ value / divisor % 10)
      count &+= 1
      divisor /= 10
    }
  }

  /// A Unicode scalar value as UTF-8.
  @inline(__always) mutating func put(scalar: UInt32) {
    reserve(4)
    if scalar < 0x80 {
      start[count] = UInt8(truncatingIfNeeded: scalar)
      count &+= 1
    } else if scalar < 0x800 {
      start[count] = UInt8(truncatingIfNeeded: 0xC0 | scalar >> 6)
      start[count + 1] = UInt8(truncatingIfNeeded: 0x80 | scalar & 0x3F)
      count &+= 2
    } else if scalar < 0x10000 {
      start[count] = UInt8(truncatingIfNeeded: 0xE0 | scalar >> 12)
      start[count + 1] = UInt8(truncatingIfNeeded: 0x80 | scalar >> 6 & 0x3F)
      start[count + 2] = UInt8(truncatingIfNeeded: 0x80 | scalar & 0x3F)
      count &+= 3
    } else {
      start[count] = UInt8(truncatingIfNeeded: 0xF0 | scalar >> 18)
      start[count + 1] = UInt8(truncatingIfNeeded: 0x80 | scalar >> 12 & 0x3F)
      start[count + 2] = UInt8(truncatingIfNeeded: 0x80 | scalar >> 6 & 0x3F)
      start[count + 3] = UInt8(truncatingIfNeeded: 0x80 | scalar & 0x3F)
      count &+= 4
    }
  }

  /// Puts text for the inside of a JSON string in UTF-8; control characters are escaped.
  mutating func put(jsonInside bytes: UnsafeRawBufferPointer) {
    reserve(bytes.count)
    var done = 0
    for place in 0..<bytes.count {
      let byte = bytes[place]
      guard byte < 0x20 || byte == 0x22 || byte == 0x5C || byte == 0x7F else { continue }
      put(UnsafeRawBufferPointer(rebasing: bytes[done..<place]))
      done = place + 1
      put(jsonEscaped: byte)
    }
    put(UnsafeRawBufferPointer(rebasing: bytes[done...]))
  }

  private mutating func put(jsonEscaped byte: UInt8) {
    put(UInt8(ascii: "\\"))
    switch byte {
    case 0x0A: put(UInt8(ascii: "n"))
    case 0x0D: put(UInt8(ascii: "r"))
    case 0x09: put(UInt8(ascii: "t"))
    case 0x22, 0x5C: put(byte)
    default:
      put("u00")
      put(byte < 0x10 ? 0x30 : UInt8(0x30) &+ byte >> 4)
      put(byte & 15 < 10 ? UInt8(0x30) &+ byte & 15 : 0x57 &+ byte & 15)
    }
  }
}
