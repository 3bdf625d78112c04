import Foundation
import MPaaSTestSupport
import Testing

@testable import MPaaSPinyin

@Suite("Conversion to pinyin") struct PinyinConverterTests {
  static let engine = ScriptedEngine(
    "重庆 chong2 qing4", "西安 xi1 an1", "天安门 tian1 an1 men2", "银行 yin2 hang2", "行长 hang2 zhang3",
    "统一 tong3 yi1", "水果 shui3 guo3", "我们 wo3 men5", "儿童 er2 tong2", "儿马 er2 ma3", "得 de5", "个 ge5", "子 zi5",
    "看见 kan4 jian4", "少年 shao4 nian2")

  private func convert(_ text: String, _ set: (inout PinyinOptions) -> Void = { _ in }) -> String {
    var options = PinyinOptions()
    set(&options)
    return PinyinConverter(options, engine: Self.engine).pinyin(text)
  }

  @Test(
    "a blank parts syllables from each other and from letters, digits and symbols; none is added beside punctuation",
    arguments: [
      ("我love你2024年", "wǒ love nǐ 2024 nián"), ("你好，世界。", "nǐ hǎo，shì jiè。"), ("你好,世界!", "nǐ hǎo,shì jiè!"),
      ("（重庆）银行", "（chóng qìng）yín háng"), ("我 love 你", "wǒ love nǐ"), ("我😀你", "wǒ 😀 nǐ"), ("C++语", "C++ yǔ"),
      ("100%对", "100% duì"), ("<b>你好</b>", "<b>nǐ hǎo</b>"), ("你\t好\r\n你\n\n", "nǐ\thǎo\r\nnǐ\n\n"), ("", ""),
      ("plain text\n", "plain text\n"), ("サ中サ", "サ zhōng サ"), ("我\0你", "wǒ\0nǐ"), ("שלום你", "שלום nǐ"),
      ("我\u{E000}你", "wǒ \u{E000} nǐ"), ("你好\u{20DD}吗", "nǐ hǎo\u{20DD} ma"), ("❤️我❤️", "❤️ wǒ ❤️"),
    ])
  func spacing(text: String, expected: String) {
    #expect(convert(text) == expected)
  }

  @Test("a variation selector goes with its character and does not part a word")
  func selectors() {
    #expect(convert("重\u{E0100}庆\u{FE00}人") == "chóng qìng rén")
    #expect(convert("重\u{E0100}庆\u{FE00}人") { $0.joinsWords = true } == "chóngqìng rén")
    let found = PinyinConverter(PinyinOptions(), engine: Self.engine).syllables("a重\u{E0100}庆")
    #expect(found.map(\.text) == ["重\u{E0100}", "庆"])
    #expect(found.map(\.graphemes) == [1...1, 2...2])
    #expect(found.map(\.utf16) == [1..<4, 4..<5])
  }

  @Test("words are put together with an apostrophe where a syllable begins with a vowel")
  func words() {
    #expect(convert("西安的天安门，重庆银行") { $0.joinsWords = true } == "xī'ān de tiān'ānmén，chóngqìng yínháng")
    #expect(convert("西安的天") { ($0.joinsWords, $0.style) = (true, .digits) } == "xi1an1 de5 tian1")
    #expect(convert("西安的") { ($0.joinsWords, $0.separator) = (true, "_") } == "xī'ān_de")
    #expect(convert("西安。我们去。ok 我们") { ($0.joinsWords, $0.capitalizes) = (true, true) } == "Xī'ān。Wǒmen qù。ok wǒmen")
    #expect(convert("安") { $0.capitalizes = true } == "Ān")
  }

  @Test("the separator may be anything")
  func separators() {
    #expect(convert("我爱你") { $0.separator = "" } == "wǒàinǐ")
    #expect(convert("我爱你a") { $0.separator = " · " } == "wǒ · ài · nǐ · a")
    #expect(convert("我爱你") { ($0.style, $0.separator) = (.letters, "") } == "wan")
  }

