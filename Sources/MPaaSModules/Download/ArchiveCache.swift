package import MPaaSSupport
package import MPaaSTransfer

/// The folder that archives of modules are brought into, each under its digest, once for all processes.
///
/// A file has its name only when its digest is right. Beside it stand, while it is on its way, `.partial`,
/// `.partial.source` and `.lock`; what a process that was killed leaves of them, the next one goes on with.
package struct ArchiveCache: Sendable {
  package let folder: String
  let downloads: ParallelDownloads

  /// - Parameter folder: `<store>/archives`; made when it is needed.
  package init(folder: String, downloads: ParallelDownloads = .archives()) {
    self.folder = folder
    self.downloads = downloads
  }

  /// The path, present or future, of the archive with this digest.
  package func path(of sha256: String) -> String { folder + "/" + sha256 }

  /// Tells whether the archive is there, by its name alone; `fetch` also looks into it.
  package func contains(_ sha256: String) -> Bool { FileStatus(path(of: sha256))?.kind == .file }

  /// Brings archives into the cache; one that another process brings now is waited for, not fetched again.
  ///
  /// Archives that are there are read and checked before they are handed out: a damaged one is fetched again. The
  /// failure of some keeps no other from being brought.
  ///
  /// - Parameters:
  ///   - anew: Whether archives are fetched that are there already.
  ///   - progress: Told on another thread, which it must not hold up.
  /// - Returns: The archives' paths, in the order of `blobs`.
  /// - Throws: `ModuleError` of the first archive in order that did not come: `archive-missing`,
  ///   `archive-digest-mismatch`, `archive-not-fetched`, `archive-fetch-cancelled`, or a file's error.
  package func fetch(
    _ blobs: [ModuleBlob], anew: Bool = false, progress: @escaping @Sendable (ArchiveProgress) -> Void = { _ in }
  ) async throws(ModuleError) -> [String] {
    for blob in blobs where !blob.hasDigest {
      throw ModuleError(.archiveDigestMalformed, ["name": blob.name, "sha256": blob.sha256])
    }
    do throws(FileError) { try Directories.create(folder) } catch { throw ModuleError(error) }
    let run = ArchiveRun(self, blobs, anew: anew, progress)
    try await run.all()
    return blobs.map { path(of: $0.sha256) }
  }

  func lockPath(of sha256: String) -> String { path(of: sha256) + ".lock" }
  func partialPath(of sha256: String) -> String { path(of: sha256) + ".partial" }
}

extension ModuleBlob {
  var hasDigest: Bool { Self.isDigest(sha256) }

  /// Tells whether it is a SHA-256 as names of files bear it.
  static func isDigest(_ text: String) -> Bool {
    text.utf8.count == 64
      && text.utf8.allSatisfy { (0x30...0x39).contains($0) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains($0) }
  }
}

extension ModuleError.Code {
  /// No place has the archive.
  package static var archiveMissing: Self { Self("archive-missing", exit: .unreachable) }
  /// The error for an archive that is not what the index says.
  package static var archiveDigestMismatch: Self { refused("archive-digest-mismatch") }
  /// The exit status says whether another try may help.
  package static func archiveNotFetched(_ exit: ExitStatus) -> ModuleError.Code {
    ModuleError.Code("archive-not-fetched", exit: exit)
  }
  package static var archiveFetchCancelled: Self { Self("archive-fetch-cancelled", exit: .interrupted) }
  package static var archiveDigestMalformed: Self { malformed("archive-digest-malformed") }
}

extension ParallelDownloads {
  /// Downloads as the cache wants them: whoever takes an archive out has it checked, so that none waits for the disk.
  package static func archives(
    userAgent: String = "mpaas", certificates: String? = nil, times: TransferTimes = .live
  ) -> ParallelDownloads {
    var policy = DownloadPolicy()
    policy.settlesFiles = false
    return ParallelDownloads(policy: policy, userAgent: userAgent, certificates: certificates, times: times)
  }
}
