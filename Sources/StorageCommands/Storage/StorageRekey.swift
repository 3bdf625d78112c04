import ArgumentParser
import CommandKit
import MPaaSSQLite
import MPaaSStorage
import MPaaSSupport
import MPaaSTerminal

extension StorageCommand {
  /// `mpaas storage rekey FILE`: encrypts a database, with another key where it is encrypted already.
  struct Rekey: MPaaSCommand {
    static var configuration: CommandConfiguration { CommandConfiguration("rekey", key: "storage.rekey") }

    @Argument(help: .text("command.storage.rekey.file"), completion: .file())
    var file: String

    @Option(
      name: .customLong("key-file"), help: .text("command.storage.rekey.key-file", valueName: "file"),
      completion: .file())
    var keyFile: String?

    @Option(
      name: .customLong("new-key-file"), help: .text("command.storage.rekey.new-key-file", valueName: "file"),
      completion: .file())
    var newKeyFile: String?

    @Flag(help: .text("command.storage.rekey.unencrypted"))
    var unencrypted = false

    @OptionGroup var common: CommonOptions

    func run(in context: Context) async throws -> KVSizes {
      guard (newKeyFile == nil) == unencrypted, keyFile != nil || !unencrypted else {
        throw ValidationError(context.catalogue.text("text.kv-rekey-usage"))
      }
      guard FileStatus(file) != nil else { throw Diagnostic("file-missing", ["path": file], exit: .inputMissing) }
      let key = try keyFile.map { path in try DatabaseKey(.file(path)) }
      return try KVSizes(of: file) {
        // The database is opened first: a key that is not used leaves no file.
        if let key {
          let database = try SQLiteDatabase(file, key: key)
          if let newKey = try newKey() { return try database.changeKey(to: newKey) }
        }
        try SQLiteDatabase.convert(file, from: key, to: newKey())
      }
    }

    private func newKey() throws -> DatabaseKey? {
      try newKeyFile.map { path in try DatabaseKey(.file(path, makesIt: true)) }
    }
  }
}

extension DatabaseKey {
  /// The database's key is the one of the file, as it stands.
  init(_ key: StorageKey) throws {
    guard let made = key.withUnsafeBytes({ DatabaseKey($0) }) else { throw StorageError(.keyMalformed) }
    self = made
  }
}
