import ArgumentParser
import CommandKit
import MPaaSStorage
import MPaaSStorageImport
import MPaaSSupport
import MPaaSTerminal

/// The libraries whose files can be imported.
enum KVForeignForm: String, ExpressibleByArgument, CaseIterable {
  case mmkv, defaults
  case realmJSON = "realm-json"
}

/// The options of an import from another library.
struct KVForeignOptions: ParsableArguments {
  @Option(help: .text("command.kv.import.from", valueName: "library"))
  var from: KVForeignForm?

  @Option(
    name: .customLong("mmkv-key"), help: .text("command.kv.import.mmkv-key", valueName: "file"), completion: .file())
  var mmkvKey: String?

  @Option(help: .text("command.kv.import.kinds", valueName: "file"), completion: .file())
  var kinds: String?

  @Flag(help: .text("command.kv.import.unchecked"))
  var unchecked = false

  @Option(name: .customLong("primary-key"), help: .text("command.kv.import.primary-key", valueName: "member"))
  var primaryKey: String?

  /// True where none is given, as for JSON lines.
  var areUnused: Bool { mmkvKey == nil && kinds == nil && !unchecked && primaryKey == nil }

  /// Tells whether those that are given mean something for a library.
  func areFor(_ form: KVForeignForm) -> Bool {
    switch form {
    case .mmkv: primaryKey == nil
    case .defaults: areUnused
    case .realmJSON: mmkvKey == nil && kinds == nil && !unchecked
    }
  }

  /// All records of a file, which is read to its end first.
  func records(
    of source: String, as form: KVForeignForm, business: String, in context: Context
  ) throws -> ImportedFile {
    let data = try context.data(at: source), name = context.name(ofData: source)
    defer { withExtendedLifetime(data) {} }
    switch form {
    case .defaults: return try DefaultsList.records(Array(data.buffer), business: business, file: name)
    case .realmJSON: return try RealmExport.records(data.buffer, primaryKey: primaryKey, file: name)
    case .mmkv:
      let meta = FileStatus(source + ".crc") == nil ? nil : try Bytes.reading(source + ".crc", limit: 1 << 16).array
      let file = try MMKVFile(Array(data.buffer), meta: meta, key: key(), file: name, isChecked: !unchecked)
      return try file.records(business: business, kinds: readKinds(in: context), now: KeyValueOptions().now() / 1000)
    }
  }

  /// The key of an encrypted file: the bytes of its own file, without an end of line.
  private func key() throws -> [UInt8]? {
    guard let mmkvKey else { return nil }
    var bytes = try Bytes.reading(mmkvKey, limit: 4096).array
    while let last = bytes.last, last == 0x0a || last == 0x0d { bytes.removeLast() }
    return bytes
  }

  private func readKinds(in context: Context) throws -> ImportKinds {
    guard let kinds else { return .none }
    let data = try context.data(at: kinds)
    defer { withExtendedLifetime(data) {} }
    return try ImportKinds(reading: data.buffer, file: context.name(ofData: kinds))
  }
}

/// The records that were imported.
struct KVImported: Presentable {
  let written: Int
  /// The keys of values whose kind the file does not tell, and that could be of another one.
  let guessed: [String]

  init(_ file: ImportedFile) {
    written = file.records.count
    guessed = file.records.filter(\.isGuess).map(\.key)
  }

  func document(_ catalogue: Catalogue) -> Document {
    var document = Document()
    document.line(StyledText(catalogue.text("text.kv-changes", ["written": "\(written)", "removed": "0"])))
    if !guessed.isEmpty {
      let values = ["count": "\(guessed.count)", "keys": guessed.prefix(10).joined(separator: ", ")]
      document.line(StyledText(catalogue.text("text.kv-guessed", values), .warning))
    }
    return document
  }
}
