import ArgumentParser
import CommandKit
import MPaaSStorage
import MPaaSSupport

/// `mpaas storage …`: folders of apps.
struct StorageCommand: AsyncParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration("storage", key: "storage", subcommands: [Inspect.self, Clear.self, Rekey.self])
  }
}

/// The folder of a command, and the list of what is purgeable in it.
struct StorageFolderOptions: ParsableArguments {
  @Argument(help: .text("command.storage.folder"), completion: .directory)
  var folder: String

  @Option(help: .text("command.storage.rules", valueName: "file"), completion: .file())
  var rules: String?

  /// The list of `--rules` or of the folder; nil where there is none.
  func list() throws(StorageError) -> PurgeRules? {
    if let rules { return try PurgeRules(file: rules) }
    let path = folder + "/PurgeableCache.plist"
    return FileStatus(path) == nil ? nil : try PurgeRules(file: path)
  }
}
