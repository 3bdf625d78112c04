import ArgumentParser
import CommandKit
import MPaaSStorage

/// The file of a command, and its key.
struct KVFileOptions: ParsableArguments {
  @Argument(help: .text("command.kv.file"), completion: .file())
  var file: String

  @Option(
    name: .customLong("key-file"), help: .text("command.kv.key-file", valueName: "file"), completion: .file())
  var keyFile: String?

  /// The key of `--key-file`; nil without it.
  func key() throws -> StorageKey? { try keyFile.map { path throws(StorageError) in try .file(path) } }

  /// Opens the file to be changed, and makes it where it is missing.
  func store(
    _ durability: KeyValueOptions.Durability = .process, sharing: KeyValueOptions.Sharing = .processes
  ) throws -> KeyValueStore {
    try KeyValueStore(path: file, options: KeyValueOptions(key: key(), durability: durability, sharing: sharing))
  }

  /// Opens the file, which must be there, to be changed.
  func existingStore() throws -> KeyValueStore {
    _ = try reader()
    return try store()
  }

  /// Opens the file to be read.
  func reader() throws -> KeyValueStore { try .reading(path: file, key: key()) }
}

/// The business of a key.
struct KVBusinessOption: ParsableArguments {
  @Option(help: .text("command.kv.business", valueName: "name"), completion: .storedBusinesses)
  var business = ""
}
