import MPaaSSupport
import MPaaSTestSupport
import Testing

@testable import MPaaSPinyin

@Suite("The data file")
struct PinyinDataTests {
  @Test("the data in the program opens as any file and knows how characters are read, the usual reading first")
  func builtIn() throws {
    let data = try PinyinData(PinyinData.builtInBytes)
    #expect(data.readings[0x91CD].prefix(2).map(\.digits) == ["zhong4", "chong2"])
    #expect(data.readings.usual(0x5415).digits == "lv3")
    #expect(data.readings[0x41].isEmpty)
    #expect(data.readings[0x10FFFF].isEmpty)
  }

  @Test("a file with changed bytes gives an error or readings, never a crash")
  func mutations() throws {
    var random = SeededRandom(seed: 7)
    let original = PinyinData.builtInBytes.array
    for _ in 0..<SeededRandom.rounds(or: 40) {
      var changed = original
      for _ in 0..<Int.random(in: 1...20, using: &random) {
        let near = Bool.random(using: &random) ? min(changed.count, 400) : changed.count
        changed[Int.random(in: 0..<near, using: &random)] = UInt8.random(in: 0...255, using: &random)
      }
      if Bool.random(using: &random) { changed.removeLast(Int.random(in: 0..<changed.count, using: &random)) }
      guard let data = try? PinyinData(Bytes(changed)) else { continue }
      for scalar in stride(from: UInt32(0x3400), to: 0x33000, by: 37) {
        _ = data.readings[scalar].map(\.digits)
        _ = data.readings.usual(scalar)
      }
    }
  }
}

@Suite("Readings")
struct ReadingTests {
  @Test("every spelling of a syllable leads back to it", arguments: Tone.allCases)
  func spelling(tone: Tone) {
    for (spelling, syllable) in Syllable.bySpelling {
      #expect(syllable.spelling == spelling)
      #expect(Reading(digits: "\(spelling)\(tone.rawValue)") == Reading(syllable, tone))
    }
  }
}
