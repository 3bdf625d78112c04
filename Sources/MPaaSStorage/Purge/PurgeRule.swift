import MPaaSSupport

/// The age from which files of a purgeable path go by themselves.
public enum PurgeAge: Int, Sendable, CaseIterable, Codable {
  /// They stay until a user clears caches.
  case manual = 0
  /// Files that were not changed for three days go.
  case threeDays = 3
  /// Files that were not changed for a week go.
  case oneWeek = 7
  /// Files that were not changed for two weeks go.
  case twoWeeks = 14
  /// Files that were not changed for thirty days go.
  case oneMonth = 30
}

/// A path in the sandbox whose files may be removed, and when.
public struct PurgeRule: Sendable, Equatable {
  /// The path of a file or folder below the root, such as `Library/Caches`.
  public let path: String
  /// The age from which its files go by themselves.
  public var age: PurgeAge
  /// The bytes beyond which the oldest files go until half of them are left; 0 for any size.
  public var size: UInt64
  /// The names in the folder that it is about, `*` for any text; nil for all.
  public var entries: [String]?

  /// Creates a rule.
  ///
  /// - Throws: `StorageError` where the path leads out of the root, or is the root itself.
  public init(
    path: String, age: PurgeAge = .manual, size: UInt64 = 0, entries: [String]? = nil
  ) throws(StorageError) {
    let parts = path.utf8.split(separator: UInt8(ascii: "/")).map { String(Substring($0)) }.filter { $0 != "." }
    guard !path.utf8.starts(with: "/".utf8), !path.utf8.contains(0), !parts.isEmpty, !parts.contains("..") else {
      throw StorageError(.pathOutside, ["path": path])
    }
    self.path = parts.joined(separator: "/")
    (self.age, self.size, self.entries) = (age, size, entries)
  }
}

extension StorageError.Code {
  /// A path leads out of the folder that it is to stay in.
  package static var pathOutside: Self { StorageError.Code("storage-path-outside", exit: .malformedInput) }
  /// A list of what is purgeable is none.
  package static var rulesMalformed: Self { StorageError.Code("storage-rules-malformed", exit: .malformedInput) }
  /// A folder has no list of what is purgeable.
  package static var rulesMissing: Self { StorageError.Code("storage-rules-missing", exit: .inputMissing) }
}
