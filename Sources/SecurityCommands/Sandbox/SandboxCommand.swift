import ArgumentParser
import CommandKit
import MPaaSSecurityTools
import MPaaSSupport
import MPaaSTerminal

/// `mpaas sandbox …`: the data of an app on a simulator, a device, or in a home of Linux.
struct SandboxCommand: AsyncParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration("sandbox", key: "sandbox", subcommands: [Open.self, List.self, Pull.self, Push.self])
  }
}

/// The app whose data a command is about, and where it is looked for.
struct SandboxOptions: ParsableArguments {
  @Option(name: .long, help: .text("command.sandbox.on", valueName: "simulator|device|xdg"))
  var on: AppData.Place?

  @Option(name: .long, help: .text("command.sandbox.udid", valueName: "udid"))
  var udid: String?

  /// Does `work` on the data of an app, and lets go of a device's after it.
  func with<Value>(_ app: String, in context: Context, _ work: (AppData) throws -> Value) throws -> Value {
    let search = AppDataSearch(environment: context.environment, udid: udid)
    let data = try search.find(app, at: on)
    defer { search.release(data) }
    return try work(data)
  }
}

extension AppData.Place: ExpressibleByArgument {}

extension CompletionKind {
  /// The programs that have a folder of data.
  static var appData: CompletionKind {
    values { input in
      guard let folder = BaseFolders(environment: input.environment).data else { return [] }
      return try FileSystem.entries(in: folder).filter { $0.kind == .folder }.map(\.name).sorted()
    }
  }
}
