/// Looking for names that stand twice in an object, of which a reader of JSON keeps only one.
extension JSONSkim {
  /// A name that its object has already, and where it stands the second time; both from 1, the column in bytes.
  package typealias SecondName = (name: String, line: Int, column: Int)

  /// The first name of a document that its object has already; also one that is equal only after normalisation.
  ///
  /// - Returns: nil also where the bytes are no JSON.
  package static func nameTwice(in bytes: UnsafeRawBufferPointer) -> SecondName? {
    var skim = JSONSkim(bytes)
    guard let range = skim.secondName(depth: 0), let name = skim.text(range) else { return nil }
    let before = bytes[..<(range.lowerBound - 1)]
    let start = before.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
    let line = before.reduce(1) { $1 == UInt8(ascii: "\n") ? $0 + 1 : $0 }
    return (name, line, before.count - start + 1)
  }

  /// Goes past a value, as far as to the first name that stands twice.
  private mutating func secondName(depth: Int) -> Range<Int>? {
    skipSpace()
    var found: Range<Int>?
    switch next {
    case UInt8(ascii: "{") where depth < 256:
      var names = Names()
      _ = object { range, skim in
        if !names.insert(range, of: skim) {
          found = range
        } else {
          found = skim.secondName(depth: depth + 1)
        }
        return found == nil
      }
    case UInt8(ascii: "[") where depth < 256:
      _ = array { _, skim in
        found = skim.secondName(depth: depth + 1)
        return found == nil
      }
    default:
      if !skip() { offset = bytes.count }
    }
    return found
  }

  /// The names of one object.
  private struct Names {
    private var ranges: [Range<Int>] = []
    private var texts: Set<String> = []

    /// Says that the name is new.
    mutating func insert(_ range: Range<Int>, of skim: JSONSkim) -> Bool {
      // Most objects are small, and their names plain.
      if ranges.count < 8, texts.isEmpty, skim.isPlain(range) {
        let bytes = skim.bytes[range]
        guard !ranges.contains(where: { skim.bytes[$0].elementsEqual(bytes) }) else { return false }
        ranges.append(range)
        return true
      }
      for range in ranges { skim.text(range).map { _ = texts.insert($0) } }
      ranges = []
      return skim.text(range).map { texts.insert($0).inserted } ?? true
    }
  }

  /// Says that the bytes of a name are its text: ASCII without escapes.
  private func isPlain(_ range: Range<Int>) -> Bool {
    bytes[range].allSatisfy { $0 < 0x80 && $0 != UInt8(ascii: "\\") }
  }
}
