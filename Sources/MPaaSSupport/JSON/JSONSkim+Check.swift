/// Going past values that are checked on the way to be JSON (RFC 8259), without building any.
///
/// As lenient as `JSONValue(reading:)`: what this lets pass, that reads, and the other way round; only numbers beyond a
/// double's range pass here.
extension JSONSkim {
  /// Brackets that may be open at once, as the reader has it.
  private static let deepest = 256

  /// Tells whether bytes are one JSON document.
  package static func isDocument(_ bytes: UnsafeRawBufferPointer) -> Bool {
    var skim = JSONSkim(bytes, isStrict: true)
    return skim.skip() && skim.isAtEnd()
  }

  /// Goes past the array or object that is next.
  mutating func checkContainer() -> Bool {
    var open = OpenBrackets()
    repeat {
      skipSpace()
      switch next {
      case UInt8(ascii: "{"):
        guard open.depth < Self.deepest else { return false }
        offset += 1
        skipSpace()
        if !take(UInt8(ascii: "}")) {
          open.push(isObject: true)
          guard checkName() else { return false }
          continue
        }
      case UInt8(ascii: "["):
        guard open.depth < Self.deepest else { return false }
        offset += 1
        skipSpace()
        if !take(UInt8(ascii: "]")) {
          open.push(isObject: false)
          continue
        }
      case UInt8(ascii: "\""): guard stringRange() != nil else { return false }
      default: guard checkScalar() else { return false }
      }
      // A value has ended: close what it ends, or go on behind its comma.
      while open.depth > 0 {
        skipSpace()
        if take(UInt8(ascii: ",")) {
          if open.isObject, !checkName() { return false }
          break
        }
        guard take(open.isObject ? UInt8(ascii: "}") : UInt8(ascii: "]")) else { return false }
        open.pop()
      }
    } while open.depth > 0
    return true
  }

  private mutating func checkName() -> Bool {
    skipSpace()
    guard stringRange() != nil else { return false }
    skipSpace()
    return take(UInt8(ascii: ":"))
  }

  /// Goes past the inside of a string and the mark that ends it.
  mutating func checkString(_ base: UnsafePointer<UInt8>) -> Bool {
    while true {
      offset = JSONText.mark(base, offset, bytes.count)
      guard offset < bytes.count else { return false }
      offset += 1
      if base[offset - 1] == UInt8(ascii: "\"") { return true }
      switch next {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"),
        UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
        offset += 1
      case UInt8(ascii: "u"):
        offset += 1
        guard bytes.count - offset >= 4, bytes[offset..<offset + 4].allSatisfy(Self.isHex) else { return false }
        offset += 4
      default: return false
      }
    }
  }

  private static func isHex(_ byte: UInt8) -> Bool { byte &- 0x30 < 10 || (byte | 0x20) &- 0x61 < 6 }

  /// Goes past a number, `true`, `false` or `null`.
  mutating func checkScalar() -> Bool {
    switch next {
    case UInt8(ascii: "t"): checkWord("true")
    case UInt8(ascii: "f"): checkWord("false")
    case UInt8(ascii: "n"): checkWord("null")
    default: checkNumber()
    }
  }

  private mutating func checkWord(_ word: StaticString) -> Bool {
    let count = word.utf8CodeUnitCount
    guard bytes.count - offset >= count else { return false }
    for index in 0..<count where bytes[offset + index] != word.utf8Start[index] { return false }
    offset += count
    return true
  }

  private mutating func checkNumber() -> Bool {
    _ = take(UInt8(ascii: "-"))
    let first = next
    let count = skipDigits()
    guard count == 1 || count > 1 && first != UInt8(ascii: "0") else { return false }
    if take(UInt8(ascii: ".")), skipDigits() == 0 { return false }
    guard next | 0x20 == UInt8(ascii: "e") else { return true }
    offset += 1
    if !take(UInt8(ascii: "+")) { _ = take(UInt8(ascii: "-")) }
    return skipDigits() > 0
  }

  private mutating func skipDigits() -> Int {
    let start = offset
    while offset < bytes.count, bytes[offset] &- 0x30 < 10 { offset += 1 }
    return offset - start
  }
}

/// For each of up to 256 open brackets, whether it is an object's, a bit each.
private struct OpenBrackets {
  private var bits = SIMD4<UInt64>()
  private(set) var depth = 0

  /// Tells whether the innermost is an object's.
  var isObject: Bool { bits[(depth - 1) >> 6] >> UInt64((depth - 1) & 63) & 1 == 1 }

  mutating func push(isObject: Bool) {
    let bit: UInt64 = 1 << UInt64(depth & 63)
    if isObject { bits[depth >> 6] |= bit } else { bits[depth >> 6] &= ~bit }
    depth += 1
  }

  mutating func pop() { depth -= 1 }
}
