import ArgumentParser
import CommandKit
import MPaaSTerminal

/// `mpaas completion …`: what teaches shells to complete our commands.
struct CompletionCommand: AsyncParsableCommand {
  static var configuration: CommandConfiguration {
    let catalogue = Catalogue.current
    return CommandConfiguration(
      commandName: "completion", abstract: catalogue.text("command.completion.abstract"),
      discussion: catalogue.text("command.completion.discussion"),
      subcommands: [Print.self, Install.self, Answer.self], defaultSubcommand: Print.self)
  }

  /// `mpaas completion SHELL`: the script of a shell.
  struct Print: MPaaSCommand {
    static var configuration: CommandConfiguration { CommandConfiguration("print", key: "completion.print") }

    @Argument(help: .text("command.completion.shell"))
    var shell: CompletionReply.Shell

    @OptionGroup var common: CommonOptions

    func run(in context: Context) -> Script {
      Script(shell: shell.rawValue, script: shell.script)
    }
  }

  struct Script: Presentable {
    let shell: String
    let script: String

    func document(_ catalogue: Catalogue) -> Document {
      // A line end is behind each line, the last included.
      let lines = script.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
      return Document(lines: lines.map { StyledText(verbatim: String($0)) })
    }
  }
}

extension CompletionReply.Shell: ExpressibleByArgument {}
