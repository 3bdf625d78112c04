import ArgumentParser
import CommandKit
import MPaaSStorage
import MPaaSSupport
import MPaaSTerminal

extension StorageCommand {
  /// `mpaas storage inspect FOLDER`: the sizes of what is in it.
  struct Inspect: MPaaSCommand {
    static var configuration: CommandConfiguration { CommandConfiguration("inspect", key: "storage.inspect") }

    @OptionGroup var folder: StorageFolderOptions
    @OptionGroup var common: CommonOptions

    func run(in context: Context) async throws -> StorageInspection {
      StorageInspection(try FolderSizes(root: folder.folder, rules: folder.list() ?? PurgeRules([])))
    }
  }
}

/// The sizes of what is in a folder.
struct StorageInspection: Presentable {
  struct Entry: Encodable {
    let path: String
    let files: Int
    let bytes: UInt64
    let purgeable: UInt64
  }

  let entries: [Entry]
  let files: Int
  let bytes: UInt64
  let purgeable: UInt64

  init(_ sizes: FolderSizes) {
    entries = sizes.entries.map { Entry(path: $0.name, files: $0.files, bytes: $0.size, purgeable: $0.purgeable) }
    files = entries.reduce(0) { $0 + $1.files }
    bytes = entries.reduce(0) { $0 + $1.bytes }
    purgeable = entries.reduce(0) { $0 + $1.purgeable }
  }

  func document(_ catalogue: Catalogue) -> Document {
    func heading(_ key: String) -> String { catalogue.text("text.storage-" + key) }
    var table = Table(columns: [
      .init(heading("path")), .init(heading("files"), isNumeric: true), .init(heading("size"), isNumeric: true),
      .init(heading("purgeable"), isNumeric: true),
    ])
    for entry in entries {
      table.rows.append([
        StyledText(entry.path), StyledText("\(entry.files)"), StyledText(ByteCount(entry.bytes).description),
        StyledText(ByteCount(entry.purgeable).description),
      ])
    }
    let values = [
      "files": "\(files)", "size": ByteCount(bytes).description, "purgeable": ByteCount(purgeable).description,
    ]
    let total = StyledText(catalogue.text("text.storage-total", values))
    return entries.isEmpty ? [.line(total)] : [.table(table), .line(total)]
  }
}
