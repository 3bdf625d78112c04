import MPaaSSupport
import MPaaSTestSupport
import Testing

@testable import MPaaSPinyin

@Suite("The contextual engine")
struct ContextualEngineTests {
  private func readings(_ text: String, _ kind: PinyinEngine, as textKind: TextKind = .text) -> String {
    let scalars = text.unicodeScalars.map(\.value)
    return PinyinData.builtIn.engine(kind).choices(scalars, as: textKind).map(\.reading)
      .map { $0 == .none ? "-" : $0.digits }.joined(separator: " ")
  }

  @Test("the network reads what the sentence decides, in traditional characters as in simplified ones")
  func sentences() {
    #expect(readings("他在率先成立了公司。", .network) == "ta1 zai4 shuai4 xian1 cheng2 li4 le5 gong1 si1 -")
    let simplified = readings("他当了校长，重新调整了音乐会的长度。", .network)
    #expect(readings("他當了校長，重新調整了音樂會的長度。", .network) == simplified)
  }

  @Test(
    "both engines together read words and sentences right",
    arguments: [
      ("银行行长重新调整了音乐会的长度", "yin2 hang2 hang2 zhang3 chong2 xin1 tiao2 zheng3 le5 yin1 yue4 hui4 de5 chang2 du4"),
      ("他觉得还是应该还钱", "ta1 jue2 de5 hai2 shi4 ying1 gai1 huan2 qian2"),
      ("美元的确定", "mei3 yuan2 de5 que4 ding4"), ("率先提高效率", "shuai4 xian1 ti2 gao1 xiao4 lv4"),
      ("他的儿子在银行当会计", "ta1 de5 er2 zi5 zai4 yin2 hang2 dang1 kuai4 ji4"), ("弟弟", "di4 di5"), ("人参", "ren2 shen1"),
    ])
  func combined(text: String, expected: String) {
    #expect(readings(text, .contextual) == expected)
  }

  @Test("names and places are read by the dictionary's rules in every engine", arguments: PinyinEngine.allCases)
  func names(kind: PinyinEngine) {
    #expect(readings("单田芳", kind, as: .name) == "shan4 tian2 fang1")
    #expect(readings("六安", kind, as: .place) == "lu4 an1")
  }

  @Test("a sentence is read the same wherever it stands in a long text, and a long line without a stop is read whole")
  func longTexts() throws {
    let sentence = "他还没有还书。"
    let engine = PinyinData.builtIn.engine(.network)
    let alone = engine.choices(sentence.unicodeScalars.map(\.value), as: .text).map(\.reading)
    let long = engine.choices(String(repeating: sentence, count: 60).unicodeScalars.map(\.value), as: .text)
    #expect(long.map(\.reading) == Array(repeatElement(alone, count: 60).joined()))
    let endless = engine.choices(String(repeating: "银行家长", count: 400).unicodeScalars.map(\.value), as: .text)
    #expect(endless.count == 1600)
    #expect(endless.allSatisfy { $0.reading != .none })
  }

  @Test("any scalars are read without a crash, and only Chinese characters have readings")
  func fuzz() {
    var random = SeededRandom(seed: 11)
    let engine = PinyinData.builtIn.engine(.contextual)
    for _ in 0..<SeededRandom.rounds(or: 30) {
      let scalars = (0..<Int.random(in: 0...300, using: &random)).map { _ in
        UInt32.random(in: Bool.random(using: &random) ? 0x4E00...0x9FFF : 0...0x10FFFF, using: &random)
      }
      let choices = engine.choices(scalars, as: .text)
      for (scalar, choice) in zip(scalars, choices) where scalar < 0x2E80 { #expect(choice.reading == .none) }
    }
  }

  @Test("threads that meet new characters at the same time all read the same")
  func threads() async throws {
    // A network of its own: none of its rows is computed yet.
    let data = try PinyinData(Bytes(PinyinData.builtInBytes.array))
    let engine = NetworkEngine(data)
    let scalars = "中国人民银行行长说，重庆的音乐会还没有开始，大家都觉得长度应该重新调整。".unicodeScalars.map(\.value)
    let expected = PinyinData.builtIn.engine(.network).choices(scalars, as: .text)
    await withTaskGroup(of: [ReadingChoice].self) { group in
      for _ in 0..<16 { group.addTask { engine.choices(scalars, as: .text) } }
      for await choices in group { #expect(choices == expected) }
    }
  }

  @Test("a network with changed bytes is none, or reads something, never a crash")
  func mutations() throws {
    let section = try #require(PinyinData.builtIn[PinyinData.Section("NETW")])
    var random = SeededRandom(seed: 3)
    for _ in 0..<SeededRandom.rounds(or: 6) {
      var changed = section.array
      for _ in 0..<Int.random(in: 1...8, using: &random) {
        let near = Bool.random(using: &random) ? 64 : changed.count
        changed[Int.random(in: 0..<near, using: &random)] = UInt8.random(in: 0...255, using: &random)
      }
      if Int.random(in: 0..<4, using: &random) == 0 {
        changed.removeLast(Int.random(in: 1...changed.count, using: &random))
      }
      guard let network = NetworkWeights(Bytes(changed)).map({ Network($0, .builtIn) }) else { continue }
      let scalars = "银行行长重新调整了长度".unicodeScalars.map(\.value)
      scalars.withUnsafeBufferPointer { input in
        network.answers(input, in: { _ in true }, where: { _ in true }) { _, answer in _ = answer.reading }
      }
    }
  }
}

@Suite("The network's arithmetic")
struct NetworkPassTests {
  @Test("powers of two are right to six digits", arguments: [Float(-100), -3.75, -0.5, 0, 0.3, 1, 17.9, 100])
  func powers(exponent: Float) {
    let whole = exponent.rounded()
    // The rest by the series of e to the power of x, the whole by its exponent.
    let x = Double(exponent - whole) * 0.693_147_180_559_945_3
    let expected =
      (1...20).reversed().reduce(1.0) { 1 + x / Double($1) * $0 }
      * Double(sign: .plus, exponent: Int(whole), significand: 1)
    let found = Double(NetworkPass.power(SIMD4(repeating: exponent))[0])
    #expect(abs(found / expected - 1) < 4e-6)
  }

  @Test("numbers of half precision widen to what they are")
  func halves() {
    #expect(NetworkWeights.widened([0x3C00, 0xC000, 0x3555, 0x0001]) == [1, -2, 0x1.554p-2, 0x1p-24])
    #expect(NetworkWeights.widened([0, 0x7BFF, 0x8400, 0x0400]) == [0, 65504, -0x1p-14, 0x1p-14])
  }
}
