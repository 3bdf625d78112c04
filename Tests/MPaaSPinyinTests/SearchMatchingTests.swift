import MPaaSTestSupport
import Testing

@testable import MPaaSPinyin

@Suite("Matching by pinyin")
struct SearchMatchingTests {
  private func matches(
    _ query: String, _ text: String, _ change: (inout PinyinSearchOptions) -> Void = { _ in }
  ) -> Bool {
    var options = PinyinSearchOptions.standard
    change(&options)
    return PinyinIndex([text]).search(PinyinQuery(query, options: options)).total == 1
  }

  @Test(
    "what is typed finds what is meant",
    arguments: [
      ("zhs", "张三"), ("zs", "张三"), ("zhangs", "张三"), ("ZS", "张三"), ("张s", "张三"), ("z三", "张三"),
      ("tomz", "Tom张"), ("xian", "西安"), ("xian", "先"), ("xi'an", "西安"), ("xi’an", "西安"), ("zhang1san1", "张三"),
      ("zhāngsān", "张三"), ("zha\u{304}ngsan", "张三"), ("lvb", "吕布"), ("lüb", "吕布"), ("lu:b", "吕布"), ("ｌｖｂ", "吕布"),
      ("tom", "ＴＯＭ"), ("cafe", "Café"), ("café", "cafe\u{301}"), ("müller", "Muller"), ("zs", "张 三"), ("ma", "妈"),
      ("o'brien", "obrien"), ("张s", "張三"), ("張三", "张三"),
    ])
  func found(query: String, text: String) {
    #expect(matches(query, text))
  }

  @Test(
    "what does not match is not found",
    arguments: [
      ("zhas", "张三"), ("hangsan", "张三"), ("ll", "李小龙"), ("xi'an", "先"), ("zhang2san", "张三"), ("zhángsan", "张三"),
      ("lub", "吕布"), ("", "张三"), ("' ", "张三"), ("z", ""), ("\u{301}", "e\u{301}"),
    ])
  func notFound(query: String, text: String) {
    #expect(!matches(query, text))
  }

  @Test("options open and close ways of matching")
  func options() {
    #expect(matches("ll", "李小龙") { $0.gaps = true })
    #expect(!matches("zs", "张三") { $0.initials = false })
    #expect(matches("zhangsan", "张三") { $0.initials = false })
    #expect(!matches("zhangsa", "张三") { $0.prefixes = false })
    #expect(matches("zangsan", "张三") { $0.fuzzy = [.zZh] })
    #expect(matches("zhansang", "张三") { $0.fuzzy = [.anAng] })
    #expect(matches("lub", "吕布") { $0.fuzzy = [.uUmlaut] })
    #expect(matches("lan", "南") { $0.fuzzy = [.nL] })
    #expect(!matches("lan", "南"))
    #expect(matches("san zhang", "张三") { $0.anyOrder = true })
    #expect(!matches("san zhang", "张三"))
    #expect(!matches("li zhang", "张三") { $0.anyOrder = true })
    #expect(matches("chong", "重") { $0.heteronyms = .common })
    #expect(!matches("chong", "重") { $0.heteronyms = .usual })
  }

  @Test("every query finds in random texts exactly what brute force finds, whatever the options")
  func random() {
    var random = SeededRandom(seed: 3)
    let texts =
      (0..<250).map { _ in RandomTexts.text(&random) } + ["", " ", "\u{301}", "\u{10FFFF}", "\u{D7FF}\u{E000}"]
    for folding in [PinyinFolding.all, []] {
      let index = PinyinIndex(texts, folding: folding, fewestIndexed: 0)
      for _ in 0..<SeededRandom.rounds(or: 25) {
        let query = PinyinQuery(RandomTexts.query(&random), options: RandomTexts.options(&random))
        guard let word = query.words(SearchFolding(kinds: folding)).first else { continue }
        let brute = BruteForceSearch(word, query.options, folding) { scalar in
          PinyinData.builtIn.readings[scalar.value].enumerated().map { index, reading in
            let list = PinyinData.builtIn.readings[scalar.value]
            let spelling = reading.syllable.spelling
            return BruteForceSearch.Sound(
              spelling: spelling == "ê" ? "e" : spelling, tone: Int(reading.tone.rawValue),
              grade: list.isRare(index) ? .all : index == 0 ? .usual : .common)
          }
        }
        let expected = texts.map { brute.ranges(in: Array($0.unicodeScalars)) }
        let hits = index.search(query, order: .input).hits
        #expect(hits.map(\.text) == expected.indices.filter { !expected[$0].isEmpty }, "\(query)")
        for hit in hits {
          #expect(index.ranges(of: query, in: hit.text) == expected[hit.text], "\(query) in \(texts[hit.text])")
          #expect(expected[hit.text].contains(hit.range))
        }
      }
    }
  }

