import ArgumentParser
import MPaaSSupport
import MPaaSTerminal
import MPaaSToolSupport

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The life of one call of `mpaas`: arguments in, exit status out.
package enum Program {
  /// Answers the call that scripts make most, `--version`, and those of commands that confine their process; nil for
  /// every other.
  package static func answerAtOnce(_ arguments: [String], root: any ProgramRoot.Type) -> Int32? {
    if arguments == ["--version"] {
      OutputStream.standardOutput.write(KitVersion.current.line + "\n")
      return ExitStatus.done.rawValue
    }
    guard root.confined.contains(where: { arguments.starts(with: $0) }) else { return nil }
    return CommandTree.$root.withValue(root) {
      CommandTree.$extent.withValue(CommandExtent(arguments, root: root)) { runConfined(arguments, root) }
    }.rawValue
  }

  private static func runConfined(_ arguments: [String], _ root: any ProgramRoot.Type) -> ExitStatus {
    do {
      var command = try root.parseAsRoot(arguments)
      if let command = command as? any ConfiningCommand { try command.runAlone() } else { try command.run() }
      return .done
    } catch {
      return report(error, OutputWishes(scanning: arguments), root, arguments)
    }
  }

  /// Runs the call and returns the number that the process ends with.
  package static func main(_ arguments: [String], root: any ProgramRoot.Type) async -> Int32 {
    let language = Language(arguments: arguments, environment: ProcessInfo.processInfo.environment)
    UnfinishedFiles.removeWhenInterrupted()
    ShortenedFiles.readAsZeros()
    CoreDumps.belongToProgram()
    let arguments = CommonOptions.movedBehindCommand(arguments, root: root)
    return await Language.$current.withValue(language) {
      await CommandTree.$root.withValue(root) {
        await CommandTree.$extent.withValue(CommandExtent(arguments, root: root)) { await run(arguments, root) }
      }
    }.rawValue
  }

  private static func run(_ arguments: [String], _ root: any ProgramRoot.Type) async -> ExitStatus {
    var wishes = OutputWishes(scanning: arguments)
    let (common, others) = CommonOptions.parted(arguments)
    do {
      let isWithoutCommand = others.isEmpty || others.first == "help"
      if isWithoutCommand { try CommonOptions.check(common) }
      let arguments = isWithoutCommand ? others : arguments
      if arguments.isEmpty {
        try Context.live(wishes).terminal.print(FirstSteps(.current))
        return .done
      }
      if let unknown = UnknownSubcommand(others, root: root) { throw unknown.diagnostic }
      if let found = try HelpSearch(arguments, root: root) {
        try Context.live(wishes).terminal.print(found)
        return .done
      }
      var command = try root.parseAsRoot(arguments)
      if let known = command as? any CommandWithCommonOptions { wishes = known.common.wishes }
      if var command = command as? any AsyncParsableCommand {
        try await command.run()
      } else {
        try command.run()
      }
      return .done
    } catch {
      return report(error, wishes, root, arguments)
    }
  }

  private static func report(
    _ error: any Error, _ wishes: OutputWishes, _ root: any ProgramRoot.Type, _ arguments: [String]
  ) -> ExitStatus {
    // A command that has said all itself.
    if let code = error as? ExitCode { return ExitStatus(rawValue: code.rawValue) }
    let context = Context.live(wishes)
    let terminal = context.terminal
    if let problem = error as? any DiagnosticConvertible {
      terminal.error(problem.diagnostic)
      return problem.diagnostic.exit
    }
    if error is CancellationError { return .interrupted }
    let code = root.exitCode(for: error)
    let words = ParserWords(terminal.catalogue)
    guard code != .success else {
      let page = root.fullMessage(for: error, columns: HelpPage.unlimited)
      // Other than help are versions, completion scripts and the description of the commands for manuals.
      let text = HelpPage.isHelp(page) ? HelpPage(context).wrapped(page, words) : page
      OutputStream.standardOutput.write(text + "\n")
      return .done
    }
    let spoken = root.message(for: error)
    guard code == .validationFailure else {
      terminal.error(Diagnostic("internal-fault", ["reason": spoken], exit: .internalFault))
      return .internalFault
    }
    let suggestion = ParserWords.suggestion(for: spoken)
    let values = [
      "message": words.error(spoken).split(whereSeparator: \.isNewline).joined(separator: " "),
      "command": command(words.command(in: root.fullMessage(for: error)), root, arguments),
      "suggestion": suggestion ?? "",
    ]
    terminal.error(Diagnostic(suggestion == nil ? "usage" : "usage-near", values, exit: .usage))
    return .usage
  }

  /// The command whose usage is wrong: that of the parser's message, or where a command that runs found it, and the
  /// message names the root alone, the one that the call begins with.
  private static func command(_ named: String, _ root: any ProgramRoot.Type, _ arguments: [String]) -> String {
    guard !named.contains(" ") else { return named }
    var command: any ParsableCommand.Type = root
    let words = arguments.prefix { word in
      guard let next = command.subcommand(word) else { return false }
      command = next
      return true
    }
    return ([named] + words).joined(separator: " ")
  }
}
