import CArchive
package import MPaaSSupport

/// Reads zip, tar (plain or compressed by gzip, bzip2, xz or zstd), 7-Zip and single compressed files from memory,
/// without unpacking to disk.
///
/// An archive inside an archive is opened too, one level deep. libarchive is loaded at the first use.
package struct ArchiveReader: Sendable {
  /// What may come out of one archive, so that a small file cannot fill the memory or take hours.
  package struct Limits: Sendable {
    /// The largest member that is read into memory, in bytes.
    package var member = 4 << 30
    /// All members together: so many bytes, …
    package var total = 4 << 30
    /// … or so many times the archive's size, whichever is more.
    package var ratio = 64
    package var members = 1_000_000

    package init() {}
  }

  package var limits = Limits()

  /// How deep archives stand in each other: the outer one and those in it.
  private static let deepest = 2
  private static let signatures: [[UInt8]] = [
    [0x50, 0x4b, 0x03, 0x04], [0x50, 0x4b, 0x05, 0x06], [0x1f, 0x8b, 0x08], [0x42, 0x5a, 0x68],
    [0xfd, 0x37, 0x7a, 0x58, 0x5a, 0x00], [0x28, 0xb5, 0x2f, 0xfd], [0x37, 0x7a, 0xbc, 0xaf, 0x27, 0x1c],
  ]
  /// How many bytes from a file's start `matches` looks at.
  package static let headSize = 512

  package init() {}

  /// Whether bytes begin as an archive or a compressed file does.
  package static func matches(_ head: UnsafeRawBufferPointer) -> Bool {
    if signatures.contains(where: { head.starts(with: $0) }) { return true }
    return head.count > 262 && head[257..<262].elementsEqual("ustar".utf8)
  }

  package static func matches(_ bytes: Bytes) -> Bool {
    withExtendedLifetime(bytes) { matches(bytes.buffer) }
  }

  /// libarchive's version, nil where it is not installed.
  package static var libraryVersion: String? { mp_archive_version().map { String(cString: $0) } }

  /// Hands over each file in an archive, in the archive's order; folders and links are left out.
  ///
  /// - Parameters:
  ///   - bytes: The whole archive, mapped.
  ///   - name: The archive's file name; a single compressed file bears it without its ending.
  ///   - visit: Reads what it wants of the entry and says whether to go on. The entry is of no use afterwards.
  /// - Throws: `ArchiveError`, also that of `visit`.
  package func entries(
    of bytes: Bytes, name: String, visit: (ArchiveEntry) throws(ArchiveError) -> Bool
  ) throws(ArchiveError) {
    guard mp_archive_load() else {
      throw ArchiveError(.noLibrary, mp_archive_missing().map { String(cString: $0) } ?? "")
    }
    let (scaled, overflow) = bytes.count.multipliedReportingOverflow(by: limits.ratio)
    let budget = ArchiveBudget(
      bytes: max(limits.total, overflow ? .max : scaled), member: limits.member, members: limits.members)
    _ = try walk(bytes, name, prefix: "", depth: 1, budget, visit)
  }

  /// The content of one file in an archive.
  ///
  /// - Parameter path: As `entries` gives it.
  /// - Throws: `ArchiveError`.
  package func member(_ path: String, of bytes: Bytes, name: String) throws(ArchiveError) -> Bytes {
    var found: Bytes?
    try entries(of: bytes, name: name) { (entry) throws(ArchiveError) in
      guard entry.path == path else { return true }
      found = try entry.body()
      return false
    }
    guard let found else { throw ArchiveError(.noMember, path) }
    return found
  }

  /// Says whether `visit` wants to go on.
  private func walk(
    _ bytes: Bytes, _ name: String, prefix: String, depth: Int, _ budget: ArchiveBudget,
    _ visit: (ArchiveEntry) throws(ArchiveError) -> Bool
  ) throws(ArchiveError) -> Bool {
    guard let start = bytes.buffer.baseAddress, let archive = mp_archive_open(start, bytes.count) else {
      throw ArchiveError(.damaged)
    }
    defer {
      mp_archive_close(archive)
      withExtendedLifetime(bytes) {}
    }
    while true {
      var path: UnsafePointer<CChar>?
      var size: Int64 = -1
      var modified: Int64 = 0
      switch mp_archive_next(archive, &path, &size, &modified) {
      case MP_ARCHIVE_END: return true
      case MP_ARCHIVE_ENTRY: break
      default: throw ArchiveEntry.failure(archive)
      }
      try budget.takeMember()
      var member = path.map { String(cString: $0) } ?? ""
      while member.hasPrefix("./") { member.removeFirst(2) }
      if member == "data", size < 0 { member = Self.stem(name) }
      let entry = ArchiveEntry(
        path: prefix + member, size: size < 0 ? nil : UInt64(size), modified: modified, archive: archive,
        budget: budget)
      if depth < Self.deepest, Self.matches(try entry.head(Self.headSize)) {
        let inner = try entry.body()
        let next = entry.path + "/"
        // A member that only looks like an archive must not hide those behind it.
        do throws(ArchiveError) {
          guard try walk(inner, member, prefix: next, depth: depth + 1, budget, visit) else { return false }
        } catch {
          if error.code != .damaged { throw error }
        }
      } else if try !visit(entry) {
        return false
      }
    }
  }

  /// A compressed file's name without the ending that tells the compression.
  static func stem(_ name: String) -> String {
    let file = FileSystem.name(of: name)
    guard let dot = file.lastIndex(of: "."), dot > file.startIndex else { return file }
    return String(file[..<dot])
  }
}
