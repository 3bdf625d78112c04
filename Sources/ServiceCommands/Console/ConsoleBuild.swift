import ArgumentParser
import CommandKit
import LogCommands
import MPaaSAppServicesTools
import MPaaSProtocol
import MPaaSSupport
import MPaaSTerminal
import Synchronization

extension ConsoleCommand {
  /// `mpaas console build …`: builds that the console keeps, and the links that phones install them by.
  struct Build: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
      CommandConfiguration(
        "build", key: "console.build",
        subcommands: [Add.self, List.self, Show.self, Remove.self, Link.self, Unlink.self])
    }
  }
}

extension ConsoleCommand.Build {
  /// `mpaas console build add FILE`.
  struct Add: MPaaSCommand {
    static var configuration: CommandConfiguration { CommandConfiguration("add", key: "console.build.add") }

    @Argument(help: .text("command.console.build.file", valueName: "file"), completion: .file())
    var file: String

    @Option(help: .text("command.console.build.app", valueName: "app"))
    var app: String?

    @OptionGroup var server: ServerOptions
    @OptionGroup var common: CommonOptions

    func run(in context: Context) async throws -> BuildView {
      let server = try server.server(in: context)
      let size = try OpenFile(file).status?.size ?? 0
      let bar = context.terminal.progress(FileSystem.name(of: file), total: size, isBytes: true)
      defer { bar.finish() }
      let told = Mutex<UInt64>(0)
      let build = try await server.addBuild(file, size: size, app: app) { sent in
        bar.advance(
          by: told.withLock { told in
            defer { told = max(told, sent) }
            return sent > told ? sent - told : 0
          })
      }
      return BuildView(build: build)
    }
  }

  /// `mpaas console build list`.
  struct List: MPaaSCommand {
    static var configuration: CommandConfiguration { CommandConfiguration("list", key: "console.build.list") }

    @Option(help: .text("command.console.build.app", valueName: "app"))
    var app: String?

    @OptionGroup var server: ServerOptions
    @OptionGroup var common: CommonOptions

    func run(in context: Context) async throws -> BuildList {
      BuildList(builds: try await server.server(in: context).builds(app: app))
    }
  }

  /// `mpaas console build show ID`.
  struct Show: MPaaSCommand {
    static var configuration: CommandConfiguration { CommandConfiguration("show", key: "console.build.show") }

    @Argument(help: .text("command.console.build.id", valueName: "id"), completion: .consoleBuilds)
    var id: String

    @OptionGroup var server: ServerOptions
    @OptionGroup var common: CommonOptions

    func run(in context: Context) async throws -> BuildView {
      BuildView(build: try await server.server(in: context).build(id))
    }
  }

  /// `mpaas console build remove ID…`.
  struct Remove: MPaaSCommand {
    static var configuration: CommandConfiguration { CommandConfiguration("remove", key: "console.build.remove") }

    @Argument(help: .text("command.console.build.ids", valueName: "id"), completion: .consoleBuilds)
    var ids: [String]

    @OptionGroup var server: ServerOptions
    @OptionGroup var common: CommonOptions

    func run(in context: Context) async throws -> ConsoleRemoval {
      let server = try server.server(in: context)
      for id in ids { try await server.removeBuild(id) }
      return ConsoleRemoval(removed: ids)
    }
  }

  /// `mpaas console build link ID`.
  struct Link: MPaaSCommand {
    static var configuration: CommandConfiguration { CommandConfiguration("link", key: "console.build.link") }

    @Argument(help: .text("command.console.build.id", valueName: "id"), completion: .consoleBuilds)
    var id: String

    @Option(help: .text("command.console.build.days", valueName: "days"))
    var days: Int = 7

    @OptionGroup var server: ServerOptions
    @OptionGroup var common: CommonOptions

    func validate() throws {
      guard (1...365).contains(days) else { throw ValidationError(Catalogue.current.text("text.console-build-days")) }
    }

    func run(in context: Context) async throws -> BuildLinkView {
      BuildLinkView(link: try await server.server(in: context).linkBuild(id, BuildLinkWish(days: days)))
    }
  }

  /// `mpaas console build unlink ID LINK…`.
  struct Unlink: MPaaSCommand {
    static var configuration: CommandConfiguration { CommandConfiguration("unlink", key: "console.build.unlink") }

    @Argument(help: .text("command.console.build.id", valueName: "id"), completion: .consoleBuilds)
    var id: String

    @Argument(help: .text("command.console.build.links", valueName: "link"))
    var links: [String]

    @OptionGroup var server: ServerOptions
    @OptionGroup var common: CommonOptions

    func run(in context: Context) async throws -> ConsoleRemoval {
      let server = try server.server(in: context)
      for link in links { try await server.revokeLink(link, ofBuild: id) }
      return ConsoleRemoval(removed: links)
    }
  }
}
