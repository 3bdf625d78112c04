import ArgumentParser
import CommandKit
import MPaaSTerminal

/// `mpaas completion SHELL`: the script that teaches a shell to complete our commands.
struct CompletionCommand: MPaaSCommand {
  enum Shell: String, CaseIterable, ExpressibleByArgument {
    case bash, zsh, fish

    var parserShell: CompletionShell {
      switch self {
      case .bash: .bash
      case .zsh: .zsh
      case .fish: .fish
      }
    }
  }

  struct Script: Presentable {
    let shell: String
    let script: String

    func document(_ catalogue: Catalogue) -> Document {
      Document(
        lines: script.split(separator: "\n", omittingEmptySubsequences: false).map { StyledText(verbatim: String($0)) })
    }
  }

  static var configuration: CommandConfiguration { CommandConfiguration("completion", key: "completion") }

  @Argument(help: .text("command.completion.shell"))
  var shell: Shell

  @OptionGroup var common: CommonOptions

  func run(in context: Context) -> Script {
    CommandTree.$noun.withValue(nil) {
      Script(
        shell: shell.rawValue, script: CommandTree.root?.completionScript(for: shell.parserShell) ?? "")
    }
  }
}
