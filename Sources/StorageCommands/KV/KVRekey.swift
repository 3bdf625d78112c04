import ArgumentParser
import CommandKit
import MPaaSStorage
import MPaaSSupport
import MPaaSTerminal

extension KVCommand {
  /// `mpaas kv compact FILE`: leaves out what is replaced, removed or expired.
  struct Compact: MPaaSCommand {
    static var configuration: CommandConfiguration { CommandConfiguration("compact", key: "kv.compact") }

    @OptionGroup var file: KVFileOptions
    @OptionGroup var common: CommonOptions

    func run(in context: Context) async throws -> KVSizes {
      try KVSizes(of: file.file) { try file.existingStore().compact() }
    }
  }

  /// `mpaas kv rekey FILE`: encrypts everything with another key.
  struct Rekey: MPaaSCommand {
    static var configuration: CommandConfiguration { CommandConfiguration("rekey", key: "kv.rekey") }

    @OptionGroup var file: KVFileOptions

    @Option(
      name: .customLong("new-key-file"), help: .text("command.kv.rekey.new-key-file", valueName: "file"),
      completion: .file())
    var newKeyFile: String?

    @Flag(help: .text("command.kv.rekey.unencrypted"))
    var unencrypted = false

    @OptionGroup var common: CommonOptions

    func run(in context: Context) async throws -> KVSizes {
      guard (newKeyFile == nil) == unencrypted else {
        throw ValidationError(context.catalogue.text("text.kv-rekey-usage"))
      }
      return try KVSizes(of: file.file) {
        let store = try file.existingStore()
        try store.changeKey(to: newKeyFile.map { path throws(StorageError) in try .file(path, makesIt: true) })
      }
    }
  }
}

/// The sizes of a file before and after it was written anew.
struct KVSizes: Presentable {
  let before: UInt64
  let after: UInt64

  init(of path: String, _ body: () throws -> Void) throws {
    before = FileStatus(path)?.size ?? 0
    try body()
    after = FileStatus(path)?.size ?? 0
  }

  func document(_ catalogue: Catalogue) -> Document {
    [.line(StyledText(catalogue.text("text.kv-sizes", ["before": "\(before)", "after": "\(after)"])))]
  }
}
