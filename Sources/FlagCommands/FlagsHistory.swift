import ArgumentParser
import CommandKit
import MPaaSFlagPublishing
import MPaaSFlags
import MPaaSProtocol
import MPaaSSupport
import MPaaSTerminal
import MPaaSToolSupport

extension FlagsCommand {
  /// `mpaas flags history [NAME]`: who changed what, when and why.
  struct History: StreamingCommand {
    static var configuration: CommandConfiguration { CommandConfiguration("history", key: "flags.history") }

    @Argument(help: .text("command.flags.history.name"), completion: .flagNames)
    var name: String?

    @Option(
      name: .customLong("of"), help: .text("command.flags.history.of", valueName: "version"),
      completion: .flagVersions)
    var number: Int?

    @Option(help: .text("command.flags.history.limit", valueName: "number"))
    var limit: Int?

    @Option(help: .text("command.flags.history.before", valueName: "version"))
    var before: Int?

    @OptionGroup var server: FlagServerOptions
    @OptionGroup var common: CommonOptions

    func validate() throws {
      guard (1...1000).contains(limit ?? 1) else {
        throw ValidationError(Catalogue.current.text("text.list-limit"))
      }
    }

    func run(in context: Context, results: ResultSink) async throws -> ExitStatus {
      let server = try context.flagServer(server)
      if let number {
        try results.put(FlagVersionView(try await server.version(number)))
      } else {
        let page = try await server.history(before: before, limit: limit, flag: name)
        try results.put(FlagHistoryView(page: page, flag: name))
      }
      return .done
    }
  }

  /// `mpaas flags rollback VERSION`: brings the state of an earlier version back, as a new one.
  struct Rollback: MPaaSCommand {
    static var configuration: CommandConfiguration { CommandConfiguration("rollback", key: "flags.rollback") }

    @Argument(help: .text("command.flags.rollback.version"), completion: .flagVersions)
    var number: Int

    @OptionGroup var change: FlagChangeOptions
    @OptionGroup var server: FlagServerOptions
    @OptionGroup var common: CommonOptions

    func run(in context: Context) async throws -> FlagOutcomeView {
      FlagOutcomeView(
        try await context.flagServer(server).send(
          .rollback(number), comment: change.comment, try change.way(in: context)))
    }
  }

  /// `mpaas flags watch`: each change as it comes.
  struct Watch: StreamingCommand {
    static var configuration: CommandConfiguration { CommandConfiguration("watch", key: "flags.watch") }

    @Option(help: .text("command.flags.watch.after", valueName: "version"), completion: .flagVersions)
    var after: Int?

    @OptionGroup var server: FlagServerOptions
    @OptionGroup var common: CommonOptions

    func run(in context: Context, results: ResultSink) async throws -> ExitStatus {
      let server = try context.flagServer(server)
      let (terminal, start) = (context.terminal, after)
      _ = try await InterruptibleWork.run {
        try await server.watch(after: start) {
          try? await Task.sleep(for: .milliseconds(500))
        } failed: {
          terminal.warning($0.diagnostic)
        } changed: {
          try results.put(FlagVersionView($0))
        }
      }
      return .done
    }
  }
}
