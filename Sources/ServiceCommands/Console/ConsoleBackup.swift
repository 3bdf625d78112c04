import ArgumentParser
import CommandKit
import MPaaSProtocol
import MPaaSSupport
import MPaaSTerminal
import MPaaSToolSupport

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The place of a console's data on this machine.
struct ConsolePlace: ParsableArguments {
  @Option(help: .text("command.serve.data", valueName: "folder"), completion: .directory)
  var data: String?

  @Option(help: .text("command.serve.database", valueName: "sqlite:path"))
  var database: String?

  /// Becomes the second program for a work on the place; it returns only where that cannot be done.
  func become(in context: Context, _ work: (inout ServerConfiguration) -> Void) throws -> Diagnostic {
    var configuration = ServerConfiguration(workingOn: data, in: context)
    if let database {
      guard database.hasPrefix("sqlite:"), database.count > 7 else {
        throw Diagnostic("serve-database", ["database": database], exit: .usage)
      }
      configuration.database = String(database.dropFirst(7))
    }
    work(&configuration)
    return try configuration.become(in: context)
  }
}

extension ServerConfiguration {
  /// The configuration of a work on a data folder in the place of serving.
  init(workingOn data: String?, in context: Context) {
    self.init(data: data ?? context.directories.data + "/server", listen: "")
    json = context.terminal.settings.isJSON
    language = context.catalogue.language.rawValue
    quiet = context.terminal.settings.verbosity == .quiet
  }

  /// Becomes the second program for the work; it returns only where that cannot be done.
  func become(in context: Context) throws -> Diagnostic {
    let words = ["--configuration", String(decoding: try JSONEncoder().encode(self), as: UTF8.self)]
    return try ServerBinary(environment: context.environment).become(words)
  }
}

extension ConsoleCommand {
  /// `mpaas console backup FILE`: all of a data folder in one file, while its server goes on.
  struct Backup: StreamingCommand {
    static var configuration: CommandConfiguration { CommandConfiguration("backup", key: "console.backup") }

    @Argument(help: .text("command.console.backup.file"), completion: .file())
    var file: String

    @Flag(help: .text("command.console.backup.force"))
    var force = false

    @OptionGroup var place: ConsolePlace
    @OptionGroup var common: CommonOptions

    func run(in context: Context, results: ResultSink) async throws -> ExitStatus {
      try ResultPlace(file).check(replaces: force, refusal: "backup-output-exists")
      throw try place.become(in: context) { $0.backup = file }
    }
  }

  /// `mpaas console restore FILE`: makes a data folder of a backup.
  struct Restore: StreamingCommand {
    static var configuration: CommandConfiguration { CommandConfiguration("restore", key: "console.restore") }

    @Argument(help: .text("command.console.restore.file"), completion: .file())
    var file: String

    @OptionGroup var place: ConsolePlace
    @OptionGroup var common: CommonOptions

    func run(in context: Context, results: ResultSink) async throws -> ExitStatus {
      throw try place.become(in: context) { $0.restore = file }
    }
  }
}
