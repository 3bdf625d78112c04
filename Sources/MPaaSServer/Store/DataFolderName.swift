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
///
/// Several data folders may belong to the console that the first of them has given its name, if the database is at a
/// server and blobs are in a bucket; the bytes of unfinished uploads are under the name of the folder they are in.
struct DataFolderName {
  let folder: String
  var file: String { folder + "/name" }

  init(_ folder: String) { self.folder = folder }

  /// The name that the folder has; nil where it has none yet.
  var own: String? {
    (try? Bytes.reading(file, limit: 200)).map { String(decoding: $0.buffer.prefix { $0 > 0x20 }, as: UTF8.self) }
  }

  /// Makes the database this folder's, where it has no folder yet, or joins the console of another one.
  ///
  /// - Parameter bucket: The place of blobs, where that is one which several servers reach; nil where it is none.
  /// - Returns: The name of the console, which the bucket has too.
  /// - Throws: `server-database-taken` where it is another one's, `FileError`, `SQLError`.
  @discardableResult
  func claim(_ database: any SQLDatabase, bucket: String? = nil) throws -> String {
    if let owner = try Self.owner(database) {
      guard owner.name != own, bucket != nil, owner.isShared else {
        try compare(owner.name, own, database)
        return owner.name
      }
      if own == nil { try write(Self.fresh()) }
      return owner.name
    }
    let name = own ?? Self.fresh()
    if own == nil { try write(name) }
    let isFirst = try database.transaction {
      // Another server may have been faster.
      guard try Self.owner(database) == nil else { return false }
      try database.run("INSERT INTO data_folder (name, blobs) VALUES (?, ?)", [.text(name), .text(bucket ?? "")])
      return true
    }
    return isFirst ? name : try claim(database, bucket: bucket)
  }

  /// Keeps where the console's blobs are, once its own server goes on with them: others may join it or not.
  func note(_ bucket: String?, in database: any SQLDatabase) throws {
    guard let owner = try Self.owner(database), owner.name == own, owner.isShared != (bucket != nil) else { return }
    try database.run("UPDATE data_folder SET blobs = ?", [.text(bucket ?? "")])
  }

  /// The name of the folder that a database belongs to, and whether others may join it.
  private struct Owner {
    let name: String
    let isShared: Bool
  }

  private static func fresh() -> String { (0..<8).map { _ in UInt8.random(in: 0...(.max)) }.hexadecimal }

  private static func owner(_ database: any SQLDatabase) throws -> Owner? {
    try database.row("SELECT name, blobs FROM data_folder") { Owner(name: $0.text(0), isShared: !$0.text(1).isEmpty) }
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