  @Test("a query longer than a machine word is matched as any other")
  func long() {
    let text = String(repeating: "张三李四王五赵六", count: 30)
    let index = PinyinIndex([text, "张三", text + "x"])
    let query = String(repeating: "zhangsanlsi王wzhaoliu", count: 29)
    #expect(index.search(PinyinQuery(query)).hits.map(\.text) == [0, 2])
    #expect(index.search(PinyinQuery(query + "q")).total == 0)
    #expect(index.search(PinyinQuery(query + query)).total == 0)
  }

  @Test("a very long line is searched as any other")
  func longLine() {
    let text = String(repeating: "-", count: 200_000) + "张" + String(repeating: " ·", count: 1000) + "三"
    let index = PinyinIndex([text])
    #expect(index.search(PinyinQuery("zs")).hits.map(\.range) == [200_000...202_001])
  }
}

/// Texts and queries of no real use.
enum RandomTexts {
  private static let pieces: [String] = [
    "张", "三", "重", "庆", "长", "大", "行", "西", "安", "先", "吕", "布", "女", "略", "一", "阿", "儿", "嗯", "呒",
    "曾", "單", "〇", " ", "·", "-", "(", "（", "@", ".", "，", "。", "、", "Tom", "A", "z", "Z", "9",
    "1", "２", "Ａ", "é", "ü", "ǚ", "İ", "ß", "Σ", "e\u{301}", "\u{301}", "🙂", "👨‍👩‍👧", "שלום",
    "مرحبا", "の", "한", "\u{E000}", "\u{F8FF}", "\u{D7FF}", "\u{FFFD}", "\u{10FFFF}", "\u{0}",
    "\u{20000}", "'", "’", "\u{3000}",
  ]
  private static let typed: [String] = [
    "zhang", "zh", "z", "san", "s", "chong", "zhong", "qing", "q", "xi", "xian", "an", "a", "lv",
    "lü", "lue", "b", "nv", "yi", "er", "e", "n", "1", "3", "4", "0", "'", " ", "张", "三", "單",
    "Tom", "é", "ā", "ǚ", "-", "(", "🙂", "の", "İ", "\u{301}", "chang", "da", "hang", "xing",
    "zeng", "ceng",
  ]

  static func text(_ random: inout SeededRandom) -> String {
    (0..<Int.random(in: 0...9, using: &random)).map { _ in pieces.randomElement(using: &random) ?? "" }.joined()
  }

  static func query(_ random: inout SeededRandom) -> String {
    (0..<Int.random(in: 1...4, using: &random)).map { _ in typed.randomElement(using: &random) ?? "" }.joined()
  }

  static func options(_ random: inout SeededRandom) -> PinyinSearchOptions {
    var options = PinyinSearchOptions()
    if Bool.random(using: &random) {
      options.fuzzy = PinyinFuzzySounds(rawValue: .random(in: 0...1023, using: &random))
    }
    options.heteronyms = PinyinHeteronyms.allCases.randomElement(using: &random) ?? .all
    options.initials = Int.random(in: 0..<4, using: &random) > 0
    options.prefixes = Int.random(in: 0..<4, using: &random) > 0
    options.gaps = Int.random(in: 0..<4, using: &random) == 0
    options.tones = Bool.random(using: &random)
    options.boundaries = Bool.random(using: &random)
    return options
  }
}
