import CommandKit
import MPaaSTerminal
import Testing

@Suite("The reply to the completion script of a shell") struct CompletionReplyTests {
  private func reply(_ words: [String], _ current: String) -> CompletionReply {
    CompletionReply(CompletionAnswer(words, current: current, root: SampleRoot.self), current: current)
  }

  @Test("has all candidates with their meanings for fish and zsh, which choose by themselves")
  func lines() {
    let reply = reply(["reports", "show"], "re")
    #expect(reply.text(for: .fish) == "files ips\nloose\nre\nfirst report\tThe first.\n报告\n")
    #expect(reply.text(for: .zsh) == "files ips\nloose\nre\nfirst report:The first.\n报告\n")
  }

  @Test("has whole words for fish and values for zsh behind an equals sign")
  func equals() {
    let reply = reply(["reports", "show"], "--form=l")
    #expect(reply.text(for: .fish) == "none\nloose\nl\n--form=short\n--form=long\n")
    #expect(reply.text(for: .zsh) == "none\nloose\nl\nshort\nlong\n")
  }

  @Test("has for bash what begins with the word, in quotation unless files stand beside it")
  func bash() {
    let line = ShellLine("sample reports show fir", breaks: " ")
    #expect(
      reply(["reports", "show"], line.current).text(for: line, columns: nil) == "files ips\nloose\nfir\nfirst report\n")
    let alone = ShellLine("sample spaces a", breaks: " ")
    #expect(reply(["spaces"], "a").text(for: alone, columns: nil) == "none\nloose\na\na\\ b\n")
  }

  @Test("tells bash the place in the line where a command begins")
  func command() {
    let line = ShellLine("X=1 sample run  -- ls -", breaks: " ")
    let reply = reply(["run", "--", "ls"], "-")
    #expect(reply.text(for: line, columns: nil) == "command 19\nloose\n-\n")
  }

  @Test(
    "shows meanings beside candidates within the width of the terminal, each alone on its line", arguments: [40, 80])
  func meanings(columns: Int) {
    Language.$current.withValue(.simplifiedChinese) {
      let line = ShellLine("sample reports show --", breaks: " ")
      let text = reply(["reports", "show"], "--").text(for: line, columns: columns)
      let shown = text.split(separator: "\n").dropFirst(3)
      #expect(shown.contains { $0.contains("(") })
      for line in shown {
        #expect(line.displayWidth <= columns)
        // No two of such a width stand beside each other, and bash takes the greatest for all.
        if line.contains("(") { #expect(line.displayWidth >= columns / 2) }
      }
      let places = shown.filter { $0.contains("(") }.map { $0.prefix { $0 != "(" }.displayWidth }
      #expect(Set(places).count == 1)
    }
  }
}
