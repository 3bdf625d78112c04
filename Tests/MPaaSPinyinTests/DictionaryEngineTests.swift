import MPaaSSupport
import MPaaSTestSupport
import Testing

@testable import MPaaSPinyin

extension ReadingEngine {
  /// The readings of a text, spelled with digits.
  func spelled(_ text: String, as kind: TextKind = .text) -> String {
    choices(text, as: kind).map { $0.reading == .none ? "-" : $0.reading.digits }.joined(separator: " ")
  }

  func choices(_ text: String, as kind: TextKind = .text) -> [ReadingChoice] {
    choices(text.unicodeScalars.map(\.value), as: kind)
  }

  func choices(_ scalars: [UInt32], as kind: TextKind) -> [ReadingChoice] {
    var choices = [ReadingChoice](repeating: ReadingChoice(), count: scalars.count)
    scalars.withUnsafeBufferPointer { source in
      choices.withUnsafeMutableBufferPointer { read(source, as: kind, into: $0) }
    }
    return choices
  }
}

@Suite("The dictionary engine")
struct DictionaryEngineTests {
  private let engine = DictionaryEngine(.builtIn)

  @Test(
    "words decide how their characters are read, and the right words are found",
    arguments: [
      ("美元的确定", "mei3 yuan2 de5 que4 ding4"),
      ("银行行长", "yin2 hang2 hang2 zhang3"),
      ("重庆重新", "chong2 qing4 chong2 xin1"),
      ("长大成长", "zhang3 da4 cheng2 zhang3"),
      ("他觉得还是应该还钱", "ta1 jue2 de5 hai2 shi4 ying1 gai1 huan2 qian2"),
      ("我们得到了很好的结果", "wo3 men5 de2 dao4 le5 hen3 hao3 de5 jie2 guo3"),
      ("率先提高效率", "shuai4 xian1 ti2 gao1 xiao4 lv4"),
      ("便宜", "pian2 yi5"), ("他有一张银行卡", "ta1 you3 yi1 zhang1 yin2 hang2 ka3"),
    ])
  func words(text: String, expected: String) {
    #expect(engine.spelled(text) == expected)
  }

  @Test("words begin where they do")
  func wordStarts() {
    let starts = engine.choices("美元的确定").map(\.startsWord)
    #expect(starts == [true, false, true, true, false])
  }

  @Test(
    "traditional text is read as simplified text is, each character in one of its own readings",
    arguments: [
      ("銀行行長重新調整", "yin2 hang2 hang2 zhang3 chong2 xin1 tiao2 zheng3"),
      ("他看著我", "ta1 kan4 zhe5 wo3"), ("著名", "zhu4 ming2"), ("頭髮", "tou2 fa4"), ("發展", "fa1 zhan3"),
      ("乾坤", "qian2 kun1"), ("餅乾", "bing3 gan1"),
    ])
  func traditional(text: String, expected: String) {
    #expect(engine.spelled(text) == expected)
  }

  @Test(
    "a name begins with a surname, a compound one before a single one, and no word goes across it",
    arguments: [
      ("单雄信", "shan4 xiong2 xin4"), ("沈阳生", "shen3 yang2 sheng1"), ("尉迟恭", "yu4 chi2 gong1"),
      ("欧阳修", "ou1 yang2 xiu1"), ("令狐冲", "ling2 hu2 chong1"), ("肖战", "xiao1 zhan4"),
      ("曾国藩", "zeng1 guo2 fan1"), ("任正非", "ren2 zheng4 fei1"), ("查良镛", "zha1 liang2 yong1"),
      ("單雄信", "shan4 xiong2 xin4"), ("万俟卨", "mo4 qi2 xie4"), ("张朝阳", "zhang1 chao2 yang2"),
      ("仇", "qiu2"), ("李 行", "li3 - xing2"),
    ])
  func names(text: String, expected: String) {
    #expect(engine.spelled(text, as: .name) == expected)
  }

