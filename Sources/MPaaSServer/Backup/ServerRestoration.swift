import MPaaSArchive
import MPaaSDatabase
import MPaaSDigests
import MPaaSProtocol
import MPaaSSupport

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Makes a data folder of a backup.
///
/// All is written and held against its digests beside the place where it belongs; the database comes there last, so that a
/// restoration that was ended leaves no half of a console.
struct ServerRestoration {
  private let database: String
  private let folder: String
  private let known: Int
  private var staging: String { folder + "/restore" }

  /// - Parameter known: The number of steps of tables that this release knows.
  init(_ configuration: ServerConfiguration, known: Int) {
    self.known = known
    database = configuration.database ?? "\(configuration.data)/mpaas.sqlite"
    folder = configuration.data
  }

  /// - Throws: `server-folder-in-use`, `restore-folder-taken`, `backup-malformed`, `server-schema-newer`, `FileError`.
  func restore(_ file: String) throws -> BackupReport {
    let bytes = try Bytes.mapping(file)
    let lock = try DataFolderLock(folder)
    defer { withExtendedLifetime(lock) {} }
    guard FileStatus(database) == nil, FileStatus(folder + "/blobs") == nil else {
      throw ServerError(.restoreTaken, ["folder": folder])
    }
    FileSystem.removeTree(staging)
    defer { FileSystem.removeTree(staging) }
    do {
      var members = BackupMembers(file: file, staging: staging, known: known)
      let archive = try ArchiveStream(bytes, .tar)
      while let member = try archive.next() { try members.take(member, archive) }
      let (head, end) = try members.finish()
      try check(head, end, file)
      try place()
      return BackupReport(file: file, schema: head.schema, blobs: end.blobs, bytes: end.bytes, data: folder)
    } catch let error as ArchiveError {
      throw ServerError(.backupMalformed, ["file": file, "reason": error.reason])
    }
  }

  /// Holds the database against what the backup says of it.
  private func check(_ head: BackupHead, _ end: BackupEnd, _ file: String) throws {
    let path = "\(staging)/\(BackupMember.database)"
    func malformed(_ reason: String) -> ServerError { ServerError(.backupMalformed, ["file": file, "reason": reason]) }
    guard let bytes = try? Bytes.mapping(path), bytes.buffer.sha256.hexadecimal == end.database else {
      throw malformed(BackupMember.database)
    }
    let database = try DatabaseAddress.sqlite(path: path).open(.readOnly)
    guard try ServerBackup.schema(of: database, known: known) == head.schema,
      try database.row("PRAGMA integrity_check(1)", [], { $0.text(0) }) == "ok"
    else { throw malformed(BackupMember.database) }
  }

  private func place() throws {
    try Directories.create(staging + "/blobs")
    try FileSystem.rename(staging + "/blobs", to: folder + "/blobs")
    if FileStatus(staging + "/" + BackupMember.rules) != nil {
      try FileSystem.rename(staging + "/" + BackupMember.rules, to: folder + "/" + BackupMember.rules)
    }
    // The name of the folder that it was; the next start writes it again.
    try FileSystem.remove(folder + "/name")
    let staged = try DatabaseAddress.sqlite(path: "\(staging)/\(BackupMember.database)").open(.readOnly)
    let name = try staged.row("SELECT name FROM data_folder") { $0.text(0) }
    if let name { try Bytes((name + "\n").utf8).write(to: folder + "/name", mode: 0o600) }
    FileSystem.settle(folder)
    try FileSystem.rename("\(staging)/\(BackupMember.database)", to: database)
    FileSystem.settle(FileSystem.folder(of: database))
  }
}

/// The members of a backup as they are read, one after the other.
private struct BackupMembers {
  let file: String
  let staging: String
  let known: Int
  private var head: BackupHead?
  private var end: BackupEnd?
  private var blobs = 0

  init(file: String, staging: String, known: Int) {
    (self.file, self.staging, self.known) = (file, staging, known)
  }

  private func malformed(_ reason: String) -> ServerError {
    ServerError(.backupMalformed, ["file": file, "reason": reason])
  }

  /// Takes a member; the first tells whether this release can read the others.
  mutating func take(_ member: ArchiveMember, _ archive: ArchiveStream) throws {
    let name = member.path?.text ?? ""
    guard case .file = member.kind, end == nil, (head == nil) == (name == BackupHead.member) else {
      throw malformed(member.path?.shown ?? "")
    }
    switch name {
    case BackupHead.member:
      let head: BackupHead = try value(archive, name)
      guard head.version <= BackupHead.version else { throw malformed(name) }
      try ServerBackup.check(head.schema, of: file, known: known)
      self.head = head
    case BackupEnd.member: end = try value(archive, name)
    case BackupMember.database, BackupMember.rules: _ = try write(archive, to: "\(staging)/\(name)")
    default:
      guard let blob = BackupMember.blob(name) else { throw malformed(name) }
      guard try write(archive, to: "\(staging)/\(name)") == blob else { throw malformed(name) }
      blobs += 1
    }
  }

  func finish() throws -> (BackupHead, BackupEnd) {
    guard let head, let end, end.blobs == blobs else { throw malformed(BackupEnd.member) }
    return (head, end)
  }

  private func value<Value: Decodable>(_ archive: ArchiveStream, _ name: String) throws -> Value {
    var bytes: [UInt8] = []
    while true {
      let piece = try archive.piece()
      if piece.isEmpty { break }
      bytes += piece
      guard bytes.count <= 64 << 10 else { throw malformed(name) }
    }
    guard let value = try? JSONDecoder().decode(Value.self, from: Data(bytes)) else { throw malformed(name) }
    return value
  }

  /// Writes the content of a member to a file; gives its SHA-256.
  private func write(_ archive: ArchiveStream, to path: String) throws -> String {
    try Directories.create(FileSystem.folder(of: path))
    let partial = try PartialFile(beside: path)
    var digest = RunningDigest()
    while true {
      let piece = try archive.piece()
      if piece.isEmpty { break }
      digest.update(piece)
      try partial.append(piece)
    }
    try partial.finish(mode: 0o600)
    return digest.value.hexadecimal
  }
}
