import MPaaSSupport

/// A file that an index was made of.
package struct IndexedFile: Sendable, Equatable {
  package enum Role: UInt8, Sendable {
    case image = 1, debugFile, alternate, package, symbolMap
  }

  package let role: Role
  /// With all links resolved.
  package let path: String
  /// Bytes.
  package let size: UInt64
  /// Seconds since 1970; 0 in the store, where the time says when a file was last used.
  package let modified: Int64
  package let buildID: BuildID?

  package init(role: Role, path: String, size: UInt64, modified: Int64, buildID: BuildID?) {
    self.role = role
    self.path = path
    self.size = size
    self.modified = modified
    self.buildID = buildID
  }

  /// The file as it is now; nil where it is gone.
  init?(_ role: Role, _ path: String, _ image: any ObjectImage, _ store: SymbolStore?) {
    self.init(role, path, size: UInt64(image.bytes.count), buildID: image.buildID, store)
  }

  /// - Parameter size: Nil takes the file's own.
  init?(_ role: Role, _ path: String, size: UInt64?, buildID: BuildID?, _ store: SymbolStore?) {
    let isStored = store.map { path.hasPrefix($0.folder + "/") } ?? false
    guard let status = FileStatus(path) else { return nil }
    self.init(
      role: role, path: isStored ? path : FileSystem.resolved(path) ?? path, size: size ?? status.size,
      modified: isStored ? 0 : status.modified, buildID: buildID)
  }

  /// Tells whether it is the same image, wherever it is now where a build ID tells.
  func isSame(as other: IndexedFile) -> Bool {
    guard buildID == other.buildID, size == other.size else { return false }
    return buildID != nil || (path == other.path && modified == other.modified)
  }

  /// Tells whether the file is as it was, or gone and known by its build ID.
  func isUnchanged(_ store: SymbolStore?) -> Bool {
    guard let status = FileStatus(path) else { return buildID != nil }
    return status.size == size && (modified == 0 || status.modified == modified)
  }
}
