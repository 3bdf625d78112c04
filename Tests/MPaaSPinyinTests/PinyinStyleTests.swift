import Foundation
import MPaaSTestSupport
import Testing

@testable import MPaaSPinyin

@Suite("How readings are written") struct PinyinStyleTests {
  /// Every reading that a character of the data can have, 1,300 or so.
  static let known: [Reading] = {
    var found: Set<Reading> = []
    for scalar in UInt32(0x3000)..<0x32400 { found.formUnion(PinyinData.builtIn.readings[scalar]) }
    return found.sorted { $0.rawValue < $1.rawValue }
  }()

  @Test(
    "each style spells as its standard says",
    arguments: [
      ("zhong4", "zhòng zhong4 zho4ng zhong zh z ong ZHONG ㄓㄨㄥˋ chung⁴"),
      ("lv3", "lǚ lv3 lv3 lv l l v LYU ㄌㄩˇ lü³"),
      ("nve4", "nüè nve4 nve4 nve n n ve NYUE ㄋㄩㄝˋ nüeh⁴"),
      ("qu4", "qù qu4 qu4 qu q q v QU ㄑㄩˋ ch’ü⁴"),
      ("yuan2", "yuán yuan2 yua2n yuan y y van YUAN ㄩㄢˊ yüan²"),
      ("liu4", "liù liu4 liu4 liu l l iou LIU ㄌㄧㄡˋ liu⁴"),
      ("shui3", "shuǐ shui3 shui3 shui sh s uei SHUI ㄕㄨㄟˇ shui³"),
      ("gui1", "guī gui1 gui1 gui g g uei GUI ㄍㄨㄟ kuei¹"),
      ("shi4", "shì shi4 shi4 shi sh s i SHI ㄕˋ shih⁴"),
      ("ci2", "cí ci2 ci2 ci c c i CI ㄘˊ tz’u²"),
      ("yi1", "yī yi1 yi1 yi y y i YI ㄧ i¹"),
      ("weng1", "wēng weng1 we1ng weng w w ueng WENG ㄨㄥ wêng¹"),
      ("xiong2", "xióng xiong2 xio2ng xiong x x iong XIONG ㄒㄩㄥˊ hsiung²"),
      ("guo2", "guó guo2 guo2 guo g g uo GUO ㄍㄨㄛˊ kuo²"),
      ("re4", "rè re4 re4 re r r e RE ㄖㄜˋ jê⁴"),
      ("er2", "ér er2 e2r er  e er ER ㄦˊ êrh²"),
      ("an1", "ān an1 a1n an  a an AN ㄢ an¹"),
      ("ma5", "ma ma5 ma5 ma m m a MA ˙ㄇㄚ ma"),
    ])
  func table(digits: String, spellings: String) throws {
    let reading = try #require(Reading(digits: digits))
    #expect(
      PinyinStyle.allCases.map { reading.spelled($0) }
        == spellings.split(separator: " ", omittingEmptySubsequences: false).map(String.init))
  }

  @Test("ü is spelled as is asked for", arguments: UmlautSpelling.allCases)
  func umlaut(spelling: UmlautSpelling) throws {
    let reading = try #require(Reading(digits: "lve4"))
    #expect(reading.spelled(.plain, umlaut: spelling) == "l\(spelling.rawValue)e")
    #expect(try #require(Reading(digits: "ju2")).spelled(.plain, umlaut: spelling) == "ju")
    let marked = ["ü": "nǚ", "v": "nv\u{30c}", "yu": "nyǔ", "u": "nǔ"]
    #expect(try #require(Reading(digits: "nv3")).spelled(.marks, umlaut: spelling) == marked[spelling.rawValue])
  }

  @Test("marks, digits and zhuyin of every reading there is lead back to it, small or capital, composed or not")
  func roundTrip() {
    #expect(Self.known.count > 1200)
    for reading in Self.known {
      for style in [PinyinStyle.marks, .digits, .zhuyin] {
        let text = reading.spelled(style)
        #expect(Reading(spelling: text) == reading, "\(text)")
        #expect(Reading(spelling: text.decomposedStringWithCanonicalMapping) == reading, "\(text)")
        #expect(Reading(spelling: text.uppercased()) == reading, "\(text)")
      }
    }
    for text in ["", "x", "zhòngg", "zhong6", "ˋ", "重", "e\u{301}\u{301}", "5"] {
      #expect(Reading(spelling: text) == nil, "\(text)")
    }
  }

  @Test("no spelling is longer than the place that the converter has for it")
  func length() {
    for syllable in Syllable.bySpelling.values {
      for tone in Tone.allCases {
        for style in PinyinStyle.allCases {
          let text = Spelling(style).text(Reading(syllable, tone), hasErhua: true, isCapital: true)
          #expect(text.utf8.count <= 15, "\(text)")
        }
      }
    }
  }

  @Test("pypinyin writes every reading the same way", .pypinyin)
  func peer() throws {
    let script = """
      import json, sys
      from pypinyin import Style
      from pypinyin.style import convert
      styles = [Style.TONE3, Style.TONE2, Style.NORMAL, Style.FIRST_LETTER, Style.FINALS, Style.BOPOMOFO]
      for line in sys.stdin:
          print(json.dumps([convert(line.strip(), s, True) for s in styles]))
      """
    // Syllables of a consonant alone, ê and yo have rules of their own there.
    let vowels = Self.known.filter { reading in
      !["m", "n", "ng", "hm", "hng", "ê", "yo"].contains(reading.syllable.spelling) && reading.tone != .neutral
    }
    let outcome = try Command.run(
      Fixture.python, ["-c", script], input: vowels.map { $0.spelled(.marks) + "\n" }.joined(),
      environment: ["PYTHONIOENCODING": "utf-8"])
    try #require(outcome.status == 0, "\(outcome.errors)")
    let lines = outcome.output.split(separator: "\n")
    #expect(lines.count == vowels.count)
    for (reading, line) in zip(vowels, lines) {
      let theirs = try JSONDecoder().decode([String].self, from: Data(line.utf8))
      let styles = [PinyinStyle.digits, .innerDigits, .plain, .letters, .finals, .zhuyin]
      let ours = zip(styles, theirs).map { style, theirs in
        theirs.contains("ü") ? reading.spelled(style, umlaut: .umlaut) : reading.spelled(style)
      }
      #expect(ours == theirs)
    }
  }
}

extension Trait where Self == ConditionTrait {
  /// Skips the test where pypinyin is not installed among the peers.
  static var pypinyin: Self {
    .enabled(
      if: (try? Command.run(Fixture.python, ["-c", "import pypinyin"]))?.status == 0,
      "pypinyin is not installed: run scripts/bootstrap --peers")
  }
}