  @Test(
    "places are read as the people there do, alone and in what is longer",
    arguments: [
      ("六安", "lu4 an1"), ("安徽省六安市", "an1 hui1 sheng3 lu4 an1 shi4"), ("大埔县", "da4 bu4 xian4"),
      ("乐亭县", "lao4 ting2 xian4"), ("重庆市北碚区", "chong2 qing4 shi4 bei3 bei4 qu1"),
    ])
  func places(text: String, expected: String) {
    #expect(engine.spelled(text, as: .place) == expected)
  }

  @Test("what is no Chinese character has no reading; confidence and evidence say what a choice rests on")
  func evidence() {
    let choices = engine.choices("a，人銀行😀")
    #expect(choices[0] == ReadingChoice())
    #expect(choices[1] == ReadingChoice())
    #expect(choices[5] == ReadingChoice())
    #expect(choices[2].evidence == .only)
    #expect(choices[2].confidence == 255)
    #expect(choices[4].evidence == .word)
    #expect(choices[4].wordLength == 2)
    #expect(choices[4].confidence > 200)
    #expect(engine.choices("单雄信", as: .name)[0].evidence == .name)
    #expect(engine.choices("六安", as: .place)[0].evidence == .place)
  }

  @Test("anything can be read, of any length, and an empty text")
  func anything() {
    var random = SeededRandom(seed: 11)
    for kind in TextKind.allCases {
      #expect(engine.choices([], as: kind).isEmpty)
      for _ in 0..<SeededRandom.rounds(or: 200) {
        let scalars = (0..<Int.random(in: 1...40, using: &random)).map { _ in
          Bool.random(using: &random)
            ? UInt32.random(in: 0x4E00...0x9FFF, using: &random) : UInt32.random(in: 0...0x10FFFF, using: &random)
        }
        #expect(engine.choices(scalars, as: kind).count == scalars.count)
      }
    }
    #expect(engine.choices(String(repeating: "长", count: 20_000)).count == 20_000)
  }

  @Test("changed data gives other readings or an error, never a crash")
  func mutations() throws {
    var random = SeededRandom(seed: 12)
    let original = PinyinData.builtInBytes.array
    let text = "银行行长重新调整了音乐会的长度，他看著美元的确定1990年".unicodeScalars.map(\.value)
    for _ in 0..<SeededRandom.rounds(or: 30) {
      var changed = original
      for _ in 0..<Int.random(in: 1...2000, using: &random) {
        changed[Int.random(in: 112..<changed.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
      }
      guard let data = try? PinyinData(Bytes(changed)) else { continue }
      let engine = DictionaryEngine(data)
      for kind in TextKind.allCases { _ = engine.choices(text, as: kind) }
      _ = engine.choices(Array(text.prefix(5)), as: .name)
    }
  }
}

@Suite("The dictionary engine's accuracy", .fixtures)
struct DictionaryAccuracyTests {
  private let engine = DictionaryEngine(.builtIn)

  @Test("CPP's development part: at least 95.5 of a hundred, on every seventh sentence")
  func sentences() throws {
    let sentences = try lines("text/pinyin/cpp_dev.sent")
    let labels = try lines("text/pinyin/cpp_dev.lb")
    var right = 0
    var seen = 0
    for index in stride(from: 0, to: sentences.count, by: 7) {
      let scalars = sentences[index].unicodeScalars.map(\.value)
      let mark = try #require(scalars.firstIndex(of: 0x2581))
      let choice = engine.choices(scalars.filter { $0 != 0x2581 }, as: .text)[mark]
      seen += 1
      right += choice.reading.digits == labels[index].replacing("u:", with: "v") ? 1 : 0
    }
    #expect(Double(right) >= 0.955 * Double(seen), "\(right) of \(seen)")
  }

  @Test("names, places, words and sentences of the fixtures: at least 95 of a hundred")
  func names() throws {
    let rows = try lines("text/pinyin/names_places.tsv").map { $0.split(separator: "\t").map(String.init) }
    let wrong = rows.filter { row in
      engine.spelled(row[1], as: TextKind(rawValue: row[0]) ?? .text) != row[2]
    }
    #expect(Double(wrong.count) <= 0.05 * Double(rows.count), "\(wrong)")
  }

  private func lines(_ path: String) throws -> [Substring] {
    String(decoding: try Fixture.data(path), as: UTF8.self).split(separator: "\n")
  }
}
