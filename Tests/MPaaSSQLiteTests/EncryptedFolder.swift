import Foundation
import MPaaSSQLite
import MPaaSTestSupport
import MPaaSTime

/// A folder with an encrypted database, and copies of it as a process leaves them that is ended.
struct EncryptedFolder {
  let folder: TemporaryFolder
  let key: DatabaseKey

  init() throws {
    folder = try TemporaryFolder()
    key = Self.key(1)
  }

  static func key(_ byte: UInt8) -> DatabaseKey {
    guard let key = DatabaseKey([UInt8](repeating: byte, count: 32)) else { preconditionFailure("32 bytes") }
    return key
  }

  var path: String { folder.path + "/a.sqlite" }
  static let ends = ["", "-wal", "-shm"]

  func open(_ access: SQLiteDatabase.Access = .readWrite, key: DatabaseKey? = nil) throws -> SQLiteDatabase {
    try SQLiteDatabase(path, access, patience: .seconds(5), key: key ?? self.key)
  }

  /// The database and its log as they are now, in a folder of their own; the memory that connections share goes with them.
  func copy() throws -> EncryptedFolder {
    let copy = try EncryptedFolder()
    for end in ["", "-wal"] where FileManager.default.fileExists(atPath: path + end) {
      try FileManager.default.copyItem(atPath: path + end, toPath: copy.path + end)
    }
    return copy
  }

  func bytes(_ end: String = "") throws -> Data { try Data(contentsOf: URL(fileURLWithPath: path + end)) }

  func write(_ bytes: Data, _ end: String = "") throws { try bytes.write(to: URL(fileURLWithPath: path + end)) }

  /// The names of all files that hold one of the texts.
  func files(with texts: [String]) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { name in
      let bytes = try Data(contentsOf: URL(fileURLWithPath: folder.path + "/" + name))
      return texts.contains { bytes.range(of: Data($0.utf8)) != nil }
    }
  }
}

extension SQLiteDatabase {
  /// The texts of the table `t` in their order.
  func texts() throws -> [String] { try rows("SELECT v FROM t ORDER BY id") { $0.text(0) } }

  func fill(_ range: Range<Int>) throws {
    try execute("CREATE TABLE IF NOT EXISTS t (id INTEGER PRIMARY KEY, v TEXT)")
    try transaction {
      for number in range { try run("INSERT INTO t VALUES (?, ?)", [.integer(number), .text(Self.text(number))]) }
    }
  }

  static func text(_ number: Int) -> String { "the secret of row \(number), which nobody may read" }
}
