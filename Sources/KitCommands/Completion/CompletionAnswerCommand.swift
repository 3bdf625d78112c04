import ArgumentParser
import CommandKit
import MPaaSSupport
import MPaaSTerminal

extension CompletionCommand {
  /// `mpaas completion answer --shell SHELL -- WORD…`: what the scripts of shells ask for at each press of Tab.
  ///
  /// The words are those of the command line, the program's name first and the one that is being typed last; bash hands
  /// over the line as one word.
  struct Answer: StreamingCommand {
    static var configuration: CommandConfiguration {
      CommandConfiguration("answer", key: "completion.answer", shouldDisplay: false)
    }

    @Option(help: .text("command.completion.shell"))
    var shell: CompletionReply.Shell

    @Option(help: .text("command.completion.answer.breaks", valueName: "characters"))
    var breaks = ""

    @Option(help: .text("command.completion.answer.columns", valueName: "count"))
    var columns: Int?

    @Argument(parsing: .postTerminator, help: .text("command.completion.answer.words", valueName: "word"))
    var words: [String] = []

    @OptionGroup var common: CommonOptions

    func run(in context: Context, results: ResultSink) async throws -> ExitStatus {
      let line = ShellLine(words.first ?? "", breaks: breaks)
      var words = shell == .bash ? line.words + [line.current] : words
      guard let root = CommandTree.root, words.count > 1, let current = words.popLast() else { return .negative }
      words.removeFirst()
      let language = Language(arguments: words, environment: context.environment)
      return Language.$current.withValue(language) {
        CommandTree.$extent.withValue(.whole) {
          let answer = CompletionAnswer(words, current: current, root: root)
          let reply = CompletionReply(answer, current: current)
          results.put(text: shell == .bash ? reply.text(for: line, columns: columns) : reply.text(for: shell))
          return .done
        }
      }
    }
  }
}
