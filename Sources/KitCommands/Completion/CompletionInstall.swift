import ArgumentParser
import CommandKit
import MPaaSSupport
import MPaaSTerminal

extension CompletionCommand {
  /// `mpaas completion install`: puts the script where the user's shell finds it, or removes it.
  struct Install: MPaaSCommand {
    static var configuration: CommandConfiguration { CommandConfiguration("install", key: "completion.install") }

    @Option(help: .text("command.completion.install.shell"))
    var shell: [CompletionReply.Shell] = []

    @Flag(help: .text("command.completion.install.uninstall"))
    var uninstall = false

    @Flag(help: .text("command.completion.install.force"))
    var force = false

    @OptionGroup var common: CommonOptions

    func run(in context: Context) throws -> InstalledCompletions {
      let environment = context.environment
      let files = try shells(environment).map { try CompletionFile($0, environment: environment) }
      return InstalledCompletions(
        files: try files.map { file in
          let change = try uninstall ? file.uninstall(force: force) : file.install(force: force)
          return InstalledCompletions.File(file, change)
        })
    }

    /// The shells that were named; else the one that the user logs in with, or all where scripts are removed.
    private func shells(_ environment: [String: String]) throws -> [CompletionReply.Shell] {
      guard shell.isEmpty else { return shell }
      if uninstall { return CompletionReply.Shell.allCases }
      let name = environment["SHELL"].map { FileSystem.name(of: $0) } ?? ""
      guard let usual = CompletionReply.Shell(rawValue: name) else {
        throw Diagnostic("completion-shell-unknown", ["shell": name.isEmpty ? "$SHELL" : name], exit: .usage)
      }
      return [usual]
    }
  }
}

/// The scripts that were installed or removed.
struct InstalledCompletions: Presentable {
  struct File: Encodable {
    let shell: String
    let file: String
    let change: CompletionFile.Change
    /// The file to which the user adds `startLine`; nil where nothing is left to do.
    let startFile: String?
    let startLine: String?

    private enum CodingKeys: String, CodingKey {
      case shell, file, change
      case startFile = "start_file"
      case startLine = "start_line"
    }

    init(_ file: CompletionFile, _ change: CompletionFile.Change) {
      shell = file.shell.rawValue
      self.file = file.path
      self.change = change
      let isToDo = [.written, .current].contains(change) && !file.isNamedAtStart
      startFile = isToDo ? file.startFile : nil
      startLine = isToDo ? file.startLine : nil
    }
  }

  let files: [File]

  func document(_ catalogue: Catalogue) -> Document {
    var document = Document()
    for file in files {
      let values = ["shell": file.shell, "file": file.file]
      document.line(StyledText(catalogue.text("text.completion-\(file.change.rawValue)", values)))
      if let start = file.startFile, let line = file.startLine {
        document.line(StyledText(catalogue.text("text.completion-start", ["file": start])))
        document.line("    " + StyledText(line, .emphasis))
      } else if file.change == .written {
        document.line(StyledText(catalogue.text("text.completion-next", values), .faint))
      }
    }
    return document
  }
}
