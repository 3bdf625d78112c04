import MPaaSTerminal
import MPaaSTestSupport
import Testing

@Suite("Display width") struct DisplayWidthTests {
  @Test(
    "counts terminal columns, not characters",
    arguments: [
      ("abc", 3), ("中文", 4), ("é", 1), ("e\u{301}", 1), ("👩‍👩‍👧", 2), ("ｗ", 2), ("\u{200b}", 0), ("", 0), ("한글", 4),
    ])
  func width(text: String, expected: Int) {
    #expect(text.displayWidth == expected)
  }

  @Test("cuts before a wide character that does not fit, and marks the cut")
  func truncation() {
    #expect("中文字".truncated(toWidth: 4) == "中…")
    #expect("abc".truncated(toWidth: 3) == "abc")
    #expect("abcd".truncated(toWidth: 3) == "ab…")
  }
}

@Suite("A table") struct TableTests {
  @Test("a table on a narrow terminal does without its optional columns, the outer ones first, and stays readable")
  func optionalColumns() {
    let columns = [
      Table.Column("A"), Table.Column("B", isOptional: true), Table.Column("C", isOptional: true), Table.Column("D"),
    ]
    let cell = String(repeating: "x", count: 20)
    let table = Table(columns: columns, rows: [["1", StyledText(cell), StyledText(cell), StyledText(cell + cell)]])
    func headings(_ width: Int?) -> [Substring] {
      table.lines(width: width).first?.text.split(separator: " ") ?? []
    }
    #expect(headings(nil) == ["A", "B", "C", "D"])
    #expect(headings(80) == ["A", "B", "C", "D"])
    #expect(headings(60) == ["A", "B", "D"])
    #expect(headings(40) == ["A", "D"])
    #expect(table.lines(width: 40).allSatisfy { $0.displayWidth <= 40 })
  }

  @Test("aligns columns by display width and numbers at their end")
  func alignment() {
    let table = Table(
      columns: [.init("Name"), .init("Size", isNumeric: true), .init("Note")],
      rows: [["中文", "7", "x"], ["abcdef", "1234", "y"]])
    #expect(
      table.lines(width: nil).map(\.text) == ["Name    Size  Note", "中文       7  x", "abcdef  1234  y"])
  }

  @Test("gives way in its last text column where the terminal is narrow")
  func narrow() {
    let table = Table(columns: [.init("A"), .init("B")], rows: [["1", StyledText(String(repeating: "x", count: 50))]])
    #expect(table.lines(width: 30).allSatisfy { $0.displayWidth <= 30 })
  }

  @Test("fits into 40, 80 and 100 columns with every cell whole, whatever is in it", arguments: [40, 80, 100])
  func fits(width: Int) {
    var random = SeededRandom(seed: 7)
    let words = ["/usr/lib/x86_64-linux-gnu", "com.example.orderbook", "崩溃报告与符号", "3f2a9c", "a b c d e f g", "–"]
    for _ in 0..<SeededRandom.rounds(or: 200) {
      let numeric = (0..<Int.random(in: 1...5, using: &random)).map { _ in Bool.random(using: &random) }
      let columns = numeric.map { Table.Column($0 ? "Allocations" : "Name of it", isNumeric: $0) }
      let rows = (0..<3).map { _ in
        numeric.map { $0 ? "\(Int.random(in: 0...9999, using: &random))" : words.randomElement(using: &random) ?? "" }
      }
      let lines = Table(columns: columns, rows: rows.map { $0.map { StyledText($0) } }).lines(width: width)
      #expect(lines.allSatisfy { $0.displayWidth <= width }, "\(rows)")
      let shown = Set(lines.map(\.text).joined())
      #expect(rows.joined().joined().allSatisfy { $0 == " " || shown.contains($0) })
    }
  }

  @Test("cuts nothing: a cell goes on below, behind a blank or a slash where there is one", arguments: [16, 24, 40])
  func wrapping(width: Int) {
    let path = "/Users/anna/Library/Developer/Xcode/DerivedData/Shop"
    let table = Table(columns: [.init("A"), .init("Place")], rows: [["1", StyledText(path, .path)], ["2", "short"]])
    let lines = table.lines(width: width)
    #expect(lines.allSatisfy { $0.displayWidth <= width })
    let cells = lines.dropFirst().dropLast().map { $0.text.dropFirst(3) }
    #expect(cells.joined() == path)
    #expect(cells.dropLast().allSatisfy { $0.hasSuffix("/") } || width == 16)
    #expect(lines.last?.text == "2  short")
  }
}

@Suite("Languages") struct LanguageTests {
  @Test(
    "are read from tags and locales",
    arguments: [
      ("zh-Hans", .simplifiedChinese), ("zh_CN.UTF-8", .simplifiedChinese), ("zh", .simplifiedChinese),
      ("zh_TW", nil), ("zh-Hant", nil), ("en_GB", .english), ("C.UTF-8", .english), ("fr", nil), ("", nil),
    ] as [(String, Language?)])
  func tags(tag: String, expected: Language?) {
    #expect(Language(tag: tag) == expected)
  }
}

@Suite("Text in lines of a width") struct WrappedTextTests {
  @Test("no line is wider than asked for, and nothing but blanks at breaks is lost", arguments: [14, 20, 40, 80])
  func width(columns: Int) {
    let text = "程序结束时会撤销对机器所做的一切（包括 `mpaas net` 的）；退出状态即程序的。 The exit status is the program's, 128 + the signal."
    let lines = text.wrapped(to: columns, indent: 4, hanging: 2)
    #expect(lines.first.map { $0.displayWidth + 4 <= columns } == true)
    #expect(lines.dropFirst().allSatisfy { $0.displayWidth <= columns })
    #expect(lines.joined().filter { $0 != " " } == text.filter { $0 != " " })
  }

  @Test("no line begins with closing punctuation or ends with opening one")
  func punctuation() {
    let text = String(repeating: "一切（包括网络）；", count: 9)
    for columns in 8...30 {
      let lines = text.wrapped(to: columns)
      #expect(lines.allSatisfy { !"；）".contains($0.first ?? " ") }, "\(columns)")
      #expect(lines.allSatisfy { $0.last != "（" }, "\(columns)")
    }
  }

  @Test("a word that is wider than a line stays whole")
  func words() {
    #expect("see --an-option-of-many-letters here".wrapped(to: 10) == ["see", "--an-option-of-many-letters", "here"])
    #expect("".wrapped(to: 10) == [""])
  }
}