  @Test(
    "一 and 不 have their spoken tones where that is asked for",
    arguments: [
      ("一个", "yí ge"), ("一天", "yì tiān"), ("第一天", "dì yī tiān"), ("一九九一年", "yī jiǔ jiǔ yī nián"), ("统一大", "tǒng yī dà"),
      ("一", "yī"), ("一，大", "yī，dà"), ("不是", "bú shì"), ("不好", "bù hǎo"), ("不", "bù"), ("好不好", "hǎo bu hǎo"),
      ("看一看", "kàn yi kàn"), ("一个一个", "yí ge yí ge"), ("一百一十", "yì bǎi yī shí"), ("星期一去", "xīng qī yī qù"),
      ("一月一日", "yī yuè yī rì"), ("一不去", "yí bú qù"), ("一点五", "yī diǎn wǔ"), ("一点水", "yì diǎn shuǐ"), ("2一去", "2 yī qù"),
    ])
  func sandhi(text: String, expected: String) {
    #expect(convert(text) { $0.appliesSandhi = true } == expected)
    #expect(convert("一个不是") == "yī ge bù shì")
  }

  @Test("a third tone before a third tone of its word becomes a second where that is asked for")
  func thirdTones() {
    #expect(convert("我水果") { $0.appliesThirdToneSandhi = true } == "wǒ shuí guǒ")
  }

  @Test(
    "儿 closes the syllable before it unless it is a child",
    arguments: [
      ("花儿", "huār"), ("女儿", "nǚ ér"), ("儿子", "ér zi"), ("花儿童", "huā ér tóng"), ("花儿马", "huā ér mǎ"),
      ("鳥兒飛", "niǎor fēi"),
      ("婴儿", "yīng ér"), ("a儿", "a ér"), ("儿", "ér"), ("花儿儿", "huār ér"),
    ])
  func erhua(text: String, expected: String) {
    #expect(convert(text) { $0.mergesErhua = true } == expected)
    #expect(convert("花儿") == "huā ér")
  }

