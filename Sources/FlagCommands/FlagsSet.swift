import ArgumentParser
import CommandKit
import MPaaSFlagPublishing
import MPaaSTerminal

extension FlagsCommand {
  /// `mpaas flags set NAME`: changes a flag on a server.
  struct SetFlag: MPaaSCommand {
    static var configuration: CommandConfiguration { CommandConfiguration("set", key: "flags.set") }

    @Argument(help: .text("command.flags.name"), completion: .flagNames)
    var name: String

    @OptionGroup var edit: FlagEditOptions
    @OptionGroup var change: FlagChangeOptions
    @OptionGroup var server: FlagServerOptions
    @OptionGroup var common: CommonOptions

    func validate() throws {
      guard !edit.isEmpty else { throw ValidationError(Catalogue.current.text("text.flags-nothing-set")) }
    }

    func run(in context: Context) async throws -> FlagOutcomeView {
      FlagOutcomeView(
        try await context.flagServer(server).edit(
          name, try edit.edit(in: context), isNew: false, comment: change.comment, try change.way(in: context)))
    }
  }

  /// `mpaas flags create NAME`: makes a flag on a server, off unless it is said.
  struct Create: MPaaSCommand {
    static var configuration: CommandConfiguration { CommandConfiguration("create", key: "flags.create") }

    @Argument(help: .text("command.flags.name"))
    var name: String

    @OptionGroup var edit: FlagEditOptions
    @OptionGroup var change: FlagChangeOptions
    @OptionGroup var server: FlagServerOptions
    @OptionGroup var common: CommonOptions

    func validate() throws {
      guard !name.allSatisfy(\.isWhitespace) else {
        throw ValidationError(Catalogue.current.text("text.flags-name-empty"))
      }
    }

    func run(in context: Context) async throws -> FlagOutcomeView {
      FlagOutcomeView(
        try await context.flagServer(server).edit(
          name, try edit.edit(in: context), isNew: true, comment: change.comment, try change.way(in: context)))
    }
  }

  /// `mpaas flags delete NAME…`: deletes flags from a server.
  struct Delete: MPaaSCommand {
    static var configuration: CommandConfiguration { CommandConfiguration("delete", key: "flags.delete") }

    @Argument(help: .text("command.flags.delete.names"), completion: .flagNames)
    var names: [String]

    @Flag(help: .text("command.flags.delete.force"))
    var force = false

    @OptionGroup var change: FlagChangeOptions
    @OptionGroup var server: FlagServerOptions
    @OptionGroup var common: CommonOptions

    func run(in context: Context) async throws -> FlagOutcomeView {
      FlagOutcomeView(
        try await context.flagServer(server).delete(
          names, force: force, comment: change.comment, try change.way(in: context)))
    }
  }
}
