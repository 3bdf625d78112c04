import MPaaSDatabase
import MPaaSSupport

/// The data folder of a server that is about to be one of a console's.
///
/// Several may be where the database is at a server of PostgreSQL and blobs are in a bucket; else there is one.
struct ConsoleMember {
  let folder: DataFolderName
  /// Tells whether the database is at a server.
  let isRemote: Bool
  /// The place of blobs, where that is a bucket.
  let bucket: String?

  /// The outcome of entering.
  struct Entered {
    /// The name of the console.
    let console: String
    /// The name of the folder, where the console may have several; else nil.
    let member: String?
  }

  /// Ties the database to the folder, or the folder to the console of the database.
  ///
  /// - Throws: `server-database-taken` where it is another folder's, or others work on it that this one cannot share it
  ///   with; `server-folder-in-use` where a copy of the folder is another server's; `FileError`, `SQLError`.
  func enter(_ database: any SQLDatabase) throws -> Entered {
    let shared = isRemote ? bucket : nil
    let console = try folder.claim(database, bucket: shared)
    guard isRemote else { return Entered(console: console, member: nil) }
    guard shared != nil, let name = folder.own else {
      if let other = try ServerSession.other(than: folder.own, in: database) {
        throw ServerError(.databaseTaken, ["file": database.path, "name": other, "own": folder.file])
      }
      try database.run("DELETE FROM servers", [])
      try folder.note(nil, in: database)
      return Entered(console: console, member: nil)
    }
    guard try !ServerSession.lives(name, in: database) else {
      throw ServerError(.folderInUse, ["folder": folder.folder])
    }
    try folder.note(shared, in: database)
    return Entered(console: console, member: name)
  }
}