  @Test("the 儿 of a syllable is written in every style, and its entry has both characters")
  func erhuaStyles() {
    func flower(_ style: PinyinStyle) -> String { convert("花儿") { ($0.style, $0.mergesErhua) = (style, true) } }
    #expect(
      PinyinStyle.allCases.map(flower)
        == ["huār", "huar1", "hua1r", "huar", "h", "h", "uar", "HUAR", "ㄏㄨㄚㄦ", "huarh¹"])
    var options = PinyinOptions(.digits)
    options.mergesErhua = true
    let found = PinyinConverter(options, engine: Self.engine).syllables("x花儿好")
    #expect(found.map(\.text) == ["花儿", "好"])
    #expect(found.map(\.pinyin) == ["huar1", "hao3"])
    #expect(found.map(\.graphemes) == [1...2, 3...3])
    #expect(found.map(\.hasErhua) == [true, false])
  }

  @Test(
    "names are spelled as passports have them",
    arguments: [
      ("吕不韦", "LYU BUWEI"), ("诸葛亮", "ZHUGE LIANG"), ("欧阳娜娜", "OUYANG NANA"), ("歐陽修", "OUYANG XIU"),
      ("王西安", "WANG XIAN"),
      ("李四", "LI SI"), ("阿依古丽·买买提", "AYIGULI MAIMAITI"), ("李四，王五\n", "LI SI，WANG WU\n"), ("女", "NYU"),
    ])
  func passportNames(text: String, expected: String) {
    #expect(convert(text) { ($0.style, $0.kind) = (.passport, .name) } == expected)
  }

  @Test("names and places in other styles are joined and capitalised where that is asked for")
  func names() {
    #expect(
      convert("吕不韦") { ($0.kind, $0.joinsWords, $0.capitalizes) = (.name, true, true) } == "Lǚ Bùwéi")
    #expect(convert("西安") { ($0.kind, $0.joinsWords, $0.capitalizes) = (.place, true, true) } == "Xī'ān")
    #expect(convert("西安") { ($0.kind, $0.style) = (.place, .passport) } == "XI'AN")
    #expect(convert("吕不韦") { $0.kind = .name } == "lǚ bù wéi")
  }

  @Test("heteronyms are listed behind the chosen reading, each spelling once")
  func heteronyms() {
    #expect(convert("重庆好") { $0.heteronyms = .common } == "chóng/zhòng qìng hǎo/hào")
    #expect(convert("好") { ($0.heteronyms, $0.style) = (.common, .plain) } == "hao")
    var options = PinyinOptions(.digits)
    options.heteronyms = .common
    let found = PinyinConverter(options, engine: Self.engine).syllables("重庆")
    #expect(found[0].reading?.digits == "chong2")
    #expect(found[0].readings.map(\.digits) == ["zhong4", "chong2"])
    #expect(convert("重").split(separator: "/").count == 1)
  }

  @Test("syllables know their graphemes, their UTF-16, their words and how sure they are")
  func syllables() {
    let text = "A👨‍👩‍👧重庆e\u{301}𠮷，银行\r\n我"
    let found = PinyinConverter(PinyinOptions(.digits), engine: Self.engine).syllables(text)
    #expect(found.map(\.text) == ["重", "庆", "𠮷", "银", "行", "我"])
    #expect(found.map(\.graphemes.lowerBound) == [2, 3, 5, 7, 8, 10])
    #expect(found.map(\.word) == [0, 0, 1, 2, 2, 3])
    #expect(found.map(\.startsWord) == [true, false, true, true, false, true])
    #expect(found.allSatisfy { (0.78...0.79).contains($0.confidence) })
    let graphemes = Array(text), units = Array(text.utf16)
    for syllable in found {
      #expect(String(graphemes[syllable.graphemes]) == syllable.text)
      #expect(String(decoding: units[syllable.utf16], as: UTF16.self) == syllable.text)
    }
  }

  @Test("a Chinese character without a reading has an empty entry, and stays as it is in text")
  func unknown() throws {
    let unread = try #require(
      (UInt32(0x2A700)..<0x32000).first { PinyinData.builtIn.readings[$0].isEmpty }.flatMap(Unicode.Scalar.init))
    let found = PinyinConverter().syllables("我\(unread)")
    #expect(found.count == 2)
    #expect(found.last?.reading == nil)
    #expect(found.last?.pinyin == "")
    #expect(PinyinConverter().pinyin("我\(unread)") == "wǒ \(unread)")
  }

  @Test("ranges of any text are those of its graphemes and follow one another")
  func randomRanges() {
    var random = SeededRandom(seed: 11)
    let parts = [
      "重", "庆", "𠮷", "e\u{301}", "👨‍👩‍👧", "\u{E0100}", "\r\n", "\r", "\n", " ", "\u{200D}", "🇨🇳", "葛", "\u{FE0F}", "한",
      "\u{1100}", "\u{0600}",
      "a", "。", "儿", "\u{0}", "\u{FEFF}", "ﾞ", "か", "\u{3099}", "ש", "\u{202E}", "一", "不",
    ]
    var options = PinyinOptions(.digits)
    options.mergesErhua = true
    options.appliesSandhi = true
    let converter = PinyinConverter(options)
    for _ in 0..<SeededRandom.rounds(or: 300) {
      let text = (0..<Int.random(in: 0...30, using: &random)).map { _ in parts.randomElement(using: &random) ?? "" }
        .joined()
      let graphemes = Array(text), units = Array(text.utf16)
      var next = 0
      for syllable in converter.syllables(text) {
        #expect(syllable.graphemes.lowerBound >= next)
        next = syllable.graphemes.upperBound + 1
        #expect(String(graphemes[syllable.graphemes]) == syllable.text)
        #expect(String(decoding: units[syllable.utf16], as: UTF16.self) == syllable.text)
      }
      let chinese = graphemes.filter { $0.unicodeScalars.contains { "重庆𠮷葛儿一不".unicodeScalars.contains($0) } }.count
      let merged = converter.syllables(text).filter(\.hasErhua).count
      #expect(converter.syllables(text).count + merged == chinese)
    }
  }

  @Test("one converter serves many threads at once")
  func threads() async {
    let converter = PinyinConverter()
    let expected = converter.pinyin("我爱你中国，ok。")
    await withTaskGroup(of: Bool.self) { group in
      for _ in 0..<16 {
        group.addTask { (0..<50).allSatisfy { _ in converter.pinyin("我爱你中国，ok。") == expected } }
      }
      for await isRight in group { #expect(isRight) }
    }
  }
}
