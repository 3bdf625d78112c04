import ArgumentParser
import CommandKit
import MPaaSSQLite
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
      let sizes = try FolderSizes(root: folder.folder, rules: folder.list() ?? PurgeRules([]))
      return StorageInspection(sizes, FolderDatabases(root: folder.folder))
    }
  }
}

/// The SQLite databases of a folder, links not followed.
struct FolderDatabases {
  let all: [(path: String, form: SQLiteDatabase.Form)]

  init(root: String) {
    var found: [(path: String, form: SQLiteDatabase.Form)] = []
    Self.find(root, "", &found)
    all = found.sorted { $0.path < $1.path }
  }

  private static func find(_ root: String, _ path: String, _ found: inout [(path: String, form: SQLiteDatabase.Form)]) {
    for entry in (try? FileSystem.entries(in: path.isEmpty ? root : root + "/" + path)) ?? [] {
      let inner = path.isEmpty ? entry.name : path + "/" + entry.name
      switch entry.kind {
      case .folder: find(root, inner, &found)
      case .file:
        guard let start = try? Bytes.reading(root + "/" + inner, limit: 16).array,
          let form = SQLiteDatabase.form(start: start)
        else { continue }
        found.append((inner, form))
      case .other: continue
      }
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

  struct Database: Encodable {
    let path: String
    let encrypted: Bool
    let changingKey: Bool
  }

  let entries: [Entry]
  let files: Int
  let bytes: UInt64
  let purgeable: UInt64
  let databases: [Database]

  init(_ sizes: FolderSizes, _ databases: FolderDatabases) {
    self.databases = databases.all.map { database in
      Database(
        path: database.path, encrypted: database.form != .plain, changingKey: database.form == .changingKey)
    }
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
    let found = databases.map { database -> Document.Block in
      let key = !database.encrypted ? "plain" : database.changingKey ? "changing" : "encrypted"
      return .line(StyledText(catalogue.text("text.storage-database-" + key, ["path": database.path])))
    }
    return Document(blocks: (entries.isEmpty ? [] : [.table(table)]) + found + [.line(total)])
  }
}
