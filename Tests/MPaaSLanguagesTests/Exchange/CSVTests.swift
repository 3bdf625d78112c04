import MPaaSSupport
import MPaaSTestSupport
import Testing

@testable import MPaaSLanguages

@Suite("A table as comma-separated values") struct CSVTests {
  private func table(_ text: String) throws -> TextTable { try table(Array(text.utf8)) }

  private func table(_ bytes: [UInt8]) throws -> TextTable {
    var table = TextTable(name: "T", development: "en")
    try table.add(csv: bytes, file: "t.csv")
    return table
  }

  private func error(_ text: String) -> LanguageError? {
    #expect(throws: LanguageError.self) { try table(text) }
  }

  // MARK: Rows

  @Test(
    "keeps what a text holds, whatever it is",
    arguments: [
      "plain", "a,b", "say \"hi\"", "\"", "\"\"", "two\nlines", "two\r\nlines", "old\rlines", " spaces ", "\t", "'",
      "价 👍", "=1+1", ",", "\n",
    ])
  func roundTrip(text: String) throws {
    var original = TextTable(name: "T", development: "en")
    original.update("key \(text)") { key in
      key.comment = text
      key.texts = ["en": LocalizedText(text, .translated), "de": LocalizedText(text + text, .translated)]
    }
    let read = try #require(table(original.csv).key("key \(text)"))
    #expect(read.comment.map { Array($0.utf8) } == Array(text.utf8))
    #expect(read.texts["en"].map { Array($0.value.utf8) } == Array(text.utf8))
    #expect(read.texts["de"].map { Array($0.value.utf8) } == Array((text + text).utf8))
  }

  @Test("is read with any line ends, and without one at its end", arguments: ["\n", "\r\n", "\r"])
  func lineEnds(end: String) throws {
    for last in ["", end] {
      let table = try table(["key,en", "a,1", "b,2"].joined(separator: end) + last)
      #expect(table.keys.map(\.key) == ["a", "b"])
      #expect(table.keys.map { $0.texts["en"]?.value } == ["1", "2"])
    }
  }

  @Test("says nothing with an empty cell, a short row, or an empty line")
  func emptyCells() throws {
    let table = try table("key,comment,en,de\na,,1,\nb\n\nc,why,,3\n")
    #expect(table.keys.map(\.key) == ["a", "b", "c"])
    #expect(table.key("a")?.comment == nil)
    #expect(table.key("a")?.texts.keys.sorted() == ["en"])
    #expect(table.key("b")?.texts.isEmpty == true)
    #expect(table.key("c")?.texts.keys.sorted() == ["de"])
  }

  @Test("tells the line of each key, behind texts of several lines too")
  func places() throws {
    let table = try table("key,en\n\"a\",\"1\n2\n3\"\nb,4\n")
    #expect(table.keys.map(\.place) == [2, 5].map { line -> Place? in .text(file: "t.csv", line: line, column: nil) })
  }

  // MARK: Variants

  @Test("has a row for each variant of a text")
  func variants() throws {
    let table = try table("key,variant,en\nn,plural.one,%d apple\nn,plural.other,%d apples\n")
    let text = try #require(table.key("n")?.texts["en"])
    #expect(text.variants.map(\.path) == [[.plural("one")], [.plural("other")]])
    #expect(text.value == "%d apples")
  }

  @Test("makes a substitution known by the first of its rows")
  func substitutions() throws {
    let table = try table("key,variant,en\nn,,%#@a@\nn,substitutions.a.plural.other,%arg\n")
    #expect(table.key("n")?.texts["en"]?.substitutions.map(\.name) == ["a"])
  }

  @Test(
    "names variants by steps",
    arguments: [
      ("", []), ("plural.one", [.plural("one")]), ("device.iphone", [.device("iphone")]), ("width.20", [.width("20")]),
      ("substitutions.a.plural.other", [.substitution("a"), .plural("other")]),
    ] as [(String, [TextStep])])
  func steps(text: String, steps: [TextStep]) {
    #expect(TextTable.steps(text) == steps)
  }

  @Test(
    "knows no other steps", arguments: ["plural", "color.red", "plural.one.device", ".", "one.plural", "plural one"])
  func noSteps(text: String) {
    #expect(TextTable.steps(text) == nil)
  }

  // MARK: Hostile input

  @Test(
    "that is malformed is refused with its line",
    arguments: [
      ("key,en\n\"a", 2, nil), ("key,en\n\"a\"b,1", 2, nil), ("key,en\na,b,c", 2, 1), ("en,key\na,b", 1, 1),
      ("", 1, 1), ("key,variant,en\na,plural,x", 2, nil), ("key,variant,en\na,color.red,x", 2, nil),
      ("key,en\n\"a\nb\",1\n\"c", 4, nil), ("\"key", 1, nil),
    ] as [(String, Int, Int?)])
  func malformed(text: String, line: Int, column: Int?) {
    let error = error(text)
    #expect(error?.code == .csv)
    #expect(error?.place == .text(file: "t.csv", line: line, column: column))
  }

  @Test("that is no text is refused", arguments: [[0x6b, 0xff], [0xfe, 0xff, 0x00]] as [[UInt8]])
  func noText(bytes: [UInt8]) {
    let error = #expect(throws: LanguageError.self) { try table(bytes) }
    #expect(error?.code == .tableEncoding)
  }

  @Test("never stops the reader, whatever bytes stand there")
  func mutations() throws {
    var random = SeededRandom(seed: 21)
    let original = Array("key,variant,comment,en,de\na,,\"c \"\"x\"\"\",1,2\nn,plural.one,,\"3\n4\",5\n".utf8)
    for _ in 0..<SeededRandom.rounds(or: 600) {
      let bytes = mutated(original, &random)
      guard let table = try? table(bytes) else { continue }
      // A table that was read can be written and read again.
      _ = try self.table(table.csv)
    }
  }
}
