import MPaaSSupport
package import MPaaSTrust

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A file that no present reader of the repository asks for.
package struct CollectedFile: Sendable, Equatable, Encodable {
  /// Relative to the repository.
  package let path: String
  package let size: UInt64
}

extension RepositoryEditor {
  /// Removes what newer versions replaced: metadata and targets that nothing published or staged speaks of.
  ///
  /// Roots stay for ever, since clients follow them one by one; so does what changed in the last `seconds`, since a
  /// client may be between two files.
  package func collect(unchangedFor seconds: Int64, dryRun: Bool = false) throws(TrustError) -> [CollectedFile] {
    guard folder.newestRoot != nil else { throw TrustError(.repositoryMissing, ["path": folder.path]) }
    return try folder.locked { () throws(TrustError) in
      var draft = try RepositoryDraft(reading: folder, now: now())
      let limit = Int64(draft.now.timeIntervalSince1970) - seconds
      var removed: [CollectedFile] = []
      for path in try draft.unneededFiles() {
        guard let status = FileStatus(folder.path + "/" + path), status.modified <= limit else { continue }
        removed.append(CollectedFile(path: path, size: status.size))
        if dryRun { continue }
        do throws(FileError) {
          try FileSystem.remove(folder.path + "/" + path)
        } catch {
          throw TrustError(error)
        }
        FileSystem.removeIfEmpty(FileSystem.folder(of: folder.path + "/" + path))
      }
      return removed
    }
  }
}

extension RepositoryDraft {
  /// The files of `metadata/` and `targets/` that the published snapshot does not lead to.
  mutating func unneededFiles() throws(TrustError) -> [String] {
    var metadata: Set<String> = ["timestamp.json"]
    if let version = snapshot?.body.header.version { metadata.insert("\(version).snapshot.json") }
    for (name, meta) in snapshot?.body.meta ?? [:] {
      metadata.insert("\(meta.version).\(PercentEncoding.encode(name))")
    }
    let content = Set(try publishedContent())
    return RepositoryFolder.files(below: folder.metadata)
      .filter { !metadata.contains($0) && RepositoryFolder.version(of: $0, role: "root") == nil }
      .map { "metadata/" + $0 }
      + RepositoryFolder.files(below: folder.targets).map { "targets/" + $0 }.filter { !content.contains($0) }
  }
}
