package import ArgumentParser
import MPaaSSupport
package import MPaaSTerminal

/// A subcommand: it parses, calls a capability and returns a result; what prints and how it ends is decided here once.
package protocol MPaaSCommand: AsyncParsableCommand, CommandWithCommonOptions {
  associatedtype Output: Presentable

  /// Does the work; it neither prints nor formats.
  func run(in context: Context) async throws -> Output

  /// The things to do next, said below the result to a person at a terminal; none by default.
  func hints(after output: Output, in context: Context) -> [String]
}

/// A command that gives up rights of the whole process, and so runs before the process has a second thread.
///
/// Threads of the concurrency runtime end the process when the system refuses them a call.
package protocol ConfiningCommand: MPaaSCommand {
  /// Does the work; it neither prints nor formats.
  func answer(in context: Context) throws -> Output
}

extension ConfiningCommand {
  package func run(in context: Context) async throws -> Output { try answer(in: context) }

  /// Does the work and prints the result, as `run` does.
  func runAlone() throws {
    let context = Context.live(common.wishes)
    try show(try answer(in: context), in: context)
  }
}

/// A command that has the options that every command has.
package protocol CommandWithCommonOptions {
  var common: CommonOptions { get }
}

extension MPaaSCommand {
  package func hints(after output: Output, in context: Context) -> [String] { [] }

  package mutating func run() async throws {
    let context = Context.live(common.wishes)
    try show(try await run(in: context), in: context)
  }

  fileprivate func show(_ result: Output, in context: Context) throws {
    try context.terminal.print(result)
    for hint in hints(after: result, in: context) { context.terminal.hint(StyledText(hint, .faint)) }
    if result.exit != .done { throw ExitCode(result.exit.rawValue) }
  }
}

extension CommandWithCommonOptions where Self: ParsableCommand {
  /// Shows the help where it is all that was asked for: a command that passes words on to a program takes `--help` too.
  ///
  /// - Throws: The parser's wish for help.
  package func requestHelp(by words: [String]) throws {
    if words.first == "--help" || words.first == "-h" { throw CleanExit.helpRequest(self) }
  }
}
