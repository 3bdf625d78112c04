package import ArgumentParser
package import MPaaSSupport
package import MPaaSTerminal

/// A subcommand whose results come one by one, or are bytes as they stand: it hands each over as soon as it has it.
package protocol StreamingCommand: AsyncParsableCommand, CommandWithCommonOptions {
  /// Does the work; it neither prints nor formats.
  ///
  /// - Returns: How the command ends once all is done.
  func run(in context: Context, results: ResultSink) async throws -> ExitStatus
}

extension StreamingCommand {
  package mutating func run() async throws {
    let context = Context.live(common.wishes)
    let exit = try await run(in: context, results: context.terminal.results)
    if exit != .done { throw ExitCode(exit.rawValue) }
  }
}
