import MPaaSDatabase
import MPaaSSupport

/// The table of the one data folder that a database belongs to.
enum DataFolderTables {
  static let first = """
    CREATE TABLE data_folder (
      name TEXT NOT NULL
    ) STRICT;
    """
}

/// Ties a database to its data folder: records of one are about the files of the other, so two cannot share one.
struct DataFolderName {
  private let folder: String
  private var file: String { folder + "/name" }

  init(_ folder: String) { self.folder = folder }

  /// The name that the folder has; nil where it has none yet.
  var own: String? {
    (try? Bytes.reading(file, limit: 200)).map { String(decoding: $0.buffer.prefix { $0 > 0x20 }, as: UTF8.self) }
  }

  /// Makes the database this folder's, where it has no folder yet.
  ///
  /// - Throws: `server-database-taken` where it is another one's, `FileError`, `SQLError`.
  func claim(_ database: any SQLDatabase) throws {
    let own = own
    if let owner = try Self.owner(database) { return try compare(owner, own, database) }
    let name = own ?? (0..<8).map { _ in UInt8.random(in: 0...(.max)) }.hexadecimal
    if own == nil { try write(name) }
    let owner = try database.transaction {
      // Another server may have been faster.
      if let owner = try Self.owner(database) { return owner }
      try database.run("INSERT INTO data_folder VALUES (?)", [.text(name)])
      return name
    }
    try compare(owner, name, database)
  }

  private static func owner(_ database: any SQLDatabase) throws -> String? {
    try database.row("SELECT name FROM data_folder") { $0.text(0) }
  }

  private func compare(_ owner: String, _ own: String?, _ database: any SQLDatabase) throws {
    if owner == own { return }
    // Within the folder itself it is this one's, whatever was lost with the file.
    if own == nil, database.path == folder + "/mpaas.sqlite" { return try write(owner) }
    throw ServerError(.databaseTaken, ["file": database.path, "name": owner, "own": file])
  }

  private func write(_ name: String) throws {
    try Bytes((name + "\n").utf8).write(to: file, mode: 0o600)
  }
}
