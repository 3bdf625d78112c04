import MPaaSDatabase
import MPaaSDigests
import MPaaSSupport

/// Bytes that are kept under the SHA-256 of themselves, in `ab/cdef…`.
///
/// A file that has its name is whole, and on the disk. Its functions block; `DiskWork` is the place for them.
package struct BlobFolder: Sendable {
  /// A file in the folder.
  package struct Blob: Sendable, Equatable {
    /// In lower-case hexadecimal.
    package let sha256: String
    package let size: Int64
    /// Tells whether it had been there before.
    package let isKnown: Bool
  }

  package let folder: String

  /// - Throws: `FileError` where the folder cannot be made.
  package init(_ folder: String) throws {
    self.folder = folder
    try Directories.create(folder)
  }

  /// The path, present or future, of a blob.
  package func path(of sha256: String) -> String { "\(folder)/\(sha256.prefix(2))/\(sha256.dropFirst(2))" }

  /// The number of bytes of a blob; nil where there is none.
  package func size(of sha256: String) -> Int64? {
    guard Self.isName(sha256), let status = FileStatus(path(of: sha256)), status.kind == .file else { return nil }
    return Int64(clamping: status.size)
  }

  /// Tells whether a word is the name of a blob, and nothing that leads elsewhere.
  package static func isName(_ word: String) -> Bool {
    word.utf8.count == 64 && word.utf8.allSatisfy { (48...57).contains($0) || (97...102).contains($0) }
  }

  /// Writes bytes beside their place and renames them into it.
  ///
  /// - Parameter sha256: Their digest, where it is known already.
  /// - Throws: `FileError`.
  package func store(_ bytes: [UInt8], as sha256: String? = nil) throws -> Blob {
    let name = sha256 ?? bytes.sha256.hexadecimal
    if size(of: name) == Int64(bytes.count) { return Blob(sha256: name, size: Int64(bytes.count), isKnown: true) }
    let file = try PartialFile(beside: try place(for: name))
    try bytes.withUnsafeBytes { try file.append($0) }
    try file.finish(mode: 0o600)
    FileSystem.settle(FileSystem.folder(of: path(of: name)))
    return Blob(sha256: name, size: Int64(bytes.count), isKnown: false)
  }

  /// Takes a file as it stands, which has this SHA-256 and is on the disk already: it gets a second name here, or is
  /// copied where the folder is on another file system.
  ///
  /// - Throws: `FileError`.
  package func link(_ file: String, sha256: String, size: Int64) throws -> Blob {
    if self.size(of: sha256) == size { return Blob(sha256: sha256, size: size, isKnown: true) }
    let place = try place(for: sha256)
    do throws(FileError) {
      try FileSystem.addName(place, to: file)
    } catch {
      if [.noSpace, .diskQuotaExceeded].contains(error.code) { throw error }
      try Self.copy(file, to: place)
    }
    FileSystem.settle(FileSystem.folder(of: place))
    return Blob(sha256: sha256, size: size, isKnown: false)
  }

  /// Writes what a file has beside a place and renames it into that.
  private static func copy(_ file: String, to place: String) throws {
    let copy = try PartialFile(beside: place)
    var failure: FileError?
    try OpenFile(file, followsLinks: false).pass(0...) { piece in
      guard failure == nil else { return }
      do throws(FileError) { try copy.append(piece) } catch { failure = error }
    }
    if let failure { throw failure }
    try copy.finish(mode: 0o600)
  }

  /// All bytes of a blob.
  ///
  /// - Throws: `FileError`.
  package func bytes(of sha256: String, limit: Int = .max) throws -> [UInt8] {
    let bytes = try Bytes.reading(path(of: sha256), limit: limit)
    return Array(bytes.buffer)
  }

  package func remove(_ sha256: String) throws {
    guard Self.isName(sha256) else { return }
    try FileSystem.remove(path(of: sha256))
  }

  /// Tells whether a row of the database names a blob.
  static func isNamed(_ sha256: String, in database: any SQLDatabase) throws -> Bool {
    try database.row(
      """
      SELECT 1 FROM uploads WHERE blob = ?1 UNION ALL SELECT 1 FROM crashes WHERE blob = ?1
      UNION ALL SELECT 1 FROM crash_attachments WHERE blob = ?1
      UNION ALL SELECT 1 FROM builds WHERE blob = ?1 LIMIT 1
      """, [.text(sha256)]
    ) { _ in true } ?? false
  }

  /// A blob's path, its folder made.
  private func place(for sha256: String) throws -> String {
    let path = path(of: sha256)
    let folder = FileSystem.folder(of: path)
    if FileStatus(folder) == nil {
      try Directories.create(folder)
      FileSystem.settle(self.folder)
    }
    return path
  }
}
