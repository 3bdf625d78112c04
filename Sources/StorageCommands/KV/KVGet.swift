import ArgumentParser
import CommandKit
import MPaaSStorage
import MPaaSSupport
import MPaaSTerminal

extension KVCommand {
  /// `mpaas kv get FILE KEY`: a value.
  struct Get: StreamingCommand {
    static var configuration: CommandConfiguration { CommandConfiguration("get", key: "kv.get") }

    @OptionGroup var file: KVFileOptions

    @Argument(help: .text("command.kv.key"), completion: .storedKeys)
    var key: String

    @OptionGroup var group: KVBusinessOption
    @OptionGroup var common: CommonOptions

    func run(in context: Context, results: ResultSink) async throws -> ExitStatus {
      guard let value = try file.reader().value(forKey: key, business: group.business) else {
        throw StorageError(.keyAbsent, ["key": key, "path": file.file], at: .file(file.file))
      }
      let isJSON = context.terminal.settings.isJSON
      results.put(text: (isJSON ? value.json.line : value.text) + "\n")
      return .done
    }
  }

  /// `mpaas kv delete FILE KEY`: removes a key, or those that a pattern matches.
  struct Delete: MPaaSCommand {
    static var configuration: CommandConfiguration { CommandConfiguration("delete", key: "kv.delete") }

    @OptionGroup var file: KVFileOptions

    @Argument(help: .text("command.kv.delete.key"), completion: .storedKeys)
    var key: String

    @Flag(help: .text("command.kv.delete.like"))
    var like = false

    @OptionGroup var group: KVBusinessOption
    @OptionGroup var common: CommonOptions

    func run(in context: Context) async throws -> KVChanges {
      let store = try file.existingStore()
      if like { return KVChanges(removed: try store.removeLike(key, business: group.business)) }
      guard try store.exists(forKey: key, business: group.business) else {
        throw StorageError(.keyAbsent, ["key": key, "path": file.file], at: .file(file.file))
      }
      try store.remove(forKey: key, business: group.business)
      return KVChanges(removed: 1)
    }
  }
}

/// The changes that a command made.
struct KVChanges: Presentable {
  var written = 0
  var removed = 0

  func document(_ catalogue: Catalogue) -> Document {
    [.line(StyledText(catalogue.text("text.kv-changes", ["written": "\(written)", "removed": "\(removed)"])))]
  }
}

extension StorageError.Code {
  /// A key has no value.
  static var keyAbsent: Self { StorageError.Code("kv-key-absent", exit: .negative) }
  /// A line of an import is not what it should be.
  static var lineMalformed: Self { StorageError.Code("kv-line-malformed", exit: .malformedInput) }
  /// A value on the command line is not of the type that was named.
  static var argumentMalformed: Self { StorageError.Code("kv-argument-malformed", exit: .usage) }
}
