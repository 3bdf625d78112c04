import ArgumentParser
import CommandKit
import MPaaSSecurityTools
import MPaaSSupport
import MPaaSTerminal

/// `mpaas shell [TARGET]`: a shell in the root of a project, or in the data of an app.
struct ShellCommand: MPaaSCommand {
  static var configuration: CommandConfiguration { CommandConfiguration("shell", key: "shell") }

  @Argument(help: .text("command.shell.target"), completion: .directory)
  var target: String?

  @Option(name: .long, help: .text("command.shell.sandbox", valueName: "app"), completion: .appData)
  var sandbox: String?

  @Flag(name: .long, help: .text("command.shell.print"))
  var print = false

  @OptionGroup var options: SandboxOptions
  @OptionGroup var common: CommonOptions

  func run(in context: Context) async throws -> ShellFolder {
    let folder = try folder(in: context)
    // A document is wanted where there is no shell to be had.
    guard !print, !common.json else { return ShellFolder(folder: folder) }
    let shell = context.environment["SHELL"].flatMap { $0.isEmpty ? nil : $0 } ?? "/bin/sh"
    throw StartedShell.become(shell, in: folder)
  }

  private func folder(in context: Context) throws -> String {
    if let sandbox {
      let search = AppDataSearch(environment: context.environment, udid: options.udid)
      return try search.find(sandbox, at: options.on).folder
    }
    let start = target ?? "."
    guard FileStatus(start) != nil else {
      throw Diagnostic("shell-target-missing", ["path": start], exit: .inputMissing)
    }
    guard let root = ProjectRoot.find(from: start) else {
      throw Diagnostic("shell-no-project", ["path": start], exit: .inputMissing)
    }
    return root
  }
}

/// The folder that a shell would begin in.
struct ShellFolder: Presentable {
  let folder: String

  func document(_ catalogue: Catalogue) -> Document { [.line(StyledText(folder))] }
}
