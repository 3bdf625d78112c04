import CommandKit
import Testing

@Suite("An answer to the completion of a shell") struct CompletionAnswerTests {
  /// The answer for words of which the last is being typed.
  private func answer(_ words: String...) -> CompletionAnswer {
    CompletionAnswer(words.dropLast(), current: words.last ?? "", root: SampleRoot.self)
  }

  private func values(_ answer: CompletionAnswer) -> [String] { answer.candidates.list.map(\.value) }

  @Test("has the commands that are shown, with their abstracts, and help")
  func commands() {
    let list = answer("").candidates.list
    #expect(list.map(\.value) == ["reports", "run", "trace", "help"])
    #expect(list.first?.detail == "Reports.")
    #expect(values(answer("help", "")) == ["reports", "run", "trace"])
    #expect(values(answer("help", "reports", "")) == ["show", "remove"])
    #expect(values(answer("bogus", "")) == [])
  }

  @Test("has commands and the values of the command that needs no name")
  func standard() {
    #expect(values(answer("reports", "")) == ["show", "remove", "first report", "报告"])
    #expect(values(answer("reports", "--form", "")) == ["short", "long"])
  }

  @Test("finds a command behind common options")
  func common() {
    #expect(values(answer("--json", "reports", "--lang", "en", "")).first == "show")
    #expect(values(answer("--lang", "")) == ["en", "zh-Hans"])
    #expect(!values(answer("--json", "reports", "show", "--")).contains("--json"))
  }

  @Test("has the options that were not given, and those that may be given again")
  func options() {
    let all = values(answer("reports", "show", "--"))
    #expect(Set(all).isSuperset(of: ["--form", "--word", "--several", "--folder", "--all", "--help", "--json"]))
    #expect(!all.contains("-w"))
    #expect(values(answer("reports", "show", "-")).contains("-w"))
    let rest = values(answer("reports", "show", "--form", "long", "-w", "x", "-a", "--"))
    #expect(rest.contains("--word"))
    #expect(!rest.contains("--form"))
    #expect(!rest.contains("--all"))
    let detail = answer("reports", "show", "--").candidates.list.first { $0.value == "--all" }?.detail
    #expect(detail == "All of it.")
  }

  @Test("has the values of an option, beside it and behind an equals sign")
  func optionValues() {
    #expect(values(answer("reports", "show", "--form", "l")) == ["short", "long"])
    let beside = answer("reports", "show", "--form=l")
    #expect(values(beside) == ["short", "long"])
    #expect(beside.fixedPart == "--form=")
    #expect(answer("reports", "show", "--output=").candidates.shell == .files(["json"]))
    #expect(answer("reports", "show", "--folder", "").candidates.shell == .folders)
    #expect(values(answer("reports", "show", "--several", "one", "")) == ["one", "two"])
    #expect(values(answer("reports", "show", "--several", "one", "-a", "")).first == "first report")
    #expect(values(answer("reports", "show", "--several", "one", "--fo")).contains("--form"))
    #expect(answer("reports", "show", "--word", "").candidates == Candidates())
  }

  @Test("asks the command for values, which sees the words before")
  func found() {
    let answer = answer("reports", "show", "--folder", "x y", "")
    #expect(values(answer) == ["first report", "报告", "from-x y"])
    #expect(answer.candidates.list.first?.detail == "The first.")
    #expect(answer.candidates.shell == .files(["ips"]))
    #expect(values(self.answer("reports", "remove", "")) == ["a", "b"])
    #expect(values(self.answer("reports", "remove", "a", "b", "")) == ["a-next", "b-next"])
  }

  @Test("leaves a command of the machine to the shell, and says where it begins")
  func passthrough() {
    let first = answer("run", "--", "")
    #expect(first.candidates.shell == .command)
    #expect(first.commandStart == 3)
    #expect(answer("run", "--quickly", "l").commandStart == 3)
    let inside = answer("run", "--", "ls", "-l", "--co")
    #expect(inside.candidates == Candidates(shell: .command))
    #expect(inside.commandStart == 3)
    #expect(values(answer("run", "--qu")).contains("--quickly"))
    #expect(answer("trace", "").candidates.shell == .files([]))
    #expect(answer("trace", "file", "--", "ls", "").commandStart == 4)
  }

  @Test("has options where nothing else can stand")
  func nothingElse() {
    #expect(values(answer("trace", "file", "")) == ["--help"])
    #expect(values(answer("trace", "file", "x")) == [])
  }
}
