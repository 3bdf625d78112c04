import MPaaSSupport

extension AppData {
  /// An entry of a folder of the data.
  package struct Entry: Sendable, Equatable {
    package let name: String
    package let isFolder: Bool
    package let size: UInt64
    /// Seconds since 1970.
    package let modified: Int64
  }

  /// The path of something inside the data.
  ///
  /// - Throws: `sandbox-outside` where the path or a link in it leads out.
  package func path(_ inner: String) throws(SecurityError) -> String {
    let parts = inner.split(separator: "/").filter { $0 != "." }
    let outside = SecurityError(.outside, ["path": inner, "app": app])
    guard !parts.contains("..") else { throw outside }
    let path = ([folder] + parts.map(String.init)).joined(separator: "/")
    let root = FileSystem.resolved(folder) ?? folder
    // What is not there yet lies in a folder that is.
    var known = path
    while FileSystem.resolved(known) == nil, known.utf8.count > folder.utf8.count {
      known = FileSystem.folder(of: known)
    }
    let real = FileSystem.resolved(known) ?? folder
    guard real == root || real.hasPrefix(root + "/") else { throw outside }
    return path
  }

  /// The entries of a folder, sorted by name; a file alone is its own entry.
  package func entries(_ inner: String = "") throws -> [Entry] {
    let path = try path(inner)
    guard FileStatus(path)?.kind == .folder else {
      guard let entry = Self.entry(path) else { throw FileError.last(.open, path) }
      return [entry]
    }
    return try FileSystem.names(in: path).sorted().compactMap { Self.entry("\(path)/\($0)") }
  }

  private static func entry(_ path: String) -> Entry? {
    guard let status = FileStatus(ofLink: path) else { return nil }
    return Entry(
      name: FileSystem.name(of: path), isFolder: status.kind == .folder, size: status.size, modified: status.modified)
  }

  /// Copies a file or folder out of the data.
  ///
  /// - Returns: How many files, and their bytes.
  /// - Throws: `sandbox-target-exists` where the target is there, and is not to be replaced; `FileError`.
  package func pull(_ inner: String, to target: String, replaces: Bool = false) throws -> CopiedFiles {
    let source = try path(inner)
    let name = inner.split(separator: "/").last.map(String.init) ?? app
    let place = FileStatus(target)?.kind == .folder ? "\(target)/\(name)" : target
    return try FileCopy(replaces: replaces).copy(source, to: place)
  }

  /// Copies a file or folder into the data.
  ///
  /// - Parameter inner: A folder of the data that is there, or the new path.
  package func push(_ source: String, to inner: String, replaces: Bool = false) throws -> CopiedFiles {
    let target = try path(inner)
    let name = FileSystem.name(of: source)
    let place = FileStatus(target)?.kind == .folder ? try path("\(inner)/\(name)") : target
    return try FileCopy(replaces: replaces).copy(source, to: place)
  }
}

/// The files that were copied.
package struct CopiedFiles: Sendable, Equatable {
  package let target: String
  package internal(set) var files = 0
  package internal(set) var bytes: UInt64 = 0
}

/// Copies files and folders; links are left out, since they may lead anywhere.
struct FileCopy {
  let replaces: Bool

  /// Deeper ones were made to cost time.
  private static let deepest = 64

  func copy(_ source: String, to target: String) throws -> CopiedFiles {
    if !replaces, FileStatus(ofLink: target) != nil { throw SecurityError(.targetExists, ["path": target]) }
    var copied = CopiedFiles(target: target)
    try copy(source, to: target, depth: 0, into: &copied)
    return copied
  }

  private func copy(_ source: String, to target: String, depth: Int, into copied: inout CopiedFiles) throws {
    guard let status = depth == 0 ? FileStatus(source) : FileStatus(ofLink: source) else {
      throw FileError.last(.open, source)
    }
    // A link in the target could lead out of it.
    if depth > 0, FileStatus(ofLink: target)?.kind == .other { throw SecurityError(.targetExists, ["path": target]) }
    switch status.kind {
    case .other: return
    case .folder:
      guard depth < Self.deepest else { return }
      try Directories.create(target)
      for name in try FileSystem.names(in: source).sorted() {
        try copy("\(source)/\(name)", to: "\(target)/\(name)", depth: depth + 1, into: &copied)
      }
    case .file:
      let bytes = try Bytes.mapping(source)
      try Directories.create(FileSystem.folder(of: target))
      try bytes.write(to: target, mode: status.permissions & 0o777)
      copied.files += 1
      copied.bytes += UInt64(bytes.count)
    }
  }
}
