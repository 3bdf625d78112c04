import CLogScan
import MPaaSTestSupport
import Testing

@testable import MPaaSLogReading
@testable import MPaaSLogs

@Suite("The search for bytes") struct ScanTests {
  private static func find(_ needle: [UInt8], in text: [UInt8], folds: Bool) -> Int? {
    let size = text.count - 1
    return text.withUnsafeBytes { text in
      needle.withUnsafeBytes { needle in
        guard let text = text.baseAddress, let start = needle.baseAddress else { return nil }
        let chars = start.assumingMemoryBound(to: CChar.self)
        var prepared = mp_log_prepare(chars, needle.count, folds ? 1 : 0)
        let base = text.assumingMemoryBound(to: CChar.self)
        // The memory goes on with what completes the needle, which must not be seen.
        return mp_log_find_prepared(&prepared, base, size, chars, needle.count).map { $0 - base }
      }
    }
  }

  @Test("finds what a plain loop finds, at every place and length")
  func same() {
    var random = SeededRandom(seed: 3)
    for _ in 0..<SeededRandom.rounds(or: 3000) {
      let alphabet: [UInt8] = Bool.random(using: &random) ? Array("ab".utf8) : Array("abcABC xyz\n\u{e9}".utf8)
      let count = Int.random(in: 1..<200, using: &random)
      let text = (0..<count).map { _ in alphabet[Int.random(in: 0..<alphabet.count, using: &random)] }
      let needleCount = Int.random(in: 1...min(9, count), using: &random)
      let folds = Bool.random(using: &random)
      var needle = (0..<needleCount).map { _ in alphabet[Int.random(in: 0..<alphabet.count, using: &random)] }
      if folds { needle = needle.map { $0 &- 0x41 < 26 ? $0 | 0x20 : $0 } }
      let compared = folds ? text.map { $0 &- 0x41 < 26 ? $0 | 0x20 : $0 } : text
      let expected =
        needleCount > count
        ? nil : (0...(count - needleCount)).first { compared[$0..<$0 + needleCount].elementsEqual(needle) }
      #expect(Self.find(needle, in: text + [needle[0]], folds: folds) == expected)
    }
  }

  @Test("finds one of several texts where a plain loop finds one, however many places it looks at in one go")
  func several() throws {
    var random = SeededRandom(seed: 5)
    for _ in 0..<SeededRandom.rounds(or: 1500) {
      let alphabet = Array((Bool.random(using: &random) ? "ab" : "abcABC xyz\u{e9}").utf8)
      func bytes(_ count: Int) -> [UInt8] {
        (0..<count).map { _ in alphabet[Int.random(in: 0..<alphabet.count, using: &random)] }
      }
      let literals = (0..<Int.random(in: 2...20, using: &random)).map { _ in
        let folds = Bool.random(using: &random)
        let text = bytes(Int.random(in: 3...7, using: &random))
        return RequiredLiterals.Literal(bytes: folds ? text.map(Self.lower) : text, folds: folds)
      }
      let lines = (0..<5).map { _ in bytes(Int.random(in: 0...60, using: &random)) }
      let expected = lines.firstIndex { line in literals.contains { Self.has($0, line) } }
      let text = Array(lines.joined(separator: [10]))
      for by in [0, 1, 16, 32] as [Int32] {
        let found = Self.find(literals, in: text + [0], by: by)
        #expect(found.map { text[..<$0].count { $0 == 10 } } == expected)
        #expect(found.map { place in literals.contains { Self.has($0, at: place, text) } } != false)
      }
    }
  }

  private static func lower(_ byte: UInt8) -> UInt8 { byte &- 0x41 < 26 ? byte | 0x20 : byte }

  private static func has(_ literal: RequiredLiterals.Literal, at place: Int, _ text: [UInt8]) -> Bool {
    let part = text[place...].prefix(literal.bytes.count)
    return literal.folds ? part.map(lower) == literal.bytes : Array(part) == literal.bytes
  }

  private static func has(_ literal: RequiredLiterals.Literal, _ text: [UInt8]) -> Bool {
    text.indices.contains { has(literal, at: $0, text) }
  }

  /// The place of one of several texts in all bytes but the last.
  private static func find(_ literals: [RequiredLiterals.Literal], in text: [UInt8], by: Int32) -> Int? {
    let set = mp_log_literals_make(
      literals.flatMap(\.bytes), literals.map(\.bytes.count), literals.map { $0.folds ? 1 : 0 }, literals.count)
    defer { mp_log_literals_free(set) }
    return text.withUnsafeBytes { text in
      guard let base = text.baseAddress?.assumingMemoryBound(to: CChar.self) else { return nil }
      return mp_log_literals_find(set, base, text.count - 1, by).map { $0 - base }
    }
  }

  @Test("knows how far bytes tell all about a text")
  func plain() {
    for (text, ascii, all) in [
      ("", 0, 0), ("abc\nd", 5, 5), ("ab\rc", 2, 2), ("ab\u{b}", 2, 2), ("aé支b", 1, 7), ("a\u{85}", 1, 1),
      ("é\u{2028}", 0, 2), ("é\u{2030}", 0, 5), ("\u{2029}", 0, 0), ("\u{86}", 0, 2),
    ] {
      for front in [0, 1, 63, 64, 200] {
        let bytes = Array(repeating: UInt8(ascii: "x"), count: front) + Array(text.utf8)
        #expect(mp_log_plain_size(bytes, bytes.count, 0) == front + ascii)
        #expect(mp_log_plain_size(bytes, bytes.count, 1) == front + all)
      }
    }
    #expect(mp_log_plain_size([0x61, 0xe2, 0x80], 3, 1) == 1, "what comes behind is not known")
  }

  @Test("counts bytes")
  func counts() {
    var random = SeededRandom(seed: 4)
    for count in [0, 1, 15, 16, 17, 4095, 9000] {
      let text = (0..<count).map { _ in CChar.random(in: 9...11, using: &random) }
      #expect(mp_log_count(text, count, 10) == text.count { $0 == 10 })
    }
  }

  @Test("wild cards stand for anything")
  func globs() {
    for (text, glob, holds) in [
      ("Network", "Net*", true), ("Network", "*work", true), ("Network", "N*t*k", true), ("Network", "net*", false),
      ("", "*", true), ("", "", true), ("a", "", false), ("aab", "*ab", true), ("abc", "*b", false),
    ] {
      #expect(LogQuery.matches(text, glob: glob) == holds, "\(text) \(glob)")
    }
  }
}
