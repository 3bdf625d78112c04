import ArgumentParser
import CommandKit
import MPaaSLogReading
import MPaaSLogUpload
import MPaaSLogs
import MPaaSProtocol
import MPaaSSupport
import MPaaSTerminal
import MPaaSToolSupport

extension LogCommand {
  /// `mpaas log tasks`: collection tasks as the server has them.
  struct Tasks: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
      var configuration = CommandConfiguration(
        "tasks", key: "log.tasks", subcommands: [List.self, Show.self, Cancel.self])
      configuration.defaultSubcommand = List.self
      return configuration
    }
  }
}

extension LogCommand.Tasks {
  /// `mpaas log tasks list`: the newest first.
  struct List: StreamingCommand {
    static var configuration: CommandConfiguration { CommandConfiguration("list", key: "log.tasks.list") }

    @Option(help: .text("command.log.tasks.list.user", valueName: "user"))
    var user: String?

    @Option(help: .text("command.log.tasks.list.device", valueName: "device"))
    var device: String?

    @Option(help: .text("command.log.tasks.list.state"))
    var state: CollectionTask.State?

    @Option(help: .text("command.log.tasks.list.limit", valueName: "number"))
    var limit: Int?

    @Option(help: .text("command.log.tasks.list.before", valueName: "id"))
    var before: String?

    @Flag(help: .text("command.log.tasks.list.watch"))
    var watch = false

    @OptionGroup var server: ServerOptions
    @OptionGroup var common: CommonOptions

    func run(in context: Context, results: ResultSink) async throws -> ExitStatus {
      let server = try server.server(in: context)
      let query = CollectionQuery(user: user, device: device, state: state, before: before, limit: limit)
      if watch {
        _ = try await InterruptibleWork.run {
          try await server.watchTasks(query, Polling(every: .seconds(1))) { task in
            try results.put(CollectionTaskLine(task: task))
          }
        }
      } else {
        try results.put(CollectionTaskList(tasks: try await server.tasks(query)))
      }
      return .done
    }
  }

  /// `mpaas log tasks show ID`.
  struct Show: MPaaSCommand {
    static var configuration: CommandConfiguration { CommandConfiguration("show", key: "log.tasks.show") }

    @Argument(
      help: .text("command.log.tasks.show.id", valueName: "id"), completion: .collectionTasks(isOpen: false))
    var id: String

    @OptionGroup var server: ServerOptions
    @OptionGroup var common: CommonOptions

    func run(in context: Context) async throws -> CollectionTaskView {
      CollectionTaskView(task: try await server.server(in: context).task(id))
    }
  }

  /// `mpaas log tasks cancel ID`.
  struct Cancel: MPaaSCommand {
    static var configuration: CommandConfiguration { CommandConfiguration("cancel", key: "log.tasks.cancel") }

    @Argument(
      help: .text("command.log.tasks.cancel.id", valueName: "id"), completion: .collectionTasks(isOpen: true))
    var id: String

    @OptionGroup var server: ServerOptions
    @OptionGroup var common: CommonOptions

    func run(in context: Context) async throws -> CollectionTaskView {
      CollectionTaskView(
        task: try await server.server(in: context).change(id, CollectionTaskChange(state: .cancelled)))
    }
  }
}

extension CollectionTask.State: ExpressibleByArgument {}
