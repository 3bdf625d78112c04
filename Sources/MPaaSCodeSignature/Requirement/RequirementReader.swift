import MPaaSSupport

/// Reads the words and the counted texts of a requirement one after another.
struct RequirementReader {
  private let bytes: Bytes
  private let base: UInt64
  private var place = 0

  init(_ bytes: Bytes, base: UInt64) {
    self.bytes = bytes
    self.base = base
  }

  var isAtEnd: Bool { place >= bytes.count }

  func error(_ code: CodeSignatureError.Code, value: UInt64 = 0) -> CodeSignatureError {
    CodeSignatureError(code, offset: base &+ UInt64(place), value: value)
  }

  mutating func word() throws(CodeSignatureError) -> UInt32 {
    guard bytes.count - place >= 4 else { throw error(.badRequirement) }
    defer { place += 4 }
    return bytes.word(at: place)
  }

  mutating func longWord() throws(CodeSignatureError) -> UInt64 {
    let high = UInt64(try word())
    return high << 32 | UInt64(try word())
  }

  /// Bytes with their count before them, filled up to words.
  mutating func data() throws(CodeSignatureError) -> Bytes {
    let count = UInt64(try word())
    let filled = (count + 3) & ~3
    guard let data = bytes.slice(at: UInt64(place), size: count), filled <= UInt64(bytes.count - place) else {
      throw error(.badRequirement, value: count)
    }
    place += Int(filled)
    return data
  }
}
