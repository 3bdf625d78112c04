import ArgumentParser
import CommandKit
import MPaaSStorage
import MPaaSSupport
import MPaaSTerminal

/// The kinds of values that the command line can write.
enum KVValueType: String, ExpressibleByArgument, CaseIterable {
  case string, integer, double, bool, json, data

  /// The value of a text; nil where it is none.
  func value(_ text: String) -> StoredValue? {
    switch self {
    case .string: StoredValue.string(text)
    case .integer: Int64(text).map(StoredValue.integer)
    case .double: Double(text).map(StoredValue.double)
    case .bool: Self.words[text].map(StoredValue.bool)
    case .json:
      Array(text.utf8).withUnsafeBytes { try? JSONValue(reading: $0, by: .exact) } == nil
        ? nil : StoredValue.json(Array(text.utf8))
    case .data: Base64.decode(text.utf8).map(StoredValue.data)
    }
  }

  private static let words = ["true": true, "yes": true, "1": true, "false": false, "no": false, "0": false]
}

extension KVCommand {
  /// `mpaas kv set FILE KEY VALUE`: stores a value.
  struct Set: MPaaSCommand {
    static var configuration: CommandConfiguration { CommandConfiguration("set", key: "kv.set") }

    @OptionGroup var file: KVFileOptions

    @Argument(help: .text("command.kv.key"), completion: .storedKeys)
    var key: String

    @Argument(help: .text("command.kv.set.value"))
    var value: String

    @Option(help: .text("command.kv.set.type", valueName: "type"))
    var type = KVValueType.string

    @Flag(help: .text("command.kv.set.purgeable"))
    var purgeable = false

    @OptionGroup var group: KVBusinessOption
    @OptionGroup var common: CommonOptions

    func run(in context: Context) async throws -> KVChanges {
      guard let value = type.value(value) else {
        throw StorageError(.argumentMalformed, ["value": value, "type": type.rawValue])
      }
      try file.store().set(
        value, forKey: key, business: group.business, options: ValueOptions(isPurgeable: purgeable))
      return KVChanges(written: 1)
    }
  }
}
