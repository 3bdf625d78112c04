import CommandKit
import Testing

@Suite("A line as bash takes it apart") struct ShellLineTests {
  private static let breaks = " \t\n\"'><=;|&(:"

  @Test(
    "has the words without quotation, and the one that is being typed",
    arguments: [
      ("mpaas crash show ", ["mpaas", "crash", "show"], ""),
      ("mpaas crash show a\\ b", ["mpaas", "crash", "show"], "a b"),
      ("mpaas 'crash run' \"a b", ["mpaas", "crash run"], "a b"),
      ("A=1 mpaas x", ["mpaas"], "x"),
      ("mpaas '' y", ["mpaas", ""], "y"),
      ("mpaas 报告/报", ["mpaas"], "报告/报"),
    ] as [(String, [String], String)])
  func words(line: String, words: [String], current: String) {
    let line = ShellLine(line, breaks: Self.breaks)
    #expect(line.words == words)
    #expect(line.current == current)
  }

  @Test("knows where its words begin")
  func starts() {
    #expect(ShellLine("mpaas run  -- ls x", breaks: "").starts == [0, 6, 11, 14, 17])
    #expect(ShellLine("mpaas ", breaks: "").starts == [0, 6])
  }

  @Test(
    "puts in what comes behind the last break, with the quotation that is open",
    arguments: [
      ("mpaas show a", "a b", "a\\ b"),
      ("mpaas show 'a", "a b'c", "a b'\\''c"),
      ("mpaas show \"a", "a b$c", "a b\\$c"),
      ("mpaas --form=", "--form=a b", "a\\ b"),
      ("mpaas show 2026:", "2026:11", "11"),
      ("mpaas show 报", "报告 1", "报告\\ 1"),
    ])
  func replacement(line: String, value: String, text: String) {
    #expect(ShellLine(line, breaks: Self.breaks).replacement(value) == text)
  }
}
