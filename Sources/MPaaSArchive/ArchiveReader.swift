package import MPaaSSupport

/// Reads zip, tar (plain or compressed by gzip, bzip2, xz or zstd), 7-Zip and single compressed files from memory,
/// without unpacking to disk.
///
/// An archive inside an archive is opened too, one level deep. libarchive is loaded at the first use.
package struct ArchiveReader: Sendable {
  /// The limits of one archive's content, so that a small file cannot fill the memory or take hours.
  package struct Limits: Sendable {
    /// The largest member that is read into memory, in bytes.
    package var member = 4 << 30
    /// The bytes that all members together may give at least.
    package var total = 4 << 30
    /// More is allowed where the archive is large: so many times its own size.
    package var ratio = 64
    package var members = 1_000_000

    package init() {}
  }

  package var limits = Limits()

  /// The greatest depth of archives in each other: the outer one and those in it.
  private static let deepest = 2
  package init() {}

  /// Tells whether bytes begin as an archive or a compressed file does.
  package static func matches(_ bytes: Bytes) -> Bool {
    withExtendedLifetime(bytes) { ArchiveForm(bytes.buffer) != nil }
  }

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
    let source = try ArchiveStream(bytes, .any)
    while let member = try source.nextFile() {
      try budget.takeMember()
      var path = member.path?.shown ?? ""
      while path.hasPrefix("./") { path.removeFirst(2) }
      if path == "data", member.size == nil { path = Self.stem(name) }
      let entry = ArchiveEntry(path: prefix + path, member, source: source, budget: budget)
      if depth < Self.deepest, Self.matches(try entry.head(ArchiveForm.headSize)) {
        let inner = try entry.body()
        let next = entry.path + "/"
        // A member that only looks like an archive must not hide those behind it.
        do throws(ArchiveError) {
          guard try walk(inner, path, prefix: next, depth: depth + 1, budget, visit) else { return false }
        } catch {
          if error.code != .damaged { throw error }
        }
      } else if try !visit(entry) {
        return false
      }
    }
    return true
  }

  /// A compressed file's name without the ending that tells the compression.
  static func stem(_ name: String) -> String {
    let file = FileSystem.name(of: name)
    guard let dot = file.lastIndex(of: "."), dot > file.startIndex else { return file }
    return String(file[..<dot])
  }
}
