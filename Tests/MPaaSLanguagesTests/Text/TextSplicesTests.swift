import Testing

@testable import MPaaSLanguages

@Suite("Changes of a text that are made at once") struct TextSplicesTests {
  private func result(_ text: String, _ changes: (Range<Int>, String)...) -> String {
    var splices = TextSplices(Array(text.utf8))
    for (range, string) in changes { splices.replace(range, with: string) }
    return String(decoding: splices.result, as: UTF8.self)
  }

  @Test("leave a text as it is where there are none")
  func none() {
    #expect(TextSplices(Array("abc".utf8)).isEmpty)
    #expect(result("abc") == "abc")
    #expect(result("") == "")
  }

  @Test("are made by their places, in whatever order they are asked for")
  func order() {
    #expect(result("abcdef", (4..<5, "E"), (0..<1, "A"), (2..<4, "")) == "AbEf")
  }

  @Test("at one place stand in the order in which they are asked for")
  func samePlace() {
    #expect(result("ab", (1..<1, "1"), (1..<1, "2")) == "a12b")
    #expect(result("ab", (0..<0, "<"), (2..<2, ">")) == "<ab>")
  }

  @Test("are put before what takes the place of what stands there")
  func beforeReplacement() {
    #expect(result("abc", (1..<2, "B"), (1..<1, "+")) == "a+Bc")
  }

  @Test("that overlap an earlier one are left out")
  func overlap() {
    #expect(result("abcd", (0..<3, "X"), (1..<4, "Y")) == "Xd")
  }
}
