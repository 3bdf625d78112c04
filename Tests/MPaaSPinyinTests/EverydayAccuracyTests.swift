import Foundation
import MPaaSTestSupport
import Testing

@testable import MPaaSPinyin

/// A sentence with one character whose reading is known.
private struct MarkedSentence {
  let scalars: [UInt32]
  let position: Int
  let label: String

  /// - Parameter sentence: The character stands between two marks, U+2581.
  init?(_ sentence: Substring, _ label: Substring) {
    let marked = sentence.unicodeScalars.map(\.value)
    guard let mark = marked.firstIndex(of: 0x2581) else { return nil }
    scalars = marked.filter { $0 != 0x2581 }
    position = mark
    self.label = String(label).replacing("u:", with: "v")
  }

  /// The everyday sentences that are kept with the data's sources, `dev` or `test`.
  static func everyday(_ part: String) throws -> [Self] {
    let file = Fixture.package.appending(path: "scripts/pinyin-data/everyday/\(part).tsv")
    return try String(contentsOf: file, encoding: .utf8).split(separator: "\n").compactMap { line in
      let fields = line.split(separator: "\t")
      return fields.count == 2 ? Self(fields[0], fields[1]) : nil
    }
  }
}

@Suite("Everyday text")
struct EverydayAccuracyTests {
  private func right(_ sentences: [MarkedSentence], _ kind: PinyinEngine) -> Double {
    let engine = PinyinData.builtIn.engine(kind)
    let right = sentences.count { sentence in
      engine.choices(sentence.scalars, as: .text)[sentence.position].reading.digits == sentence.label
    }
    return Double(right) / Double(max(sentences.count, 1))
  }

  @Test("the sentences ask about at least 150 characters, each at least 20 times, and no sentence is in both parts")
  func sentences() throws {
    let dev = try MarkedSentence.everyday("dev")
    let test = try MarkedSentence.everyday("test")
    #expect(dev.count + test.count >= 3000)
    let counts = Dictionary(grouping: dev + test) { $0.scalars[$0.position] }.mapValues(\.count)
    #expect(counts.count >= 150)
    #expect(counts.values.allSatisfy { $0 >= 20 })
    let asked = Set(dev.map { [$0.scalars[$0.position]] + $0.scalars })
    #expect(test.allSatisfy { !asked.contains([$0.scalars[$0.position]] + $0.scalars) })
    for sentence in dev + test { #expect(Reading(digits: sentence.label) != nil, "\(sentence.label)") }
  }

  @Test("at least 97 of a hundred are right, and the network makes none of it worse", arguments: ["dev", "test"])
  func accuracy(part: String) throws {
    let sentences = try MarkedSentence.everyday(part)
    let dictionary = right(sentences, .dictionary)
    let automatic = right(sentences, .auto)
    #expect(dictionary >= 0.97, "\(dictionary)")
    #expect(automatic >= dictionary, "\(automatic)")
  }

  @Test(
    "of CPP's development part, which trained the dictionary, at least 98 of a hundred are right by either engine",
    .fixtures)
  func encyclopaedia() throws {
    let texts = String(decoding: try Fixture.data("text/pinyin/cpp_dev.sent"), as: UTF8.self).split(separator: "\n")
    let labels = String(decoding: try Fixture.data("text/pinyin/cpp_dev.lb"), as: UTF8.self).split(separator: "\n")
    let all = zip(texts, labels).compactMap { MarkedSentence($0, $1) }
    // The short form asks every 29th sentence.
    let step = SeededRandom.rounds(or: 1) > 1 ? 1 : 29
    let sentences = stride(from: 0, to: all.count, by: step).map { all[$0] }
    for kind in [PinyinEngine.dictionary, .auto] {
      let found = right(sentences, kind)
      #expect(found >= 0.98, "\(kind): \(found) of \(sentences.count)")
    }
  }

  @Test(
    "what people say every day is read as they say it, by the dictionary and together with the network",
    arguments: [
      ("没差", "mei2 cha4"), ("孩子们高兴地笑了", "hai2 zi5 men5 gao1 xing4 de5 xiao4 le5"),
      ("我得走了", "wo3 dei3 zou3 le5"), ("两只老虎", "liang3 zhi1 lao3 hu3"), ("一只猫", "yi1 zhi1 mao1"),
      ("爷爷种了一棵树", "ye2 ye5 zhong4 le5 yi1 ke1 shu4"), ("他长得很高", "ta1 zhang3 de5 hen3 gao1"),
      ("他背着书包", "ta1 bei1 zhe5 shu1 bao1"), ("谁教你游泳", "shei2 jiao1 ni3 you2 yong3"),
      ("一杯绿茶", "yi1 bei1 lv4 cha2"), ("我吃不了", "wo3 chi1 bu4 liao3"), ("他睡着了", "ta1 shui4 zhao2 le5"),
    ])
  func sayings(text: String, expected: String) {
    for kind in [PinyinEngine.dictionary, .auto] {
      #expect(PinyinData.builtIn.engine(kind).spelled(text) == expected)
    }
  }

  @Test(
    "words that are written are read as dictionaries of the language have them, by either engine",
    arguments: [
      ("民风质朴", "min2 feng1 zhi4 pu3"), ("正确的价值观", "zheng4 que4 de5 jia4 zhi2 guan1"),
      ("利润率下降", "li4 run4 lv4 xia4 jiang4"), ("金帐汗国", "jin1 zhang4 han2 guo2"), ("麻涌镇", "ma2 chong1 zhen4"),
      ("切削刀具", "qie1 xiao1 dao1 ju4"), ("重檐歇山顶", "chong2 yan2 xie1 shan1 ding3"), ("覃塘区", "qin2 tang2 qu1"),
      ("倒春寒", "dao4 chun1 han2"), ("苍朮", "cang1 zhu2"), ("山陽鉄道", "shan1 yang2 tie3 dao4"), ("閤門", "ge2 men2"),
    ])
  func writings(text: String, expected: String) {
    for kind in [PinyinEngine.dictionary, .auto] {
      #expect(PinyinData.builtIn.engine(kind).spelled(text) == expected)
    }
  }
}
