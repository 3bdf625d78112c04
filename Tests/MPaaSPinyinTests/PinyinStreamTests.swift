import Foundation
import MPaaSTestSupport
import Testing

@testable import MPaaSPinyin

@Suite("Conversion of bytes") struct PinyinStreamTests {
  /// The output for an input cut at `cuts`, and the error that ended it.
  private func run(
    _ bytes: [UInt8], cuts: [Int] = [], isLossy: Bool = false, _ stream: consuming some PinyinByteStream & ~Copyable
  ) -> (output: [UInt8], error: PinyinError?) {
    var output: [UInt8] = []
    var start = 0
    var stream = stream
    do {
      for end in cuts.sorted() + [bytes.count] {
        try bytes[start..<end].withUnsafeBytes { piece in try stream.feed(piece) { output.append(contentsOf: $0) } }
        start = end
      }
      try stream.finish { output.append(contentsOf: $0) }
      return (output, nil)
    } catch {
      return (output, error as? PinyinError)
    }
  }

  private func text(_ bytes: [UInt8], cuts: [Int] = [], isLossy: Bool = false) -> (output: [UInt8], error: PinyinError?)
  {
    var options = PinyinOptions()
    options.appliesSandhi = true
    options.mergesErhua = true
    return run(bytes, cuts: cuts, PinyinTextStream(options, isLossy: isLossy))
  }

  private func lines(_ bytes: [UInt8], cuts: [Int] = [], isLossy: Bool = false) -> (
    output: [UInt8], error: PinyinError?
  ) {
    run(bytes, cuts: cuts, PinyinLineStream(PinyinOptions(.digits), isLossy: isLossy))
  }

  private func cuts(_ count: Int, _ random: inout SeededRandom) -> [Int] {
    (0..<Int.random(in: 0...12, using: &random)).map { _ in Int.random(in: 0...count, using: &random) }
  }

  @Test("how a text is cut does not show, whatever its bytes are")
  func chunks() {
    var random = SeededRandom(seed: 3)
    let parts = ["重庆", "我", "。", "\n", "\r\n", "a", "花儿", "一", "不", "𠮷", "é", "👍🏽", "！", "，", " ", "2"].map {
      Array($0.utf8)
    }
    for round in 0..<SeededRandom.rounds(or: 200) {
      var bytes = (0..<Int.random(in: 0...60, using: &random)).flatMap { _ in parts.randomElement(using: &random) ?? []
      }
      if round % 2 == 0 {
        for _ in 0..<Int.random(in: 0...3, using: &random) where !bytes.isEmpty {
          let place = Int.random(in: 0..<bytes.count, using: &random)
          bytes[place] = UInt8.random(in: 0...255, using: &random)
        }
      }
      for isLossy in [false, true] {
        let whole = text(bytes, isLossy: isLossy), lined = lines(bytes, isLossy: isLossy)
        for cuts in [cuts(bytes.count, &random), Array(0..<bytes.count)] {
          let pieces = text(bytes, cuts: cuts, isLossy: isLossy)
          #expect(pieces.output == whole.output)
          #expect(pieces.error == whole.error)
          let linePieces = lines(bytes, cuts: cuts, isLossy: isLossy)
          #expect(linePieces.output == lined.output)
          #expect(linePieces.error == lined.error)
        }
      }
    }
  }

  @Test("a text without an end of a sentence is divided at the same places however it comes")
  func longText() {
    let bytes = Array((String(repeating: "我爱中国", count: 700) + "，" + String(repeating: "大", count: 9000)).utf8)
    let whole = text(bytes)
    #expect(text(bytes, cuts: [1, 5000, 8192, 8193, 20_000]).output == whole.output)
    #expect(whole.output.split(separator: UInt8(ascii: " ")).count == 2800 + 9000 - 1)
  }

  @Test("bytes that are no UTF-8 are an error with their offset, and what stood before is there")
  func invalid() {
    for bad in [[0xFF], [0xE9, 0x87, 0x41], [0xED, 0xA0, 0x80], [0xE9, 0x87], [0xF0, 0x9F, 0x98]] as [[UInt8]] {
      let bytes = Array("a我\nbc".utf8) + bad
      for cuts in [[], Array(0..<bytes.count)] {
        let found = text(bytes, cuts: cuts)
        #expect(found.error?.code == .invalidUTF8)
        #expect(found.error?.values["offset"] == "7")
        #expect(String(decoding: found.output, as: UTF8.self) == "a wǒ\nbc")
        let line = lines(bytes, cuts: cuts)
        #expect(line.error?.values["offset"] == "7")
        #expect(line.output.filter { $0 == 0x0A }.count == 1)
      }
    }
  }

  @Test("replaced bytes are those that Unicode says, one U+FFFD for each")
  func lossy() {
    var random = SeededRandom(seed: 5)
    for _ in 0..<SeededRandom.rounds(or: 300) {
      let bytes = (0..<Int.random(in: 0...24, using: &random)).map { _ in
        Bool.random(using: &random)
          ? UInt8.random(in: 0x80...0xFF, using: &random)
          : [0xE9, 0x87, 0x8D, 0xF0, 0x9F, 0x98, 0x80, 0x41, 0xE0, 0xED, 0xF4].randomElement(using: &random) ?? 0
      }
      let repaired = String(decoding: bytes, as: UTF8.self)
      #expect(text(bytes, isLossy: true).output == text(Array(repaired.utf8)).output)
      #expect(lines(bytes, isLossy: true).output == lines(Array(repaired.utf8)).output)
      #expect((text(bytes).error == nil) == (String(validating: bytes, as: UTF8.self) != nil))
    }
  }

  @Test("each line is one JSON object that gives the line back and whose ranges are right")
  func json() throws {
    let text = "重庆\"\\\t\u{1}\u{7f}\n\r\n👨‍👩‍👧我 ok\r\n我"
    let output = lines(Array(text.utf8)).output
    let objects = try output.split(separator: 0x0A).map {
      try #require(try JSONSerialization.jsonObject(with: Data($0)) as? [String: Any])
    }
    #expect(objects.map { $0["text"] as? String } == ["重庆\"\\\t\u{1}\u{7f}", "", "👨‍👩‍👧我 ok", "我"])
    let syllables = try #require(objects[2]["syllables"] as? [[String: Any]])
    #expect(syllables.count == 1)
    #expect(syllables[0]["pinyin"] as? String == "wo3")
    #expect(syllables[0]["range"] as? [Int] == [1, 1])
    #expect(syllables[0]["utf16"] as? [Int] == [8, 8])
    #expect((objects[1]["syllables"] as? [Any])?.isEmpty == true)
  }

  @Test("a line of megabytes is one object, and memory for it is given back")
  func longLine() throws {
    let bytes = Array(String(repeating: "我爱中国ok", count: 40_000).utf8)
    let whole = lines(bytes + [0x0A] + Array("我".utf8))
    #expect(whole.error == nil)
    let parts = whole.output.split(separator: 0x0A)
    #expect(parts.count == 2)
    let object = try #require(try JSONSerialization.jsonObject(with: Data(parts[0])) as? [String: Any])
    #expect((object["syllables"] as? [Any])?.count == 160_000)
    #expect(text(bytes).output.count > bytes.count)
  }
}
