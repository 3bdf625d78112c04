import MPaaSTerminal
import MPaaSTestSupport
import Testing

@Suite("Rows of a list") struct RowTextTests {
  static func fitted(_ text: String, _ ranges: Range<Int>..., columns: Int?) -> StyledText {
    RowText(text, highlights: ranges).fitted(to: columns)
  }

  @Test("what matches is a piece of its own, whole characters at a time")
  func pieces() {
    let row = Self.fitted("张三丰", 0..<2, columns: 10)
    #expect(row.spans.map(\.text) == ["张三", "丰"])
    #expect(row.spans.map(\.role) == [.match, .plain])
    #expect(Self.fitted("ae\u{301}b", 2..<3, columns: 10).spans.map(\.text) == ["a", "e\u{301}", "b"])
    #expect(Self.fitted("张三丰", 0..<1, 2..<3, columns: nil).spans.map(\.text) == ["张", "三", "丰"])
  }

  @Test("wide characters are never cut in half")
  func wide() {
    #expect(Self.fitted("张三丰李四", columns: 10).text == "张三丰李四")
    #expect(Self.fitted("张三丰李四", columns: 9).text == "张三丰李…")
    #expect(Self.fitted("张三丰李四", columns: 8).text == "张三丰…")
    #expect(Self.fitted("a张三", columns: 4).text == "a张…")
    #expect(Self.fitted("张三", columns: 1).text == "…")
    #expect(Self.fitted("张三", columns: 0).text.isEmpty)
  }

  @Test("a match far behind is brought into sight")
  func far() {
    let row = Self.fitted(
      String(repeating: "a", count: 500) + "张三" + String(repeating: "b", count: 500), 500..<502, columns: 20)
    #expect(row.text.hasPrefix("…aaa"))
    #expect(row.text.contains("张三"))
    #expect(row.text.hasSuffix("b…"))
    #expect(row.displayWidth == 20)
    let end = Self.fitted(String(repeating: "a", count: 50) + "张三", 50..<52, columns: 20)
    #expect(end.text.hasSuffix("张三"))
  }

  @Test("nothing in a row is obeyed by a terminal")
  func controls() {
    #expect(
      Self.fitted("a\u{1b}[31mb\tc\u{7f}\u{9b}\u{202e}", columns: nil).text == #"a\u{1b}[31mb c\u{7f}\u{9b}\u{202e}"#)
  }

  @Test("any text fits into any width")
  func fuzz() {
    var random = SeededRandom(seed: 10)
    let pieces = ["a", "张", "😀", "e\u{301}", "👩‍💻", "\u{200b}", "\u{1b}", "한", "ｆ", "\u{301}", "🇨🇳", "\t"]
    for _ in 0..<SeededRandom.rounds(or: 1000) {
      let text = (0..<Int.random(in: 0...30, using: &random)).map { _ in pieces.randomElement(using: &random) ?? "" }
        .joined()
      let count = text.unicodeScalars.count
      let start = Int.random(in: 0...count, using: &random)
      let range = start..<Int.random(in: start...count + 2, using: &random)
      let columns = Int.random(in: 0...20, using: &random)
      let row = RowText(text, highlights: range.isEmpty ? [] : [range]).fitted(to: columns)
      #expect(row.displayWidth <= columns, "\(text.debugDescription) \(range) \(columns) \(row.text)")
    }
  }
}
