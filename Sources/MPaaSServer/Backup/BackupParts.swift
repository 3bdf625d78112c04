import MPaaSSupport

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The first member of a backup.
struct BackupHead: Codable, Sendable, Equatable {
  static let member = "backup.json"
  static let version = 1

  var version = Self.version
  /// The number of steps that its tables came by.
  var schema: Int
  /// Seconds since 1970.
  var created: Double
}

/// The last member of a backup, by which one that was cut is known.
struct BackupEnd: Codable, Sendable, Equatable {
  static let member = "end.json"

  /// The SHA-256 of the database, in hexadecimal.
  var database: String
  var blobs: Int
  /// Bytes of the database and of all blobs.
  var bytes: Int64
}

/// The names of the other members.
enum BackupMember {
  static let database = "mpaas.sqlite"
  static let rules = ".mpaas-groups"

  static func name(ofBlob sha256: String) -> String { "blobs/\(sha256.prefix(2))/\(sha256.dropFirst(2))" }

  /// The SHA-256 that a member is named by; nil for one that is no blob.
  static func blob(_ member: String) -> String? {
    let parts = member.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 3, parts[0] == "blobs", parts[1].utf8.count == 2 else { return nil }
    let name = String(parts[1] + parts[2])
    return BlobFolder.isName(name) ? name : nil
  }

  static func bytes(_ value: some Encodable) -> Bytes {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    // Values of ours have neither infinities nor cycles, the only things that are no JSON.
    return Bytes(Array((try? encoder.encode(value)) ?? Data()))
  }
}

extension CodedError<ServerDomain>.Code {
  /// A backup that was cut, changed, or is none.
  static var backupMalformed: Self { .malformed("backup-malformed") }
  /// The blobs are in a bucket, which no file can be a copy of at one moment.
  static var backupElsewhere: Self { ServerError.Code("backup-blobs-elsewhere", exit: .badConfiguration) }
  /// Something is in the folder already that a backup is restored to.
  static var restoreTaken: Self { ServerError.Code("restore-folder-taken", exit: .cannotCreate) }
}
