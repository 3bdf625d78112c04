import CLogScan
import MPaaSTestSupport
import Testing

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
