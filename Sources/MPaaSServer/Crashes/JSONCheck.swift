import MPaaSSupport

/// Whether bytes are one JSON document (RFC 8259), found without building any value.
///
/// As lenient as `JSONValue(reading:)`: what this lets pass, that reads, and the other way round; only numbers beyond a
/// double's range pass here.
enum JSONCheck {
  private static let deepest = 256

  static func isDocument(_ bytes: UnsafeRawBufferPointer) -> Bool {
    var check = Run(bytes: bytes)
    return check.document()
  }

  private struct Run {
    let bytes: UnsafeRawBufferPointer
    var place = 0
    /// For each open bracket, whether it is an object's.
    var open: [Bool] = []

    init(bytes: UnsafeRawBufferPointer) {
      self.bytes = bytes
      open.reserveCapacity(32)
    }

    private var next: UInt8 { place < bytes.count ? bytes[place] : 0 }

    private mutating func skipSpace() {
      while place < bytes.count, bytes[place] <= 0x20 {
        switch bytes[place] {
        case 0x20, 0x0a, 0x0d, 0x09: place += 1
        default: return
        }
      }
    }

    mutating func document() -> Bool {
      repeat {
        guard value() else { return false }
        // A value has ended: close what it ends, or go on behind its comma.
        while let isObject = open.last {
          skipSpace()
          if next == UInt8(ascii: ",") {
            place += 1
            if isObject, !name() { return false }
            break
          }
          guard next == (isObject ? UInt8(ascii: "}") : UInt8(ascii: "]")) else { return false }
          place += 1
          open.removeLast()
        }
      } while !open.isEmpty
      skipSpace()
      return place == bytes.count
    }

    /// A value, or the opening of one up to its first part that is no container.
    private mutating func value() -> Bool {
      while true {
        skipSpace()
        switch next {
        case UInt8(ascii: "{"):
          guard open.count < JSONCheck.deepest else { return false }
          place += 1
          skipSpace()
          if next == UInt8(ascii: "}") {
            place += 1
            return true
          }
          open.append(true)
          guard name() else { return false }
        case UInt8(ascii: "["):
          guard open.count < JSONCheck.deepest else { return false }
          place += 1
          skipSpace()
          if next == UInt8(ascii: "]") {
            place += 1
            return true
          }
          open.append(false)
        case UInt8(ascii: "\""): return string()
        case UInt8(ascii: "t"): return word("true")
        case UInt8(ascii: "f"): return word("false")
        case UInt8(ascii: "n"): return word("null")
        default: return number()
        }
      }
    }

    private mutating func name() -> Bool {
      skipSpace()
      guard string() else { return false }
      skipSpace()
      guard next == UInt8(ascii: ":") else { return false }
      place += 1
      return true
    }

    private mutating func word(_ word: StaticString) -> Bool {
      let count = word.utf8CodeUnitCount
      guard bytes.count - place >= count else { return false }
      for index in 0..<count where bytes[place + index] != word.utf8Start[index] { return false }
      place += count
      return true
    }

    private mutating func string() -> Bool {
      guard next == UInt8(ascii: "\""), place < bytes.count,
        let base = bytes.baseAddress?.assumingMemoryBound(to: UInt8.self)
      else { return false }
      place += 1
      while true {
        place = JSONText.mark(base, place, bytes.count)
        guard place < bytes.count else { return false }
        place += 1
        if base[place - 1] == UInt8(ascii: "\"") { return true }
        switch next {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"),
          UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
          place += 1
        case UInt8(ascii: "u"):
          place += 1
          guard bytes.count - place >= 4, bytes[place..<place + 4].allSatisfy(Self.isHex) else { return false }
          place += 4
        default: return false
        }
      }
    }

    private static func isHex(_ byte: UInt8) -> Bool { byte &- 0x30 < 10 || (byte | 0x20) &- 0x61 < 6 }

    private mutating func digits() -> Int {
      let start = place
      while place < bytes.count, bytes[place] &- 0x30 < 10 { place += 1 }
      return place - start
    }

    private mutating func number() -> Bool {
      if next == UInt8(ascii: "-") { place += 1 }
      let first = next
      let count = digits()
      guard count == 1 || count > 1 && first != UInt8(ascii: "0") else { return false }
      if next == UInt8(ascii: ".") {
        place += 1
        guard digits() > 0 else { return false }
      }
      guard next | 0x20 == UInt8(ascii: "e") else { return true }
      place += 1
      if next == UInt8(ascii: "+") || next == UInt8(ascii: "-") { place += 1 }
      return digits() > 0
    }
  }
}
