import MPaaSSupport
import MPaaSTransfer
import MPaaSVerification
import Synchronization

/// Brings the indexes of modules that the signed metadata names: from web servers many at once, from folders as they
/// lie there.
struct IndexFetch: Sendable {
  let client: RepositoryClient
  /// A folder for files that are on their way; made when it is needed.
  let folder: String
  let userAgent: String
  let progress: @Sendable (_ fetched: Int, _ of: Int) -> Void

  /// - Returns: The bytes by module; their lengths and digests are right.
  /// - Throws: `ModuleError` of the first that did not come: `target-digest-mismatch`, `target-file-missing`, or why no
  ///   mirror answered; `http-cancelled` where the task was.
  func fetch(_ wanted: [WantedIndex]) async throws(ModuleError) -> [String: Bytes] {
    var fetched: [String: Bytes] = [:]
    var remote: [(index: WantedIndex, urls: [String])] = []
    for index in wanted {
      let addresses = try CatalogLoader.trusted { () throws(TrustError) in try client.addresses(of: index.target) }
      let urls = addresses.prefix { RegistryAddress.isURL($0) }
      if let path = addresses.first, urls.isEmpty, let bytes = index.bytes(at: path) {
        fetched[index.name] = bytes
      } else {
        remote.append((index, Array(urls)))
      }
    }
    guard !remote.isEmpty else { return fetched }
    do throws(FileError) { try Directories.create(folder) } catch { throw ModuleError(error) }
    fetched.merge(await together(remote.filter { !$0.urls.isEmpty })) { $1 }
    for (index, _) in remote where fetched[index.name] == nil {
      if Task.isCancelled { throw ModuleError(HTTPError(.cancelled, url: "")) }
      fetched[index.name] = try alone(index)
    }
    return fetched
  }

  /// The results of the indexes from the mirrors that are web servers before the first folder.
  private func together(_ wanted: [(index: WantedIndex, urls: [String])]) async -> [String: Bytes] {
    let fetched = Mutex<[String: Bytes]>([:])
    var policy = DownloadPolicy()
    // They stand in a file of their own afterwards, and are checked each time it is read.
    policy.settlesFiles = false
    let jobs = wanted.map { index, urls in
      DownloadJob(urls, to: path(index), size: UInt64(clamping: index.target.length)) { path in
        // Kept here and now: another process may bring the same index to the same place.
        guard let bytes = index.bytes(at: path) else { return false }
        fetched.withLock { $0[index.name] = bytes }
        return true
      }
    }
    let done = Mutex(0)
    progress(0, jobs.count)
    _ = await ParallelDownloads(policy: policy, userAgent: userAgent).run(jobs) { event in
      guard case .finished = event else { return }
      let count = done.withLock { done in
        done += 1
        return done
      }
      progress(count, jobs.count)
    }
    for (index, _) in wanted { try? FileSystem.remove(path(index)) }
    return fetched.withLock { $0 }
  }

  /// Asks each mirror in its turn, folders too, and says why none had it.
  private func alone(_ index: WantedIndex) throws(ModuleError) -> Bytes {
    let path = path(index)
    try CatalogLoader.trusted { () throws(TrustError) in _ = try client.download(index.target, to: path) }
    defer { try? FileSystem.remove(path) }
    if let bytes = index.bytes(at: path) { return bytes }
    throw ModuleError(TrustError(.targetDigestMismatch, ["name": index.target.name]))
  }

  private func path(_ index: WantedIndex) -> String { folder + "/" + PercentEncoding.fileName(index.name) }
}

/// An index as the signed metadata names it.
struct WantedIndex: Sendable {
  /// The module's name.
  let name: String
  let target: TrustedTarget

  /// The module whose index a target is; nil for other targets.
  init?(_ target: TrustedTarget) {
    let parts = target.name.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 3, parts[2] == "index.json", !parts[1].isEmpty else { return nil }
    name = String(parts[1])
    self.target = target
  }

  /// Tells whether `bytes` have the length and the digests.
  func describes(_ bytes: Bytes) -> Bool {
    withExtendedLifetime(bytes) { bytes.count == target.length && target.file.digests.match(bytes.buffer) }
  }

  /// The file at `path`, where it is the one that is meant.
  func bytes(at path: String) -> Bytes? {
    guard FileStatus(path)?.size == UInt64(clamping: target.length),
      let bytes = try? Bytes.reading(path, limit: target.length), describes(bytes)
    else { return nil }
    return bytes
  }
}
